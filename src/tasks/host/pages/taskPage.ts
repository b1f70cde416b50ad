/**
 * The page of one task in an editor tab (T7): follows the board, runs the commands of its buttons, and looks whether the saved file is still there.
 */
import type { LockOutcome } from "../../lock/lockWriter";
import * as vscode from "vscode";
import { t } from "@vscode/l10n";
import type { Clock } from "../../../base/clock";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import type { TokenUsage } from "../../../domain/prices/tokenDays";
import type { Log } from "../../../domain/ports";
import { acceptedOf } from "../../../domain/task/phase";
import type { Task } from "../../../domain/task/task";
import type { PageAction } from "../../../domain/task/taskActions";
import type { Handlers } from "../../../base/pageContract";
import {
  taskPageContract,
  type TaskPageIntent,
  type TaskPageSnapshot,
  type TaskView,
} from "../../contract/taskPageContract";
import type { Balances } from "../../../gateway/balances";
import type { Bills } from "../../../gateway/bills";
import type { ReportDocuments } from "../../../vscode/interface/reportDocuments";
import type { TaskBoard } from "../../board/board";
import type { PersonsRequest } from "../../results/resultDownloads";
import { resultFile } from "../../results/resultFile";
import { describeCopiedKey } from "../../view/requestWords";
import { markSeen } from "../../view/clearedTasks";
import { actionsOf } from "../../view/taskActions";
import { taskCurl } from "../../submit/requestBody";
import type { Dialogs } from "../../../vscode/interface/dialogs";
import { judgeAddress } from "../../../node/outsideAddress";
import { openFileOutside, openOutside } from "../../../vscode/interface/openOutside";
import type { AltOptions } from "../results/askForAlt";
import type { DropIntent } from "../../contract/mediaFormPageContract";
import type { ReadDocuments } from "../results/lookForUses";
import type { Environment } from "../../../domain/environment";
import { flashStatus, notifyInformation, notifyWarning } from "../../../vscode/interface/show";
import { addressesOf, taskPageSnapshot } from "./taskPageView";
import { runTaskAction } from "../tree/runTaskAction";
import { lastOf, mountProjectedPage, type ProjectedPage } from "../../../vscode/webviewPage";

/** What the pages of tasks, results, money and usage need. */
export interface TaskPageOptions extends Pick<Environment, "settings"> {
  readonly extensionUri: vscode.Uri;
  /** The results folder on this machine: a page may load files of it. */
  readonly results: vscode.Uri;
  readonly board: TaskBoard;
  readonly clock: Clock;
  readonly log: Log;
  readonly dialogs: Dialogs;
  readonly alt: AltOptions;
  readonly translations: string | undefined;
  readonly loadEvents: (id: string) => Promise<void>;
  readonly saveResult: (id: string, request?: PersonsRequest) => Promise<string>;
  /** Whether the result of the task is fetched without a click, now or later. */
  readonly awaitsResult: (task: Task) => boolean;
  /** The setting `sluice.results.folder`. */
  readonly resultsFolder: () => string;
  /** Reads the documents of the folders of this window. */
  readonly readDocuments: ReadDocuments;
  readonly openTask: (id: string) => void;
  readonly openBatch: (batch: string) => void;
  /** Opens the form with pictures that were dropped on another page. */
  readonly addToForm: (intent: DropIntent) => void;
  /** Takes a changed file into the `sluice.lock` of the folder `root` as it is; `path`: as the lock names it. */
  readonly keepChanged: (root: string, path: string) => Promise<LockOutcome>;
  /** `width`: the width in pixels that is proposed instead of that of the result. */
  readonly openConvert: (id: string, width?: number) => void;
  /** The balance at the gateway in use. */
  readonly balances: Pick<Balances, "current" | "spent" | "refresh">;
  /** The counts of gateways that were out of bounds. */
  readonly bills: Pick<Bills, "current" | "onDidChange">;
  readonly reports: Pick<ReportDocuments, "show">;
  /** The host of the gateway in use; empty where there is none. */
  readonly gatewayName: () => string;
  /** The tokens that models used in the chats on this machine since that moment. */
  readonly tokenUsage: (since: number) => Promise<readonly TokenUsage[]>;
}

export class TaskPage implements Disposable {
  readonly #id: string;
  readonly #options: TaskPageOptions;
  readonly #tab: vscode.WebviewPanel;
  readonly #registrations = new DisposableStore();
  readonly #page: ProjectedPage<TaskPageSnapshot>;
  #events: TaskView["events"] = "none";
  /** The state that the task had when its events were read last. */
  #eventsOf: string | undefined;
  #isGettingResult = false;
  #isRawShown = false;
  #body: string | undefined;
  readonly #savedFile: SavedFile;

  constructor(tab: vscode.WebviewPanel, id: string, options: TaskPageOptions) {
    this.#id = id;
    this.#tab = tab;
    this.#options = options;
    this.#page = this.#registrations.add(
      mountProjectedPage(tab, taskPageContract, {
        ...options,
        bundle: "task",
        title: t("Task"),
        media: [options.results],
        readsMedia: true,
        handlers: this.#handlers(),
        snapshot: () => this.#snapshot(),
        merge: lastOf,
        onShown: () => void this.#readWhatIsShown(),
      }),
    );
    this.#savedFile = this.#registrations.add(new SavedFile(() => this.#update()));
    this.#registrations.add(options.board.onDidChange((ids) => this.#onChange(ids)));
  }

  dispose(): void {
    this.#registrations.dispose();
  }

  get #task(): Task | undefined {
    return this.#options.board.all.get(this.#id);
  }

  async #readWhatIsShown(): Promise<void> {
    const { board, clock } = this.#options;
    void markSeen(board, [this.#id], clock.now());
    this.#body = await board.readBody(this.#id).catch(() => undefined);
    this.#update();
    void this.#readEvents();
  }

  #onChange(ids: ReadonlySet<string>): void {
    const tasks = this.#options.board.all;
    const source = this.#task?.intent.duplicatedFrom;
    const isFollower = [...ids].some((id) => tasks.get(id)?.intent.duplicatedFrom === this.#id);
    if (!ids.has(this.#id) && !isFollower && (source === undefined || !ids.has(source))) return;
    this.#update();
    if (this.#page.isShown) void this.#readEvents();
  }

  #update(): void {
    if (!this.#page.isShown) return;
    const placement = acceptedOf(this.#task)?.placement;
    this.#savedFile.follow(placement?.state === "placed" ? placement.file : undefined);
    this.#page.emit(this.#snapshot());
  }

  #snapshot(): TaskPageSnapshot {
    const { board, clock } = this.#options;
    return taskPageSnapshot(this.#id, {
      now: clock.now(),
      locale: vscode.env.language,
      isGettingResult: this.#isGettingResult,
      events: this.#events,
      isRawShown: this.#isRawShown,
      isSavedGone: this.#savedFile.isGone,
      body: this.#body,
      batchSize: this.#batchSize(),
      find: (id) => board.all.get(id),
      ledTo: [...board.all.values()].filter(({ intent }) => intent.duplicatedFrom === this.#id),
      saveFolder: vscode.workspace.workspaceFolders === undefined ? undefined : this.#options.resultsFolder(),
      nameOf: (file) => vscode.workspace.asRelativePath(vscode.Uri.parse(file)),
      urlOf: (path) => this.#tab.webview.asWebviewUri(vscode.Uri.file(path)).toString(),
    });
  }

  #batchSize(): number {
    const batch = this.#task?.intent.batch;
    if (batch === undefined) return 0;
    let count = 0;
    for (const { intent } of this.#options.board.all.values()) if (intent.batch === batch) count += 1;
    return count;
  }

  /** Reads the gateway's events if the task's state has changed since the last time, or if the person asks. */
  async #readEvents({ isAsked = false } = {}): Promise<void> {
    const accepted = acceptedOf(this.#task);
    if (accepted === undefined || this.#events === "loading") return;
    const state = accepted.remote.rawStatus;
    if (!isAsked && this.#eventsOf === state) return;
    this.#eventsOf = state;
    const hadEvents = accepted.events !== undefined;
    this.#events = hadEvents ? "shown" : "loading";
    this.#update();
    await this.#options.loadEvents(this.#id);
    this.#events = acceptedOf(this.#task)?.events !== undefined ? "shown" : "failed";
    this.#update();
    // The state may have changed while the events were read.
    void this.#readEvents();
  }

  async #getResult(): Promise<void> {
    if (this.#isGettingResult) return;
    this.#isGettingResult = true;
    this.#update();
    try {
      await this.#options.saveResult(this.#id);
    } catch (failure) {
      void this.#options.dialogs.showFailure(failure, "result", () => void this.#getResult());
    } finally {
      this.#isGettingResult = false;
      this.#update();
    }
  }

  #handlers(): Handlers<TaskPageIntent> {
    const { openTask, openBatch } = this.#options;
    return {
      "task-action": ({ action }) => void this.#act(action),
      "task-open": ({ task }) => openTask(task),
      "batch-open": () => {
        const batch = this.#task?.intent.batch;
        if (batch !== undefined) openBatch(batch);
      },
      "address-open": ({ at }) => void this.#openAddress(at),
      "address-copy": ({ at }) => void this.#copyAddress(at),
      "raw-show": () => {
        this.#isRawShown = true;
        this.#update();
      },
      "events-load": () => void this.#readEvents({ isAsked: true }),
    };
  }

  #addressAt(at: number): string | undefined {
    return this.#task && addressesOf(this.#task)?.[at];
  }

  /** VS Code shows the address and asks, unless the person trusts its host. */
  async #openAddress(at: number): Promise<void> {
    const address = this.#addressAt(at);
    if (address !== undefined && !(await openOutside(judgeAddress(address))))
      void notifyWarning(t("This address can't be opened from here. Copy it instead."));
  }

  async #copyAddress(at: number): Promise<void> {
    const address = this.#addressAt(at);
    if (address === undefined) return;
    await vscode.env.clipboard.writeText(address);
    flashStatus("check", t("Copied."), 5000);
  }

  async #act(action: PageAction): Promise<void> {
    const task = this.#task;
    if (!task) return;
    if (action === "get-result") await this.#getResult();
    else if (action === "open-externally") {
      const file = resultFile(task);
      if (file && actionsOf(task).includes(action)) await openFileOutside(file.path);
    } else if (action === "copy-curl") await this.#copyCurl(task);
    else await runTaskAction(action, this.#id);
  }

  async #copyCurl(task: Task): Promise<void> {
    const curl = taskCurl(task, this.#body);
    if (curl === undefined) return;
    await vscode.env.clipboard.writeText(curl);
    const aboutKey = describeCopiedKey(task);
    if (aboutKey === undefined) flashStatus("check", t("Copied. Set SLUICE_API_KEY before you run it."), 5000);
    else void notifyInformation(aboutKey);
  }
}

// Looks whether the file that a result was saved as is still there: a person may delete or move it.

class SavedFile implements Disposable {
  readonly #onDidChange: () => void;
  #file: string | undefined;
  #watched: DisposableStore | undefined;
  #isGone = false;

  constructor(onDidChange: () => void) {
    this.#onDidChange = onDidChange;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** `file`: its URI; `undefined` while the result is saved nowhere. */
  follow(file: string | undefined): void {
    if (file === this.#file) return;
    this.dispose();
    this.#file = file;
    if (file === undefined) return;
    const target = vscode.Uri.parse(file);
    // The watcher matches all names, because the name of the file might be read as a pattern.
    const folder = new vscode.RelativePattern(vscode.Uri.joinPath(target, ".."), "*");
    const watcher = vscode.workspace.createFileSystemWatcher(folder, false, true, false);
    const look = ({ path }: vscode.Uri): void => void (path === target.path && this.#look(target));
    this.#watched = new DisposableStore();
    this.#watched.add(watcher);
    this.#watched.add(watcher.onDidCreate(look));
    this.#watched.add(watcher.onDidDelete(look));
    void this.#look(target);
  }

  dispose(): void {
    this.#watched?.dispose();
    this.#watched = undefined;
    this.#file = undefined;
    this.#isGone = false;
  }

  async #look(target: vscode.Uri): Promise<void> {
    const file = this.#file;
    const isGone = await vscode.workspace.fs.stat(target).then(
      () => false,
      // Any other error proves nothing: the folder may not be mounted, for example.
      (error: unknown) => error instanceof vscode.FileSystemError && error.code === "FileNotFound",
    );
    if (file !== this.#file || isGone === this.#isGone) return;
    this.#isGone = isGone;
    this.#onDidChange();
  }
}

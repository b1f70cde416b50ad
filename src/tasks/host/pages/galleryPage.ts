/**
 * The gallery in an editor tab (T15): sends the results on this machine page by page, follows the board, and runs the commands of the selection,
 * also for the page of a batch.
 */
import { t } from "@vscode/l10n";
import type * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import { definedFields } from "../../../base/definedFields";
import {
  type ComparedResults,
  type GalleryEvent,
  galleryPageContract,
  type GallerySnapshot,
  type LockedResults,
  maxCompared,
  type ResultOption,
  type ResultUses,
  type GalleryAction,
  type ResultIntent,
} from "../../contract/galleryPageContract";
import type { TaskBoard } from "../../board/board";
import type { LockState } from "../../../domain/lock/lockState";
import { lockedStates } from "../results/lockedStates";
import { findUsedResults, placedHere } from "../results/lookForUses";
import { hasResult, resultFile } from "../../results/resultFile";
import { taskParameters } from "../../submit/requestBody";
import { commands } from "../../../vscode/ids";
import { runCommand, runForTasks } from "../../../vscode/interface/runCommand";
import { notifyInformation } from "../../../vscode/interface/show";
import { mountProjectedPage, type ProjectedPage } from "../../../vscode/webviewPage";
import { galleryRow, resultsOf, resultOptions } from "./galleryPageView";
import type { GallerySection } from "../../contract/pageSections";
import type { TaskPageOptions } from "./taskPage";
import type { JudgementChange } from "../../../domain/task/judgement";
import type { Handlers } from "../../../base/pageContract";
import { runTasksAction } from "../tree/runTaskAction";

/** Rows of one message, and milliseconds between two messages. The projector would combine messages that come sooner. */
const pageSize = 500;
const pageGap = 40;

export class GalleryPage implements Disposable {
  readonly #options: TaskPageOptions;
  readonly #tab: vscode.WebviewPanel;
  readonly #subject: string;
  readonly #registrations = new DisposableStore();
  readonly #page: ProjectedPage<GalleryEvent>;
  readonly #ended = new AbortController();
  /** The ids of the rows that the page has. */
  readonly #sent = new Set<string>();
  /** The ids of the rows that are still to be sent, in their order. */
  readonly #waiting = new Set<string>();
  #isSending = false;
  /** A message is to be sent although no row waits. */
  #isDue = false;
  #compared: ComparedResults | undefined;
  /** All tasks on disk were read, or can't be read now. */
  #isRead = false;
  /** The results that the project uses; `undefined` until the page asks. */
  #uses: ResultUses | undefined;
  #locked: LockedResults | undefined;

  constructor(
    tab: vscode.WebviewPanel,
    subject: string,
    options: TaskPageOptions,
    open: (section: GallerySection) => void,
  ) {
    this.#subject = subject;
    this.#tab = tab;
    this.#options = options;
    this.#page = this.#registrations.add(
      mountProjectedPage(tab, galleryPageContract, {
        ...options,
        bundle: "gallery",
        title: galleryTitle(),
        media: [options.results],
        readsMedia: true,
        handlers: {
          "section-open": ({ section }) => open(section),
          ...resultHandlers(options),
          "results-compare": ({ tasks }) => void this.#readOptions(tasks),
          "uses-find": () => void this.#findUses(),
          "form-open": ({ tasks }) => void openForm(knownTasks(options, tasks)),
          "picture-add": (intent) => options.addToForm(intent),
          "pictures-refuse": (intent) => options.addToForm(intent),
          "references-add": (intent) => options.addToForm(intent),
        },
        snapshot: () => this.#snapshot(),
        // Events are not merged: each has its own rows, and none is longer than a page.
        merge: () => undefined,
        onShown: () => void this.#load(),
      }),
    );
    this.#registrations.add(options.board.onDidChange((ids) => this.#onChange(ids)));
  }

  /** Has the page compare these results at once, or as soon as it is shown. */
  compare(ids: readonly string[]): void {
    this.#compared = { ids };
    if (this.#page.isShown) this.#page.emit({ ...this.#pageOf(ids), ...this.#takeCompared() });
  }

  dispose(): void {
    this.#ended.abort();
    this.#registrations.dispose();
  }

  async #readOptions(ids: readonly string[]): Promise<void> {
    const options: Record<string, readonly ResultOption[]> = {};
    const { board } = this.#options;
    for (const id of ids) {
      const task = board.all.get(id);
      if (task === undefined) continue;
      options[id] = resultOptions(task, taskParameters(await board.readBody(id).catch(() => undefined)));
    }
    this.#page.emit({ ...this.#pageOf([]), options });
  }

  async #findUses(): Promise<void> {
    if (this.#uses === "searching") return;
    this.#setUses("searching");
    const { board, dialogs, readDocuments } = this.#options;
    try {
      await board.loaded();
      const { signal } = this.#ended;
      const uses = await findUsedResults(readDocuments, board.all.values(), signal);
      this.#locked = await lockedResults(board, signal);
      this.#setUses(uses);
    } catch (failure) {
      if (this.#ended.signal.aborted) return;
      this.#setUses("unknown");
      void dialogs.showFailure(failure, "read", () => void this.#findUses());
    }
  }

  #setUses(uses: ResultUses): void {
    this.#uses = uses;
    this.#page.emit({ ...this.#pageOf([]), uses, ...definedFields({ locked: this.#locked }) });
  }

  #snapshot(): GallerySnapshot {
    const { board, results } = this.#options;
    const all = resultsOf(board.all.values());
    const { compared } = this.#takeCompared();
    const first = all.filter(({ intent }, index) => index < pageSize || compared?.ids.includes(intent.id) === true);
    this.#sent.clear();
    this.#waiting.clear();
    for (const { intent } of first) this.#sent.add(intent.id);
    for (const { intent } of all.slice(pageSize)) if (!this.#sent.has(intent.id)) this.#waiting.add(intent.id);
    return {
      subject: this.#subject,
      base: this.#tab.webview.asWebviewUri(results).toString(),
      folder: results.toString(),
      total: all.length,
      isComplete: this.#isComplete,
      rows: first.map((task) => galleryRow(task, results.fsPath)),
      ...definedFields({ uses: this.#uses, locked: this.#locked, compared }),
    };
  }

  /** The page is asked once: a later snapshot must not open the dialog again. */
  #takeCompared(): { readonly compared?: ComparedResults } {
    const compared = this.#compared;
    this.#compared = undefined;
    return definedFields({ compared });
  }

  get #isComplete(): boolean {
    return this.#waiting.size === 0 && this.#isRead;
  }

  /** Sends the known results at once. Those that the board reads meanwhile arrive through `onDidChange`. */
  async #load(): Promise<void> {
    void this.#send();
    await this.#options.board.loaded();
    this.#isRead = true;
    this.#isDue = true;
    void this.#send();
  }

  #onChange(ids: ReadonlySet<string>): void {
    if (!this.#page.isShown) return;
    const tasks = this.#options.board.all;
    // A change of so many tasks lists the oldest first, so it is sorted anew.
    const newestFirst = ids.size > pageSize ? resultsOf(tasks.values()).map(({ intent }) => intent.id) : [];
    for (const id of newestFirst) if (ids.has(id)) this.#waiting.add(id);
    for (const id of ids) {
      const task = tasks.get(id);
      if (this.#sent.has(id) || (task && hasResult(task))) this.#waiting.add(id);
    }
    void this.#send();
  }

  /** Sends the waiting rows page by page. */
  async #send(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    const { clock } = this.#options;
    const { signal } = this.#ended;
    while (this.#page.isShown && (this.#isDue || this.#waiting.size > 0)) {
      this.#isDue = false;
      this.#page.emit(this.#nextPage());
      await clock.delay(pageGap, signal).catch(() => undefined);
    }
    this.#isSending = false;
  }

  #nextPage(): GalleryEvent {
    return this.#pageOf([...this.#waiting].slice(0, pageSize));
  }

  #pageOf(ids: readonly string[]): GalleryEvent {
    const { board, results } = this.#options;
    const rows: GalleryEvent["rows"][number][] = [];
    const gone: string[] = [];
    for (const id of ids) {
      this.#waiting.delete(id);
      const task = board.all.get(id);
      if (task && hasResult(task)) {
        this.#sent.add(id);
        rows.push(galleryRow(task, results.fsPath));
      } else if (this.#sent.delete(id)) gone.push(id);
    }
    const total = this.#sent.size + [...this.#waiting].filter((id) => !this.#sent.has(id)).length;
    return { total, isComplete: this.#isComplete, rows, gone };
  }
}

/** The ids of the tasks whose files in the project are stale or foreign by the lock. */
async function lockedResults({ all }: Pick<TaskBoard, "all">, signal: AbortSignal): Promise<LockedResults> {
  const placed = placedHere(all.values());
  const states = await lockedStates((file) => placed.has(file), signal);
  const idsOf = (wanted: LockState): readonly string[] => [
    ...new Set([...placed].flatMap(([file, { intent }]) => (states.get(file)?.state === wanted ? [intent.id] : []))),
  ];
  return { stale: idsOf("stale"), foreign: idsOf("foreign") };
}

async function openForm(tasks: readonly string[]): Promise<void> {
  if (tasks.length === 0) await runCommand(commands.newTask);
  else await runForTasks(commands.newTask, tasks, "results");
}

/** The title of the page and of its tab. */
export function galleryTitle(): string {
  return t("Gallery");
}

/** The ids of those results that are on this machine. Shows a message and returns `undefined` unless there are two to four. */
export function comparableIn({ all }: Pick<TaskBoard, "all">, ids: readonly string[]): readonly string[] | undefined {
  const found = ids.filter((id) => {
    const task = all.get(id);
    return task !== undefined && resultFile(task) !== undefined;
  });
  if (found.length >= 2 && found.length <= maxCompared) return found;
  void notifyInformation(t("Select two to {0} results that are on this machine to compare them.", maxCompared));
  return undefined;
}

// Carries out what a person does with the selected results, in the gallery and on the page of a batch: marks, and the commands of the Tasks view.

type ResultOptions = Pick<TaskPageOptions, "board" | "clock">;
/** Without `results-compare`: each page reads the options of the compared results in its own way. */
type ResultHandlers = Pick<Handlers<ResultIntent>, "results-judge" | "results-act">;

export function resultHandlers(options: ResultOptions): ResultHandlers {
  return {
    "results-judge": ({ tasks, rating, choice }) => void judge(options, tasks, definedFields({ rating, choice })),
    "results-act": ({ action, tasks }) => void act(action, knownTasks(options, tasks)),
  };
}

function knownTasks({ board }: ResultOptions, ids: readonly string[]): readonly string[] {
  return ids.filter((id) => board.all.has(id));
}

async function act(action: GalleryAction, ids: readonly string[]): Promise<void> {
  if (action === "get-result") await runForTasks(commands.saveResult, ids, action);
  else await runTasksAction(action, ids);
}

/** Stores the marks in one write. */
async function judge(options: ResultOptions, ids: readonly string[], change: JudgementChange): Promise<void> {
  const { board, clock } = options;
  const at = clock.now();
  const known = knownTasks(options, ids);
  await Promise.all(known.map((id) => board.applyThenWrite({ type: "task-judged", id, at, ...change })));
}

/** The page of the project's assets in an editor tab: searches the project when the page asks for it (T17). */
import { basename, dirname } from "node:path";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { isAbort } from "../../../base/async/abort";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import { type CheckedFile, maxPromptBytes } from "../../lock/lockStates";
import { headingText, type LockEntry, lockName, readPromptPlace } from "../../../domain/lock/lockFile";
import { oversizeOf } from "../../../domain/task/assetGroups";
import type { Task } from "../../../domain/task/task";
import { withoutEnding } from "../../../domain/task/taskTypes";
import { assetsPageContract, type AssetAction, type AssetsPageSnapshot } from "../../contract/assetsPageContract";
import {
  openFile,
  openFolderCommand,
  revealInExplorer,
  runCommand,
  submitPromptAt,
} from "../../../vscode/interface/runCommand";
import { lastOf, mountProjectedPage, type ProjectedPage } from "../../../vscode/webviewPage";
import { type FoundUses, lookForUses, placedHere } from "../results/lookForUses";
import { hashBelow, readBelow } from "../../lock/lockedFiles";
import { findSmallPicture, fitsRow, readAsset } from "../../results/readAsset";
import { listedEntries, lockedStates, lockRoots } from "../results/lockedStates";
import { addCheck, rootsWithoutCheck } from "../results/checkProgram";
import { restoreAsset } from "../results/replaceAsset";
import { showPath } from "../results/resultTargets";
import { resultFile } from "../../results/resultFile";
import { loadPrompts } from "../submit/promptAt";
import { flashStatus, notifyWarning } from "../../../vscode/interface/show";
import { type FoundAsset, foundAssets } from "./foundAssets";
import type { GallerySection } from "../../contract/pageSections";
import { runTaskAction } from "../tree/runTaskAction";
import type { TaskPageOptions } from "./taskPage";

/** Bytes of the files of the rows that are read to check them against the lock. */
const maxChecked = 1024 ** 3;

interface Looked extends FoundUses {
  readonly at: number;
  /** The assets by the URI of the file. */
  assets: ReadonlyMap<string, FoundAsset>;
  /** The folders with a lock and without the program that checks it. */
  withoutCheck: readonly vscode.Uri[];
}

export class AssetsPage implements Disposable {
  readonly #options: TaskPageOptions;
  readonly #tab: vscode.WebviewPanel;
  readonly #subject: string;
  readonly #registrations = new DisposableStore();
  readonly #page: ProjectedPage<AssetsPageSnapshot>;
  #looking: { readonly stop: AbortController; documents: number } | undefined;
  #looked: Looked | undefined;
  /** Ends the check of the files of the last search. */
  #checking: AbortController | undefined;

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
      mountProjectedPage(tab, assetsPageContract, {
        ...options,
        bundle: "assets",
        title: assetsTitle(),
        media: [options.results, ...lockRoots().map((root) => vscode.Uri.file(root))],
        readsMedia: true,
        handlers: {
          "section-open": ({ section }) => open(section),
          "assets-look": () => void this.#look(),
          "assets-stop": () => this.#looking?.stop.abort(),
          "asset-act": ({ action, file }) => void this.#act(action, file),
          "check-add": () => void this.#addCheck(),
          "folder-open": () => void runCommand(openFolderCommand),
          "use-open": ({ file, use }) => void this.#openUse(file, use),
        },
        snapshot: () => this.#snapshot(),
        merge: lastOf,
        onShown: () => {
          if (this.#looked === undefined) void this.#look();
        },
      }),
    );
  }

  dispose(): void {
    this.#looking?.stop.abort();
    this.#checking?.abort();
    this.#checking = undefined;
    this.#registrations.dispose();
  }

  #snapshot(): AssetsPageSnapshot {
    const looked = this.#looked;
    const found =
      looked &&
      foundAssets([...looked.assets.values()], {
        ...looked,
        lookedAt: looked.at,
        locale: vscode.env.language,
        nameOf: (file) => showPath(vscode.Uri.parse(file)),
        urlOf: (path) => this.#tab.webview.asWebviewUri(vscode.Uri.file(path)).toString(),
      });
    return {
      subject: this.#subject,
      ...((vscode.workspace.workspaceFolders ?? []).length === 0 && { noFolder: true }),
      ...(this.#looking && { looking: this.#looking.documents }),
      ...(this.#checking && { isChecking: true as const }),
      ...(looked !== undefined && looked.withoutCheck.length > 0 && { lacksCheck: true }),
      ...(found && { found }),
    };
  }

  #update(): void {
    this.#page.emit(this.#snapshot());
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    const looking = { stop: new AbortController(), documents: 0 };
    this.#looking = looking;
    this.#checking?.abort();
    this.#checking = undefined;
    this.#update();
    try {
      const { board, clock, readDocuments } = this.#options;
      await board.loaded();
      const { signal } = looking.stop;
      const listed = await listedEntries();
      const files = new Set([...this.#placed().keys(), ...listed.keys()]);
      const found = await lookForUses(readDocuments, files, signal, (documents) => {
        looking.documents = documents;
        this.#update();
      });
      const withoutCheck = await rootsWithoutCheck(this.#options.extensionUri);
      const looked: Looked = { ...found, at: clock.now(), assets: new Map(), withoutCheck };
      await this.#readFiles(looked, listed, signal);
      this.#looked = looked;
      void this.#check(looked);
    } catch (failure) {
      if (!isAbort(failure)) void this.#options.dialogs.showFailure(failure, "read");
    } finally {
      this.#looking = undefined;
      this.#update();
    }
  }

  #placed(): ReturnType<typeof placedHere> {
    return placedHere(this.#options.board.all.values());
  }

  /** Reads the files that were searched for, if they are on the board or in the lock. */
  async #readFiles(looked: Looked, listed: ReadonlyMap<string, LockEntry>, signal: AbortSignal): Promise<void> {
    const assets = new Map<string, FoundAsset>();
    const placed = this.#placed();
    for (const [file, uses] of looked.uses) {
      const [task, entry] = [placed.get(file), listed.get(file)];
      if (task === undefined && entry === undefined) continue;
      signal.throwIfAborted();
      const [now, picture] = await Promise.all([
        readAsset(vscode.Uri.parse(file).fsPath),
        task && findSmallPicture(task),
      ]);
      assets.set(file, { file, task, uses, now, picture, locked: entry && { entry } });
    }
    looked.assets = assets;
  }

  /**
   * Checks the files of the rows against the lock once the page is drawn, because it reads them whole. A lock may list more and larger files than can
   * be read, so only those of the rows are checked, and what is read is limited.
   */
  async #check(looked: Looked): Promise<void> {
    const checking = new AbortController();
    const { signal } = checking;
    this.#checking = checking;
    const shown = new Set(this.#snapshot().found?.groups.flatMap(({ rows }) => rows.map(({ file }) => file)));
    try {
      const states = await lockedStates((file) => shown.has(file), signal, maxChecked);
      signal.throwIfAborted();
      const assets = new Map<string, FoundAsset>();
      for (const [file, asset] of looked.assets) {
        const checked = states.get(file);
        const isRestorable = checked?.state === "foreign" && (await isRestorableTo(checked.entry, asset.task));
        signal.throwIfAborted();
        assets.set(
          file,
          checked ? { ...asset, locked: checked, picture: pictureOf(asset, checked), isRestorable } : asset,
        );
      }
      looked.assets = assets;
    } catch (failure) {
      if (!isAbort(failure)) void this.#options.dialogs.showFailure(failure, "read");
    } finally {
      if (this.#checking === checking) {
        this.#checking = undefined;
        this.#update();
      }
    }
  }

  async #act(action: AssetAction, file: string): Promise<void> {
    const asset = this.#looked?.assets.get(file);
    if (asset === undefined) return;
    const { dialogs, keepChanged, openConvert, openTask } = this.#options;
    const { id } = asset.task?.intent ?? {};
    const uri = vscode.Uri.parse(file);
    try {
      switch (action) {
        case "open-task":
          if (id !== undefined) openTask(id);
          return;
        case "open-prompt":
          if (asset.locked) await openPrompt(uri, asset.locked.entry);
          return;
        case "make-real":
          if (id !== undefined) await runTaskAction("make-real", id);
          return;
        case "make":
        case "make-again":
          if (asset.locked) await makeAgain(uri, asset.locked.entry);
          return;
        case "restore": {
          const source = asset.task && resultFile(asset.task)?.path;
          if (source === undefined || asset.locked === undefined) return;
          // The result may have been changed since the page was filled.
          if (await isRestorableTo(asset.locked.entry, asset.task))
            await restoreAsset(uri, source, () => void this.#look());
          else await this.#look();
          return;
        }
        case "keep": {
          if (asset.locked === undefined) return;
          const { entry } = asset.locked;
          const outcome = await keepChanged(rootOf(uri, entry), entry.path);
          if (outcome === "written")
            flashStatus("check", t("{0} has {1} as it is now.", lockName, showPath(uri)), 5000);
          if (outcome === "refused")
            void notifyWarning(t("{0} can't be changed here, so it stays as it is.", lockName));
          await this.#look();
          return;
        }
        case "show":
          await revealInExplorer(uri);
          return;
        case "convert":
          if (id !== undefined) openConvert(id, oversizeOf(asset.now, asset.uses)?.shownWidth);
          return;
      }
    } catch (failure) {
      void dialogs.showFailure(failure, "result", () => void this.#act(action, file));
    }
  }

  async #addCheck(): Promise<void> {
    const { dialogs, extensionUri } = this.#options;
    try {
      await addCheck(extensionUri, await rootsWithoutCheck(extensionUri));
      if (this.#looked) this.#looked.withoutCheck = await rootsWithoutCheck(extensionUri);
      this.#update();
    } catch (failure) {
      void dialogs.showFailure(failure, "result", () => void this.#addCheck());
    }
  }

  async #openUse(file: string, use: number): Promise<void> {
    const place = this.#looked?.assets.get(file)?.uses[use];
    if (place) await openFile(vscode.Uri.parse(place.document), place.line);
  }
}

/** The path of the picture of a checked row. A result does not show what a changed file looks like. */
function pictureOf({ file, now, picture }: FoundAsset, { state }: CheckedFile): string | undefined {
  const result = state === "foreign" ? undefined : picture;
  // In these states the file was read, and lies in the folder when every link is followed.
  const mayShow = /^(?:good|stale|rehearsed|foreign)$/.test(state) && fitsRow(now);
  return result ?? (mayShow ? vscode.Uri.parse(file).fsPath : undefined);
}

/** Whether a file that was changed can get the listed bytes again, from the result on this machine. */
async function isRestorableTo(entry: LockEntry, task: Task | undefined): Promise<boolean> {
  const path = task && resultFile(task)?.path;
  if (path === undefined) return false;
  const found = await hashBelow(dirname(path), basename(path), entry.bytes).catch(() => undefined);
  return typeof found === "object" && found.sha256 === entry.sha256;
}

/**
 * Submits the prompt that the file is made from, for its path. Where its heading has several prompts or variants, none of which names the file, a
 * person chooses in the prompt file.
 */
async function makeAgain(file: vscode.Uri, entry: LockEntry): Promise<void> {
  const found = await readPromptFile(file, entry);
  if (found === undefined) return;
  const { path } = entry;
  const { document, text, heading } = found;
  const { parsePrompts } = await loadPrompts();
  const lines = text.split("\n");
  const meant = parsePrompts(text).prompts.filter((prompt) => headingText(lines[prompt.heading] ?? "") === heading);
  const named = meant.filter(({ variants }) =>
    variants.some(({ settings: { destination = "" } }) => withoutEnding(destination) === withoutEnding(path)),
  );
  const [prompt, ...others] = named.length > 0 ? named : meant;
  if (prompt?.variants.length !== 1 || others.length > 0) {
    await openPrompt(file, entry);
    return;
  }
  await submitPromptAt({ document: document.toString(), line: prompt.line, again: path });
}

interface PromptFile {
  readonly document: vscode.Uri;
  /** Empty where the file is gone or can't be read. */
  readonly text: string;
  readonly heading: string;
}

/** The folder whose lock lists the file. A folder of the workspace may lie in another one, and either may have a lock. */
function rootOf(file: vscode.Uri, { path }: LockEntry): string {
  return file.fsPath.slice(0, -(path.length + 1));
}

/** Reads the prompt that the line of the file names, with what the person has not saved, because its place in that text is submitted or opened. */
async function readPromptFile(file: vscode.Uri, entry: LockEntry): Promise<PromptFile | undefined> {
  const prompt = readPromptPlace(entry.prompt ?? "");
  if (prompt === undefined) return undefined;
  const root = rootOf(file, entry);
  const document = vscode.Uri.joinPath(vscode.Uri.file(root), prompt.file);
  // The path is foreign text, so it is not opened before it was read as a regular file below the folder.
  const isRead = typeof (await readBelow(root, prompt.file, maxPromptBytes)) !== "string";
  // VS Code may not open it as text.
  const text = isRead
    ? await vscode.workspace.openTextDocument(document).then(
        (opened) => opened.getText(),
        () => "",
      )
    : "";
  return { document, text, heading: prompt.heading };
}

/** Opens the document of a prompt, at its heading if the document still has it. */
async function openPrompt(file: vscode.Uri, entry: LockEntry): Promise<void> {
  const found = await readPromptFile(file, entry);
  if (found === undefined) return;
  const { document, text, heading } = found;
  const line = text.split("\n").findIndex((one) => /^ {0,3}#/.test(one) && headingText(one) === heading);
  await openFile(document, line === -1 ? undefined : line + 1);
}

/** The title of the page and of its tab. */
function assetsTitle(): string {
  return t("In This Project");
}

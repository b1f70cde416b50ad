/**
 * Lists in Problems the pictures and videos that documents of the project name and that do not exist (T20), with the quick fix *Make It…*. It runs
 * in the background: the project is searched once, then what changes. It is off without a gateway, and in a workspace that is not trusted.
 */
import { t } from "@vscode/l10n";
import { extname, sep } from "node:path";
import * as vscode from "vscode";
import { isAbort } from "../../../base/async/abort";
import { Coalescer, SerialQueue } from "../../../base/async/serialQueue";
import { TimeSlices } from "../../../base/async/timeSlices";
import type { Clock } from "../../../base/clock";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import type { Connections, Log } from "../../../domain/ports";
import { acceptedOf, hasSucceeded, isOver } from "../../../domain/task/phase";
import { pixelWords } from "../../../domain/words/sizeWords";
import { readDocument } from "../../../tools/search/readDocuments";
import type { Workspace } from "../../../domain/tools/workspace";
import { type CommandId, commands, internalCommands } from "../../../vscode/ids";
import type { Task } from "../../../domain/task/task";
import { taskActionLabel } from "../../../domain/words/taskActionWords";
import { placedTasks } from "../../results/placedTasks";
import { actionsOf } from "../../view/taskActions";
import { isRestorable } from "./makeMissing";
import type { TaskBoard } from "../../board/board";
import { documentEndings, isSearchedDocument } from "../../missing/findReferences";
import { type LookJob, lookThrough } from "../../missing/lookThrough";
import { isWrittenAnywhere } from "../../missing/siteFolders";
import { MissingFiles, type MissingReference } from "../../missing/missingFiles";
import { excludedPatterns } from "../results/lookForUses";

export interface MissingHintOptions {
  readonly board: Pick<TaskBoard, "all" | "listed" | "onDidChange">;
  readonly clock: Clock;
  readonly connections: Pick<Connections, "current">;
  readonly log: Log;
  readonly workspace: Workspace;
  /** The bundle of the thread that searches the project. */
  readonly program: string;
  /** Gets whether the project has documents that name media and there is a gateway. If so, the next window on it starts the search by itself. */
  readonly onLooked: (hasDocuments: boolean) => void;
}

/** Milliseconds from the connection to the first search, so that it does not delay the start, and from the last change to the next search. */
const firstPause = 8000;
const changePause = 1000;
/** When more documents than this change at once, as by a checkout, the whole project is searched again. */
const manyChanges = 300;
const mediaFile = /\.(?:png|jpe?g|webp|gif|avif|ico|icns|mp4|webm|mov|m4v)$/i;

const source = "Sluice";

/** A missing file, and the document that names it. */
export interface MissingPlace {
  /** The URI of the document. */
  readonly document: string;
  /** The path from the workspace folder. */
  readonly path: string;
}

export class MissingHints implements Disposable {
  readonly #options: MissingHintOptions;
  readonly #registrations = new DisposableStore();
  readonly #hints = vscode.languages.createDiagnosticCollection("sluice-missing");
  readonly #files: MissingFiles;
  readonly #work = new SerialQueue();
  readonly #changes: Coalescer<string>;
  /** The time of the last change of each file, by its URI: a document is read only after the person has paused. */
  readonly #noted = new Map<string, number>();
  #ended = new AbortController();
  #isOn = false;

  constructor(options: MissingHintOptions) {
    this.#options = options;
    this.#files = new MissingFiles(options.workspace);
    this.#changes = this.#registrations.add(
      new Coalescer({ clock: options.clock, delay: changePause, flush: (keys) => this.#onPause(keys) }),
    );
    const add = (one: { dispose(): unknown }): void => {
      this.#registrations.add({ dispose: () => void one.dispose() });
    };
    add(this.#hints);
    const { workspace } = vscode;
    // All names are watched, because VS Code reports a folder that comes or goes without the files in it.
    const entries = workspace.createFileSystemWatcher("**/*", false, true, false);
    const documents = workspace.createFileSystemWatcher(`**/*.{${documentEndings.join(",")}}`, true, false, true);
    add(entries);
    add(documents);
    add(entries.onDidCreate((uri) => this.note(uri)));
    add(entries.onDidDelete((uri) => this.note(uri)));
    add(documents.onDidChange((uri) => this.note(uri)));
    add(
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && isSearchedDocument(document.uri.path)) this.note(document.uri);
      }),
    );
    add(workspace.onDidChangeWorkspaceFolders(() => this.#start()));
    add(workspace.onDidGrantWorkspaceTrust(() => this.#start()));
    this.#registrations.add(options.connections.current.onDidChange(() => this.#turn()));
    this.#registrations.add(options.board.onDidChange((ids) => this.#notePlaced(ids)));
    add(
      vscode.languages.registerCodeActionsProvider(
        { scheme: "file", pattern: `**/*.{${documentEndings.join(",")}}` },
        { provideCodeActions: (document, _range, { diagnostics }) => this.#actions(document, diagnostics) },
        { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
      ),
    );
    this.#turn();
  }

  dispose(): void {
    this.#ended.abort();
    this.#registrations.dispose();
  }

  /** The missing file and all others that are made of the same picture, largest first; others that a task already makes are left out. */
  missingFromSamePicture({ document, path }: MissingPlace): readonly MissingReference[] {
    const set = this.#files.missingFromSamePicture(vscode.Uri.parse(document).fsPath, path);
    const made = this.#underWay();
    return set.filter((one) => one.wanted.path === path || !made.has(fileOf(one)));
  }

  /** Turns the search on while a gateway is ready, and off without one. A gateway that is starting changes nothing. */
  #turn(): void {
    const { state } = this.#options.connections.current.current;
    if (state === "starting" || this.#isOn === (state === "ready")) return;
    this.#isOn = state === "ready";
    if (!this.#isOn) this.#options.onLooked(false);
    this.#start();
  }

  /** Searches the whole project anew. */
  #start(): void {
    this.#ended.abort();
    this.#ended = new AbortController();
    this.#hints.clear();
    if (!this.#isOn || this.#options.workspace.roots().length === 0) return;
    const { signal } = this.#ended;
    const { clock, log } = this.#options;
    void this.#work.run(async () => {
      try {
        await clock.delay(firstPause, signal);
        await this.#lookThrough(signal);
        this.#options.onLooked(this.#files.hasDocuments);
      } catch (failure) {
        if (!isAbort(failure)) log.warn("The project could not be looked through.", { message: String(failure) });
      }
    });
  }

  async #lookThrough(signal: AbortSignal): Promise<void> {
    const { workspace, program } = this.#options;
    await this.#files.reset();
    const job = await this.#jobIn(workspace.roots());
    const documents = await lookThrough(program, job, signal, (path, references) => this.#files.put(path, references));
    for (const [path, text] of workspace.unsavedTexts()) this.#files.read(path, text);
    await this.#judge(this.#files.documents, signal);
    this.#options.log.debug("The project was looked through for missing pictures.", { documents });
  }

  /** Notes that the file has come, gone or changed. */
  note(uri: vscode.Uri): void {
    if (!this.#isOn || uri.scheme !== "file" || isWrittenAnywhere(uri.path)) return;
    const key = uri.toString();
    this.#noted.set(key, this.#options.clock.now());
    this.#changes.add([key]);
  }

  #onPause(keys: ReadonlySet<string>): void {
    const now = this.#options.clock.now();
    const isFresh = (key: string): boolean => Math.abs(now - (this.#noted.get(key) ?? 0)) < changePause / 2;
    const rested = [...keys].filter((key) => !isFresh(key));
    const fresh = [...keys].filter(isFresh);
    if (fresh.length > 0) this.#changes.add(fresh);
    for (const key of rested) this.#noted.delete(key);
    if (rested.length > 0) void this.#work.run(() => this.#take(new Set(rested)));
  }

  /** Reads changed documents again. If anything else came or went, all references are judged again. */
  async #take(changed: ReadonlySet<string>): Promise<void> {
    const { signal } = this.#ended;
    if (!this.#isOn || signal.aborted) return;
    const uris = [...changed]
      .map((one) => vscode.Uri.parse(one))
      .filter((uri) => vscode.workspace.getWorkspaceFolder(uri));
    try {
      const others = uris.filter(({ path }) => !isSearchedDocument(path) && !mediaFile.test(path));
      const { folders, gone } = await this.#sort(others.map(({ fsPath }) => fsPath));
      signal.throwIfAborted();
      const documents = [...uris, ...gone.flatMap((path) => this.#knownIn(path))].filter(({ path }) =>
        isSearchedDocument(path),
      );
      if (documents.length > manyChanges) {
        this.#start();
        return;
      }
      if (folders.length > 0) await this.#readFolders(folders, signal);
      const read: string[] = [];
      for (const uri of documents) if (await this.#readAgain(uri)) read.push(uri.fsPath);
      const isOther = folders.length > 0 || gone.length > 0 || uris.some(({ path }) => mediaFile.test(path));
      const isSite = documents.some(({ path }) => path.endsWith("/package.json"));
      if (isOther || isSite) this.#files.forgetListings();
      await this.#judge(isOther || isSite ? this.#files.documents : read, signal);
    } catch (failure) {
      if (!isAbort(failure))
        this.#options.log.warn("Changed documents could not be read.", { message: String(failure) });
    }
  }

  /**
   * Finds which of the paths are folders now, and which may be folders that are gone: VS Code reports a folder that comes or goes without what is in it.
   * A name with an ending, as `assets.v2`, counts as what it was.
   */
  async #sort(
    paths: readonly string[],
  ): Promise<{ readonly folders: readonly string[]; readonly gone: readonly string[] }> {
    const folders: string[] = [];
    const gone: string[] = [];
    for (const path of paths) {
      const status = await this.#options.workspace.status(path).catch(() => undefined);
      if (status === undefined && (extname(path) === "" || this.#files.isKnownFolder(path))) gone.push(path);
      if (status?.kind === "folder") folders.push(path);
    }
    return { folders, gone };
  }

  #knownIn(folder: string): readonly vscode.Uri[] {
    return [...this.#files.documents]
      .filter((path) => path.startsWith(`${folder}${sep}`))
      .map((path) => vscode.Uri.file(path));
  }

  /** Reads the documents in folders that have come. */
  async #readFolders(folders: readonly string[], signal: AbortSignal): Promise<void> {
    const roots = folders.map((path) => ({ name: path, path }));
    await lookThrough(this.#options.program, await this.#jobIn(roots), signal, (path, references) =>
      this.#files.put(path, references),
    );
  }

  async #jobIn(roots: LookJob["roots"]): Promise<LookJob> {
    const personalIgnoreFile = await this.#options.workspace.personalIgnoreFile();
    return { roots, personalIgnoreFile, excluded: excludedPatterns() };
  }

  /** Resolves with true if its references may have changed. */
  async #readAgain(uri: vscode.Uri): Promise<boolean> {
    const open = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
    const text = open?.getText() ?? (await this.#readFile(uri));
    if (text !== undefined) return this.#files.read(uri.fsPath, text);
    this.#files.forget(uri.fsPath);
    this.#hints.delete(uri);
    return false;
  }

  async #readFile(uri: vscode.Uri): Promise<string | undefined> {
    const { workspace } = this.#options;
    const real = await workspace.realPath(uri.fsPath).catch(() => undefined);
    const found = real === uri.fsPath ? await readDocument(workspace, real) : undefined;
    return typeof found === "object" ? found.text : undefined;
  }

  async #judge(documents: Iterable<string>, signal: AbortSignal): Promise<void> {
    const slices = new TimeSlices(signal);
    for (const path of documents) {
      const missing = await this.#files.judge(path, slices);
      signal.throwIfAborted();
      const uri = vscode.Uri.file(path);
      this.#show(uri, missing.map(hintOf));
      if (slices.isSpent) await slices.next();
    }
  }

  /**
   * Sets the hints only if they differ: on each set VS Code rebuilds the rows of Problems, and each row asks for its quick fixes again. That request
   * ends up here too, so the light bulb of a row would never appear.
   */
  #show(uri: vscode.Uri, hints: readonly vscode.Diagnostic[]): void {
    const before = this.#hints.get(uri) ?? [];
    const isSame = before.length === hints.length && hints.every((hint, index) => isSameHint(hint, before[index]));
    if (isSame) return;
    if (hints.length > 0) this.#hints.set(uri, hints);
    else this.#hints.delete(uri);
  }

  /** The document is judged by the folders as they are now, because a file may have been added since the line was written. */
  async #actions(
    document: vscode.TextDocument,
    diagnostics: readonly vscode.Diagnostic[],
  ): Promise<vscode.CodeAction[]> {
    const ours = diagnostics.filter(({ source: from }) => from === source);
    if (ours.length === 0) return [];
    this.#files.forgetListings();
    const missing = await this.#files.judge(document.uri.fsPath, new TimeSlices(this.#ended.signal));
    this.#show(document.uri, missing.map(hintOf));
    const made = this.#underWay();
    const placed = placedTasks(this.#options.board.all.values());
    return ours.flatMap((diagnostic) => {
      const asked = missing.find((one) => isSameHint(hintOf(one), diagnostic));
      if (asked === undefined) return [];
      const place: MissingPlace = { document: document.uri.toString(), path: asked.wanted.path };
      const file = fileOf(asked);
      const task = made.get(file);
      const actions =
        task === undefined
          ? [...restoring(file, placed.get(file)), actionOf(t("Make It…"), commands.newTask, { missing: place })]
          : [actionOf(t("Show Its Task"), internalCommands.revealTask, { kind: "task", id: task })];
      for (const [index, action] of actions.entries()) {
        action.diagnostics = [diagnostic];
        action.isPreferred = index === 0;
      }
      return actions;
    });
  }

  /** Notes each placed file, because VS Code reports a new folder without the files in it. */
  #notePlaced(ids: ReadonlySet<string>): void {
    for (const id of ids) {
      const { placement, copies = [] } = acceptedOf(this.#options.board.all.get(id)) ?? {};
      if (placement?.state !== "placed") continue;
      for (const { file } of [placement, ...copies]) this.note(vscode.Uri.parse(file));
    }
  }

  /** The ids of the tasks on the list that are making a file, by the URI of the file. */
  #underWay(): ReadonlyMap<string, string> {
    const made = new Map<string, string>();
    for (const [id, task] of this.#options.board.listed) {
      const { destination } = task.intent;
      if (destination === undefined || (isOver(task) && !isToBePlaced(task))) continue;
      for (const { file } of [destination, ...(destination.exact ?? [])]) made.set(file, id);
    }
    return made;
  }
}

function isToBePlaced(task: Task): boolean {
  const state = acceptedOf(task)?.placement?.state;
  return hasSucceeded(task) && (state === undefined || state === "placing");
}

/** Quick fixes for a file that was made here before; they cost nothing. */
function restoring(file: string, task: Task | undefined): readonly vscode.CodeAction[] {
  if (task === undefined) return [];
  const { id } = task.intent;
  if (isRestorable(task, file))
    return [actionOf(t("Restore It"), commands.saveIntoWorkspace, { kind: "task", id }, file)];
  if (!actionsOf(task).includes("convert")) return [];
  return [actionOf(taskActionLabel("convert"), internalCommands.convertResult, { kind: "task", id })];
}

function actionOf(title: string, command: CommandId, ...given: readonly unknown[]): vscode.CodeAction {
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.command = { title, command, arguments: [...given] };
  return action;
}

/** The URI of the missing file. */
function fileOf({ root, wanted }: MissingReference): string {
  return vscode.Uri.joinPath(vscode.Uri.file(root.path), wanted.path).toString();
}

/** The severity is Information, because VS Code lists no hints in Problems. */
function hintOf({ from, to, wanted: { path, width, height } }: MissingReference): vscode.Diagnostic {
  const range = new vscode.Range(from.line, from.column, to.line, to.column);
  const size = width === undefined || height === undefined ? undefined : pixelWords({ width, height });
  const message = size === undefined ? t("{0} is not there.", path) : t("{0} is not there ({1}).", path, size);
  const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Information);
  diagnostic.source = source;
  return diagnostic;
}

function isSameHint(one: vscode.Diagnostic, other: vscode.Diagnostic | undefined): boolean {
  return other !== undefined && one.message === other.message && one.range.isEqual(other.range);
}

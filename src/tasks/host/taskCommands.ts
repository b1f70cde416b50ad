/** The commands of the Tasks view: those on its rows here, those that submit in `submitCommands`. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { plural } from "../../domain/words/plural";
import { type Disposable, DisposableStore } from "../../base/disposable";
import { hasSucceeded, isRunning, phaseOf } from "../../domain/task/phase";
import type { Task } from "../../domain/task/task";
import type { TaskPoller } from "../polling/poller";
import { resultFile } from "../results/resultFile";
import { clearedWords } from "../view/clearedTasks";
import { actionsOf, isRemovable } from "../view/taskActions";
import { stateName } from "../view/taskWords";
import { type CommandId, commands, internalCommands, views } from "../../vscode/ids";
import { openFile, runForTasks } from "../../vscode/interface/runCommand";
import { confirmAction, flashStatus, notifyInformation, showProgress } from "../../vscode/interface/show";
import { registerSubmitCommands, submitFromTask, submitWithReferences } from "./submit/submitCommands";
import { type TaskDraft, variantsOf, withoutModel } from "./submit/taskDraft";
import type { SubmitOptions } from "./submit/submitOptions";
import { makeReal, sendAgain } from "./submit/submitDraft";
import type { TaskTree } from "./tree/taskTree";
import { taskActionLabel } from "../../domain/words/taskActionWords";
import { copyOther } from "./results/copyCommand";
import { chooseAction, chooseOne } from "./moreActions";
import { abortable } from "../../base/async/abort";
import { systemClock } from "../../base/async/systemClock";
import type { TaskBoard } from "../board/board";
import type { TasksPart } from "./mountTasks";
import { askWhereToExport } from "../../vscode/interface/fileDialogs";
import { tasksToCsv } from "../view/tasksToCsv";

export interface TaskCommandOptions extends SubmitOptions {
  readonly poller: TaskPoller;
  readonly tree: TaskTree;
  /** Reads a task now. */
  readonly check: (id: string, signal: AbortSignal) => Promise<void>;
  readonly saveResult: (id: string, signal: AbortSignal) => Promise<string>;
  /** The prompts that ship with Sluice. */
  readonly sample: vscode.Uri;
  /** The result of the task is still to be fetched without a click. */
  readonly awaitsResult: (task: Task) => boolean;
  readonly now: () => number;
}

export function registerTaskCommands(options: TaskCommandOptions): Disposable {
  const { board, tree, dialogs, sample } = options;
  const store = new DisposableStore();
  const register = (id: CommandId, run: (...args: unknown[]) => unknown): void => {
    store.add(dialogs.register(id, run));
  };
  /** Registers a command that runs for each of the chosen tasks, one after the other. */
  const registerForEach = (command: CommandId, run: (id: string, task: Task) => Promise<void>): void =>
    register(command, async (...args) => {
      for (const id of tree.chosenIds(args)) {
        const task = board.all.get(id);
        if (task) await run(id, task);
      }
    });
  store.add(registerSubmitCommands(options, (args) => tree.chosenId(args)));
  register(internalCommands.revealTask, async (...args) => {
    for (const id of await onList(options, tree.chosenIds(args).slice(0, 1))) await tree.reveal(id);
  });
  const sendChosen = async (args: readonly unknown[]): Promise<void> =>
    sendAgain(options, board.see(...(await onList(options, tree.chosenIds(args)))));
  register(commands.reconcile, (...args) => sendChosen(args));
  register(commands.sendAgain, (...args) => sendChosen(args));
  register(commands.refreshTasks, async (...args) => {
    // VS Code also passes the focused row to an entry of the title menu, so all running tasks are read in each case.
    const chosen = args[0] ? tree.chosenIds(args).flatMap((id) => board.all.get(id) ?? []) : [];
    const checkable = chosen.filter((task) => actionsOf(task).includes("check-now"));
    if (checkable.length === 0) refreshAll(options);
    else options.poller.refresh();
    for (const { intent } of checkable) await checkNow(options, intent.id);
  });
  register(commands.openSample, () => openSamplePrompts(sample));
  registerForEach(commands.openResult, (id) => openResult(options, id));
  register(commands.makeMore, (...args) => makeMore(options, args));
  register(internalCommands.moreActions, async (...args) => {
    const task = board.all.get(tree.chosenId(args) ?? "");
    if (task) await chooseAction(task);
  });
  registerForEach(commands.removeTask, (id) => removeTask(options, id));
  register(commands.copyOther, (...args) => copyOther(options.board, options.tree, args));
  return store;
}

/** Puts tasks back on the list that a lens or a page may still name, so that the list shows how they go on. */
async function onList({ board, now }: TaskCommandOptions, ids: readonly string[]): Promise<readonly string[]> {
  for (const id of ids) if (!board.listed.has(id)) await board.applyThenWrite({ type: "task-restored", id, at: now() });
  return ids;
}

function refreshAll({ board, poller }: TaskCommandOptions): void {
  const count = [...board.listed.values()].filter(isRunning).length;
  // The reads keep the pace that the gateway asks for, so they may take a moment.
  poller.refresh();
  if (count === 0) void notifyInformation(t("No task is running, so there is nothing to read."));
  else flashStatus("check", plural(count, { one: "1 task is read now.", other: "{0} tasks are read now." }), 5000);
}

async function checkNow(options: TaskCommandOptions, id: string): Promise<void> {
  const { board, check, dialogs } = options;
  try {
    await showProgress(views.tasks, t("Reading the task"), (signal) => check(id, signal));
    const task = board.all.get(id);
    if (task) flashStatus("check", t("The task was read: {0}.", stateName(task)), 5000);
  } catch (failure) {
    void dialogs.showFailure(failure, "read", () => void checkNow(options, id));
  }
}

async function openResult(options: TaskCommandOptions, id: string): Promise<void> {
  const { saveResult, dialogs } = options;
  try {
    const path = await showProgress(views.tasks, t("Getting the result"), (signal) => saveResult(id, signal));
    await openFile(path);
  } catch (failure) {
    void dialogs.showFailure(failure, "result", () => void openResult(options, id));
  }
}

const furtherActions = [
  "make-real",
  "make-variants",
  "other-model",
  "make-video",
  "use-as-reference",
  "duplicate",
] as const;

/** Makes more from the chosen tasks. *Make It Real* and references take all of them, every other choice the clicked one. */
async function makeMore(options: TaskCommandOptions, args: readonly unknown[]): Promise<void> {
  const ids = options.tree.chosenIds(args);
  const task = options.board.all.get(options.tree.chosenId(args) ?? "");
  if (task === undefined) return;
  const offered = actionsOf(task);
  const choices = furtherActions
    .filter((action) => offered.includes(action))
    .map((action) => ({ label: taskActionLabel(action), value: action }));
  const { id } = task.intent;
  switch (await chooseOne(task, t("What should be made of it?"), choices, args[2])) {
    case undefined:
      return;
    case "make-real":
      await makeReal(
        options,
        ids.flatMap((one) => options.board.all.get(one) ?? []),
      );
      return;
    case "make-variants":
      await submitFromTask(options, id, variantsOf);
      return;
    case "other-model":
      await submitFromTask(options, id, withoutModel);
      return;
    case "make-video":
      await makeVideo(options, [id]);
      return;
    case "use-as-reference":
      await referenceResults(options, ids);
      return;
    case "duplicate":
      await runForTasks(commands.newTask, [id], "task");
  }
}

/** Makes a video of a picture, with its prompt, which the person may change in the last step. */
async function makeVideo(options: TaskCommandOptions, ids: readonly string[]): Promise<void> {
  const [intent] = ids.flatMap((id) => options.board.all.get(id)?.intent ?? []);
  if (intent === undefined) return;
  await referenceResults(options, ids, { type: "video", prompts: [intent.prompt] });
}

/** Submits one new task with the pictures among the chosen tasks as references. */
async function referenceResults(
  options: TaskCommandOptions,
  ids: readonly string[],
  begun: Partial<TaskDraft> = {},
): Promise<void> {
  const { board, saveResult, dialogs } = options;
  const tasks = ids.flatMap((id) => board.all.get(id) ?? []);
  const pictures = tasks.filter((task) => actionsOf(task).includes("use-as-reference"));
  const files: vscode.Uri[] = [];
  try {
    for (const { intent } of pictures) {
      const path = await showProgress(views.tasks, t("Getting the result"), (signal) => saveResult(intent.id, signal));
      files.push(vscode.Uri.file(path));
    }
  } catch (failure) {
    await dialogs.showFailure(failure, "result", () => void referenceResults(options, ids, begun));
    return;
  }
  const [only, another] = pictures;
  const from = only !== undefined && another === undefined ? { duplicatedFrom: only.intent.id } : {};
  await submitWithReferences(options, files, { ...from, ...begun });
}

async function removeTask({ board, now, awaitsResult }: TaskCommandOptions, id: string): Promise<void> {
  // Another window may have changed the task: its state decides whether it may be removed, and whether to ask.
  await board.readOtherWindows();
  const before = board.listed.get(id);
  if (!before || !isRemovable(before)) return;
  if (phaseOf(before) === "outcome-unknown") {
    const confirm = t("Remove");
    const question = t("Whether this task exists is not known. Without its row the gateway can't be asked any more.");
    if (!(await confirmAction(question, confirm))) return;
    const after = board.listed.get(id);
    // A Reconcile may have found the task while the question was open.
    if (!after || !isRemovable(after)) return;
  }
  await board.writeThenApply({ type: "task-removed", id, at: now() });
  const task = board.all.get(id);
  if (!task || !hasSucceeded(task) || resultFile(task) !== undefined) return;
  const undo = t("Undo");
  // The message is not awaited, so that the next of the chosen tasks is removed meanwhile.
  void notifyInformation(clearedWords([task], awaitsResult), undo).then(async (pressed) => {
    if (pressed === undo) await board.applyThenWrite({ type: "task-restored", id, at: now() });
  });
}

// *Open Sample Prompts*: the workspace's own copy, else a new document. The extension's file is only read.

const name = "hero.prompts.md";

/** `shipped`: the sample among the extension's files. */
async function openSamplePrompts(shipped: vscode.Uri): Promise<void> {
  const document = (await openCopy()) ?? (await openUntitled(shipped));
  await vscode.window.showTextDocument(document, { preview: false });
}

async function openCopy(): Promise<vscode.TextDocument | undefined> {
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    const copy = vscode.Uri.joinPath(uri, name);
    const isFile = await vscode.workspace.fs.stat(copy).then(
      ({ type }) => (type & vscode.FileType.File) !== 0,
      () => false,
    );
    if (isFile) return vscode.workspace.openTextDocument(copy);
  }
  return undefined;
}

/** An untitled document with the path at which it will be saved: in the first folder of the workspace. */
async function openUntitled(shipped: vscode.Uri): Promise<vscode.TextDocument> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const path = folder ? vscode.Uri.joinPath(folder, name).path : name;
  const document = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme: "untitled", path }));
  // The document was opened before and not saved: it holds the sample or the person's changes to it.
  if (document.getText() !== "") return document;
  const edit = new vscode.WorkspaceEdit();
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(shipped));
  edit.insert(document.uri, new vscode.Position(0, 0), text);
  await vscode.workspace.applyEdit(edit);
  return vscode.languages.setTextDocumentLanguage(document, "markdown");
}

// *Export Tasks as CSV…* (T10).

export function registerExportCommand({ app, dialogs }: TasksPart): Disposable {
  return dialogs.register(internalCommands.exportCsv, () => exportCsv(app.board));
}

/** Tasks on disk that can't be counted. */
function notRead({ file }: TaskBoard): number {
  return file.current.unread + file.current.unreadable;
}

async function exportCsv(board: TaskBoard): Promise<void> {
  const day = new Date(systemClock.now()).toISOString().slice(0, 10);
  const file = await askWhereToExport(t("Export Tasks as CSV"), `sluice-tasks-${day}.csv`, { CSV: ["csv"] });
  if (!file) return;
  let count = 0;
  await showProgress(views.tasks, t("Exporting the tasks"), async (signal) => {
    await abortable(board.loaded(), signal);
    const tasks = new Map(board.all);
    count = tasks.size;
    const text = await tasksToCsv(tasks, signal);
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
  });
  const open = t("Open File");
  if ((await notifyInformation(exportedWords(count, count + notRead(board)), open)) === open) await openFile(file);
}

function exportedWords(count: number, of: number): string {
  if (count === of) return plural(count, { one: "1 task was exported.", other: "{0} tasks were exported." });
  return plural(of, { other: "{0} of {1} tasks were exported: the others can't be read now." }, count, of);
}

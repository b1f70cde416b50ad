/** The commands of the Tasks view: those on its rows here, those that submit in `submitCommands`. */
import { t } from "@vscode/l10n";
import { plural } from "../../../domain/words/plural";
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import { hasSucceeded, isRunning, phaseOf } from "../../../domain/task/phase";
import type { Task } from "../../../domain/task/task";
import type { TaskPoller } from "../../polling/poller";
import { resultFile } from "../../results/resultFile";
import { clearedWords } from "../../view/clearedTasks";
import { actionsOf, isRemovable } from "../../view/taskActions";
import { stateName } from "../../view/taskWords";
import { type CommandId, commands, internalCommands, views } from "../../../vscode/ids";
import { openFile } from "../../../vscode/interface/runCommand";
import { openSamplePrompts } from "../lenses/samplePrompts";
import { askBefore, flashStatus, notifyInformation, showProgress } from "../../../vscode/interface/show";
import { type BegunTask, registerSubmitCommands, submitFromTask, submitWithReferences } from "../submit/submitCommands";
import type { SubmitPorts } from "../submit/submitPorts";
import { sendAgain } from "../submit/submitDraft";
import type { TaskTree } from "../tree/taskTree";
import { variantsOf, withoutModel } from "../draft/furtherDrafts";
import { taskActionLabel } from "../../../domain/words/taskActionWords";
import { copyOther } from "./copyCommand";
import { chooseAction, chooseOne } from "./moreActions";

export interface TaskCommandPorts extends SubmitPorts {
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

export function registerTaskCommands(ports: TaskCommandPorts): Disposable {
  const { board, tree, dialogs, sample } = ports;
  const store = new DisposableStore();
  const register = (id: CommandId, run: (...args: unknown[]) => unknown): void => {
    store.add(dialogs.register(id, run));
  };
  /** For each of the chosen tasks, one after the other. */
  const registerForEach = (command: CommandId, run: (id: string, task: Task) => Promise<void>): void =>
    register(command, async (...args) => {
      for (const id of tree.chosenIds(args)) {
        const task = board.all.tasks.get(id);
        if (task) await run(id, task);
      }
    });
  store.add(registerSubmitCommands(ports, (args) => tree.chosenIds(args)));
  register(internalCommands.revealTask, async (...args) => {
    for (const id of await onList(ports, tree.chosenIds(args).slice(0, 1))) await tree.reveal(id);
  });
  const sendChosen = async (args: readonly unknown[]): Promise<void> =>
    sendAgain(ports, board.see(...(await onList(ports, tree.chosenIds(args)))));
  register(commands.reconcile, (...args) => sendChosen(args));
  register(commands.sendAgain, (...args) => sendChosen(args));
  register(commands.refreshTasks, async (...args) => {
    // From the title or a key it is about all that run.
    if (args[0] === undefined) refreshAll(ports);
    else for (const id of tree.chosenIds(args)) await checkNow(ports, id);
  });
  register(commands.openSample, () => openSamplePrompts(sample));
  registerForEach(commands.openResult, (id) => openResult(ports, id));
  register(commands.makeMore, (...args) => makeMore(ports, args));
  register(internalCommands.moreActions, async (...args) => {
    const [task] = tree.chosenIds(args).flatMap((id) => board.all.tasks.get(id) ?? []);
    if (task) await chooseAction(task);
  });
  registerForEach(commands.removeTask, (id) => removeTask(ports, id));
  register(commands.copyOther, (...args) => copyOther(ports, args));
  return store;
}

/** Puts tasks back that were taken off the list, which a lens or a page may name: the list shows what becomes of them. */
async function onList({ board, now }: TaskCommandPorts, ids: readonly string[]): Promise<readonly string[]> {
  for (const id of ids) if (!board.tasks.has(id)) await board.applyThenWrite({ type: "task-restored", id, at: now() });
  return ids;
}

function refreshAll({ board, poller }: TaskCommandPorts): void {
  const count = [...board.tasks.values()].filter(isRunning).length;
  // The reads keep the pace that the gateway asks for, so they may take a moment.
  poller.refresh();
  if (count === 0) void notifyInformation(t("No task is running, so there is nothing to read."));
  else flashStatus("check", plural(count, { one: "1 task is read now.", other: "{0} tasks are read now." }), 5000);
}

async function checkNow(ports: TaskCommandPorts, id: string): Promise<void> {
  const { board, check, dialogs } = ports;
  try {
    await showProgress(views.tasks, t("Reading the task"), (signal) => check(id, signal));
    const task = board.all.tasks.get(id);
    if (task) flashStatus("check", t("The task was read: {0}.", stateName(task)), 5000);
  } catch (failure) {
    void dialogs.showFailure(failure, "read", () => void checkNow(ports, id));
  }
}

async function openResult(ports: TaskCommandPorts, id: string): Promise<void> {
  const { saveResult, dialogs } = ports;
  try {
    const path = await showProgress(views.tasks, t("Getting the result"), (signal) => saveResult(id, signal));
    await openFile(path);
  } catch (failure) {
    void dialogs.showFailure(failure, "result", () => void openResult(ports, id));
  }
}

const furtherActions = ["make-variants", "other-model", "make-video", "use-as-reference", "duplicate"] as const;

/** What goes on from a task: of several, all are references of one new task, and all else goes on from the first. */
async function makeMore(ports: TaskCommandPorts, args: readonly unknown[]): Promise<void> {
  const ids = ports.tree.chosenIds(args);
  const [task] = ids.flatMap((id) => ports.board.all.tasks.get(id) ?? []);
  if (task === undefined) return;
  const offered = actionsOf(task);
  const choices = furtherActions
    .filter((action) => offered.includes(action))
    .map((action) => ({ label: taskActionLabel(action), value: action }));
  const { id } = task.intent;
  switch (await chooseOne(task, t("What should be made of it?"), choices, args[2])) {
    case undefined:
      return;
    case "make-variants":
      await submitFromTask(ports, id, variantsOf);
      return;
    case "other-model":
      await submitFromTask(ports, id, withoutModel);
      return;
    case "make-video":
      await makeVideo(ports, [id]);
      return;
    case "use-as-reference":
      await referenceResults(ports, ids);
      return;
    case "duplicate":
      await submitFromTask(ports, id);
  }
}

/** With the prompt of the picture, which the person may change in the last step. */
async function makeVideo(ports: TaskCommandPorts, ids: readonly string[]): Promise<void> {
  const [intent] = ids.flatMap((id) => ports.board.all.tasks.get(id)?.intent ?? []);
  if (intent === undefined) return;
  await referenceResults(ports, ids, { type: "video", prompts: [intent.prompt] });
}

/** Those of the chosen tasks that are pictures, for one new task. */
async function referenceResults(ports: TaskCommandPorts, ids: readonly string[], begun: BegunTask = {}): Promise<void> {
  const { board, saveResult, dialogs } = ports;
  const tasks = ids.flatMap((id) => board.all.tasks.get(id) ?? []);
  const pictures = tasks.filter((task) => actionsOf(task).includes("use-as-reference"));
  const files: vscode.Uri[] = [];
  try {
    for (const { intent } of pictures) {
      const path = await showProgress(views.tasks, t("Getting the result"), (signal) => saveResult(intent.id, signal));
      files.push(vscode.Uri.file(path));
    }
  } catch (failure) {
    await dialogs.showFailure(failure, "result", () => void referenceResults(ports, ids, begun));
    return;
  }
  const [only, another] = pictures;
  const from = only !== undefined && another === undefined ? { duplicatedFrom: only.intent.id } : {};
  await submitWithReferences(ports, files, { ...from, ...begun });
}

async function removeTask({ board, now, awaitsResult }: TaskCommandPorts, id: string): Promise<void> {
  // Another window may have changed the task: its state decides whether it may be removed, and whether to ask.
  await board.readOtherWindows();
  const before = board.tasks.get(id);
  if (!before || !isRemovable(before)) return;
  if (phaseOf(before) === "outcome-unknown") {
    const confirm = t("Remove");
    const question = t("Whether this task exists is not known. Without its row the gateway can't be asked any more.");
    if (!(await askBefore(question, confirm))) return;
    const after = board.tasks.get(id);
    // A Reconcile may have found the task while the question was open.
    if (!after || !isRemovable(after)) return;
  }
  await board.writeThenApply({ type: "task-removed", id, at: now() });
  const task = board.all.tasks.get(id);
  if (!task || !hasSucceeded(task) || resultFile(task) !== undefined) return;
  const undo = t("Undo");
  // Not waited for: the next of the chosen tasks is removed meanwhile.
  void notifyInformation(clearedWords([task], awaitsResult), undo).then(async (pressed) => {
    if (pressed === undo) await board.applyThenWrite({ type: "task-restored", id, at: now() });
  });
}

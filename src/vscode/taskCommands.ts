/** The commands of the Tasks view: those on its rows here, those that submit in `submitCommands`. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../base/disposable";
import { describeError } from "../domain/describeError";
import { isRunning, type Task } from "../domain/task";
import type { CancelOutcome } from "../domain/taskPort";
import type { TaskPoller } from "../tasks/poller";
import { isRemovable } from "../tasks/taskRow";
import { type CommandId, commands, views } from "./ids";
import { type PickChoice, StepPicker } from "./pickSteps";
import { openFile } from "./runCommand";
import { openSamplePrompts } from "./samplePrompts";
import { askBefore, notifyInformation, showProgress } from "./show";
import { shownLine } from "./shownText";
import { askAndSubmit, sendAgain, submitSelection, type SubmitPorts } from "./submitCommands";
import type { TaskTree } from "./taskTree";

export interface TaskCommandPorts extends SubmitPorts {
  readonly poller: TaskPoller;
  readonly tree: TaskTree;
  readonly cancel: (id: string, reason: string) => Promise<CancelOutcome>;
  readonly saveResult: (id: string, signal: AbortSignal) => Promise<string>;
  /** The prompts that ship with Sluice. */
  readonly sample: vscode.Uri;
  readonly now: () => number;
}

export function registerTaskCommands(ports: TaskCommandPorts): Disposable {
  const { board, poller, tree, dialogs, sample } = ports;
  const store = new DisposableStore();
  const register = (id: CommandId, run: (...args: unknown[]) => unknown): void => {
    store.add(dialogs.register(id, run));
  };
  /** For each of the chosen tasks, one after the other. */
  const registerForEach = (command: CommandId, run: (id: string, task: Task) => Promise<void>): void =>
    register(command, async (...args) => {
      for (const id of tree.chosenIds(args)) {
        const task = board.tasks.get(id);
        if (task) await run(id, task);
      }
    });
  register(commands.newTask, () => askAndSubmit(ports, []));
  register(commands.submitSelection, () => submitSelection(ports));
  register(commands.reconcile, (...args) => sendAgain(ports, tree.chosenIds(args)));
  register(commands.sendAgain, (...args) => sendAgain(ports, tree.chosenIds(args)));
  register(commands.cancelTask, (...args) => cancelTasks(ports, tree.chosenIds(args)));
  register(commands.refreshTasks, () => poller.refresh());
  register(commands.openSample, () => openSamplePrompts(sample));
  registerForEach(commands.openResult, (id) => openResult(ports, id));
  registerForEach(commands.removeTask, (id) => removeTask(ports, id));
  registerForEach(commands.copyPrompt, async (_id, { intent }) => vscode.env.clipboard.writeText(intent.prompt));
  registerForEach(commands.copyTaskId, async (_id, { submission }) => {
    // The gateway chose the id: a line break in it would make a terminal run what is pasted.
    if (submission.state === "accepted") await vscode.env.clipboard.writeText(shownLine(submission.taskId, 500));
  });
  return store;
}

async function openResult(ports: TaskCommandPorts, id: string): Promise<void> {
  const { saveResult, dialogs } = ports;
  try {
    const path = await showProgress(views.tasks, t("Getting the result"), (signal) => saveResult(id, signal));
    await openFile(path);
  } catch (failure) {
    await dialogs.showFailure(failure, "result", () => void openResult(ports, id));
  }
}

async function cancelTasks(ports: TaskCommandPorts, ids: readonly string[]): Promise<void> {
  const { board, cancel, dialogs } = ports;
  const running = ids.filter((id) => {
    const task = board.tasks.get(id);
    return task && isRunning(task);
  });
  if (running.length === 0) return;
  const reason = await askForReason(running.length);
  if (reason === undefined) return;
  const outcomes = await Promise.all(running.map(async (id) => cancel(id, reason)));
  const failed = outcomes.find((outcome) => outcome.state === "failed");
  if (failed) {
    await dialogs.showError(describeError(failed.error, "cancel"), () => void cancelTasks(ports, running));
    return;
  }
  const late = outcomes.filter(({ state }) => state === "too-late").length;
  if (late > 0) {
    void notifyInformation(t("{0} had finished before the cancel arrived. What succeeded is charged.", late));
  }
}

async function askForReason(count: number): Promise<string | undefined> {
  const picker = new StepPicker(count === 1 ? t("Cancel Task") : t("Cancel {0} Tasks", count));
  const reason = (label: string): PickChoice<string> => ({ label, value: label });
  try {
    const answer = await picker.ask({
      placeholder: t("Why? Choose or type a reason. The gateway releases the hold of a cancelled task."),
      choices: [t("No longer needed"), t("Wrong prompt"), t("Takes too long")].map(reason),
      typed: reason,
    });
    return typeof answer === "string" ? undefined : answer.value;
  } finally {
    picker.dispose();
  }
}

async function removeTask({ board, now }: TaskCommandPorts, id: string): Promise<void> {
  // Another window may have changed the task: its state decides whether it may be removed, and whether to ask.
  await board.learn();
  const before = board.tasks.get(id);
  if (!before || !isRemovable(before)) return;
  if (before.submission.state === "outcome-unknown") {
    const confirm = t("Remove");
    const question = t("Whether this task exists is not known. Without its row it can't be reconciled any more.");
    if (!(await askBefore(question, confirm))) return;
    const after = board.tasks.get(id);
    // A Reconcile may have found the task while the question was open.
    if (!after || !isRemovable(after)) return;
  }
  await board.record({ type: "task-removed", id, at: now() });
}

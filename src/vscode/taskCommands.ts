/** The commands of the Tasks view: submit, open, cancel, reconcile, copy, remove. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../base/disposable";
import { describeError } from "../domain/describeError";
import type { ReadyConnection } from "../domain/ports";
import { isRunning, type Task, type TaskIntent } from "../domain/task";
import type { ModelCatalog } from "../models/modelCatalog";
import type { TaskBoard } from "../tasks/board";
import type { CancelOutcome } from "../tasks/cancel";
import { describeOutcomes } from "../tasks/outcomes";
import type { NewTask, Outbox } from "../tasks/outbox";
import type { TaskPoller } from "../tasks/poller";
import { isRemovable } from "../tasks/taskRow";
import type { Dialogs } from "./dialogs";
import { commands, views } from "./ids";
import { type Choice, StepPicker } from "./pickSteps";
import { openFile } from "./runCommand";
import { openSamplePrompts } from "./samplePrompts";
import { askBefore, flashStatus, notifyInformation, notifyWarning, showProgress } from "./show";
import { shownLine } from "./shownText";
import { askTasks } from "./submitTask";
import type { TaskTree } from "./taskTree";

export interface TaskCommandPorts {
  readonly board: TaskBoard;
  readonly outbox: Outbox;
  readonly poller: TaskPoller;
  readonly models: ModelCatalog;
  readonly tree: TaskTree;
  readonly dialogs: Dialogs;
  readonly memory: vscode.Memento;
  /** Rejects with what is missing before a task can be sent. */
  readonly ready: () => Promise<ReadyConnection>;
  readonly cancel: (id: string, reason: string) => Promise<CancelOutcome>;
  readonly saveResult: (id: string, signal: AbortSignal) => Promise<string>;
  /** The prompts that ship with Sluice. */
  readonly sample: vscode.Uri;
  readonly now: () => number;
}

export function registerTaskCommands(ports: TaskCommandPorts): Disposable {
  const { board, poller, tree, dialogs, sample } = ports;
  const store = new DisposableStore();
  const each =
    (run: (id: string, task: Task) => Promise<void>) =>
    async (...args: unknown[]): Promise<void> => {
      for (const id of tree.chosen(args)) {
        const task = board.tasks.get(id);
        if (task) await run(id, task);
      }
    };
  store.add(dialogs.register(commands.newTask, () => submit(ports, [])));
  store.add(dialogs.register(commands.submitSelection, () => submitSelection(ports)));
  store.add(
    dialogs.register(
      commands.openResult,
      each((id) => openResult(ports, id)),
    ),
  );
  store.add(dialogs.register(commands.cancelTask, (...args) => cancelChosen(ports, tree.chosen(args))));
  store.add(dialogs.register(commands.reconcile, (...args) => sendAll(ports, tree.chosen(args))));
  store.add(dialogs.register(commands.sendAgain, (...args) => sendAll(ports, tree.chosen(args))));
  store.add(dialogs.register(commands.refreshTasks, () => poller.refresh()));
  store.add(
    dialogs.register(
      commands.copyPrompt,
      each(async (_id, { intent }) => vscode.env.clipboard.writeText(intent.prompt)),
    ),
  );
  store.add(
    dialogs.register(
      commands.copyTaskId,
      each(async (_id, { submission }) => {
        // The gateway's own choice: with a line end in it, a terminal would run what is pasted.
        if (submission.state === "accepted") await vscode.env.clipboard.writeText(shownLine(submission.taskId, 500));
      }),
    ),
  );
  store.add(
    dialogs.register(
      commands.removeTask,
      each((id) => remove(ports, id)),
    ),
  );
  store.add(dialogs.register(commands.openSample, () => openSamplePrompts(sample)));
  return store;
}

/** Each selection that holds text is one task. */
async function submitSelection(ports: TaskCommandPorts): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const prompts = (editor?.selections ?? [])
    .map((selection) => editor?.document.getText(selection).trim() ?? "")
    .filter((text) => text !== "");
  if (prompts.length > 0) {
    await submit(ports, prompts);
    return;
  }
  const type = t("Type a Prompt…");
  const chosen = await notifyWarning(t("Nothing is selected. Select the text of a prompt, or type one."), type);
  if (chosen === type) await submit(ports, []);
}

async function submit(ports: TaskCommandPorts, prompts: readonly string[]): Promise<void> {
  const { models, memory, dialogs, ready } = ports;
  let origin: string;
  try {
    // Before anything is typed: what can't be sent should not be asked for.
    ({ origin } = (await ready()).home);
  } catch (failure) {
    await dialogs.showFailure(failure, "new-task", () => void submit(ports, prompts));
    return;
  }
  const tasks = await askTasks(prompts, models.models.current.list, { memory, origin });
  if (!tasks) return;
  await prepareAndSend(ports, tasks);
}

/** What was typed is kept for *Try Again* also when the connection is lost between the last step and this. */
async function prepareAndSend(ports: TaskCommandPorts, tasks: readonly NewTask[]): Promise<void> {
  let intents: readonly TaskIntent[];
  try {
    intents = await ports.outbox.prepare(tasks);
  } catch (failure) {
    await ports.dialogs.showFailure(failure, "submit", () => void prepareAndSend(ports, tasks));
    return;
  }
  await send(ports, intents);
}

/** Sends what is prepared; *Try Again* goes on with the same intents, so under the same keys. */
async function send(ports: TaskCommandPorts, intents: readonly TaskIntent[]): Promise<void> {
  try {
    await ports.outbox.send(intents);
  } catch (failure) {
    await ports.dialogs.showFailure(failure, "submit", () => void send(ports, intents));
    return;
  }
  await tellOutcomes(
    ports,
    intents.map(({ id }) => id),
  );
}

/** One message for all that did not become a task, or whose record is not on disk; the rows say the rest. */
async function tellOutcomes(ports: TaskCommandPorts, ids: readonly string[]): Promise<void> {
  const { board, dialogs } = ports;
  const trouble = describeOutcomes(
    ids.flatMap((id) => board.tasks.get(id) ?? []),
    board.unwritten.current,
  );
  if (!trouble) {
    if (ids.length > 0)
      flashStatus("check", t("{0} submitted. The Tasks view shows how it goes on.", ids.length), 5000);
    return;
  }
  await dialogs.showError(trouble.description, () => {
    void (async () => {
      await board.flush();
      if (trouble.sendAgain.length > 0) await sendAll(ports, trouble.sendAgain);
      else if (board.unwritten.current) await tellOutcomes(ports, []);
    })();
  });
}

/** *Reconcile* and *Send Again*, for rows and for the button of a message: one question and one message for all. */
async function sendAll(ports: TaskCommandPorts, ids: readonly string[]): Promise<void> {
  const { board, outbox } = ports;
  await board.learn();
  const open = ids.filter((id) => {
    const state = board.tasks.get(id)?.submission.state;
    return state === "not-accepted" || state === "outcome-unknown";
  });
  const old = open.filter((id) => outbox.isKeyOld(id));
  if (old.length > 0) {
    const anyway = t("Send All the Same");
    const question = t(
      "This was sent more than 23 hours ago. The gateway may no longer know its idempotency key and could make a second, paid task. Look in the console first.",
    );
    if (!(await askBefore(question, anyway))) return;
  }
  for (const id of open) await outbox.sendAgain(id, { despiteOldKey: old.includes(id) });
  if (open.length > 0) await tellOutcomes(ports, open);
}

async function openResult({ saveResult, dialogs, ...ports }: TaskCommandPorts, id: string): Promise<void> {
  const ended = new AbortController();
  try {
    const path = await showProgress(views.tasks, t("Getting the result"), () => saveResult(id, ended.signal));
    await openFile(path);
  } catch (failure) {
    await dialogs.showFailure(failure, "result", () => void openResult({ saveResult, dialogs, ...ports }, id));
  }
}

async function cancelChosen(ports: TaskCommandPorts, ids: readonly string[]): Promise<void> {
  const { board, cancel, dialogs } = ports;
  const running = ids.filter((id) => {
    const task = board.tasks.get(id);
    return task && isRunning(task);
  });
  if (running.length === 0) return;
  const reason = await askReason(running.length);
  if (reason === undefined) return;
  const outcomes = await Promise.all(running.map(async (id) => cancel(id, reason)));
  const failed = outcomes.find((outcome) => outcome.state === "failed");
  if (failed) {
    await dialogs.showError(describeError(failed.error, "cancel"), () => void cancelChosen(ports, running));
    return;
  }
  const late = outcomes.filter(({ state }) => state === "too-late").length;
  if (late > 0) {
    void notifyInformation(t("{0} had finished before the cancel arrived. What succeeded is charged.", late));
  }
}

async function askReason(count: number): Promise<string | undefined> {
  const picker = new StepPicker(count === 1 ? t("Cancel Task") : t("Cancel {0} Tasks", count));
  const reason = (label: string): Choice<string> => ({ label, value: label });
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

async function remove({ board, now }: TaskCommandPorts, id: string): Promise<void> {
  // What another window has written of it decides what is asked, and whether it may go at all.
  await board.learn();
  const before = board.tasks.get(id);
  if (!before || !isRemovable(before)) return;
  if (before.submission.state === "outcome-unknown") {
    const confirm = t("Remove");
    const question = t("Whether this task exists is not known. Without its row it can't be reconciled any more.");
    if (!(await askBefore(question, confirm))) return;
    const after = board.tasks.get(id);
    // A Reconcile may have been begun, and found the task, while the question was open.
    if (!after || !isRemovable(after)) return;
  }
  await board.record({ type: "task-removed", id, at: now() });
}

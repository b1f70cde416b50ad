/** The commands of the Tasks view: submit, open, cancel, reconcile, copy, remove. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../base/disposable";
import { describeError } from "../domain/describeError";
import { isRunning, type Task } from "../domain/task";
import type { ModelCatalog } from "../chat/modelCatalog";
import type { TaskBoard } from "../tasks/board";
import type { CancelOutcome } from "../tasks/cancel";
import type { NewTask, Outbox } from "../tasks/outbox";
import type { TaskPoller } from "../tasks/poller";
import type { Dialogs } from "./dialogs";
import { commands, views } from "./ids";
import { type Choice, StepPicker } from "./pickSteps";
import { openSamplePrompts } from "./samplePrompts";
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
  readonly ready: () => Promise<unknown>;
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
  store.add(
    dialogs.register(
      commands.reconcile,
      each((id, task) => sendAgain(ports, id, task)),
    ),
  );
  store.add(
    dialogs.register(
      commands.sendAgain,
      each((id, task) => sendAgain(ports, id, task)),
    ),
  );
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
        if (submission.state === "accepted") await vscode.env.clipboard.writeText(submission.taskId);
      }),
    ),
  );
  store.add(
    dialogs.register(
      commands.removeTask,
      each(async (id, task) => {
        if (!isRunning(task) && task.submission.state !== "sending") await remove(ports, id, task);
      }),
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
  const chosen = await vscode.window.showWarningMessage(
    t("Nothing is selected. Select the text of a prompt, or type one."),
    type,
  );
  if (chosen === type) await submit(ports, []);
}

async function submit(ports: TaskCommandPorts, prompts: readonly string[]): Promise<void> {
  const { models, memory, outbox, dialogs, ready } = ports;
  try {
    // Before anything is typed: what can't be sent should not be asked for.
    await ready();
  } catch (failure) {
    await dialogs.showFailure(failure, "new-task", () => void submit(ports, prompts));
    return;
  }
  const tasks = await askTasks(prompts, models.models.current.list, memory);
  if (!tasks) return;
  await send(ports, tasks);
  async function send(around: TaskCommandPorts, wanted: readonly NewTask[]): Promise<void> {
    try {
      await tellOutcomes(around, await outbox.submit(wanted));
    } catch (failure) {
      // Nothing was sent: the same answers can be sent once the cause is mended.
      await dialogs.showFailure(failure, "submit", () => void send(around, wanted));
    }
  }
}

/** One message for what did not become a task; the rows say the rest. */
async function tellOutcomes({ board, outbox, dialogs }: TaskCommandPorts, ids: readonly string[]): Promise<void> {
  const unsent = ids.flatMap((id) => {
    const submission = board.tasks.get(id)?.submission;
    return submission?.state === "not-accepted" || submission?.state === "outcome-unknown"
      ? [{ id, error: submission.error }]
      : [];
  });
  const [first] = unsent;
  if (!first) {
    if (ids.length > 0)
      vscode.window.setStatusBarMessage(
        t("$(check) {0} submitted. The Tasks view shows how it goes on.", ids.length),
        5000,
      );
    return;
  }
  const description = describeError(first.error, "submit");
  const title =
    unsent.length === 1
      ? description.title
      : t("{0} of {1} tasks were not accepted. {2}", unsent.length, ids.length, description.title);
  await dialogs.showError({ ...description, title }, () => {
    for (const { id } of unsent) void outbox.sendAgain(id);
  });
}

/** The service may have forgotten a key by then (kept for 24 h), and would make a second task. */
const keyLifetime = 23 * 60 * 60 * 1000;

async function sendAgain({ board, outbox, dialogs, now }: TaskCommandPorts, id: string, task: Task): Promise<void> {
  if (task.submission.state === "outcome-unknown" && now() - task.intent.createdAt > keyLifetime) {
    const anyway = t("Send All the Same");
    const question = t(
      "This was sent more than 23 hours ago. The gateway may no longer know its idempotency key and could make a second, paid task. Look in the console first.",
    );
    if ((await vscode.window.showWarningMessage(question, { modal: true }, anyway)) !== anyway) return;
  }
  await outbox.sendAgain(id);
  const submission = board.tasks.get(id)?.submission;
  if (submission?.state !== "not-accepted" && submission?.state !== "outcome-unknown") return;
  await dialogs.showError(describeError(submission.error, "submit"), () => void outbox.sendAgain(id));
}

async function openResult({ saveResult, dialogs, ...ports }: TaskCommandPorts, id: string): Promise<void> {
  const ended = new AbortController();
  try {
    const path = await vscode.window.withProgress(
      { location: { viewId: views.tasks }, title: t("Getting the result") },
      () => saveResult(id, ended.signal),
    );
    await vscode.commands.executeCommand("vscode.open", vscode.Uri.file(path));
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
    void vscode.window.showInformationMessage(
      t("{0} had finished before the cancel arrived. What succeeded is charged.", late),
    );
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

async function remove({ board, now }: TaskCommandPorts, id: string, task: Task): Promise<void> {
  if (task.submission.state === "outcome-unknown") {
    const confirm = t("Remove");
    const question = t("Whether this task exists is not known. Without its row it can't be reconciled any more.");
    if ((await vscode.window.showWarningMessage(question, { modal: true }, confirm)) !== confirm) return;
  }
  await board.record({ type: "task-removed", id, at: now() });
}

/** Submitting tasks: from a selection or a typed prompt, and once more when the outcome is unknown or nothing was accepted (T1, T2). */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { ReadyConnection } from "../domain/ports";
import type { TaskIntent } from "../domain/task";
import type { ModelCatalog } from "../models/modelCatalog";
import type { TaskBoard } from "../tasks/board";
import { describeOutcomes } from "../tasks/outcomes";
import type { NewTask, Outbox } from "../tasks/outbox";
import { askForTasks } from "./askForTasks";
import type { Dialogs } from "./dialogs";
import { askBefore, flashStatus, notifyWarning } from "./show";

export interface SubmitPorts {
  readonly board: TaskBoard;
  readonly outbox: Outbox;
  readonly models: ModelCatalog;
  readonly dialogs: Dialogs;
  readonly memory: vscode.Memento;
  /** Rejects with the reason why no task can be sent. */
  readonly ready: () => Promise<ReadyConnection>;
}

/** One task for each selection that holds text. */
export async function submitSelection(ports: SubmitPorts): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const prompts = (editor?.selections ?? [])
    .map((selection) => editor?.document.getText(selection).trim() ?? "")
    .filter((text) => text !== "");
  if (prompts.length > 0) {
    await askAndSubmit(ports, prompts);
    return;
  }
  const type = t("Type a Prompt…");
  const chosen = await notifyWarning(t("Nothing is selected. Select the text of a prompt, or type one."), type);
  if (chosen === type) await askAndSubmit(ports, []);
}

/** No prompts: one is typed. Several: each becomes a task. */
export async function askAndSubmit(ports: SubmitPorts, prompts: readonly string[]): Promise<void> {
  const { models, memory, dialogs, ready } = ports;
  let origin: string;
  try {
    // First of all: nobody should type a prompt that can't be sent.
    ({ origin } = (await ready()).home);
  } catch (failure) {
    await dialogs.showFailure(failure, "new-task", () => void askAndSubmit(ports, prompts));
    return;
  }
  const tasks = await askForTasks(prompts, models.models.current.list, { memory, origin });
  if (!tasks) return;
  await prepareAndSend(ports, tasks);
}

/** When the connection is lost before this, *Try Again* submits what was typed. */
async function prepareAndSend(ports: SubmitPorts, tasks: readonly NewTask[]): Promise<void> {
  let intents: readonly TaskIntent[];
  try {
    intents = await ports.outbox.prepare(tasks);
  } catch (failure) {
    await ports.dialogs.showFailure(failure, "submit", () => void prepareAndSend(ports, tasks));
    return;
  }
  await send(ports, intents);
}

/** *Try Again* sends the same intents, so with the same idempotency keys. */
async function send(ports: SubmitPorts, intents: readonly TaskIntent[]): Promise<void> {
  try {
    await ports.outbox.send(intents);
  } catch (failure) {
    await ports.dialogs.showFailure(failure, "submit", () => void send(ports, intents));
    return;
  }
  await showOutcomes(
    ports,
    intents.map(({ id }) => id),
  );
}

/** One message about all that did not become a task or whose record is not on disk; everything else is in the rows. */
async function showOutcomes(ports: SubmitPorts, ids: readonly string[]): Promise<void> {
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
      if (trouble.sendAgain.length > 0) await sendAgain(ports, trouble.sendAgain);
      else if (board.unwritten.current) await showOutcomes(ports, []);
    })();
  });
}

/** *Reconcile* and *Send Again*, of rows and of the message's button. Asks once and reports once for all tasks. */
export async function sendAgain(ports: SubmitPorts, ids: readonly string[]): Promise<void> {
  const { board, outbox } = ports;
  await board.learn();
  const unsettled = ids.filter((id) => {
    const state = board.tasks.get(id)?.submission.state;
    return state === "not-accepted" || state === "outcome-unknown";
  });
  const old = unsettled.filter((id) => outbox.isKeyOld(id));
  if (old.length > 0) {
    const anyway = t("Send All the Same");
    const question = t(
      "This was sent more than 23 hours ago. The gateway may no longer know its idempotency key and could make a second, paid task. Look in the console first.",
    );
    if (!(await askBefore(question, anyway))) return;
  }
  for (const id of unsettled) await outbox.sendAgain(id, { despiteOldKey: old.includes(id) });
  if (unsettled.length > 0) await showOutcomes(ports, unsettled);
}

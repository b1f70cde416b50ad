/** Submitting tasks: from a selection or a typed prompt, and once more when the outcome is unknown or nothing was accepted (T1, T2). */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { ReadyConnection } from "../../../domain/ports";
import { isUnsettled } from "../../../domain/task/phase";
import type { TaskIntent } from "../../../domain/task/task";
import { describeOutcomes } from "../../../tasks/view/outcomes";
import type { NewTask } from "../../../tasks/submit/outbox";
import { askBefore, flashStatus, notifyWarning } from "../../interface/show";
import type { SubmitPorts } from "./submitPorts";
import { emptyDraft, type TaskDraft } from "./draft/taskDraft";

/** One task for each selection that holds text. */
export async function submitSelection(ports: SubmitPorts): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const prompts = (editor?.selections ?? [])
    .map((selection) => editor?.document.getText(selection).trim().replaceAll("\r\n", "\n") ?? "")
    .filter((text) => text !== "");
  if (editor && prompts.length > 0) {
    await submitDraft(ports, { ...emptyDraft, prompts, source: editor.document.uri });
    return;
  }
  const type = t("Type a Prompt…");
  const chosen = await notifyWarning(t("Nothing is selected. Select the text of a prompt, or type one."), type);
  if (chosen === type) await submitDraft(ports, emptyDraft);
}

/** The whole text of the editor as one prompt. */
export async function submitFile(ports: SubmitPorts): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  const prompt = document?.getText().trim().replaceAll("\r\n", "\n") ?? "";
  if (document && prompt !== "") await submitDraft(ports, { ...emptyDraft, prompts: [prompt], source: document.uri });
  else void notifyWarning(t("No text is open in an editor. Open a file with a prompt, or use New Task."));
}

/** Asks what the draft does not say, then submits. */
export async function submitDraft(ports: SubmitPorts, draft: TaskDraft): Promise<void> {
  const { dialogs, ready } = ports;
  let connection: ReadyConnection;
  try {
    // First of all, so that no person types a prompt that can't be sent.
    connection = await ready();
  } catch (failure) {
    await dialogs.showFailure(failure, "new-task", () => void submitDraft(ports, draft));
    return;
  }
  const { tasksFromDraft } = await import("./newTasks");
  const asked = await tasksFromDraft(ports, draft, connection);
  if (asked) await prepareAndSend(ports, asked.tasks, asked.draft);
}

/** When the connection is lost before this, *Try Again* submits what was typed. */
async function prepareAndSend(ports: SubmitPorts, tasks: readonly NewTask[], draft: TaskDraft): Promise<void> {
  let intents: readonly TaskIntent[];
  try {
    intents = await ports.outbox.prepare(tasks);
  } catch (failure) {
    await ports.dialogs.showFailure(failure, "submit", () => void prepareAndSend(ports, tasks, draft));
    return;
  }
  const { destination, onWritten } = draft;
  const [first] = intents;
  if (!destination?.insertAt || !first) {
    await send(ports, intents, onWritten);
    return;
  }
  const { insertWhenWritten } = await import("./prompts/insertReference");
  const sending = send(ports, intents, onWritten);
  await Promise.all([sending, insertWhenWritten(ports.board, first, destination, sending)]);
}

/** *Try Again* sends the same intents, so with the same idempotency keys. */
async function send(
  ports: SubmitPorts,
  intents: readonly TaskIntent[],
  onWritten?: TaskDraft["onWritten"],
): Promise<void> {
  const { board } = ports;
  const isWritten = (): boolean => intents.some(({ id }) => board.tasks.has(id));
  let left = isWritten() ? undefined : onWritten;
  const told = board.onDidChange(() => {
    if (!isWritten()) return;
    left?.(intents);
    left = undefined;
  });
  try {
    await ports.outbox.send(intents);
  } catch (failure) {
    await ports.dialogs.showFailure(failure, "submit", () => void send(ports, intents, left));
    return;
  } finally {
    told.dispose();
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
  await board.readOtherWindows();
  const unsettled = ids.filter((id) => {
    const task = board.tasks.get(id);
    return task !== undefined && isUnsettled(task);
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

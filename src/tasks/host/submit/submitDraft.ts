/** Submits tasks (T1, T2): from a selection or a typed prompt, and once more when the outcome is unknown or nothing was accepted. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { definedFields } from "../../../base/definedFields";
import { toAppError } from "../../../domain/errors/appError";
import type { ReadyConnection } from "../../../domain/ports";
import { isRefused } from "../../../domain/task/phase";
import type { Task, TaskHome, TaskIntent, TaskOrder, TaskType } from "../../../domain/task/task";
import { isOtherHome } from "../../../domain/task/sameHome";
import { plural } from "../../../domain/words/plural";
import type { SeenTask } from "../../board/board";
import { describeOutcomes } from "../../view/outcomes";
import { focusTasks, views } from "../../../vscode/ids";
import {
  askInDetail,
  confirmAction,
  flashStatus,
  notifyInformation,
  notifyWarning,
  showBusy,
} from "../../../vscode/interface/show";
import { runCommand } from "../../../vscode/interface/runCommand";
import { shownLine } from "../../../vscode/interface/shownText";
import type { SubmitOptions } from "./submitOptions";
import { type DraftDestination, emptyDraft, type InsertAt, type TaskDraft } from "./taskDraft";
import { askForTasks } from "./askForTasks";
import { ordersOf } from "./taskOrders";
import { loadPrompts } from "./promptAt";
import { type RealTask, realTask, rehearsalsToMake } from "../../submit/rehearsals";
import { sumsOfPrices } from "../../../domain/prices/priceList";
import { describePrices } from "../../../domain/words/describePrice";
import { joinWords } from "../../../domain/words/joinWords";
import { retryRefused } from "../../../base/async/retryRefused";
import { expectedFile, mediaOf } from "../../../domain/task/taskTypes";
import { markupOf, relativePath, writeReference } from "../../results/reference";
import { cutLabel } from "../../../domain/words/label";

/** Submits one task for each selection that holds text. Where nothing is selected, the person types the prompt. */
export async function submitSelection(options: SubmitOptions): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const prompts = (editor?.selections ?? [])
    .map((selection) => editor?.document.getText(selection).trim().replaceAll("\r\n", "\n") ?? "")
    .filter((text) => text !== "");
  if (editor && prompts.length > 0) {
    const likelyType = await typeAt(editor);
    await submitDraft(options, {
      ...emptyDraft,
      prompts,
      source: editor.document.uri,
      ...definedFields({ likelyType }),
    });
    return;
  }
  await submitDraft(options, emptyDraft);
}

/** The type that the settings of the selected prompt name, in a prompt file. */
async function typeAt({ document, selection }: vscode.TextEditor): Promise<TaskType | undefined> {
  if (!document.uri.path.endsWith(".prompts.md")) return undefined;
  const { parsePrompts } = await loadPrompts();
  const { prompts } = parsePrompts(document.getText());
  const { line } = selection.start;
  return prompts.find((prompt) => prompt.line <= line && line <= prompt.lastLine)?.settings.type;
}

/**
 * Asks for what the draft leaves open, then submits. `since`: when the draft was made, in milliseconds. What another window has submitted after that
 * is not counted in the draft, so the person is asked once more before it is paid twice.
 */
export async function submitDraft(options: SubmitOptions, draft: TaskDraft, since = options.now()): Promise<void> {
  const { dialogs, ready } = options;
  let connection: ReadyConnection;
  try {
    // The connection comes first, so that no person types a prompt that can't be sent.
    connection = await ready();
  } catch (failure) {
    void dialogs.showFailure(failure, "new-task", () => void submitDraft(options, draft, since));
    return;
  }
  const asked = await askForTasks(options, draft, connection);
  if (!asked) return;
  // The draft is kept until all of its tasks are on disk.
  const agreed = await options.keptDrafts.keep(asked);
  const orders = await ordersOf(options, agreed, connection.home);
  if (orders && (await isStillWanted(options, agreed, orders, since)))
    await prepareAndSend(options, orders, agreed, connection.home, since);
}

/**
 * Asks once more where the person has submitted some of these after `since`, as in another window. Rehearsals cost nothing. `own`: the ids of tasks that
 * are none of those.
 */
async function isStillWanted(
  { board }: SubmitOptions,
  { sources, isRehearsal }: TaskDraft,
  orders: readonly Pick<TaskIntent, "type" | "model" | "prompt">[],
  since: number,
  own: readonly string[] = [],
): Promise<boolean> {
  await board.readOtherWindows();
  const others = [...board.all.values()].flatMap(({ intent }) =>
    intent.createdAt >= since && intent.isRehearsal !== true && !own.includes(intent.id) ? intent : [],
  );
  const { length: count } = orders.filter(({ type, model, prompt }) =>
    others.some((one) => one.type === type && one.model === model && one.prompt === prompt),
  );
  if (count === 0 || isRehearsal === true) return true;
  const question = plural(
    count,
    {
      one: "1 of these tasks was submitted meanwhile, perhaps in another window.",
      other: "{0} of these tasks were submitted meanwhile, perhaps in another window.",
    },
    count,
  );
  // In a prompt file what has a task is counted.
  const detail = sources && shownLine(t("Cancel, and submit again, to be asked for the others only."));
  const again = t("Submit Again");
  // The first button has the keyboard's focus, and the question may come under an Enter that was pressed twice.
  const show = t("Show Tasks");
  const answer = await askInDetail(question, detail, show, again);
  if (answer === show) void runCommand(focusTasks);
  return answer === again;
}

/**
 * Submits a draft without the steps: the person has confirmed it on a page, which keeps it itself. Resolves with the intents when all of them are on
 * disk, while they are sent, or with `undefined` where a prompt lacks its type or model. Rejects where they could not be written: nothing was sent
 * then.
 */
export async function submitConfirmed(
  options: SubmitOptions,
  draft: TaskDraft,
  connection: ReadyConnection,
): Promise<readonly TaskIntent[] | undefined> {
  const { board, outbox, dialogs } = options;
  const orders = await ordersOf(options, draft, connection.home);
  if (!orders) return undefined;
  const intents = await outbox.prepare(orders, connection.home);
  const ids = intents.map(({ id }) => id);
  const written = Promise.withResolvers<undefined>();
  const listening = board.onDidChange(() => {
    if (ids.every((id) => board.all.has(id))) written.resolve(undefined);
  });
  const sending = outbox.send(intents);
  try {
    await Promise.race([sending, written.promise]);
  } finally {
    listening.dispose();
  }
  sending
    .then(() => showOutcomes(options, ids))
    .catch((failure: unknown) => void dialogs.showFailure(failure, "submit"));
  return intents;
}

/**
 * *Make It Real*: asks once for all these rehearsals, with their price. Each result takes the place of its placeholder file. `onWritten` is called
 * once, when the first real task is on disk.
 */
export async function makeReal(
  options: SubmitOptions,
  chosen: readonly Task[],
  onWritten?: TaskDraft["onWritten"],
): Promise<readonly TaskIntent[] | undefined> {
  const { board, outbox, dialogs, ready } = options;
  try {
    const { home, local: isLocal } = await ready();
    await board.loaded();
    const rehearsals = rehearsalsToMake(board, chosen);
    const made: RealTask[] = [];
    for (const one of rehearsals) {
      const real = await realTask(board, one, home);
      if (real !== undefined) made.push(real);
    }
    if (made.length === 0) {
      void notifyInformation(t("These were made real already, or are being made."));
      return undefined;
    }
    const orders = made.map(({ order }) => order);
    if (!(await confirmAction(...realQuestion(options, orders, home, isLocal)))) return undefined;
    await board.readOtherWindows();
    // Another window may have made some of them while the question was open.
    const left = new Set(rehearsalsToMake(board, rehearsals).map(({ intent }) => intent.id));
    const wanted = made.filter(({ order }) => order.makesReal !== undefined && left.has(order.makesReal));
    if (wanted.length === 0) return undefined;
    const intents = await outbox.prepare(
      wanted.map(({ order }) => order),
      home,
      undefined,
      wanted.map(({ ids }) => ids),
    );
    await send(options, intents, emptyDraft, onWritten);
    return intents;
  } catch (failure) {
    void dialogs.showFailure(failure, "submit", () => void makeReal(options, chosen, onWritten));
    return undefined;
  }
}

function realQuestion(
  { outbox }: SubmitOptions,
  orders: readonly TaskOrder[],
  home: TaskHome,
  isLocal: boolean,
): [question: string, action: string, detail: string] {
  const prices = sumsOfPrices(orders.map((order) => outbox.priceOf(order, home)));
  const price = isLocal
    ? t("Free on the local gateway.")
    : prices.length === 0
      ? t("No price is known.")
      : t("{0}.", describePrices(prices, vscode.env.language));
  const models = [...new Set(orders.map(({ model }) => model))];
  const question = plural(
    orders.length,
    { one: "Make 1 rehearsed task real with {1}?", other: "Make {0} rehearsed tasks real with {1}?" },
    orders.length,
    joinWords(models),
  );
  return [question, t("Make It Real"), t("{0} Each file takes the place of its placeholder.", price)];
}

/**
 * Prepares the tasks and sends them. If that fails before a task is on disk, as by a lost connection, a cap or a full disk, the draft is kept and
 * *Try Again* submits it. Where another gateway or account is in use than `home`, which was shown, it asks once more.
 */
async function prepareAndSend(
  options: SubmitOptions,
  orders: readonly TaskOrder[],
  draft: TaskDraft,
  home: TaskHome,
  since: number,
): Promise<void> {
  const { outbox, keptDrafts } = options;
  let intents: readonly TaskIntent[];
  try {
    intents = await outbox.prepare(orders, home);
  } catch (failure) {
    const { kept } = await keptDrafts.keep(withoutLostSource(draft));
    const mustAsk = isOtherHome(toAppError(failure));
    const asked = { ...draft, ...definedFields({ kept }) };
    const again = async (): Promise<void> => {
      if (mustAsk) await submitDraft(options, asked, since);
      else if (await isStillWanted(options, draft, orders, since))
        await prepareAndSend(options, orders, asked, home, since);
    };
    void options.dialogs.showFailure(failure, "submit", () => void again());
    return;
  }
  const { destination } = draft;
  const onWritten = (written: readonly TaskIntent[]): void => {
    draft.onWritten?.(written);
    // Without an intent on disk there is nothing that will bring the file.
    const [first] = written;
    if (destination?.insertAt && first) void insertReference(first, destination, destination.insertAt);
  };
  await send(options, intents, draft, onWritten);
}

/** Sends the intents. *Try Again* sends the same ones, with the same idempotency keys. */
async function send(
  options: SubmitOptions,
  intents: readonly TaskIntent[],
  draft: TaskDraft,
  onWritten: TaskDraft["onWritten"],
): Promise<void> {
  const { board } = options;
  const isWritten = (): boolean => intents.some(({ id }) => board.listed.has(id));
  let left = isWritten() ? undefined : onWritten;
  let { kept } = draft;
  const told = board.onDidChange(() => {
    if (!isWritten()) return;
    left?.(intents);
    left = undefined;
    // The intents are written one after the other. Until the last one is on disk, only the kept draft has the prompts of those that are missing.
    if (kept === undefined || !intents.every(({ id }) => board.all.has(id))) return;
    void options.keptDrafts.forget(kept);
    kept = undefined;
  });
  try {
    await options.outbox.send(intents);
  } catch (failure) {
    // A task that the person removes, or sends from its row, meanwhile is left out.
    const ids = intents.map(({ id }) => id);
    const seen = board.see(...ids);
    const again = async (): Promise<void> => {
      const unchanged = intents.filter(({ id }) => seen.every((one) => one.id !== id || board.isAsSeen(one)));
      if (await isStillWanted(options, draft, unchanged, intents[0]?.createdAt ?? 0, ids))
        await send(options, unchanged, draft, left);
    };
    void options.dialogs.showFailure(failure, "submit", () => void again());
    return;
  } finally {
    told.dispose();
  }
  await showOutcomes(
    options,
    intents.map(({ id }) => id),
  );
}

/** Shows one message about all that did not become a task or whose record is not on disk; the rows show everything else. */
async function showOutcomes(options: SubmitOptions, ids: readonly string[]): Promise<void> {
  const { board, dialogs } = options;
  const tasks = ids.flatMap((id) => board.listed.get(id) ?? []);
  const problem = describeOutcomes(tasks, board.unwritten.current);
  if (!problem) {
    // Refused tasks without a message are those that were withdrawn.
    const submitted = tasks.filter((task) => !isRefused(task));
    const { length: count } = submitted;
    const words = submitted.every(({ intent }) => intent.isRehearsal)
      ? plural(count, { one: "1 placeholder is being made.", other: "{0} placeholders are being made." }, count)
      : t("{0} submitted. The Tasks view shows how it goes on.", count);
    if (count > 0) flashStatus("check", words, 5000);
    return;
  }
  const seen = board.see(...problem.sendAgain);
  await dialogs.showError(problem.description, () => void retryOutcomes(options, seen));
}

/** Runs the first action of `describeOutcomes`: writes to disk, and sends the tasks again that the person saw. */
export async function retryOutcomes(options: SubmitOptions, seen: readonly SeenTask[]): Promise<void> {
  const { board } = options;
  await board.flush();
  if (seen.length > 0) await sendAgain(options, seen);
  else if (board.unwritten.current) await showOutcomes(options, []);
}

/** Runs *Reconcile* and *Send Again*, from rows and from the message's button, for tasks as the person saw them. Asks and reports once for all. */
export async function sendAgain(options: SubmitOptions, tasks: readonly SeenTask[]): Promise<void> {
  const { outbox } = options;
  const unsettled = tasks.filter(({ state }) => state === "not-accepted" || state === "outcome-unknown");
  if (unsettled.length === 0) return;
  const despiteOldKey = (await Promise.all(unsettled.map(({ id }) => outbox.isKeyOld(id)))).includes(true);
  if (despiteOldKey) {
    const anyway = t("Send All the Same");
    const question = t(
      "This may have been sent more than 23 hours ago. The gateway may no longer know its idempotency key and could make a second, paid task. Look in the console first.",
    );
    if (!(await confirmAction(question, anyway))) return;
  }
  const changed = await showBusy(views.tasks, outbox.sendAgain(unsettled, { despiteOldKey }));
  if (changed.length > 0) {
    void notifyInformation(
      plural(changed.length, {
        one: "This task has changed since, so nothing was sent. Its row shows its state.",
        other: "{0} tasks have changed since, so nothing of them was sent. Their rows show their state.",
      }),
    );
  }
  await showOutcomes(
    options,
    unsettled.filter((task) => !changed.includes(task)).map(({ id }) => id),
  );
}

// Checks whether the document of a prompt still has that prompt: the person may have changed it while they were asked about the task.

/** Drops the source of a draft whose document no longer has the prompt: the kept draft is then the only place that has it. */
function withoutLostSource(draft: TaskDraft): TaskDraft {
  const { source, prompts, ...rest } = draft;
  return source && !prompts.every((prompt) => isIn(source, prompt)) ? { ...rest, prompts } : draft;
}

/** A document that is not open counts as a file that still has the prompt; an untitled one is gone. */
function isIn(source: vscode.Uri, prompt: string): boolean {
  const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === source.toString());
  if (!document) return source.scheme !== "untitled";
  return bare(document.getText()).includes(bare(prompt));
}

const bare = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

// Inserts the reference to a result that does not exist yet, at the cursor of a Markdown or HTML document.

async function insertReference(intent: TaskIntent, { root, path }: DraftDestination, at: InsertAt): Promise<void> {
  const document = await vscode.workspace.openTextDocument(at.document).then(
    (opened) => opened,
    () => undefined,
  );
  const kind = mediaOf(intent.type);
  // If the type is not known, the reference gets its ending when the file is there.
  const file = vscode.Uri.joinPath(root, expectedFile(path, intent.type));
  const text = writeReference(markupOf(document?.languageId ?? "") ?? "markdown", {
    path: relativePath(at.document.path, file.path),
    alt: cutLabel(intent.prompt),
    kind,
  });
  // VS Code refuses an edit of a text that the person types in at that moment.
  const isTaken = document !== undefined && (await retryRefused(() => insertAtCursor(document, at, text)));
  if (!isTaken) void notifyWarning(t("The reference could not be inserted. It is: {0}", text));
}

/** Resolves with false where VS Code refuses the edit, and where the document has changed and no editor shows its cursor. */
async function insertAtCursor(document: vscode.TextDocument, at: InsertAt, text: string): Promise<boolean> {
  const editors = vscode.window.visibleTextEditors.filter((editor) => editor.document === document);
  const shown = editors.find((editor) => editor === vscode.window.activeTextEditor) ?? editors[0];
  const wanted = document.getText() === at.text ? at.position : shown?.selection.end;
  if (wanted === undefined) return false;
  const position = document.validatePosition(wanted);
  // After a selected prompt, the reference would become part of the selection, which the next key replaces.
  for (const editor of editors)
    if (editor.selection.end.isEqual(position)) editor.selection = new vscode.Selection(position, position);
  const { text: line, range } = document.lineAt(position);
  // At the end of a line of text, the reference becomes a paragraph of its own.
  const before = position.isEqual(range.end) && line.trim() !== "" ? "\n\n" : "";
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, position, before + text);
  return vscode.workspace.applyEdit(edit);
}

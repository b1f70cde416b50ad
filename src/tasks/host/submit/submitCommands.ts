/** The commands that begin a task: typed, from the text being edited, from another task or from an image. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { maxReferenceBytes } from "../../../domain/environment";
import { definedFields } from "../../../base/definedFields";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import { destinationProblem } from "../../../domain/task/destination";
import type { TaskIntent } from "../../../domain/task/task";
import { type CommandId, commands } from "../../../vscode/ids";
import { confirmAction, notifyInformation, notifyWarning } from "../../../vscode/interface/show";
import { submitDraft, submitSelection } from "./submitDraft";
import type { SubmitOptions } from "./submitOptions";
import type { FilePrompt } from "../../prompts/parsePrompts";
import { actionsOf } from "../../view/taskActions";
import { type PromptPlace, loadPrompts, findPlace, noPromptHere, promptAt, submittingFiles } from "./promptAt";
import { rootOf } from "./destinationStep";
import { emptyDraft, type TaskDraft } from "./taskDraft";
import { draftOfTask } from "./taskOrders";
import { addFiles } from "./referenceSteps";
import { draftOfPrompts, UnusableSetting } from "./draftsOf";
import { failedVariants, missingVariants } from "../../submit/missingVariants";

/** `chosenId`: the task of the row that a command was called for. */
export function registerSubmitCommands(
  options: SubmitOptions,
  chosenId: (args: readonly unknown[]) => string | undefined,
): Disposable {
  const store = new DisposableStore();
  const register = (id: CommandId, run: (...args: unknown[]) => unknown): void => {
    store.add(options.dialogs.register(id, run));
  };
  register(commands.submitSelection, () => submitSelection(options));
  register(commands.submitPrompt, (place, scope) => submitPrompts(options, place, scope === "heading"));
  register(commands.finishEditing, (document) => finishEditing(options, document));
  register(commands.tryAgain, async (...args: unknown[]) => {
    const task = options.board.all.get(chosenId(args) ?? "");
    // Its row may be of before the task went on: what has succeeded would be paid twice.
    if (task && actionsOf(task).includes("try-again")) await submitFromTask(options, task.intent.id);
    else if (task) void notifyInformation(t("This task has gone on meanwhile. Its row shows how."));
  });
  return store;
}

/** Submits a new task from the draft of another one. */
export async function submitFromTask(
  options: SubmitOptions,
  id: string | undefined,
  change: (draft: TaskDraft) => TaskDraft = (draft) => draft,
): Promise<void> {
  const draft = id === undefined ? undefined : await draftOfTask(options, id);
  if (draft) await submitDraft(options, change(draft));
}

/** Submits a new task with these pictures as references; `begun` holds the parts of the draft that are known already. */
export async function submitWithReferences(
  options: SubmitOptions,
  files: readonly vscode.Uri[],
  begun: Partial<TaskDraft> = {},
): Promise<void> {
  const draft = await addFiles({ ...emptyDraft, ...begun }, files, maxReferenceBytes);
  if (draft.references.length > 0) await submitDraft(options, draft);
}

/**
 * The files, by URI, whose prompts are being submitted: from the question until all confirmed tasks are on disk. Until then a second question would
 * count the same variants as missing, and they could be paid twice.
 */
const submittedFiles = new Set<string>();

/** `isOfHeading`: submits all prompts under the heading of the place. A place that is on no prompt means its heading too. */
async function submitPrompts(options: SubmitOptions, place: unknown, isOfHeading: boolean): Promise<void> {
  const found = await findPlace(place);
  if (!found) return;
  const file = found.document.uri.toString();
  if (submittedFiles.has(file)) {
    void notifyWarning(t("Prompts of this file are being submitted. Go on when all of them are in the list."));
    return;
  }
  submittedFiles.add(file);
  try {
    await submitFound(options, isOfHeading, found);
  } finally {
    submittedFiles.delete(file);
  }
}

async function submitFound(
  options: SubmitOptions,
  isOfHeading: boolean,
  { document, line, isFailed, isRehearsal, again }: PromptPlace,
): Promise<void> {
  const { board, now } = options;
  const { parsePrompts } = await loadPrompts();
  const since = now();
  // A variant whose task is not read yet would count as missing, and be paid twice.
  await board.loaded();
  const { prompts, headings, unread } = parsePrompts(document.getText());
  const here = promptAt(prompts, line);
  const heading = here?.heading ?? headings.findLast((one) => one <= line);
  const scope = isOfHeading || here === undefined ? "heading" : "prompt";
  const meant = scope === "prompt" ? (here ? [here] : []) : prompts.filter((prompt) => prompt.heading === heading);
  const chosen: FilePrompt[] = [];
  let countsTasks = false;
  for (const prompt of meant) {
    const missing = await (isFailed ? failedVariants : missingVariants)(prompt, board);
    // If each variant has a task, only the command for one prompt submits all again: its lens is titled Submit Again.
    const isAgain = scope === "prompt" && missing.length === 0 && !isFailed;
    const variants = isAgain ? prompt.variants : missing;
    countsTasks ||= !isAgain;
    if (variants.length > 0) chosen.push({ ...prompt, variants });
  }
  if (chosen.length === 0) {
    void notifyWarning(whyNone(scope, meant, isFailed));
    return;
  }
  const mayCountWrong = countsTasks && isRehearsal !== true && !board.isWhole;
  if (mayCountWrong && !(await isWantedUnseen(document.uri.toString()))) return;
  try {
    const made = await draftOfPrompts(document, chosen, maxReferenceBytes);
    const root = rootOf(made);
    const draft =
      again === undefined || root === undefined || destinationProblem(again) !== undefined
        ? made
        : { ...made, destination: { root, path: again, exact: [{ file: again }] } };
    // The prompts of a heading take the models that were chosen last, so the only question is whether to submit what is listed.
    const asked: TaskDraft = {
      ...draft,
      unread,
      ...(scope === "heading" ? { takesModels: true } : {}),
      ...definedFields({ isRehearsal }),
    };
    await submitUntilWritten(options, asked, since);
  } catch (error) {
    if (!(error instanceof UnusableSetting)) throw error;
    void notifyWarning(t("{0} Nothing was submitted.", error.message));
  }
}

/** The files, by URI, that the person goes on with although earlier tasks can't be read. */
const submittedUnseen = new Set<string>();

/** Asks once for each file whether to go on although earlier tasks may be missing from what was counted. */
async function isWantedUnseen(file: string): Promise<boolean> {
  if (submittedUnseen.has(file)) return true;
  const isWanted = await confirmAction(
    t("Some earlier tasks can't be read."),
    t("Go On"),
    t("A prompt that was submitted before may count as new, and would be paid twice."),
  );
  if (isWanted) submittedUnseen.add(file);
  return isWanted;
}

/** Explains why none of these prompts can be submitted. */
function whyNone(scope: "prompt" | "heading", meant: readonly FilePrompt[], isFailed: boolean | undefined): string {
  if (meant.some(({ variants }) => variants.length === 0))
    return t("Something that was written here can't be used: the Problems view says what. Nothing was submitted.");
  if (isFailed)
    return t("No variant of this prompt is left without a result: each has a task that runs or has succeeded.");
  return scope === "heading" ? t("There is no prompt under this heading that was not submitted yet.") : noPromptHere();
}

/** Resolves when the person has left, when all tasks are on disk, or when there is an outcome for each. */
async function submitUntilWritten(options: SubmitOptions, draft: TaskDraft, since: number): Promise<void> {
  const { board } = options;
  const file = draft.source?.toString() ?? "";
  const written = Promise.withResolvers<undefined>();
  let ids: readonly string[] | undefined;
  const look = (): void => {
    if (ids?.every((id) => board.listed.has(id))) written.resolve(undefined);
  };
  const listening = board.onDidChange(look);
  const onWritten = (intents: readonly TaskIntent[]): void => {
    ids = intents.map(({ id }) => id);
    submittingFiles.begin(file);
    look();
  };
  try {
    await Promise.race([submitDraft(options, { ...draft, onWritten }, since), written.promise]);
  } finally {
    listening.dispose();
    submittingFiles.end(file);
  }
}

/** Submits the text of an edited prompt. `given`: the document's address from the lens, its URI from the editor's title, nothing from the palette. */
async function finishEditing(options: SubmitOptions, given: unknown): Promise<void> {
  const uri = given instanceof vscode.Uri ? given : typeof given === "string" ? vscode.Uri.parse(given) : undefined;
  const document = uri ? await vscode.workspace.openTextDocument(uri) : vscode.window.activeTextEditor?.document;
  const draft = document && (await options.editing.finish(document, maxReferenceBytes));
  if (draft) await submitDraft(options, draft);
}

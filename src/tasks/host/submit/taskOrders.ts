/** Makes the orders of a draft's tasks and sums up their prices, and makes the draft of a task. */
import * as vscode from "vscode";
import { definedFields } from "../../../base/definedFields";
import { type Price, sumsOfPrices } from "../../../domain/prices/priceList";
import { splitEnding, writtenFormatOf } from "../../../domain/task/exactFiles";
import { acceptedOf } from "../../../domain/task/phase";
import { isTaskType, type Task, type TaskHome, type TaskOrder } from "../../../domain/task/task";
import { withoutEnding } from "../../../domain/task/taskTypes";
import { readSentBody, writeMetadata } from "../../submit/requestBody";
import { readInputAssets, writeInputAssets } from "../../submit/references";
import { destinationsOf, freeExactFiles, freePath, rootOf } from "./destinationStep";
import { rememberChoice } from "./draftMemory";
import type { ExceededCap } from "./firstSteps";
import { capAction, describeTaskCap } from "../../../domain/words/describeError";
import type { Outbox } from "../../submit/outbox";
import type { SubmitOptions } from "./submitOptions";
import { type DraftDestination, emptyDraft, modelsOf, type TaskDraft, typesOf } from "./taskDraft";

/** The sums of the prices of a draft's tasks; empty where none is known. */
export function priceOfDraft(
  { outbox }: Pick<SubmitOptions, "outbox">,
  draft: TaskDraft,
  origin: string,
): readonly Price[] {
  return sumsOfPrices(pricesOfDraft(outbox, draft, origin));
}

function pricesOfDraft(outbox: Outbox, draft: TaskDraft, origin: string): readonly (Price | undefined)[] {
  const types = typesOf(draft);
  const models = modelsOf(draft);
  return draft.prompts.map((_, at) => {
    const [type, model] = [types[at], models[at]];
    if (type === undefined || model === undefined) return undefined;
    return outbox.priceOf({ type, model, ...ownParts(draft, at) }, { origin });
  });
}

/** The cap of a day that the draft's tasks would exceed, as it counts now; another window may use it up before they are sent. */
export async function capOfDraft(
  { outbox }: Pick<SubmitOptions, "outbox">,
  draft: TaskDraft,
  origin: string,
): Promise<ExceededCap | undefined> {
  const code = await outbox.exceededCap(pricesOfDraft(outbox, draft, origin).map((price) => definedFields({ price })));
  return code === undefined ? undefined : { sentence: describeTaskCap(code), action: capAction(code) };
}

/**
 * Makes the orders of a draft that the person has agreed to, each with its place, and remembers its choices for the next time. Resolves with
 * `undefined` where a prompt lacks its type or its model.
 */
export async function ordersOf(
  options: Pick<SubmitOptions, "memory" | "board">,
  draft: TaskDraft,
  { origin }: Pick<TaskHome, "origin">,
): Promise<readonly TaskOrder[] | undefined> {
  const types = typesOf(draft);
  const models = modelsOf(draft);
  const pairs = draft.prompts.flatMap((prompt, at) => {
    const [type, model] = [types[at], models[at]];
    return type === undefined || model === undefined ? [] : [{ prompt, type, model }];
  });
  if (pairs.length === 0 || pairs.length < draft.prompts.length) return undefined;
  // The first one is remembered last, so that it is preselected the next time.
  for (const { type, model } of pairs.toReversed()) await rememberChoice(options.memory, origin, type, model);
  const places = draft.places ?? (await destinationsOf(draft, reservedFiles(options)));
  return pairs.map((pair, index) => {
    const references = draft.each?.[index]?.references ?? draft.references;
    const inputAssets = writeInputAssets(references, draft.referenceField, draft.otherAssets);
    return {
      ...pair,
      ...definedFields({
        inputAssets,
        duplicatedFrom: draft.duplicatedFrom,
        destination: places[index],
        promptSource: sourceOf(draft, index),
        isRehearsal: draft.isRehearsal,
      }),
      ...ownParts(draft, index),
    };
  });
}

/** The place is left out for a prompt that the person has changed since it was read from the file. */
function sourceOf({ prompts, sources = [] }: TaskDraft, at: number): TaskOrder["promptSource"] {
  const source = sources.length === prompts.length ? sources[at] : undefined;
  return source !== undefined && source.prompt === prompts[at] ? source.place : undefined;
}

/** The metadata of one prompt of the draft, and the words for what it differs in from the others. */
function ownParts({ metadata, each }: TaskDraft, at: number): Pick<TaskOrder, "metadata" | "variant"> {
  const own = each?.[at];
  return definedFields({
    metadata: writeMetadata({ ...metadata, ...own?.metadata }),
    variant: own?.words === "" ? undefined : own?.words,
  });
}

export function reservedFiles({ board }: Pick<SubmitOptions, "board">): (file: vscode.Uri) => boolean {
  return (file) => {
    const wanted = file.toString();
    // An exact file has its ending already, and takes the name with every other one too.
    const isWanted = ({ file: kept }: { readonly file: string }): boolean =>
      kept.startsWith(wanted) && (kept === wanted || withoutEnding(kept) === wanted);
    for (const { intent } of board.all.values())
      if (intent.destination && (isWanted(intent.destination) || intent.destination.exact?.some(isWanted))) return true;
    return false;
  };
}

/** Makes a draft with everything of a task, to be changed and submitted as another one. */
export async function draftOfTask(options: SubmitOptions, id: string): Promise<TaskDraft | undefined> {
  const task = options.board.all.get(id);
  if (!task) return undefined;
  const { intent } = task;
  const { inputAssets, metadata } = readSentBody(await options.board.readBody(id));
  const assets = readInputAssets(inputAssets);
  const draft: TaskDraft = {
    ...emptyDraft,
    prompts: [intent.prompt],
    ...(isTaskType(intent.type) ? { type: intent.type } : {}),
    model: intent.model,
    references: assets.references,
    referenceField: assets.field,
    otherAssets: assets.others,
    metadata,
    duplicatedFrom: id,
  };
  const destination = rootOf(draft) && (await freeDestinationLike(options, task));
  return { ...draft, ...definedFields({ destination }) };
}

/** A free place beside that of the task, with files in the same formats and sizes where these can be written. */
async function freeDestinationLike(options: SubmitOptions, task: Task): Promise<DraftDestination | undefined> {
  const { destination } = task.intent;
  const file = destination && vscode.Uri.parse(destination.file);
  const root = file && vscode.workspace.getWorkspaceFolder(file)?.uri;
  if (!root) return undefined;
  const isReserved = reservedFiles(options);
  const pathIn = (uri: string): string => vscode.Uri.parse(uri).path.slice(root.path.length + 1);
  const written = (destination.exact ?? []).filter((one) => writtenFormatOf(one.file) !== undefined);
  const { stem, ending } = splitEnding(destination.file);
  // The result was placed with another ending if it could not be converted.
  const isPlacedSo = splitEnding(acceptedOf(task)?.placement?.file ?? destination.file).ending === ending;
  if (written[0]?.file !== destination.file || !isPlacedSo) {
    const path = pathIn(destination.exact === undefined ? destination.file : stem);
    return { root, path: await freePath({ isReserved }, root, path) };
  }
  const files = written.map((one) => ({ ...one, file: pathIn(one.file) }));
  const exact = await freeExactFiles({ isReserved }, root, files);
  return { root, path: exact[0]?.file ?? "", exact };
}

/** From a draft to tasks: the pick, the question about a type that was never used, destinations, and what is kept when the person leaves. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { definedFields } from "../../../base/definedFields";
import { type Price, sumOfPrices } from "../../../domain/prices/price";
import type { ReadyConnection } from "../../../domain/ports";
import { isTaskType, type TaskDestination, type TaskType } from "../../../domain/task/task";
import { nameFromPrompt } from "../../../domain/task/destination";
import { readSentBody } from "../../submit/sentBody";
import { writeMetadata } from "../../submit/metadata";
import type { NewTask } from "../../submit/outbox";
import { readInputAssets, writeInputAssets } from "../../submit/references";
import { taskTypeName } from "../../../domain/words/taskTypeWords";
import { askForTasks } from "../pickers/askForTasks";
import { askWhich } from "../../../vscode/interface/show";
import { freePath, rootOf } from "../pickers/destinationStep";
import { readLastChoices, rememberChoice } from "../draft/lastChoices";
import type { SubmitPorts } from "./submitPorts";
import { emptyDraft, type TaskDraft } from "../draft/taskDraft";

export interface ConfirmedTasks {
  readonly draft: TaskDraft;
  readonly tasks: readonly NewTask[];
  /** What is kept of it until the first task is on disk; the caller forgets it then. */
  readonly kept: TaskDraft | undefined;
}

/** Tasks that a person has confirmed, or `undefined` when they left or went on in an editor. */
export async function tasksFromDraft(
  ports: SubmitPorts,
  start: TaskDraft,
  connection: ReadyConnection,
): Promise<ConfirmedTasks | undefined> {
  const { models, memory, availability, keptDraft, editing, now, referenceLimit } = ports;
  const { local: isLocal } = connection;
  const { origin } = connection.home;
  const isReserved = reservedFiles(ports);
  const keptBefore = keptDraft.read();
  const { draft, next } = await askForTasks(start, {
    models: models.models,
    modelsSettled: () => models.settled(),
    availability,
    origin,
    isLocal,
    priceOf: (asked) => priceOfDraft(ports, asked, origin),
    last: readLastChoices(memory, origin),
    now,
    referenceLimit: referenceLimit(),
    isReserved,
    ...definedFields({ kept: keptBefore }),
  });
  if (next === "edit-prompt" || next === "edit-metadata") {
    await editing.open(next === "edit-prompt" ? "prompt" : "metadata", draft);
    return undefined;
  }
  start.onAsked?.();
  if (next !== "left") return confirmedTasks(ports, draft, connection);
  await keptDraft.keep(draft);
  return undefined;
}

/** By the person's price list. */
export function priceOfDraft(
  { outbox }: Pick<SubmitPorts, "outbox">,
  draft: TaskDraft,
  origin: string,
): Price | undefined {
  const { type, model, prompts } = draft;
  if (type === undefined || model === undefined) return undefined;
  return sumOfPrices(prompts.map((_, at) => outbox.priceOf({ type, model, ...ownParts(draft, at) }, { origin })));
}

/** Of a draft that the person has agreed to: asks about its type where nothing is known of it, and gives each task its place. */
export async function confirmedTasks(
  ports: SubmitPorts,
  draft: TaskDraft,
  { home: { origin }, local: isLocal }: ReadyConnection,
): Promise<ConfirmedTasks | undefined> {
  const { memory, keptDraft } = ports;
  const { type, model } = draft;
  if (type === undefined || model === undefined) {
    await keptDraft.keep(draft);
    return undefined;
  }
  await rememberChoice(memory, origin, type, model);
  if (!isLocal && !(await mayUse(ports, origin, type))) {
    await keptDraft.keep(draft);
    return undefined;
  }
  const kept = await keptDraft.keep(draft);
  const destinations = await destinationsOf(draft, reservedFiles(ports));
  const inputAssets = writeInputAssets(draft.references, draft.referenceField, draft.otherAssets);
  const shared = definedFields({ inputAssets, duplicatedFrom: draft.duplicatedFrom });
  const tasks = draft.prompts.map((prompt, index) => ({
    ...{ type, model, prompt },
    ...shared,
    ...ownParts(draft, index),
    ...definedFields({ destination: destinations[index] }),
  }));
  return { draft, tasks, kept };
}

/** The metadata of a prompt of the draft, its model where that is its own, and what it differs by from the others. */
function ownParts(
  { metadata, each }: TaskDraft,
  at: number,
): Pick<NewTask, "metadata" | "variant"> & { readonly model?: string } {
  const own = each?.[at];
  return definedFields({
    model: own?.model,
    metadata: writeMetadata({ ...metadata, ...own?.metadata }),
    variant: own?.words === "" ? undefined : own?.words,
  });
}

/** Asks once whether the account may use a type of which nothing is known (T3). */
async function mayUse(ports: SubmitPorts, origin: string, type: TaskType): Promise<boolean> {
  const { availability, dialogs } = ports;
  if (!availability.mustAsk(origin, type)) return true;
  const console = t("Open Console");
  const submit = t("Submit");
  const question = t(
    "Is {0} enabled for this account? The gateway can't be asked without paying. A task that is refused is not charged.",
    taskTypeName(type),
  );
  const chosen = await askWhich(question, submit, console);
  if (chosen === console) dialogs.act("open-console");
  if (chosen !== submit) return false;
  availability.rememberAsked(origin, type);
  return true;
}

export function reservedFiles({ board }: Pick<SubmitPorts, "board">): (file: vscode.Uri) => boolean {
  return (file) => {
    const wanted = file.toString();
    for (const { intent } of board.all.tasks.values()) if (intent.destination?.file === wanted) return true;
    return false;
  };
}

async function destinationsOf(
  { destination, prompts, each }: TaskDraft,
  isReserved: (file: vscode.Uri) => boolean,
): Promise<readonly (TaskDestination | undefined)[]> {
  const uriOf = (root: vscode.Uri, free: string): string => vscode.Uri.joinPath(root, free).toString();
  if (destination && prompts.length === 1) {
    const { root, path, insertAt } = destination;
    return [{ file: uriOf(root, path), ...definedFields({ document: insertAt?.document.toString() }) }];
  }
  const taken = new Set<string>();
  const destinations: (TaskDestination | undefined)[] = [];
  for (const [at, prompt] of prompts.entries()) {
    const own = each?.[at]?.destination;
    const place = own ?? destination;
    const folder = place?.path.slice(0, place.path.lastIndexOf("/") + 1) ?? "";
    const wanted = own?.path ?? folder + nameFromPrompt(prompt);
    const free = place && (await freePath({ isReserved }, place.root, wanted, taken));
    if (free !== undefined) taken.add(free);
    destinations.push(place && free !== undefined ? { file: uriOf(place.root, free) } : undefined);
  }
  return destinations;
}

/** Everything of a task, to be changed and submitted as another one. */
export async function draftOfTask(ports: SubmitPorts, id: string): Promise<TaskDraft | undefined> {
  const intent = ports.board.all.tasks.get(id)?.intent;
  if (!intent) return undefined;
  const { inputAssets, metadata } = readSentBody(await ports.board.readBody(id));
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
  const file = intent.destination && vscode.Uri.parse(intent.destination.file);
  const root = file && vscode.workspace.getWorkspaceFolder(file)?.uri;
  if (!root || !rootOf(draft)) return draft;
  const path = await freePath({ isReserved: reservedFiles(ports) }, root, file.path.slice(root.path.length + 1));
  return { ...draft, destination: { root, path } };
}

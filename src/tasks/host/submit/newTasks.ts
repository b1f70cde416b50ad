/** From a draft to tasks: the pick, the question about a type that was never used, destinations, and what is kept when the person leaves. */
import { maxReferenceBytes } from "../../../domain/environment";
import * as vscode from "vscode";
import { definedFields } from "../../../base/definedFields";
import { type Price, sumOfPrices } from "../../../domain/prices/price";
import type { ReadyConnection } from "../../../domain/ports";
import { isTaskType } from "../../../domain/task/task";
import { readSentBody, writeMetadata } from "../../submit/requestBody";
import type { NewTask } from "../../submit/outbox";
import { readInputAssets, writeInputAssets } from "../../submit/references";
import { askForTasks } from "./askForTasks";
import { freePath, placesOf, rootOf } from "./destinationStep";
import { readLastChoices, rememberChoice } from "./draftMemory";
import type { SubmitPorts } from "./submitPorts";
import { emptyDraft, modelsOf, type TaskDraft, typesOf } from "./taskDraft";

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
  const { models, memory, availability, keptDraft, editing, now, settings } = ports;
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
    referenceLimit: maxReferenceBytes(settings),
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
  const types = typesOf(draft);
  const models = modelsOf(draft);
  return sumOfPrices(
    draft.prompts.map((_, at) => {
      const [type, model] = [types[at], models[at]];
      if (type === undefined || model === undefined) return undefined;
      return outbox.priceOf({ type, model, ...ownParts(draft, at) }, { origin });
    }),
  );
}

/** Of a draft that the person has agreed to: gives each task its place. */
export async function confirmedTasks(
  ports: SubmitPorts,
  draft: TaskDraft,
  { home: { origin } }: ReadyConnection,
): Promise<ConfirmedTasks | undefined> {
  const { memory, keptDraft } = ports;
  const types = typesOf(draft);
  const models = modelsOf(draft);
  const pairs = draft.prompts.flatMap((prompt, at) => {
    const [type, model] = [types[at], models[at]];
    return type === undefined || model === undefined ? [] : [{ prompt, type, model }];
  });
  if (pairs.length === 0 || pairs.length < draft.prompts.length) {
    await keptDraft.keep(draft);
    return undefined;
  }
  // The first one is what is preselected the next time.
  for (const { type, model } of pairs.toReversed()) await rememberChoice(memory, origin, type, model);
  const kept = await keptDraft.keep(draft);
  const places = draft.places ?? (await placesOf(draft, reservedFiles(ports)));
  const tasks = pairs.map((pair, index) => {
    const references = draft.each?.[index]?.references ?? draft.references;
    const inputAssets = writeInputAssets(references, draft.referenceField, draft.otherAssets);
    return {
      ...pair,
      ...definedFields({ inputAssets, duplicatedFrom: draft.duplicatedFrom, destination: places[index] }),
      ...ownParts(draft, index),
    };
  });
  return { draft, tasks, kept };
}

/** The metadata of a prompt of the draft, and what it differs by from the others. */
function ownParts({ metadata, each }: TaskDraft, at: number): Pick<NewTask, "metadata" | "variant"> {
  const own = each?.[at];
  return definedFields({
    metadata: writeMetadata({ ...metadata, ...own?.metadata }),
    variant: own?.words === "" ? undefined : own?.words,
  });
}

export function reservedFiles({ board }: Pick<SubmitPorts, "board">): (file: vscode.Uri) => boolean {
  return (file) => {
    const wanted = file.toString();
    for (const { intent } of board.all.values()) if (intent.destination?.file === wanted) return true;
    return false;
  };
}

/** Everything of a task, to be changed and submitted as another one. */
export async function draftOfTask(ports: SubmitPorts, id: string): Promise<TaskDraft | undefined> {
  const intent = ports.board.all.get(id)?.intent;
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

/** The parts of the form for media that are no fields: the types with their availability, models, the price, and an earlier task like this one. */
import { isRehearsed } from "../../view/taskActions";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { definedFields } from "../../../base/definedFields";
import type { AppError } from "../../../domain/errors/appError";
import { localOrigin } from "../../../domain/gateway/address";
import type { Connection, Model, ReadyConnection } from "../../../domain/ports";
import { type MediaFields, problemsOf } from "../../../domain/task/mediaFields";
import { hasSucceeded, isAccepted, isEnded, isUnsettled } from "../../../domain/task/phase";
import { homeMark } from "../../../domain/task/sameHome";
import { type TaskHome, type TaskIntent, type TaskType, taskTypes } from "../../../domain/task/task";
import {
  describeError,
  type ErrorButton,
  type ErrorDescription,
  offeredButtons,
} from "../../../domain/words/describeError";
import { originWords } from "../../../domain/words/gatewayWords";
import { describePrices } from "../../../domain/words/describePrice";
import { describeTaskType, taskTypeName } from "../../../domain/words/taskTypeWords";
import {
  type MediaFormSnapshot,
  type MediaModelChoice,
  maxModelLength,
  type TypeChoice,
} from "../../contract/mediaFormPageContract";
import { describeOutcomes } from "../../view/outcomes";
import { cutLabel } from "../../../domain/words/label";
import { defaultReferenceField } from "../../submit/references";
import { describeMetadata } from "../../submit/requestBody";
import { capitalised } from "../../../domain/words/joinWords";
import { type FormContent, type LastChoices, readLastChoices } from "./draftMemory";
import { type CarriedPlace, type DraftDestination, draftOfFields, emptyDraft, withCarried } from "./taskDraft";
import { priceOfDraft } from "./taskOrders";
import { openFolder, rootOf, showDestination } from "./destinationStep";
import { StepPicker } from "../../../vscode/interface/pickSteps";
import { describeAvailability } from "./firstSteps";
import type { SubmitOptions } from "./submitOptions";

export function lastChoicesOf(
  { memory }: Pick<SubmitOptions, "memory">,
  ready: ReadyConnection | undefined,
): LastChoices {
  return ready ? readLastChoices(memory, ready.home.origin) : { models: {} };
}

export function typeChoices(options: SubmitOptions, ready: ReadyConnection | undefined): readonly TypeChoice[] {
  const { availability, now } = options;
  const { models } = lastChoicesOf(options, ready);
  return taskTypes.map((type) => {
    const known = ready && availability.of(ready.home.origin, type);
    const state = known && describeAvailability({ isLocal: ready.local, now }, known);
    const about = describeTaskType(type);
    return {
      type,
      name: capitalised(taskTypeName(type)),
      about: state === undefined ? about : t("{0} · {1}", about, state),
      ...definedFields({ lastModel: models[type]?.[0] }),
    };
  });
}

/** No choice for a model that makes no tasks, or whose id is too long for the field. */
export function modelChoices({ id, note, taskTypes: types = [], taskOptions }: Model): readonly MediaModelChoice[] {
  return types.length === 0 || id.length > maxModelLength
    ? []
    : [{ id, types, ...taskOptions, ...definedFields({ note }) }];
}

/**
 * The price by the gateway's list or the person's, also before a prompt is typed, or a sentence that the task costs something. `undefined` where
 * nothing is paid, or where the fields have a problem.
 */
export function priceWords(
  options: SubmitOptions,
  { fields, carried }: Pick<FormContent, "fields" | "carried">,
  { origin }: TaskHome,
): string | undefined {
  if (Object.keys(problemsOf({ ...fields, prompt: "a" })).length > 0) return undefined;
  const price = priceOfDraft(options, withCarried(draftOfFields(fields, [], undefined), carried), origin);
  if (price.length === 0)
    return origin === localOrigin
      ? undefined
      : t("The gateway reserves an amount, and charges it when the task succeeds.");
  const words = describePrices(price, vscode.env.language);
  return price.some(({ isPartial }) => isPartial === true) && fields.duration.trim() === ""
    ? t("{0}, and more by the duration", words)
    : words;
}

/** What is sent of the former task besides the fields, in full; `undefined` where that is nothing. */
export function carriedWords({ fields, carried }: Pick<FormContent, "fields" | "carried">): string | undefined {
  if (carried === undefined) return undefined;
  const { metadata, otherAssets, referenceField } = carried;
  const place = fields.isPlaced ? undefined : openPlace(carried.place);
  const words = [
    describeMetadata({ ...otherAssets, ...metadata }),
    referenceField === defaultReferenceField ? "" : t("reference images in the field {0}", referenceField),
    place === undefined ? "" : t("saved as {0}", showDestination(place)),
  ].filter((part) => part !== "");
  return words.length === 0 ? undefined : words.join(" · ");
}

/** The place in a folder of this window; `undefined` where the folder is not open any more. */
export function openPlace(place: CarriedPlace | undefined): DraftDestination | undefined {
  const root = place && openFolder(place.root);
  return root && { root, path: place.path };
}

/** Asks for the type of a task like one whose type this version of Sluice does not know; `undefined` where the person leaves. */
export async function askForKnownType(
  options: SubmitOptions,
  unknown: string,
  ready: ReadyConnection | undefined,
): Promise<TaskType | undefined> {
  const picker = new StepPicker(t("New Media"));
  const answer = await picker.ask<TaskType>({
    placeholder: t("Sluice doesn't know the type {0}. What should be made?", cutLabel(unknown)),
    choices: typeChoices(options, ready).map(({ type, name, about }) => ({ label: name, detail: about, value: type })),
  });
  picker.dispose();
  return typeof answer === "string" ? undefined : answer.value;
}

/** The last task with the same type, model and prompt at that gateway, wherever it was submitted from. */
export function sameTask({ board }: SubmitOptions, fields: MediaFields, { origin }: TaskHome): TaskIntent | undefined {
  const { type } = fields;
  const [model, prompt] = [fields.model.trim(), fields.prompt.trim()];
  if (prompt === "") return undefined;
  return [...board.all.values()].findLast(
    ({ intent, submission }) =>
      submission.state !== "not-accepted" &&
      intent.isRehearsal !== true &&
      intent.prompt === prompt &&
      intent.type === type &&
      intent.model === model &&
      intent.home.origin === origin,
  )?.intent;
}

/** The submitted tasks without those that `describeOutcomes` describes; `undefined` where none is left. */
export function submittedView(
  { all }: SubmitOptions["board"],
  { intents, at }: { readonly intents: readonly TaskIntent[]; readonly at: number },
  timeOf: (at: number) => string,
): MediaFormSnapshot["submitted"] {
  const tasks = intents.flatMap(({ id }) => all.get(id) ?? []).filter((task) => !isUnsettled(task));
  const count = tasks.length;
  if (count === 0) return undefined;
  return {
    count,
    isBatch: intents.length > 1,
    at: timeOf(at),
    isSending: !tasks.every(isAccepted),
    ...(tasks.every(isEnded) ? { succeeded: tasks.filter(hasSucceeded).length } : {}),
    ...(tasks.some(({ intent }) => intent.isRehearsal) ? { isRehearsal: true } : {}),
    ...(tasks.every(isRehearsed) ? { canMakeReal: true } : {}),
  };
}

export interface ShownProblem {
  readonly text: string;
  readonly buttons: readonly ErrorButton[];
  /** The tasks that *Try Again* sends again. */
  readonly sendAgain?: readonly string[];
}

/** The reason why nothing can be or was submitted, or what the gateway has not accepted of `intents`. */
export function problemOf(
  connection: Connection,
  { all, unwritten }: SubmitOptions["board"],
  failure: ErrorDescription | undefined,
  intents: readonly TaskIntent[],
): ShownProblem | undefined {
  const isLocal = connection.state === "ready" && connection.local;
  const error = connectionError(connection);
  if (error) {
    const description = describeError(error, "new-task");
    return { text: description.title, buttons: offeredButtons(description, false, isLocal) };
  }
  const tasks = intents.flatMap(({ id }) => all.get(id) ?? []);
  const problem = failure || tasks.length === 0 ? undefined : describeOutcomes(tasks, unwritten.current);
  const description = failure ?? problem?.description;
  return (
    description && {
      text: `${description.title} ${description.meaning}`,
      buttons: offeredButtons(description, problem !== undefined, isLocal),
      ...definedFields({ sendAgain: problem?.sendAgain }),
    }
  );
}

function connectionError(connection: Connection): AppError | undefined {
  if (connection.state === "signed-out") return { kind: "signed-out", message: "", notSent: true };
  return connection.state === "failed" ? connection.error : undefined;
}

/** The gateway that a submission goes to, as far as it is known. */
export function gatewayView(connection: Connection): MediaFormSnapshot["gateway"] {
  const { state } = connection;
  const origin = state === "ready" ? connection.home.origin : state === "signed-out" ? connection.origin : undefined;
  return {
    target: state === "ready" ? homeMark(connection.home) : "",
    name: origin === undefined ? "" : originWords(origin),
    isStarting: state === "starting",
  };
}

/** The name of the folder that paths begin at, where the window has several. */
export function rootName(): string | undefined {
  const root = (vscode.workspace.workspaceFolders ?? []).length > 1 ? rootOf(emptyDraft) : undefined;
  return root && vscode.workspace.getWorkspaceFolder(root)?.name;
}

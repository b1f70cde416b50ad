/** What the form for media shows beside its fields: the types with their availability, models, the price, and the same task of before. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { definedFields } from "../../../base/definedFields";
import type { Model, ReadyConnection } from "../../../domain/ports";
import { type MediaFields, problemsOf } from "../../../domain/task/mediaFields";
import { type TaskHome, type TaskIntent, taskTypes } from "../../../domain/task/task";
import { describeError, type ErrorDescription } from "../../../domain/words/describeError";
import { describePrice } from "../../../domain/words/describePrice";
import { describeTaskType, taskTypeName } from "../../../domain/words/taskTypeWords";
import {
  type MediaFormSnapshot,
  type ModelChoice,
  maxModelLength,
  type TypeChoice,
} from "../../../protocol/mediaFormPageContract";
import { capitalised } from "../../interface/capitalised";
import { type LastChoices, readLastChoices } from "./draft/lastChoices";
import { draftOfFields } from "./draft/mediaDraft";
import { priceOfDraft } from "./newTasks";
import { emptyDraft } from "./draft/taskDraft";
import { rootOf } from "./steps/destinationStep";
import { describeAvailability } from "./steps/firstSteps";
import type { SubmitPorts } from "./submitPorts";

export function lastChoicesOf(
  { memory }: Pick<SubmitPorts, "memory">,
  ready: ReadyConnection | undefined,
): LastChoices {
  return ready ? readLastChoices(memory, ready.home.origin) : { models: {} };
}

export function typeChoices(ports: SubmitPorts, ready: ReadyConnection | undefined): readonly TypeChoice[] {
  const { availability, now } = ports;
  const { models } = lastChoicesOf(ports, ready);
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

/** None for a model that makes no tasks, or whose name no field takes. */
export function modelChoices({ id, note, taskTypes: types = [], taskOptions }: Model): readonly ModelChoice[] {
  return types.length === 0 || id.length > maxModelLength
    ? []
    : [{ id, types, ...taskOptions, ...definedFields({ note }) }];
}

/** What the submission costs by the person's price list, also before a prompt is typed; `undefined` where the list has no price for it. */
export function priceWords(ports: SubmitPorts, fields: MediaFields, { origin }: TaskHome): string | undefined {
  if (Object.keys(problemsOf({ ...fields, prompt: "a" })).length > 0) return undefined;
  const price = priceOfDraft(ports, draftOfFields(fields, [], undefined), origin);
  return price && describePrice(price, vscode.env.language);
}

/** The last task with the same type, model and prompt at that gateway, wherever it was submitted from. */
export function sameTask({ board }: SubmitPorts, fields: MediaFields, { origin }: TaskHome): TaskIntent | undefined {
  const { type } = fields;
  const [model, prompt] = [fields.model.trim(), fields.prompt.trim()];
  if (prompt === "") return undefined;
  return [...board.all.tasks.values()].findLast(
    ({ intent, submission }) =>
      submission.state !== "not-accepted" &&
      intent.prompt === prompt &&
      intent.type === type &&
      intent.model === model &&
      intent.home.origin === origin,
  )?.intent;
}

/** Of what was submitted, as far as the gateway has not refused it; `undefined` where it has refused all. */
export function submittedView(
  { all }: SubmitPorts["board"],
  { intents, at }: { readonly intents: readonly TaskIntent[]; readonly at: number },
  timeOf: (at: number) => string,
): MediaFormSnapshot["submitted"] {
  const states = intents.map(({ id }) => all.tasks.get(id)?.submission.state);
  const count = states.filter((state) => state !== "not-accepted").length;
  if (count === 0) return undefined;
  const isSending = states.some((state) => state === "prepared" || state === "sending");
  return { count, isBatch: intents.length > 1, at: timeOf(at), isSending };
}

/** Why the gateway refused all of what was submitted last. */
export function refusalOf({ all }: SubmitPorts["board"], intents: readonly TaskIntent[]): ErrorDescription | undefined {
  const submissions = intents.map(({ id }) => all.tasks.get(id)?.submission);
  const [first] = submissions;
  const isRefused = submissions.every((submission) => submission?.state === "not-accepted");
  return isRefused && first?.state === "not-accepted" ? describeError(first.error, "submit") : undefined;
}

/** Of the folder that paths begin at, where the window has several. */
export function rootName(): string | undefined {
  const root = (vscode.workspace.workspaceFolders ?? []).length > 1 ? rootOf(emptyDraft) : undefined;
  return root && vscode.workspace.getWorkspaceFolder(root)?.name;
}

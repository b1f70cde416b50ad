/** What the form for media shows beside its fields: the types with their availability, models, the price, and the same task of before. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { definedFields } from "../../../base/definedFields";
import type { Model, ReadyConnection } from "../../../domain/ports";
import { type MediaFields, problemsOf } from "../../../domain/task/mediaFields";
import { type TaskHome, type TaskIntent, taskTypes } from "../../../domain/task/task";
import { describePrice } from "../../../domain/words/describePrice";
import { describeTaskType, taskTypeName } from "../../../domain/words/taskTypeWords";
import type { ModelChoice, TypeChoice } from "../../../protocol/mediaFormPageContract";
import { capitalised } from "../../interface/capitalised";
import { type LastChoices, readLastChoices } from "./draft/lastChoices";
import { draftOfFields } from "./draft/mediaDraft";
import { priceOfDraft } from "./newTasks";
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

/** None for a model that makes no tasks. */
export function modelChoices({ id, note, taskTypes: types = [], taskOptions }: Model): readonly ModelChoice[] {
  return types.length === 0 ? [] : [{ id, types, ...taskOptions, ...definedFields({ note }) }];
}

/** By the person's price list, whatever the prompt is; `undefined` where the list has none. */
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
    ({ intent }) =>
      intent.prompt === prompt && intent.type === type && intent.model === model && intent.home.origin === origin,
  )?.intent;
}

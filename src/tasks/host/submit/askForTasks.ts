/** The quick pick that asks what to submit (T2): type, model, prompt, and options that Enter passes by. The last choices are preselected, so a repeat is Enter, Enter, Enter. */
import { priceListOf } from "../../../domain/environment";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { maxReferenceBytes } from "../../../domain/environment";
import type { ReadyConnection } from "../../../domain/ports";
import { plural } from "../../../domain/words/plural";
import { StepPicker, type PickChoice, type StepResult } from "../../../vscode/interface/pickSteps";
import { askForDestination, destinationsOf } from "./destinationStep";
import {
  askForModel,
  askForPrompt,
  askForType,
  capRow,
  nextStep,
  type Step,
  type StepAnswer,
  type StepContext,
  type StepName,
  StepPath,
} from "./firstSteps";
import { readLastChoices } from "./draftMemory";
import { askForReferences } from "./referenceSteps";
import type { SubmitOptions } from "./submitOptions";
import { capOfDraft, priceOfDraft, reservedFiles } from "./taskOrders";
import { type TaskDraft, modelsOf, typesOf, withoutTakenType } from "./taskDraft";
import { readOption, takesOption, type TaskOption, taskOptions, usualValues } from "../../../domain/task/commonOptions";
import type { TaskType, TaskDestination } from "../../../domain/task/task";
import { taskTypeFacts, taskTypes } from "../../../domain/task/taskTypes";
import { describeMetadata, withCommon } from "../../submit/requestBody";
import type { PickItem } from "../../../vscode/interface/show";
import { describePrices } from "../../../domain/words/describePrice";
import { joinWords, capitalised } from "../../../domain/words/joinWords";
import { cutLabel } from "../../../domain/words/label";
import { taskOptionWords } from "../../../domain/words/taskOptionWords";
import { taskTypeName } from "../../../domain/words/taskTypeWords";
import { describeImageReference } from "../../view/requestWords";

// The form for `metadata_json` has the fields that task types commonly take; everything else is edited as JSON in an editor.

type Field = "done" | TaskOption | "json";

/** Asks until the person is done. */
const askForMetadata: Step = async (context, before) => {
  let draft = before;
  for (;;) {
    const answer = await askOnce(context, draft);
    if (answer === "cancelled") return { draft, next: "left" };
    if (answer === "back" || answer.value === "done")
      return { draft, next: draft.prompts.length > 0 ? "review" : "prompt" };
    if (answer.value === "json") return { draft, next: "edit-metadata" };
    const value = await askForField(context, answer.value, draft.type);
    if (value === "cancelled") return { draft, next: "left" };
    if (value !== "back") draft = { ...draft, metadata: withCommon(draft.metadata, { [answer.value]: value.value }) };
  }
};

function askOnce({ picker, at }: StepContext, { metadata, type }: TaskDraft): Promise<StepResult<Field>> {
  const valueOf = (field: string): string => {
    const value = metadata[field];
    return value === undefined ? t("not sent") : typeof value === "string" ? value : JSON.stringify(value);
  };
  const isEmpty = Object.keys(metadata).length === 0;
  const done: PickChoice<Field> = { icon: "check", label: isEmpty ? t("No Metadata") : t("Done"), value: "done" };
  const isTaken = (name: TaskOption): boolean =>
    (type === undefined ? taskTypes : [type]).every((one) => takesOption(one, name));
  return picker.ask<Field>({
    ...at("last"),
    placeholder: isEmpty ? t("Choose what is sent besides the prompt") : describeMetadata(metadata),
    choices: [
      done,
      ...taskOptions
        .filter(isTaken)
        .map((name) => ({ label: taskOptionWords[name].label(), description: valueOf(name), value: name })),
      { icon: "json", label: t("Edit as JSON"), description: t("in an editor"), value: "json" },
    ],
    preselected: done,
  });
}

/** Asks for the value of a field; `undefined` removes the field. */
async function askForField(
  { picker, at }: StepContext,
  name: TaskOption,
  type: TaskType | undefined,
): Promise<StepResult<string | number | undefined>> {
  const { question, typedProblem } = taskOptionWords[name];
  const values = type === undefined ? [] : usualValues(type, name);
  const none: PickChoice<string | number | undefined> = { label: t("Don't Send"), value: undefined };
  const choices = [none, ...values.map((value) => ({ label: String(value), value }))];
  return picker.ask<string | number | undefined>({
    ...at("last"),
    placeholder: question(),
    choices,
    preselected: choices[1] ?? none,
    typed: (text): PickChoice<string | number | undefined> | PickItem => {
      const value = readOption(name, text);
      return value === undefined ? { icon: "warning", label: typedProblem(text) } : { label: text, value };
    },
  });
}

// The last step before anything is sent shows what will be submitted, and the options, which Enter passes by.

/** A step, or the type whose model is asked for next. */
type Next = StepAnswer["next"] | "rehearse" | { readonly modelFor: TaskType };

/** The most prompts of a batch that are listed, where each variant counts; the rest is only counted. */
const maxListed = 100;
/** The most destinations that their row names; the row of each prompt names its own too. */
const maxNamedDestinations = 2;

const review: Step = async ({ picker, at, isLocal, priceOf, capOf, isReserved }, draft) => {
  const { prompts, type, model } = draft;
  if (type === undefined || model === undefined) return { draft, next: "type" };
  const [first = ""] = prompts;
  const isBatch = prompts.length > 1;
  const kinds = kindsOf(draft);
  const [kind] = kinds;
  const price = priceOf(draft);
  const { isRehearsal: _before, ...agreed } = draft;
  const cap = await capOf(agreed);
  const capRows = cap === undefined ? [] : [capRow<Next>(cap, cap.action)];
  // The places that are shown here are also used, because the person agrees to these names.
  const places = await destinationsOf(draft, isReserved);
  const submit: PickChoice<Next> = {
    icon: "cloud-upload",
    label: isBatch ? batchLabel(prompts.length, kinds) : t("Submit"),
    ...(price.length === 0 ? {} : { description: describePrices(price, vscode.env.language) }),
    // The prompts of a batch have rows of their own.
    ...(isBatch ? {} : { detail: first }),
    value: "submit",
  };
  const rehearse: PickChoice<Next> = {
    icon: "beaker",
    label: t("Rehearse"),
    description: t("placeholders, for nothing"),
    value: "rehearse",
  };
  // An input box holds one line.
  const line: PickChoice<Next>[] =
    isBatch || first.includes("\n")
      ? []
      : [{ icon: "edit", label: t("Edit Prompt"), description: t("in one line"), value: "prompt" }];
  const editor: PickChoice<Next>[] = isBatch
    ? []
    : [{ icon: "go-to-file", label: t("Edit in Editor"), description: t("for several lines"), value: "edit-prompt" }];
  const models: PickChoice<Next>[] = [...typeRows(draft), ...(kinds.length > 1 ? kinds.map(modelRow) : [])];
  const { summary, rows } = unreadRows(draft);
  const made = kinds.length === 1 && kind ? describeKind(kind) : t("{0} tasks", prompts.length);
  const answer = await picker.ask<Next>({
    ...at("last"),
    placeholder: isLocal
      ? t("{0}. Free on the local gateway.", made)
      : t("{0}. An amount is reserved, and charged on success.", made),
    choices: [
      ...(draft.isRehearsal === true ? [rehearse, ...capRows, submit] : [...capRows, submit]),
      ...summary,
      ...line,
      ...editor,
      ...models,
      ...optionRows(draft, places),
      ...(draft.isRehearsal === true ? [] : [rehearse]),
      ...(isBatch ? promptRows(draft, places, kinds.length > 1) : []),
      ...rows,
    ],
    preselected: draft.isRehearsal === true ? rehearse : (capRows[0] ?? submit),
    paid: true,
  });
  if (answer === "back") return { draft, next: "model" };
  if (answer === "cancelled") return { draft, next: "left" };
  if (answer.value === "type") return { draft: withoutTakenType(draft), next: "type" };
  if (typeof answer.value === "object") return { draft: { ...draft, ...answer.value }, next: "model" };
  if (answer.value === "submit") return { draft: { ...agreed, places }, next: "submit" };
  if (answer.value === "rehearse") return { draft: { ...agreed, places, isRehearsal: true }, next: "submit" };
  return { draft, next: answer.value };
};

interface Kind {
  readonly type: TaskType;
  readonly models: readonly string[];
  readonly count: number;
}

/** The types of the tasks, each with its models. */
function kindsOf(draft: TaskDraft): readonly Kind[] {
  const models = modelsOf(draft);
  const kinds = new Map<TaskType, Kind>();
  for (const [index, type] of typesOf(draft).entries()) {
    if (type === undefined) continue;
    const before = kinds.get(type);
    const all = new Set([...(before?.models ?? []), ...(models[index] === undefined ? [] : [models[index]])]);
    kinds.set(type, { type, models: [...all], count: (before?.count ?? 0) + 1 });
  }
  return [...kinds.values()];
}

function describeKind({ type, models }: Kind): string {
  return t("{0} with {1}", capitalised(taskTypeName(type)), joinWords(models));
}

function batchLabel(count: number, kinds: readonly Kind[]): string {
  const [kind] = kinds;
  if (kinds.length === 1 && kind)
    return plural(
      count,
      { other: "Submit {0} {1} tasks with {2}" },
      count,
      taskTypeName(kind.type),
      joinWords(kind.models),
    );
  const parts = kinds.map((one) => t("{0} × {1} with {2}", one.count, taskTypeName(one.type), joinWords(one.models)));
  return plural(count, { other: "Submit {0} tasks: {1}" }, count, joinWords(parts));
}

/** The row for the type; only where the file does not name the type of each prompt, and the person was not asked for one. */
function typeRows({ type, namedModels, each = [] }: TaskDraft): readonly PickChoice<Next>[] {
  if (type === undefined || namedModels === undefined) return [];
  const isPartly = each.some((one) => one.type !== undefined);
  const label = isPartly ? t("Type where none is named") : t("Type");
  return [{ icon: "tag", label, description: taskTypeName(type), value: "type" }];
}

function modelRow({ type, models }: Kind): PickChoice<Next> {
  return {
    icon: "settings",
    label: t("Model for {0}", taskTypeName(type)),
    description: joinWords(models),
    value: { modelFor: type },
  };
}

/** Rows for the lines of the file that belong to no prompt: one summary at the top, and each place at the end. */
function unreadRows({ unread = [] }: TaskDraft): {
  readonly summary: readonly PickItem[];
  readonly rows: readonly PickItem[];
} {
  if (unread.length === 0) return { summary: [], rows: [] };
  const count = unread.reduce((sum, { line, lastLine }) => sum + lastLine - line + 1, 0);
  const label = plural(count, {
    one: "1 line of the file belongs to no prompt and is not sent",
    other: "{0} lines of the file belong to no prompt and are not sent",
  });
  return {
    summary: [
      { icon: "warning", label, description: joinWords(unread.slice(0, 3).map(({ text }) => cutLabel(text, 40))) },
    ],
    rows: unread.map(({ line, lastLine, text }) => ({
      icon: "warning",
      label: line === lastLine ? t("Line {0}", line + 1) : t("Lines {0} to {1}", line + 1, lastLine + 1),
      description: cutLabel(text),
    })),
  };
}

function optionRows(draft: TaskDraft, places: readonly (TaskDestination | undefined)[]): readonly PickChoice<Next>[] {
  const { type, references, metadata } = draft;
  const images: PickChoice<Next> = {
    icon: "file-media",
    label: t("Reference images"),
    description: references.length === 0 ? t("none") : joinWords(references.map(describeImageReference)),
    value: "references",
  };
  const isOffered = type === undefined || taskTypeFacts(type).options.references || references.length > 0;
  return [
    ...(isOffered ? [images] : []),
    {
      icon: "json",
      label: t("Metadata"),
      description: Object.keys(metadata).length === 0 ? t("none") : describeMetadata(metadata),
      value: "metadata",
    },
    {
      icon: "save",
      label: t("Destination"),
      description: describeDestinations(draft, places),
      value: "destination",
    },
  ];
}

function describeDestinations({ destination }: TaskDraft, places: readonly (TaskDestination | undefined)[]): string {
  const files = places.flatMap((place) => (place ? [showFile(place.file)] : []));
  if (files.length === 0) return t("none");
  const named = joinWords(files.slice(0, maxNamedDestinations));
  const left = files.length - maxNamedDestinations;
  const insert = destination?.insertAt && files.length === 1 ? [t("with a reference at the cursor")] : [];
  return joinWords([left > 0 ? t("{0} and {1} more", named, left) : named, ...insert]);
}

/** Rows that list the prompts; they can't be chosen. */
function promptRows(
  draft: TaskDraft,
  places: readonly (TaskDestination | undefined)[],
  isMixed: boolean,
): readonly PickItem[] {
  const { prompts, each = [] } = draft;
  const types = typesOf(draft);
  const listed = prompts.slice(0, maxListed).map((prompt, index) => {
    const { words = "", metadata = {}, references } = each[index] ?? {};
    const type = types[index];
    const place = places[index];
    const parts = [
      ...(isMixed && type !== undefined ? [taskTypeName(type)] : []),
      words,
      // The words name only values from lists. Without words, the metadata that a directive sets for this prompt is described.
      words === "" ? describeMetadata(metadata) : "",
      references === undefined || references.length === 0 ? "" : joinWords(references.map(describeImageReference)),
      place === undefined ? "" : `→ ${showFile(place.file)}`,
    ];
    return { label: `${index + 1}. ${cutLabel(prompt)}`, description: parts.filter((part) => part !== "").join(" · ") };
  });
  const left = prompts.length - listed.length;
  return left > 0 ? [...listed, { label: t("and {0} more", left) }] : listed;
}

/** Shows the path of a file, with the name of its folder where there are several. */
function showFile(file: string): string {
  return vscode.workspace.asRelativePath(vscode.Uri.parse(file));
}

const steps: Readonly<Record<StepName, Step>> = {
  type: askForType,
  model: askForModel,
  prompt: askForPrompt,
  review,
  references: askForReferences,
  metadata: askForMetadata,
  destination: askForDestination,
};

/**
 * Asks for what the draft leaves open. Resolves with the draft that the person has agreed to; with `undefined` where they left, and what they typed
 * is kept, or where they go on in an editor.
 */
export async function askForTasks(
  options: SubmitOptions,
  start: TaskDraft,
  { home: { origin }, local: isLocal }: ReadyConnection,
): Promise<TaskDraft | undefined> {
  const { models, memory, availability, keptDrafts, editing, now } = options;
  const { draft, next } = await goThroughSteps(start, {
    models: models.models,
    modelsLoaded: () => models.loaded(),
    availability,
    origin,
    isLocal,
    priceOf: (asked) => priceOfDraft(options, asked, origin),
    capOf: (asked) => capOfDraft(options, asked, origin),
    prices: () => priceListOf(options.settings),
    last: readLastChoices(memory, origin),
    now,
    referenceLimit: maxReferenceBytes,
    isReserved: reservedFiles(options),
    kept: keptDrafts.read(),
  });
  // A draft that was taken from a task and not changed here is not kept: the task's row has it. If it was edited in a document, it is kept already.
  const isKept = draft === start && start.duplicatedFrom !== undefined;
  switch (next) {
    case "edit-prompt":
    case "edit-metadata":
      await editing.open(next === "edit-prompt" ? "prompt" : "metadata", draft);
      return undefined;
    case "left":
      if (!isKept) await keptDrafts.keep(draft);
      return undefined;
    case "change-tasks-per-day":
    case "change-money-per-day":
      if (!isKept) await keptDrafts.keep(draft);
      options.dialogs.act(next);
      return undefined;
    case "submit":
      return draft;
  }
}

/** Begins with the first step that `start` does not answer, and ends with an answer that leads to no other step. */
async function goThroughSteps(
  start: TaskDraft,
  context: Omit<StepContext, "picker" | "at">,
): Promise<{ readonly draft: TaskDraft; readonly next: Exclude<StepAnswer["next"], StepName> }> {
  const { prompts } = start;
  const submit = prompts.length > 1 ? plural(prompts.length, { other: "Submit {0} Tasks" }) : t("Submit Task");
  const title = start.isRehearsal === true ? t("Rehearse") : submit;
  const picker = new StepPicker(title);
  const { at } = new StepPath();
  let answer: StepAnswer = { draft: start, next: nextStep(start) };
  try {
    for (;;) {
      const { draft, next } = answer;
      if (!isStep(next)) return { draft, next };
      answer = await steps[next]({ ...context, picker, at }, draft);
    }
  } finally {
    picker.dispose();
  }
}

function isStep(next: StepAnswer["next"]): next is StepName {
  return next in steps;
}

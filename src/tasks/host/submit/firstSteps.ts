/** The first steps of *Submit Selection as Task…*: type, model and prompt (T2, T3); and the types that all steps share. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { definedFields } from "../../../base/definedFields";
import { type TaskType, taskTypes } from "../../../domain/task/task";
import type { Models } from "../../../gateway/modelCatalog";
import type { Availability, TaskTypeAvailability } from "../../submit/availability";
import { describePrices, describeTaskPrice } from "../../../domain/words/describePrice";
import { cutLabel } from "../../../domain/words/label";
import { plural } from "../../../domain/words/plural";
import { describeTaskType, taskTypeName } from "../../../domain/words/taskTypeWords";
import { mediaOf } from "../../../domain/task/taskTypes";
import type { CapAction } from "../../../domain/words/describeError";
import { createTimes } from "../../../domain/words/timeFormats";
import { type PickChoice, typedId, type StepPicker, type StepPosition } from "../../../vscode/interface/pickSteps";
import { capitalised } from "../../../domain/words/joinWords";
import { modelsOf, promptOf, type TaskDraft, typesOf, withModel } from "./taskDraft";
import type { ReadonlyStore } from "../../../base/store";
import type { Price, PriceList } from "../../../domain/prices/priceList";
import type { LastChoices } from "./draftMemory";
import { ownWords } from "../../../domain/words/ownWords";

export const askForType: Step = async (context, draft) => {
  const { picker, at, last, kept, models } = context;
  const taken = draft.takesModels && draft.type === undefined ? takenType(draft, last) : undefined;
  if (taken !== undefined) return { draft: { ...draft, type: taken, namedModels: modelsOf(draft) }, next: "model" };
  const typeChoices = (): readonly PickChoice<TaskType>[] => taskTypes.map((type) => typeChoice(context, type));
  const types = typeChoices();
  // What the person typed and left is offered only if the draft brings neither prompts nor references.
  const offered = draft.prompts.length === 0 && draft.references.length === 0 ? kept : [];
  const resume = offered.map((value): PickChoice<TaskDraft> => ({
    icon: "history",
    label: t("Go on with what was typed"),
    description: cutLabel(promptOf(value)),
    value,
  }));
  const [newest, earlier] = [resume.slice(0, 1), resume.slice(1)];
  const choices = [...newest, ...types, ...earlier];
  const wanted = draft.type ?? draft.likelyType ?? last.type ?? taskTypes[0];
  const isModelAsked = wanted === undefined || onlyModel(models.current, wanted, last.models[wanted]) === undefined;
  const preselected = resume[0] ?? types.find(({ value }) => value === wanted);
  const answer = await picker.ask<TaskType | TaskDraft>({
    ...at("type", isModelAsked ? 2 : 1),
    placeholder: t("What should be made?"),
    choices,
    preselected,
    redraw: () => [...newest, ...typeChoices(), ...earlier],
  });
  if (typeof answer === "string") return { draft, next: "left" };
  if (typeof answer.value === "object") {
    // An input box would join the lines, and would send a directive as a part of the prompt.
    const isForEditor = /\n|<!--/.test(answer.value.typed);
    return { draft: answer.value, next: isForEditor ? "edit-prompt" : nextStep(answer.value) };
  }
  return { draft: { ...draft, type: answer.value }, next: "model" };
};

/** The type that the settings of the prompts suggest; if the type that was chosen last makes the same kind of media, that one. */
function takenType({ likelyType }: TaskDraft, last: LastChoices): TaskType | undefined {
  if (likelyType === undefined || last.type === undefined) return likelyType ?? last.type;
  return mediaOf(likelyType) === mediaOf(last.type) ? last.type : likelyType;
}

/** The first step that is not answered. */
export function nextStep(draft: TaskDraft): StepName {
  const { type, model, prompts, typed } = draft;
  if (type === undefined) return "type";
  if (model === undefined || modelsOf(draft).includes(undefined)) return "model";
  return prompts.length === 0 || typed.trim() !== "" ? "prompt" : "review";
}

function typeChoice(context: StepContext, type: TaskType): PickChoice<TaskType> {
  const { availability, origin } = context;
  const label = capitalised(taskTypeName(type));
  const set = (isEnabled: boolean) => () => {
    availability.setByHand(origin, type, isEnabled);
  };
  const description = describeAvailability(context, availability.of(origin, type));
  const known = availability.of(origin, type).state;
  const buttons = context.isLocal
    ? undefined
    : [
        ...(known === "enabled" ? [] : [{ icon: "check" as const, tooltip: t("Mark as Enabled"), press: set(true) }]),
        ...(known === "not-enabled"
          ? []
          : [{ icon: "circle-slash" as const, tooltip: t("Mark as Not Enabled"), press: set(false) }]),
      ];
  return { label, value: type, detail: describeTaskType(type), ...definedFields({ description, buttons }) };
}

export function describeAvailability(
  { isLocal, now }: Pick<StepContext, "isLocal" | "now">,
  known: Availability,
): string {
  if (isLocal && known.state !== "not-enabled") return t("free, on this machine");
  const times = createTimes(vscode.env.language, now());
  switch (known.state) {
    case "unknown":
      return t("not used yet");
    case "enabled":
      return known.isSetByHand
        ? t("enabled, set by hand {0}", times.short(known.at))
        : t("enabled, last used {0}", times.short(known.at));
    case "not-enabled":
      return known.message === ""
        ? t("not enabled, set by hand {0}", times.short(known.at))
        : t("not enabled: {0} · {1}", known.message.replace(/(?<![.\s])[.\s]+$/, ""), times.short(known.at));
  }
}

export const askForModel: Step = async (context, draft) => {
  const { picker, at, models, modelsLoaded, last, prices, isLocal } = context;
  const { language } = vscode.env;
  if (draft.type === undefined) return { draft, next: "type" };
  const { takesModels, ...asked } = draft;
  if (takesModels) {
    // Models that are still missing are asked for, and so is one that the person comes back for.
    const filled = await withKnownModels(context, asked);
    return { draft: filled, next: nextStep(filled) };
  }
  const types = typesOf(draft);
  const before = modelsOf(draft);
  const type = draft.modelFor ?? types.find((_, index) => before[index] === undefined) ?? draft.type;
  const isMixed = types.some((one) => one !== type);
  const wanted = (isMixed ? before[types.indexOf(type)] : draft.model) ?? last.models[type]?.[0];
  const only = onlyModel(models.current, type, last.models[type]);
  const isMissing = (index: number): boolean => types[index] === type && before[index] === undefined;
  const isLeft = types.length === 0 ? draft.model === undefined : types.some((_, index) => isMissing(index));
  // The only model is taken without a question, but not if the person comes back for it. A model that the file names stays.
  if (only !== undefined && draft.modelFor === undefined && isLeft) {
    const filled = withModel(draft, only, isMissing);
    return { draft: filled, next: nextStep(filled) };
  }
  const ids = [...new Set([...(wanted === undefined ? [] : [wanted]), ...(last.models[type] ?? [])])];
  const choiceOf = (id: string): PickChoice<string> => {
    const known = models.current.list.find((model) => model.id === id);
    const lists = [known?.prices, ...(isLocal ? [] : [prices()])];
    const [price] = lists.flatMap((list) => (list && describeTaskPrice(list, { type, model: id }, language)) ?? []);
    // The price comes first, because a note may be long and the row is cut.
    const facts = [price, known?.note && ownWords(known.note)].filter((fact) => fact !== undefined).join(" · ");
    return { label: id, value: id, ...(facts === "" ? {} : { description: facts }) };
  };
  const choices = [...new Set([...ids, ...fittingIds(models.current, type)])].map(choiceOf);
  const answer = await picker.ask({
    ...at("model", 1),
    placeholder: isMixed ? t("Model for {0}, or type another id", taskTypeName(type)) : t("Model, or type another id"),
    choices,
    preselected: choices[0],
    typed: typedId,
    empty: t("The gateway lists no model for this. Type the id of one."),
    later: (show) => {
      void modelsLoaded().then(() => show(fittingIds(models.current, type).map(choiceOf)));
      return models.onDidChange(({ now }) => {
        const fitting = fittingIds(now, type);
        // The list is emptied while another one is read.
        if (fitting.length > 0) show(fitting.map(choiceOf));
      });
    },
  });
  if (answer === "back") return { draft, next: "type" };
  if (answer === "cancelled") return { draft, next: "left" };
  // A model that the file names is replaced only where the person comes back for it.
  const isMeant = draft.modelFor === undefined && isLeft ? isMissing : (index: number) => types[index] === type;
  const answered = withModel(draft, answer.value, isMeant);
  return { draft: answered, next: nextStep(answered) };
};

/** Fills in missing models: the one that was chosen last for the type, else the first one that the gateway lists for it. */
async function withKnownModels({ models, modelsLoaded, last }: StepContext, draft: TaskDraft): Promise<TaskDraft> {
  const types = typesOf(draft);
  const missing = new Set(types.filter((type, at) => type !== undefined && modelsOf(draft)[at] === undefined));
  if ([...missing].some((type) => type !== undefined && last.models[type]?.[0] === undefined)) await modelsLoaded();
  let filled = draft;
  for (const type of missing) {
    if (type === undefined) continue;
    const known = last.models[type]?.[0] ?? fittingIds(models.current, type)[0];
    const before = modelsOf(filled);
    const isMeant = (at: number): boolean => types[at] === type && before[at] === undefined;
    if (known !== undefined) filled = withModel(filled, known, isMeant);
  }
  return filled;
}

/** The model that is taken without a question: the only one that the gateway lists for the type, if the person has used it and no other before. */
function onlyModel(models: Models, type: TaskType, before: readonly string[] = []): string | undefined {
  const [first, ...others] = new Set([...fittingIds(models, type), ...before]);
  return models.isRead && others.length === 0 && before.length > 0 ? first : undefined;
}

function fittingIds({ list }: Models, type: TaskType): readonly string[] {
  return list.filter(({ taskTypes: types }) => types?.includes(type)).map(({ id }) => id);
}

/** Asks for one prompt, or has it edited, in the one line of the input box. */
export const askForPrompt: Step = async ({ picker, at, priceOf, capOf, isLocal }, draft) => {
  const value = draft.typed === "" ? (draft.prompts[0] ?? "") : draft.typed;
  const price = priceOf({ ...draft, prompts: [value] });
  const cost = isLocal ? undefined : t("an amount is reserved, and charged when the task succeeds");
  const words = price.length === 0 ? cost : describePrices(price, vscode.env.language);
  // Enter submits from here, so the row names the model, which may have been taken without a question.
  const model = modelsOf({ ...draft, prompts: [value] })[0] ?? "";
  const submit = words === undefined ? t("Submit with {0}", model) : t("Submit with {0}, {1}", model, words);
  const cap = await capOf({ ...draft, prompts: [value] });
  let text = value;
  const answer = await picker.ask<string>({
    ...at("last"),
    placeholder: t("Type the prompt: say what should be made"),
    choices: cap === undefined ? [] : [{ ...capRow(cap, "\ncap"), alwaysShow: true }],
    value,
    // The description makes the row as high as the one before it, so that the rows below stay where they are.
    typed: (typed) => ({ icon: "cloud-upload", label: submit, description: typed, value: typed }),
    empty: t("Nothing is typed yet."),
    after: [
      { icon: "edit", label: t("Edit in Editor"), description: t("for several lines"), value: "\nedit" },
      { icon: "settings", label: t("Options…"), description: optionsHint(draft), value: "\noptions" },
    ],
    onText: (typed) => (text = typed),
    // Enter in an empty box accepts nothing, so there is nothing to protect.
    paid: value.trim() !== "",
  });
  const typed = { ...draft, typed: text.trim() };
  if (answer === "back") return { draft: typed, next: draft.prompts.length > 0 ? "review" : "model" };
  if (answer === "cancelled") return { draft: typed, next: "left" };
  if (cap !== undefined && answer.value === "\ncap") return { draft: typed, next: cap.action };
  if (answer.value === "\nedit") return { draft: typed, next: "edit-prompt" };
  if (answer.value === "\noptions") {
    const prompt = promptOf(typed);
    return {
      draft: { ...typed, prompts: prompt === "" ? [] : [prompt] },
      next: prompt === "" ? "references" : "review",
    };
  }
  return { draft: { ...draft, typed: "", prompts: [answer.value] }, next: "submit" };
};

/** The row that says, before Enter, that a cap would stop the submission. It opens the setting. */
export function capRow<T>({ sentence }: ExceededCap, value: T): PickChoice<T> {
  return { icon: "warning", label: t("Change Cap"), detail: sentence, value };
}

function optionsHint(draft: TaskDraft): string {
  const images = draft.references.length;
  return images === 0
    ? t("reference images, metadata, destination")
    : plural(images, { one: "1 reference image", other: "{0} reference images" });
}

// Each step of *Submit Selection as Task…* gets a context and answers with the next step.

export interface StepContext {
  readonly picker: StepPicker;
  readonly at: StepPath["at"];
  readonly models: ReadonlyStore<Models>;
  /** Resolves when the gateway's list was read or has failed. */
  readonly modelsLoaded: () => Promise<void>;
  readonly availability: TaskTypeAvailability;
  readonly origin: string;
  readonly isLocal: boolean;
  /** The sums of the prices of a draft's tasks; empty where none is known. */
  readonly priceOf: (draft: TaskDraft) => readonly Price[];
  /** The cap of a day that the draft's tasks would exceed. */
  readonly capOf: (draft: TaskDraft) => Promise<ExceededCap | undefined>;
  /** The person's price list. */
  readonly prices: () => PriceList;
  readonly last: LastChoices;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Bytes of one reference image. */
  readonly referenceLimit: number;
  /** Whether a task of the list has this file as its destination. */
  readonly isReserved: (file: vscode.Uri) => boolean;
  /** The drafts that the person left before, the newest first. */
  readonly kept: readonly TaskDraft[];
}

export interface ExceededCap {
  readonly sentence: string;
  readonly action: CapAction;
}

export type StepName = "type" | "model" | "prompt" | "review" | "references" | "metadata" | "destination";

export interface StepAnswer {
  readonly draft: TaskDraft;
  readonly next: StepName | "submit" | "left" | "edit-prompt" | "edit-metadata" | CapAction;
}

export type Step = (context: StepContext, draft: TaskDraft) => Promise<StepAnswer>;

/** The stages that have a number. The prompt, the list to submit and its options are the last one. */
const stages = ["type", "model", "last"] as const;
type Stage = (typeof stages)[number];

/** Numbers the stages that the person is asked for. One that the draft has answered already is not counted, but Back leads to it. */
export class StepPath {
  #asked: readonly Stage[] = [];

  /** `later`: the number of stages that are still to be asked. A single question has no number. */
  readonly at = (
    stage: Stage,
    later = 0,
  ): { readonly position?: StepPosition; readonly hasBack: boolean; readonly staysOpen: true } => {
    const before = stages.slice(0, stages.indexOf(stage));
    this.#asked = [...this.#asked.filter((asked) => before.includes(asked)), stage];
    const step = this.#asked.length;
    const totalSteps = step + later;
    return {
      hasBack: stage !== "type",
      staysOpen: true,
      ...(totalSteps > 1 ? { position: { step, totalSteps } } : {}),
    };
  };
}

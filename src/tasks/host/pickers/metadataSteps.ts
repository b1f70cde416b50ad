/** `metadata_json` of a task: a form for what task types commonly take; everything else is edited as JSON in an editor. */
import { t } from "@vscode/l10n";
import { isWholeNumber, readSeconds, readSeed, readSize } from "../../../domain/task/commonOptions";
import { hasDuration, hasSize } from "../../../domain/task/mediaFields";
import { type TaskType, taskTypeFacts } from "../../../domain/task/taskTypes";
import { describeMetadata, withCommon } from "../../submit/metadata";
import type { PickChoice, StepResult } from "../../../vscode/interface/pickSteps";
import type { PickItem } from "../../../vscode/interface/show";
import { at, type Step, type StepContext } from "./stepContext";
import type { TaskDraft } from "../draft/taskDraft";

type Field = "done" | "size" | "duration" | "seed" | "json";

/** Asks until the person is done. */
export const askForMetadata: Step = async (context, before) => {
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

function askOnce({ picker }: StepContext, { metadata, type }: TaskDraft): Promise<StepResult<Field>> {
  const valueOf = (field: string): string => {
    const value = metadata[field];
    return value === undefined ? t("not sent") : typeof value === "string" ? value : JSON.stringify(value);
  };
  const isEmpty = Object.keys(metadata).length === 0;
  const done: PickChoice<Field> = { icon: "check", label: isEmpty ? t("No Metadata") : t("Done"), value: "done" };
  const size: PickChoice<Field>[] =
    type === undefined || hasSize(type) ? [{ label: t("Size"), description: valueOf("size"), value: "size" }] : [];
  const duration: PickChoice<Field>[] =
    type !== undefined && hasDuration(type)
      ? [{ label: t("Duration"), description: valueOf("duration"), value: "duration" }]
      : [];
  return picker.ask<Field>({
    position: at(3),
    placeholder: isEmpty ? t("Choose what is sent besides the prompt") : describeMetadata(metadata),
    choices: [
      done,
      ...size,
      ...duration,
      { label: t("Seed"), description: valueOf("seed"), value: "seed" },
      { icon: "json", label: t("Edit as JSON"), description: t("in an editor"), value: "json" },
    ],
    preselected: done,
  });
}

/** `undefined` takes the field out. */
async function askForField(
  { picker }: StepContext,
  field: "size" | "duration" | "seed",
  type: TaskType | undefined,
): Promise<StepResult<string | number | undefined>> {
  const { placeholder, values, read, problem } = fields[field];
  const none: PickChoice<string | number | undefined> = { label: t("Don't Send"), value: undefined };
  const choices = [none, ...values(type).map((value) => ({ label: String(value), value }))];
  return picker.ask<string | number | undefined>({
    position: at(3),
    placeholder: placeholder(),
    choices,
    preselected: choices[1] ?? none,
    typed: (text): PickChoice<string | number | undefined> | PickItem => {
      const value = read(text);
      return value === undefined ? { icon: "warning", label: problem(text) } : { label: text, value };
    },
  });
}

interface FieldForm {
  readonly placeholder: () => string;
  /** Common ones; any other can be typed. */
  readonly values: (type: TaskType | undefined) => readonly (string | number)[];
  readonly read: (text: string) => string | number | undefined;
  readonly problem: (text: string) => string;
}

const fields: Readonly<Record<"size" | "duration" | "seed", FieldForm>> = {
  size: {
    placeholder: () => t("Width x height in pixels, or type another size"),
    values: (type) => (type === undefined ? [] : taskTypeFacts(type).options.sizes),
    read: readSize,
    problem: (text) => t("{0} is no size: type width and height, as in 1280x720.", text),
  },
  duration: {
    placeholder: () => t("Seconds, or type another duration"),
    values: (type) => (type === undefined ? [] : taskTypeFacts(type).options.durations),
    read: readSeconds,
    problem: (text) => t("{0} is no duration: type seconds, as in 6.", text),
  },
  seed: {
    placeholder: () => t("Type a whole number; the same seed makes a similar result"),
    values: () => [],
    read: readSeed,
    problem: (text) =>
      isWholeNumber(text.trim())
        ? t("{0} is larger than a seed can be: type a whole number of at most {1}.", text, Number.MAX_SAFE_INTEGER)
        : t("{0} is no seed: type a whole number.", text),
  },
};

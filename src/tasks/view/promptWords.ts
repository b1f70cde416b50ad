/**
 * The words about prompts of a file: the problems of directives, the tasks and settings in the line above a prompt, and models that make something
 * else.
 */
import { t } from "@vscode/l10n";
import { taskTypes } from "../../domain/task/taskTypes";
import { type TaskOption, taskOptions } from "../../domain/task/commonOptions";
import { quoteForeign } from "../../domain/words/quoteForeign";
import {
  maxPromptFile,
  maxPromptProblems,
  type PromptProblem,
  promptKeys,
  listedKeys,
  type PromptSettings,
} from "../prompts/directives";
import { maxVariants, maxVariantText } from "../prompts/variants";
import { definedFields } from "../../base/definedFields";
import { isLensAction, type LensAction } from "../../domain/task/taskActions";
import { describeError } from "../../domain/words/describeError";
import { acceptedOf, phaseOf, type TaskPhase } from "../../domain/task/phase";
import type { Task, TaskType } from "../../domain/task/task";
import { actionsOf } from "./taskActions";
import { stateName } from "./taskWords";
import { capitalised, joinWords } from "../../domain/words/joinWords";
import { taskOptionWords } from "../../domain/words/taskOptionWords";
import { taskTypeName } from "../../domain/words/taskTypeWords";
import type { FilePrompt } from "../prompts/parsePrompts";
import { cutLabel } from "../../domain/words/label";

export function describeProblem({ reason, name, nearest }: Pick<PromptProblem, "reason" | "name" | "nearest">): string {
  const quoted = quoteForeign(name, 40);
  if (isOfOption(reason)) return taskOptionWords[optionOf[reason]].writtenProblem(quoted, name);
  switch (reason) {
    case "unknown-key":
      return t("Sluice does not use {0}. It knows {1}.", quoted, promptKeys.join(", "));
    case "unused-variable":
      return t(
        "No prompt names {0} as a variable, and Sluice does not use it. It knows {1}.",
        quoted,
        promptKeys.join(", "),
      );
    case "unknown-variable":
      if (nearest !== undefined)
        return t(
          "The variable {0} has no value. The nearest name is {1}. To give {0} a value, write {2} between two lines of --- at the top of the file.",
          quoted,
          quoteForeign(nearest, 40),
          `${name}: …`,
        );
      return t(
        "The variable {0} has no value: write {1} between two lines of --- at the top of the file.",
        quoted,
        `${name}: …`,
      );
    case "unread-braces":
    case "bad-yaml":
    case "bad-form":
    case "duplicate-key":
    case "front-matter-too-long":
      return describeForm(reason, quoted);
    case "variants-too-long":
      return t(
        "With these values the prompts of this file have more than {0} million characters: shorten the values, or name them less often.",
        maxVariantText / 1e6,
      );
    case "too-many-variants":
      return t("These values make {0} variants of the prompt: {1} at most are submitted at once.", name, maxVariants);
    case "no-value":
      return t("{0} has no value: write {0}=….", name);
    case "too-many-values":
      return t("{0} has more than {1} values.", name, maxVariants);
    case "no-heading":
      return t(
        "No prompt is found here: each one is a paragraph or list item under a heading. Write a line such as {0} above it.",
        `# ${t("Pictures")}`,
      );
    case "bad-type":
      return t("{0} is no task type. The types are: {1}.", quoted, taskTypes.join(", "));
    case "file-too-long":
      return t(
        "Nothing from here on is read. Only the first {0} KB of a prompt file are read, up to a heading. Put the rest into another file.",
        maxPromptFile / 1024,
      );
    case "more-problems":
      return t("There are more problems from here on. Only the first {0} are listed.", maxPromptProblems);
    case "bad-destination":
      return t("{0} is no path inside of the workspace: write one that begins in the folder of this file.", quoted);
    case "bad-model":
    case "bad-references":
      return t("{0} can't be used here.", quoted);
  }
}

const optionOf = Object.fromEntries(taskOptions.map((name) => [`bad-${name}`, name])) as Record<
  `bad-${TaskOption}`,
  TaskOption
>;

function isOfOption(reason: PromptProblem["reason"]): reason is keyof typeof optionOf {
  return reason in optionOf;
}

/** The words for text in a form that can't be read. */
function describeForm(
  reason: "unread-braces" | "bad-yaml" | "bad-form" | "duplicate-key" | "front-matter-too-long",
  quoted: string,
): string {
  switch (reason) {
    case "unread-braces":
      return t(
        "These braces would be sent as they are: {0}. A variable is written as {1}; for braces as text write {2}.",
        quoted,
        "{{name}}",
        "\\{{",
      );
    case "bad-yaml":
      return t(
        "This can't be read as YAML, so no prompt of the file is submitted. Write {0}, and put a value with special characters into quotes.",
        "key: value",
      );
    case "bad-form":
      return t(
        "The value of {0} has a form that can't be used: write a text, or a list of texts where several are taken.",
        quoted,
      );
    case "duplicate-key":
      return t("{0} is set twice. Write it once, with a list for several values.", quoted);
    case "front-matter-too-long":
      return t("These lines at the top of the file are too many to be read, so no prompt of it is submitted.");
  }
}

// Words a task for a CodeLens, with what can be done with it there.

export interface LensState {
  readonly state: string;
  readonly action?: LensAction;
}

/** The codicons by phase, none of which moves: an animation in an editor costs a repaint in each frame. A status that is not known here has none. */
const icons: Readonly<Record<TaskPhase, string | undefined>> = {
  prepared: "cloud-upload",
  sending: "cloud-upload",
  "outcome-unknown": "question",
  "not-accepted": "error",
  withdrawn: "circle-slash",
  created: "circle-outline",
  queued: "clock",
  processing: "sync",
  succeeded: "check",
  failed: "error",
  cancelled: "circle-slash",
  expired: "circle-slash",
  refunded: "circle-slash",
  unknown: undefined,
};

export function describeState(task: Task): LensState {
  const icon = icons[phaseOf(task)];
  const words = describeFailure(task) ?? capitalised(stateName(task));
  return {
    state: icon === undefined ? words : `$(${icon}) ${words}`,
    ...definedFields({ action: actionsOf(task).find(isLensAction) }),
  };
}

/** The state with its reason; `undefined` where there is none. */
function describeFailure(task: Task): string | undefined {
  const { submission } = task;
  if (submission.state === "not-accepted" && phaseOf(task) !== "withdrawn")
    return t("Not accepted: {0}", describeError(submission.error, "submit").title);
  if (phaseOf(task) !== "failed") return undefined;
  const remote = acceptedOf(task)?.remote;
  const why = remote?.errorMessage ?? remote?.errorCode ?? "";
  return why === "" ? undefined : t("Failed: {0}", quoteForeign(why, 60));
}

// Finds prompts whose model, as far as the gateway lists it, makes something else. Pure.

interface ModelMisfit {
  /** Lines of the prompt, counted from 0. */
  readonly line: number;
  readonly lastLine: number;
  readonly message: string;
}

/** The most misfits of a file. */
const maxMisfits = 100;

/** `typesOf`: see `LensOptions`. */
export function modelMisfits(
  prompts: readonly FilePrompt[],
  typesOf: (model: string) => readonly TaskType[] | undefined,
): readonly ModelMisfit[] {
  const found: ModelMisfit[] = [];
  for (const { line, lastLine, variants } of prompts) {
    const messages = new Set<string>();
    for (const { settings } of variants) {
      const { model, type } = settings;
      const types = model === undefined ? undefined : typesOf(model);
      if (model === undefined || type === undefined || types === undefined || types.includes(type)) continue;
      messages.add(describeMisfit(model, types, type));
    }
    for (const message of messages) found.push({ line, lastLine, message });
    if (found.length >= maxMisfits) break;
  }
  return found.slice(0, maxMisfits);
}

function describeMisfit(model: string, types: readonly TaskType[], wanted: TaskType): string {
  const quoted = quoteForeign(model, 60);
  return types.length === 0
    ? t("By the gateway's list, {0} is no model for tasks. This prompt wants type {1}.", quoted, taskTypeName(wanted))
    : t(
        "By the gateway's list, {0} makes {1}. This prompt wants type {2}.",
        quoted,
        joinWords(types.map(taskTypeName)),
        taskTypeName(wanted),
      );
}

// Words the settings that apply to a prompt, for the line above it.

/** *video · 1280x720 · 5 s · seed 7 → assets/*; a list is counted. Empty where nothing is set. */
export function describeSettings(settings: PromptSettings): string {
  const { type, model, references = [], destination, lists = {} } = settings;
  const listed = listedKeys.flatMap((key) => {
    const values = lists[key];
    return values === undefined ? [] : [`${key} ×${values.length}`];
  });
  const options = [
    ...(type === undefined ? [] : [taskTypeName(type)]),
    ...(model === undefined ? [] : [cutLabel(model, 40)]),
    ...taskOptions.flatMap((name) => {
      const value = settings[name];
      return value === undefined ? [] : [taskOptionWords[name].value(value)];
    }),
    ...listed,
    ...references.map((name) => cutLabel(name, 30)),
  ].join(" · ");
  return [options, ...(destination === undefined ? [] : [`→ ${cutLabel(destination, 40)}`])].join(" ").trim();
}

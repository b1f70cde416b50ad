/** The tasks of a batch as their page shows them. Pure, so that it can be tested without an editor. */
import { t } from "@vscode/l10n";
import { definedFields } from "../../../base/definedFields";
import { plural } from "../../../domain/words/plural";
import { isFreeTask } from "../../../domain/task/sameHome";
import type { Task } from "../../../domain/task/task";
import { localWords } from "../../../domain/words/gatewayWords";
import type { BatchPageSnapshot, VariantView } from "../../contract/batchPageContract";
import type { ResultOption } from "../../contract/galleryPageContract";
import { hasResult } from "../../results/resultFile";
import { cutLabel } from "../../../domain/words/label";
import { taskTypeName } from "../../../domain/words/taskTypeWords";
import { moneyWord, stateName } from "../../view/taskWords";
import { createTimes, formatDuration } from "../../../domain/words/timeFormats";
import { timeToResult } from "../../usualTimes";
import { galleryRow, resultOptions } from "./galleryPageView";
import { toneOf } from "../../view/pageFacts";

export interface BatchPageContext {
  readonly now: number;
  readonly locale: string;
  /** The results folder. */
  readonly folder: string;
  /** The options of each task's request other than prompt and model, by the ids of the tasks. */
  readonly options: ReadonlyMap<string, readonly ResultOption[]>;
  /** The differences between the tasks of the batch. */
  readonly differences?: BatchDifferences;
}

export interface BatchDifferences {
  /** The offset at which the prompts begin to differ; `undefined` where they are the same. */
  readonly promptFrom: number | undefined;
  readonly hasModels: boolean;
  /** The names of the options that are not the same for all; without the seed, which each task has of its own. */
  readonly options: ReadonlySet<string>;
}

/** Tasks whose request was not read yet do not count for the differences in options. */
export function differencesOf(tasks: readonly Task[], options: BatchPageContext["options"]): BatchDifferences {
  const prompts = tasks.map(({ intent }) => intent.prompt);
  const read = tasks.flatMap(({ intent }) => options.get(intent.id) ?? []);
  const readCount = tasks.filter(({ intent }) => options.has(intent.id)).length;
  const isSame = (name: string): boolean => {
    const values = read.filter((one) => one.name === name).map(({ value }) => value);
    return values.length === readCount && new Set(values).size === 1;
  };
  const names = new Set(read.map(({ name }) => name));
  return {
    promptFrom: new Set(prompts).size > 1 ? differenceIn(prompts) : undefined,
    hasModels: new Set(tasks.map(({ intent }) => intent.model)).size > 1,
    options: new Set([...names].filter((name) => name !== "seed" && !isSame(name))),
  };
}

/** Characters. A common beginning that is shorter is not cut off. */
const longBeginning = 24;
/** Words of the common beginning that are shown. */
const wordsBefore = 2;

/** The number of common leading characters without the last two words; 0 where the prompts are the same or differ early. */
export function differenceIn(prompts: readonly string[]): number {
  const [first = "", ...others] = new Set(prompts);
  if (others.length === 0) return 0;
  let length = first.length;
  for (const other of others) {
    let same = 0;
    while (same < length && first[same] === other[same]) same += 1;
    length = same;
  }
  if (length < longBeginning) return 0;
  let start = length;
  for (let words = 0; start > 0 && words <= wordsBefore; words += 1) start = first.lastIndexOf(" ", start - 1);
  return start + 1;
}

export function batchSummary(
  tasks: readonly Task[],
  { now, locale }: Pick<BatchPageContext, "now" | "locale">,
): BatchPageSnapshot["summary"] {
  const [first] = tasks;
  const times = createTimes(locale, now);
  const title = first
    ? plural(tasks.length, { other: "Batch of {0}: {1}" }, tasks.length, cutLabel(first.intent.prompt))
    : t("Batch");
  const about = first
    ? [taskTypeName(first.intent.type), first.intent.model, times.short(first.intent.createdAt)].join(" · ")
    : "";
  return {
    title,
    states: [about, countWords(tasks.map(stateName))].filter(Boolean).join(" · "),
    money: tasks.length > 0 && tasks.every(isFreeTask) ? localWords() : countWords(tasks.map(moneyWord)),
  };
}

/** `prompt` is that of the batch's first task. */
export function batchTabTitle(prompt: string | undefined): string {
  return prompt === undefined ? t("Batch") : t("Batch: {0}", cutLabel(prompt, 30));
}

/** Characters of the value of an option below a picture. */
const shownValue = 40;

export function variantView(task: Task, context: BatchPageContext): VariantView {
  const { locale, folder, options, differences } = context;
  const { id, prompt, model } = task.intent;
  const known = resultOptions(task, options.get(id));
  const duration = timeToResult(task);
  const seed = known.find(({ name }) => name === "seed")?.value;
  const others = known.filter(({ name }) => differences?.options.has(name) === true);
  const about = [
    ...(differences?.hasModels === true ? [model] : []),
    ...(seed === undefined ? [] : [t("seed {0}", seed)]),
    ...others.map(({ name, value }) => t("{0}: {1}", name, cutLabel(value, shownValue))),
    ...(duration === undefined ? [] : [formatDuration(duration, locale)]),
  ];
  const state = { name: stateName(task), tone: toneOf(task) };
  const promptFrom = differences?.promptFrom;
  const difference =
    promptFrom === undefined ? undefined : `${promptFrom === 0 ? "" : "… "}${cutLabel(prompt.slice(promptFrom))}`;
  return {
    ...galleryRow(task, folder),
    state,
    hasResult: hasResult(task),
    about: about.join(" · "),
    ...definedFields({ difference }),
  };
}

/** Counts equal words, as in `3 of 4 succeeded · 1 of 4 failed`, in the order in which they first occur. */
function countWords(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].map(([word, count]) => t("{0} of {1} {2}", count, words.length, word)).join(" · ");
}

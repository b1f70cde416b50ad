/** The tasks of a batch as their page shows them. Pure, so that it can be tested without an editor. */
import { t } from "@vscode/l10n";
import { definedFields } from "../../../base/definedFields";
import { joinWords } from "../../../domain/words/joinWords";
import { plural } from "../../../domain/words/plural";
import { acceptedOf } from "../../../domain/task/phase";
import { isFreeTask } from "../../../domain/task/sameHome";
import type { Task } from "../../../domain/task/task";
import { localWords } from "../../../domain/words/gatewayWords";
import type { BatchPageSnapshot, VariantView } from "../../../protocol/batchPageContract";
import { hasResult, resultFile } from "../../../tasks/results/resultFile";
import { cutLabel } from "../../../domain/words/label";
import { taskTypeName } from "../../../domain/words/taskTypeWords";
import { moneyWord } from "../../../tasks/view/moneyWords";
import { createTimes, stateName } from "../../../tasks/view/taskWords";
import { timeToResult } from "../../../tasks/money/timeToResult";
import { formatDuration } from "../../../domain/words/formatDuration";
import { shownFileOf, toneOf } from "./taskPageView";

export interface BatchPageContext {
  readonly now: number;
  readonly locale: string;
  /** The seeds that were asked for, by the ids of the tasks. */
  readonly seeds: ReadonlyMap<string, string>;
  readonly urlOf: (path: string) => string;
  /** Where the prompts of the batch begin to differ, as `differenceIn` finds it. */
  readonly differsFrom?: number;
}

/** Characters: a shorter beginning is shown with what follows it. */
const longBeginning = 24;
/** Words of the common beginning that are shown. */
const wordsBefore = 2;

/** How many characters prompts that begin alike have in common, but for two words; 0 where they are the same or differ early. */
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

export function batchSummary(tasks: readonly Task[], { now, locale }: BatchPageContext): BatchPageSnapshot["summary"] {
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

/** `prompt`: of the batch's first task. */
export function batchTabTitle(prompt: string | undefined): string {
  return prompt === undefined ? t("Batch") : t("Batch: {0}", cutLabel(prompt, 30));
}

export function variantView(task: Task, context: BatchPageContext): VariantView {
  const { locale, seeds, urlOf, differsFrom = 0 } = context;
  const { intent } = task;
  const remote = acceptedOf(task)?.remote;
  const reported = remote?.assets?.kind === "assets" ? remote.assets.seed : undefined;
  const seed = reported === undefined ? seeds.get(intent.id) : String(reported);
  const duration = timeToResult(task);
  const time = duration === undefined ? undefined : formatDuration(duration, locale);
  const file = resultFile(task);
  const state = { name: stateName(task), tone: toneOf(task) };
  const spoken = [
    state.name,
    seed === undefined ? "" : t("seed {0}", seed),
    time === undefined ? "" : t("took {0}", time),
    cutLabel(intent.prompt),
  ];
  return {
    id: intent.id,
    prompt: differsFrom === 0 ? cutLabel(intent.prompt) : `… ${cutLabel(intent.prompt.slice(differsFrom))}`,
    state,
    canKeep: hasResult(task),
    spoken: joinWords(spoken.filter((part) => part !== "")),
    ...definedFields({ seed, time, file: file && shownFileOf(file, urlOf) }),
  };
}

/** Such as `succeeded: 3 · failed: 1`, in the order in which they first occur. */
function countWords(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].map(([word, count]) => t("{0}: {1}", word, count)).join(" · ");
}

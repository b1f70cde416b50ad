/**
 * The message after a cancel (T9): one sentence, and a line for each task when they differ. And the tasks that *Cancel Tasks of This Prompt…* is
 * about.
 */
import { t } from "@vscode/l10n";
import { describeError } from "../../domain/words/describeError";
import { isFreeTask } from "../../domain/task/sameHome";
import type { Task } from "../../domain/task/task";
import type { CancelOutcome } from "../../domain/task/taskPort";
import { cutLabel } from "../../domain/words/label";
import { taskTypeName } from "../../domain/words/taskTypeWords";
import { moneyGroupOf } from "../money";
import { variantOf } from "./taskRow";
import { moneySentence, phaseName, stateName } from "./taskWords";
import type { Times } from "../../domain/words/timeFormats";
import { listMarks, type PromptIndex } from "../board/promptIndex";

export interface CancelledTask {
  /** As it is after the cancel. */
  readonly task: Task;
  readonly outcome: CancelOutcome;
}

/** The outcome for one task, in a sentence or two. */
export function cancelSentence({ task, outcome }: CancelledTask, times: Times): string {
  switch (outcome.state) {
    case "confirmed":
      return ["free", "notCharged"].includes(moneyGroupOf(task))
        ? t("Cancelled; nothing is charged.")
        : t("Cancelled. {0}.", moneySentence(task, times));
    case "no-task":
      return t("No task was made, so nothing is paid.");
    case "still-unknown":
      return t("It is not sent again. Whether the task exists is not known: Ask Again What Became of It shows it.");
    case "open":
      return t("The cancel is requested. The task still runs; its row shows how it ends.");
    case "too-late":
      if (outcome.ended === "succeeded")
        return isFreeTask(task)
          ? t("It had finished before the cancel arrived. It was free.")
          : t("It had finished before the cancel arrived, so it is charged.");
      return t("It had ended before the cancel arrived: {0}.", phaseName(outcome.ended, ""));
    case "refused":
      return outcome.isSeenRunning
        ? t("The gateway refused the cancel, and a read after it shows that the task goes on. {0}", titleOf(outcome))
        : t("The gateway refused the cancel; the task may still be running. {0}", titleOf(outcome));
    case "failed":
      return `${titleOf(outcome)} ${describeError(outcome.error, "cancel").meaning}`;
  }
}

function titleOf({ error }: Extract<CancelOutcome, { state: "refused" | "failed" }>): string {
  return describeError(error, "cancel").title;
}

/** Sums up several cancels, with a count for each outcome. */
export function cancelSummary(cancelled: readonly CancelledTask[]): string {
  const count = (...states: readonly string[]): number =>
    cancelled.filter(({ outcome }) => states.includes(outcome.state)).length;
  const charged = cancelled.filter(
    ({ outcome }) => outcome.state === "too-late" && outcome.ended === "succeeded",
  ).length;
  const goesOn = cancelled.filter(({ outcome }) => outcome.state === "refused" && outcome.isSeenRunning).length;
  const of = cancelled.length;
  const counts: readonly [number, string][] = [
    [count("confirmed"), t("{0} of {1} cancelled.", count("confirmed"), of)],
    [count("open"), t("{0} requested.", count("open"))],
    [count("no-task"), t("{0} not sent.", count("no-task"))],
    [count("still-unknown"), t("{0} not sent again, outcome unknown.", count("still-unknown"))],
    [goesOn, t("{0} refused, going on.", goesOn)],
    [count("refused") - goesOn, t("{0} refused.", count("refused") - goesOn)],
    [charged, t("{0} finished before and charged.", charged)],
    [count("too-late") - charged, t("{0} ended before.", count("too-late") - charged)],
    [count("failed"), t("{0} not known or not sent.", count("failed"))],
  ];
  return counts.flatMap(([number, text]) => (number > 0 ? [text] : [])).join(" ");
}

/** A list to read: one line a task. */
export function cancelList(cancelled: readonly CancelledTask[], times: Times): string {
  const line = (one: CancelledTask): string => `${nameTask(one.task, times)}\n    ${cancelSentence(one, times)}\n`;
  return `${cancelSummary(cancelled)}\n\n${cancelled.map(line).join("\n")}`;
}

/** *video · seed: 7 · 14:05 · a lighthouse at dusk* */
export function nameTask(task: Task, times: Times): string {
  return `${factsOf(task, times)} · ${cutLabel(task.intent.prompt)}`;
}

/** The task in a list that shows the prompt before it: *video · seed: 7 · 14:05 · processing*. */
export function cancelDescription(task: Task, times: Times): string {
  return `${factsOf(task, times)} · ${stateName(task)}`;
}

/** The facts of a task with its variant, because others of its batch have the same prompt and time. */
function factsOf(task: Task, times: Times): string {
  const { type, createdAt } = task.intent;
  return [taskTypeName(type), ...variantOf(task), times.short(createdAt)].join(" · ");
}

// Finds the tasks that were made from a text of a document: for *Cancel Tasks of This Prompt…*. Pure.

/** The lines of a document, from 0. */
interface TextLines {
  readonly lineCount: number;
  lineAt(line: number): string;
}

/** A selection in lines and characters from 0; `start` before `end`. Start and end are the same for a cursor. */
export interface TextSelection {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}

/** Lines that are looked at above and below a cursor. */
const reach = 200;

/**
 * The texts that a selection may mean as a prompt: what is selected, each paragraph, list item and line in it; around a
 * cursor the paragraph, the list item and the line.
 */
export function promptTextsAt(lines: TextLines, { start, end }: TextSelection): readonly string[] {
  const isCursor = start.line === end.line && start.character === end.character;
  return isCursor ? textsAround(lines, start.line) : textsIn(selectedLines(lines, { start, end }));
}

/** The ids of the tasks that were made from what is selected, each once. */
export function tasksOfSelections(
  index: PromptIndex,
  lines: TextLines,
  selections: readonly TextSelection[],
): readonly string[] {
  if (index.size === 0) return [];
  const texts = selections.flatMap((selection) => promptTextsAt(lines, selection));
  return [...new Set(texts.flatMap((text) => index.idsOf(text)))];
}

function selectedLines(lines: TextLines, { start, end }: TextSelection): readonly string[] {
  const selected: string[] = [];
  for (let line = start.line; line <= end.line && line < lines.lineCount; line += 1) {
    const text = lines.lineAt(line);
    const from = line === start.line ? start.character : 0;
    selected.push(text.slice(from, line === end.line ? end.character : undefined));
  }
  return selected;
}

function textsIn(selected: readonly string[]): readonly string[] {
  return [
    selected.join("\n"),
    ...pieces(selected, isBetweenParagraphs, () => false),
    ...pieces(selected, isBetweenParagraphs, startsItem),
    ...selected,
  ].filter((text) => text.trim() !== "");
}

function textsAround(lines: TextLines, line: number): readonly string[] {
  if (line >= lines.lineCount || isBetweenParagraphs(lines.lineAt(line))) return [];
  let first = line;
  while (first > 0 && line - first < reach && !isBetweenParagraphs(lines.lineAt(first - 1))) first -= 1;
  let last = line;
  while (last + 1 < lines.lineCount && last - line < reach && !isBetweenParagraphs(lines.lineAt(last + 1))) last += 1;
  const paragraph: string[] = [];
  for (let at = first; at <= last; at += 1) paragraph.push(lines.lineAt(at));
  let itemFirst = line - first;
  while (itemFirst > 0 && !startsItem(paragraph[itemFirst] ?? "")) itemFirst -= 1;
  let itemEnd = line - first + 1;
  while (itemEnd < paragraph.length && !startsItem(paragraph[itemEnd] ?? "")) itemEnd += 1;
  return [...new Set([paragraph.join("\n"), paragraph.slice(itemFirst, itemEnd).join("\n"), lines.lineAt(line)])];
}

/** Joins lines to texts: one that separates ends a text and belongs to none, one that starts begins the next. */
function pieces(
  lines: readonly string[],
  separates: (line: string) => boolean,
  starts: (line: string) => boolean,
): readonly string[] {
  const texts: string[][] = [[]];
  for (const line of lines) {
    if (separates(line) || starts(line)) texts.push([]);
    if (!separates(line)) texts.at(-1)?.push(line);
  }
  return texts.filter(({ length }) => length > 0).map((text) => text.join("\n"));
}

/** Whether the line is blank, a heading or a comment on a line of its own. */
function isBetweenParagraphs(line: string): boolean {
  return /^\s*(?:$|#{1,6}\s|<!--.*-->\s*$)/.test(line);
}

function startsItem(line: string): boolean {
  return listMarks.test(line);
}

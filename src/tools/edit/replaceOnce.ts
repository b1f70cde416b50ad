/** Finds the one occurrence that an edit replaces: exact first, then ignoring white space around lines. Time is linear in the texts. */
import type { TimeSlices } from "../../base/async/timeSlices";
import { ToolRefusal } from "../../domain/tools/tool";
import { lineRanges } from "../base/lineRanges";
import { numberLines, readNumberedLines, blankLine, type NumberedLines } from "./numberedLines";
import { codeUnits, findOccurrences } from "./occurrences";

/** Rejects with a `ToolRefusal` that quotes the current text, so that the model can correct its call. */
export async function replaceOnce(
  content: string,
  oldText: string,
  newText: string,
  slices: TimeSlices,
): Promise<string> {
  const lineEnd = content.includes("\r\n") ? "\r\n" : "\n";
  const wanted = withLineEnd(oldText, lineEnd);
  const replacement = withLineEnd(newText, lineEnd);
  if (wanted === replacement) throw new ToolRefusal("old_text and new_text are the same.");
  const [first, second] = await findOccurrences(codeUnits(content), codeUnits(wanted), 2, slices);
  if (second !== undefined) throw notUnique();
  if (first === undefined) return replaceLines(content, oldText, newText, lineEnd, slices);
  return content.slice(0, first) + replacement + content.slice(first + wanted.length);
}

function notUnique(): ToolRefusal {
  return new ToolRefusal("old_text stands in the file more than once. Give more lines around it.");
}

async function replaceLines(
  content: string,
  oldText: string,
  newText: string,
  lineEnd: string,
  slices: TimeSlices,
): Promise<string> {
  const { wanted, numbers } = numberLines(oldText);
  const lines = await readNumberedLines(content, numbers, slices);
  const [start, second] = await findOccurrences(lines.numbers, wanted, 2, slices);
  if (second !== undefined) throw notUnique();
  if (start === undefined) {
    const near = await nearestText(content, lines, wanted, slices);
    throw new ToolRefusal(`old_text does not stand in the file. ${near}`);
  }
  const from = lines.starts[start] ?? 0;
  const to = lines.ends[start + wanted.length - 1] ?? content.length;
  const indent = indentOf(content.slice(from, lines.ends[start]));
  const given = indentOf(withoutBlankBeginning(oldText));
  const replacement = newText
    .replace(/\r\n/g, "\n")
    .replace(/^\n|\n$/g, "")
    .split("\n")
    // The indentation of the file replaces that of the model's text.
    .map((line) => (line.startsWith(given) ? indent + line.slice(given.length) : line));
  return content.slice(0, from) + replacement.join(lineEnd) + content.slice(to);
}

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

function withoutBlankBeginning(text: string): string {
  for (const { start, end } of lineRanges(text)) if (text.slice(start, end).trim() !== "") return text.slice(start);
  return text;
}

function withLineEnd(text: string, lineEnd: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll("\n", lineEnd);
}

/** The part of a file that has most of the wanted lines, for a model whose text was not found. */
const shownLines = 60;
const shownLength = 300;

/** A window of as many lines as are wanted slides over the file once; its score counts distinct wanted lines. */
async function nearestText(
  content: string,
  { numbers, starts, ends }: NumberedLines,
  wanted: readonly number[],
  slices: TimeSlices,
): Promise<string> {
  const worth = new Map<number, number>();
  for (const number of wanted) if (number !== blankLine) worth.set(number, (worth.get(number) ?? 0) + 1);
  const inWindow = new Map<number, number>();
  let best = { start: 0, score: 0 };
  let score = 0;
  for (let at = 0; at < numbers.length; at += 1) {
    if (at % 1000 === 0 && slices.isSpent) await slices.next();
    const entering = numbers[at] ?? -1;
    const times = inWindow.get(entering) ?? 0;
    if (times === 0) score += worth.get(entering) ?? 0;
    inWindow.set(entering, times + 1);
    const start = at + 1 - wanted.length;
    if (start > 0) {
      const leaving = numbers[start - 1] ?? -1;
      const left = (inWindow.get(leaving) ?? 1) - 1;
      if (left === 0) score -= worth.get(leaving) ?? 0;
      inWindow.set(leaving, left);
    }
    if (score > best.score) best = { start: Math.max(0, start), score };
  }
  const from = Math.max(0, best.start - 3);
  const to = Math.min(numbers.length, from + Math.min(wanted.length + 6, shownLines));
  const shown = Array.from({ length: to - from }, (_, index) => {
    const line = content.slice(starts[from + index], ends[from + index]);
    return line.length > shownLength ? `${line.slice(0, shownLength)} … (line cut)` : line;
  });
  return `The file reads there, from line ${from + 1}:\n${shown.join("\n")}`;
}

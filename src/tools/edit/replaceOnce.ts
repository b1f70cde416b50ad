/** Finding the one place that an edit means: exact first, then with white space at the lines' ends and beginnings let go. Time is linear in the texts. */
import type { TimeSlices } from "../../base/timeSlices";
import { ToolRefusal } from "../../domain/tool";
import { lineRanges, linesOf } from "../lines";
import { nearestText } from "./nearestText";
import { codeUnits, findOccurrences } from "./occurrences";

/** Rejects with a `ToolRefusal` that shows the text as it stands, so that the model can try again with the truth. */
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
  const lines = await readLines(content, numbers, slices);
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
    // The file's own indentation counts where the model's was another.
    .map((line) => (line.startsWith(given) ? indent + line.slice(given.length) : line));
  return content.slice(0, from) + replacement.join(lineEnd) + content.slice(to);
}

/** Lines of a text as numbers: equal numbers are lines that are equal without the white space around them. */
export interface NumberedLines {
  /** -1 for a line that is not wanted. */
  readonly numbers: Int32Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

/** The number of a line without text. */
export const blankLine = 0;

function numberLines(oldText: string): { wanted: readonly number[]; numbers: ReadonlyMap<string, number> } {
  const lines = Array.from(linesOf(oldText), (line) => line.trim());
  let from = 0;
  let to = lines.length;
  while (to - from > 1 && lines[from] === "") from += 1;
  while (to - from > 1 && lines[to - 1] === "") to -= 1;
  const numbers = new Map([["", blankLine]]);
  const wanted = lines.slice(from, to).map((line) => {
    const number = numbers.get(line) ?? numbers.size;
    numbers.set(line, number);
    return number;
  });
  return { wanted, numbers };
}

async function readLines(
  content: string,
  known: ReadonlyMap<string, number>,
  slices: TimeSlices,
): Promise<NumberedLines> {
  const numbers: number[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { start, end } of lineRanges(content)) {
    if (numbers.length % 1000 === 0 && slices.isSpent) await slices.next();
    numbers.push(known.get(content.slice(start, end).trim()) ?? -1);
    starts.push(start);
    ends.push(end);
  }
  return { numbers: new Int32Array(numbers), starts: new Int32Array(starts), ends: new Int32Array(ends) };
}

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

function withoutBlankBeginning(text: string): string {
  for (const { start } of lineRanges(text)) {
    if (!/^\s*$/.test(text.slice(start, text.indexOf("\n", start) + 1 || text.length))) return text.slice(start);
  }
  return text;
}

function withLineEnd(text: string, lineEnd: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll("\n", lineEnd);
}

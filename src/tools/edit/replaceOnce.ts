/** Finds the one occurrence that an edit replaces: exact first, then ignoring white space around lines. Time is linear in the texts. */
import type { TimeSlices } from "../../base/timeSlices";
import { ToolRefusal } from "../../domain/tool";
import { lineRanges } from "../lineRanges";
import { nearestText } from "./nearestText";
import { numberLines, readLines } from "./numberedLines";
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

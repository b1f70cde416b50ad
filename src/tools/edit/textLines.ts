/** The lines of a file as offsets, and as numbers for comparing many of them under a tolerance. */
import type { TimeSlices } from "../../base/async/timeSlices";
import { lineRanges } from "../base/resultLines";

/** Offsets of each line, by its index. */
export interface TextLines {
  readonly content: string;
  readonly count: number;
  readonly starts: Int32Array;
  /** The offset before the line's end characters. */
  readonly ends: Int32Array;
  /** The offset after the line's end characters, where the next line begins. */
  readonly nexts: Int32Array;
}

/** Lines of the file. */
export interface LinesPlace {
  /** The index of the first one. */
  readonly first: number;
  /** The index behind the last one. */
  readonly end: number;
  /** The index of the file's line for each wanted line that is compared. */
  readonly indexes: readonly number[];
}

/** A line end at the end of the text begins no line; an empty text has no lines. */
export async function readTextLines(content: string, slices: TimeSlices): Promise<TextLines> {
  // The arrays have the largest possible length: one that grows would be copied without a pause, and unwritten pages take no memory.
  const most = content.length + 1;
  const [starts, ends, nexts] = [new Int32Array(most), new Int32Array(most), new Int32Array(most)];
  let count = 0;
  for (const { start, end, next } of lineRanges(content)) {
    if (start === content.length) break;
    if (count % 1000 === 0 && slices.isSpent) await slices.next();
    starts[count] = start;
    ends[count] = end;
    nexts[count] = next;
    count += 1;
  }
  return { content, count, starts, ends, nexts };
}

export function lineAt({ content, starts, ends }: TextLines, index: number): string {
  return content.slice(starts[index], ends[index]);
}

/** `undefined` for the last line where nothing ends it. */
export function lineEndAt({ content, ends, nexts }: TextLines, index: number): string | undefined {
  return content.slice(ends[index], nexts[index]) || undefined;
}

/** The index of the line that has the character at this offset. */
export function lineOfOffset({ starts, count }: TextLines, offset: number): number {
  let low = 0;
  let high = count;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return low;
}

/** Lines whose keys are equal have equal numbers. */
export interface KeyedLines {
  /** The number of each line in the file; -1 for a line that is not wanted. */
  readonly numbers: Int32Array;
  /** The index in the file of each of them. */
  readonly indexes: Int32Array;
  readonly wanted: readonly number[];
}

/** `skipsBlank`: lines without a key are left out on both sides. */
export async function keyLines(
  lines: TextLines,
  wantedLines: readonly string[],
  key: (line: string) => string,
  skipsBlank: boolean,
  slices: TimeSlices,
): Promise<KeyedLines> {
  const known = new Map<string, number>();
  const wanted: number[] = [];
  for (const line of wantedLines) {
    const keyed = key(line);
    if (skipsBlank && keyed === "") continue;
    const number = known.get(keyed) ?? known.size;
    known.set(keyed, number);
    wanted.push(number);
  }
  const [numbers, indexes] = [new Int32Array(lines.count), new Int32Array(lines.count)];
  let count = 0;
  for (let at = 0; at < lines.count; at += 1) {
    if (at % 1000 === 0 && slices.isSpent) await slices.next();
    const keyed = key(lineAt(lines, at));
    if (skipsBlank && keyed === "") continue;
    numbers[count] = known.get(keyed) ?? -1;
    indexes[count] = at;
    count += 1;
  }
  return { numbers: numbers.subarray(0, count), indexes: indexes.subarray(0, count), wanted };
}

/** The lines of a text that a model wrote, without their ends. */
export function splitLines(text: string): readonly string[] {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/** Lines as numbers, for comparing many of them regardless of the white space around them. */
import type { TimeSlices } from "../../base/async/timeSlices";
import { lineRanges, linesOf } from "../base/lineRanges";

/** Lines of a text as numbers: lines that are equal after trimming have equal numbers. */
export interface NumberedLines {
  /** -1 for a line that is not wanted. */
  readonly numbers: Int32Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

/** The number of a line without text. */
export const blankLine = 0;

/** The wanted lines, without blank ones around them. */
export function numberLines(oldText: string): { wanted: readonly number[]; numbers: ReadonlyMap<string, number> } {
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

export async function readNumberedLines(
  content: string,
  known: ReadonlyMap<string, number>,
  slices: TimeSlices,
): Promise<NumberedLines> {
  // Of the largest length that they can have: a list that grows would be copied without a pause at its end, and unwritten pages take no memory.
  const maxLines = content.length + 1;
  const lines = { numbers: new Int32Array(maxLines), starts: new Int32Array(maxLines), ends: new Int32Array(maxLines) };
  let count = 0;
  for (const { start, end } of lineRanges(content)) {
    if (count % 1000 === 0 && slices.isSpent) await slices.next();
    lines.numbers[count] = known.get(content.slice(start, end).trim()) ?? -1;
    lines.starts[count] = start;
    lines.ends[count] = end;
    count += 1;
  }
  return {
    numbers: lines.numbers.subarray(0, count),
    starts: lines.starts.subarray(0, count),
    ends: lines.ends.subarray(0, count),
  };
}

/** The part of a file that has most of the wanted lines, for a model whose text was not found. */
import type { TimeSlices } from "../../base/timeSlices";
import { blankLine, type NumberedLines } from "./numberedLines";

const shownLines = 60;
const shownLength = 300;

/** A window of as many lines as are wanted slides over the file once; its score counts distinct wanted lines. */
export async function nearestText(
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

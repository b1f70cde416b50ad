/** Finds the places of a file that a text of a model means: its exact characters first, then its lines under each tolerance. Time is linear in the texts. */
import type { TimeSlices } from "../../base/async/timeSlices";
import { codeUnits, findOccurrences } from "./occurrences";
import { keyLines, lineOfOffset, splitLines, type TextLines } from "./textLines";
import { plain, type Reading, readings, tolerances, type Wanted } from "./tolerances";

/** Lines of the file. */
export interface LinesPlace {
  /** The index of the first one. */
  readonly first: number;
  /** The index behind the last one. */
  readonly end: number;
  /** For each wanted line that is compared, the index of its line. */
  readonly indexes: readonly number[];
}

interface FoundSo {
  readonly reading: Reading;
  /** As it was read, with the line ends that the model wrote. */
  readonly wanted: Wanted;
}

export type Found =
  /** All have the length of `oldText` with the file's line ends. */
  | (FoundSo & { readonly type: "characters"; readonly offsets: readonly number[] })
  /** `skipsBlank`: as in the tolerance that found them. */
  | (FoundSo & { readonly type: "lines"; readonly skipsBlank: boolean; readonly places: readonly LinesPlace[] });

/** The first `limit` places, by the least difference with which there is any; `undefined` when there is none. `from`: the first line that may be in one. */
export async function findPlaces(
  file: TextLines,
  given: Wanted,
  options: { readonly limit: number; readonly wholeLines?: boolean; readonly from?: number },
  slices: TimeSlices,
): Promise<Found | undefined> {
  const { limit, wholeLines = false, from = 0 } = options;
  for (const reading of readings) {
    const wanted = reading.read(given);
    if (wanted === undefined || (reading.repair !== undefined && wanted.oldText === given.oldText)) continue;
    const exact = wholeLines ? [] : await findCharacters(file, wanted, (text) => text, limit, slices);
    if (exact.length > 0) return { type: "characters", reading, wanted, offsets: exact };
    const lines = await findLines(file, wanted, limit, from, slices);
    if (lines) return { type: "lines", reading, wanted, ...lines };
    // A part of a line.
    const offsets = wholeLines ? [] : await findCharacters(file, wanted, plain, limit, slices);
    if (offsets.length > 0) return { type: "characters", reading, wanted, offsets };
  }
  return undefined;
}

/** `key`: keeps the length. */
async function findCharacters(
  file: TextLines,
  wanted: Wanted,
  key: (text: string) => string,
  limit: number,
  slices: TimeSlices,
): Promise<number[]> {
  const lineEnd = lineEndOf(file.content);
  const text = withLineEnd(wanted.oldText, lineEnd);
  const offsets = await findOccurrences(codeUnits(key(file.content)), codeUnits(key(text)), limit, slices);
  // A text of several lines that begins within an indentation has another one than the file: it is found by its lines, which all move by the difference.
  const isMoved = /^[ \t]/.test(text) && /[\r\n]/.test(wanted.oldText + wanted.newText);
  return isMoved ? offsets.filter((offset) => !isWithinIndentation(file, offset)) : offsets;
}

/** Only blanks are before it in its line, and at least one. */
export function isWithinIndentation(file: TextLines, offset: number): boolean {
  return /^[ \t]+$/.test(file.content.slice(file.starts[lineOfOffset(file, offset)], offset));
}

async function findLines(
  file: TextLines,
  wanted: Wanted,
  limit: number,
  from: number,
  slices: TimeSlices,
): Promise<{ readonly skipsBlank: boolean; readonly places: readonly LinesPlace[] } | undefined> {
  const old = splitLines(wanted.oldText);
  for (const { key, skipsBlank } of tolerances) {
    const keyed = await keyLines(file, old, key, skipsBlank, slices);
    const { numbers, indexes } = keyed;
    const begin = indexes.findIndex((index) => index >= from);
    if (begin < 0) continue;
    const starts = await findOccurrences(numbers.subarray(begin), keyed.wanted, limit, slices);
    if (starts.length === 0) continue;
    const places = starts.map((start): LinesPlace => {
      const its = [...indexes.subarray(begin + start, begin + start + keyed.wanted.length)];
      return { first: its[0] ?? 0, end: (its.at(-1) ?? 0) + 1, indexes: its };
    });
    return { skipsBlank, places };
  }
  return undefined;
}

export function lineEndOf(content: string): "\r\n" | "\n" {
  return content.includes("\r\n") ? "\r\n" : "\n";
}

export function withLineEnd(text: string, lineEnd: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll("\n", lineEnd);
}

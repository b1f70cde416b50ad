/** Finds the places of a file that a text of a model means: its exact characters first, then its lines under each tolerance. Time is linear in the texts. */
import type { TimeSlices } from "../../base/async/timeSlices";
import { isIndentedAlike } from "./rewriteLines";
import { keyLines, type LinesPlace, lineOfOffset, splitLines, type TextLines } from "./textLines";
import { plainCharacters, type Reading, readings, tolerances, type TextReplacement } from "./tolerances";

interface FoundSo {
  readonly reading: Reading;
  /** The replacement as it was read, with the line ends that the model wrote. */
  readonly wanted: TextReplacement;
}

interface FoundLines {
  readonly type: "lines";
  /** The setting of the tolerance that found the lines. */
  readonly skipsBlank: boolean;
  readonly places: readonly LinesPlace[];
}

export type FoundPlaces =
  /** All have the length of `oldText` with the file's line ends. */
  (FoundSo & { readonly type: "characters"; readonly offsets: readonly number[] }) | (FoundSo & FoundLines);

/** The lines are there, but with another relative indentation. */
export interface IndentMismatch {
  readonly type: "misfit";
  readonly place: LinesPlace;
}

/** Places whose indentation is compared. */
const mostCompared = 50;

/** The first `limit` places, with the least tolerance that finds any; `undefined` when there is none. `from`: the first line that may be in one. */
export async function findPlaces(
  file: TextLines,
  given: TextReplacement,
  options: { readonly limit: number; readonly wholeLines?: boolean; readonly from?: number },
  slices: TimeSlices,
): Promise<FoundPlaces | IndentMismatch | undefined> {
  const { limit, wholeLines = false, from = 0 } = options;
  let misfit: IndentMismatch | undefined;
  for (const reading of readings) {
    const wanted = reading.read(given);
    if (wanted === undefined || (reading.repair !== undefined && wanted.oldText === given.oldText)) continue;
    const exact = wholeLines ? [] : await findCharacters(file, wanted, (text) => text, limit, slices);
    if (exact.length > 0) return { type: "characters", reading, wanted, offsets: exact };
    const lines = await findLines(file, wanted, limit, from, slices);
    if (lines?.type === "lines") return { reading, wanted, ...lines };
    misfit ??= lines;
    // The text may be a part of a line.
    const offsets = wholeLines ? [] : await findCharacters(file, wanted, plainCharacters, limit, slices);
    if (offsets.length > 0) return { type: "characters", reading, wanted, offsets };
  }
  return misfit;
}

/** `key` must keep the length of a text. */
async function findCharacters(
  file: TextLines,
  wanted: TextReplacement,
  key: (text: string) => string,
  limit: number,
  slices: TimeSlices,
): Promise<number[]> {
  const lineEnd = lineEndOf(file.content);
  const text = withLineEnd(wanted.oldText, lineEnd);
  const offsets = await findOccurrences(codeUnits(key(file.content)), codeUnits(key(text)), limit, slices);
  // A text of several lines that begins within an indentation is indented otherwise than the file: it is found by its lines, which all move.
  const isMoved = /^[ \t]/.test(text) && /[\r\n]/.test(wanted.oldText + wanted.newText);
  return isMoved ? offsets.filter((offset) => !isWithinIndentation(file, offset)) : offsets;
}

/** Whether only blanks, and at least one, are before the offset in its line. */
export function isWithinIndentation(file: TextLines, offset: number): boolean {
  return /^[ \t]+$/.test(file.content.slice(file.starts[lineOfOffset(file, offset)], offset));
}

async function placesAlike(
  file: TextLines,
  places: readonly LinesPlace[],
  skipsBlank: boolean,
  wanted: TextReplacement,
  slices: TimeSlices,
): Promise<readonly LinesPlace[]> {
  const alike: LinesPlace[] = [];
  for (const [at, place] of places.entries()) {
    if (slices.isSpent) await slices.next();
    if (at >= mostCompared || isIndentedAlike(file, place, skipsBlank, wanted)) alike.push(place);
  }
  return alike;
}

async function findLines(
  file: TextLines,
  wanted: TextReplacement,
  limit: number,
  from: number,
  slices: TimeSlices,
): Promise<FoundLines | IndentMismatch | undefined> {
  const old = splitLines(wanted.oldText);
  let misfit: IndentMismatch | undefined;
  for (const { key, skipsBlank } of tolerances) {
    const keyed = await keyLines(file, old, key, skipsBlank, slices);
    const { numbers, indexes } = keyed;
    const begin = indexes.findIndex((index) => index >= from);
    if (begin < 0) continue;
    const most = Math.max(limit, mostCompared);
    const starts = await findOccurrences(numbers.subarray(begin), keyed.wanted, most, slices);
    if (starts.length === 0) continue;
    const places = starts.map((start): LinesPlace => {
      const its = [...indexes.subarray(begin + start, begin + start + keyed.wanted.length)];
      return { first: its[0] ?? 0, end: (its.at(-1) ?? 0) + 1, indexes: its };
    });
    const alike = await placesAlike(file, places, skipsBlank, wanted, slices);
    if (alike.length > 0) return { type: "lines", skipsBlank, places: alike.slice(0, limit) };
    const [place] = places;
    misfit ??= place && { type: "misfit", place };
  }
  return misfit;
}

export function lineEndOf(content: string): "\r\n" | "\n" {
  return content.includes("\r\n") ? "\r\n" : "\n";
}

export function withLineEnd(text: string, lineEnd: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll("\n", lineEnd);
}

/**
 * Finds the first `limit` places, also where they overlap, in linear time (Knuth, Morris, Pratt): `indexOf` takes text × pattern steps in the worst
 * case.
 */
async function findOccurrences(
  text: ArrayLike<number>,
  wanted: ArrayLike<number>,
  limit: number,
  slices: TimeSlices,
): Promise<number[]> {
  const found: number[] = [];
  if (wanted.length === 0 || wanted.length > text.length) return found;
  const borders = await findBorders(wanted, slices);
  let matched = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (at % 8192 === 0 && slices.isSpent) await slices.next();
    while (matched > 0 && text[at] !== wanted[matched]) matched = borders[matched - 1] ?? 0;
    if (text[at] === wanted[matched]) matched += 1;
    if (matched < wanted.length) continue;
    if (found.push(at + 1 - matched) === limit) break;
    matched = borders[matched - 1] ?? 0;
  }
  return found;
}

/** Finds for each beginning of `wanted` the length of its longest proper beginning that is also its end. */
async function findBorders(wanted: ArrayLike<number>, slices: TimeSlices): Promise<Uint32Array> {
  const borders = new Uint32Array(wanted.length);
  let length = 0;
  for (let at = 1; at < wanted.length; at += 1) {
    if (at % 8192 === 0 && slices.isSpent) await slices.next();
    while (length > 0 && wanted[at] !== wanted[length]) length = borders[length - 1] ?? 0;
    if (wanted[at] === wanted[length]) length += 1;
    borders[at] = length;
  }
  return borders;
}

/** UTF-16 code units. */
function codeUnits(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at += 1) units[at] = text.charCodeAt(at);
  return units;
}

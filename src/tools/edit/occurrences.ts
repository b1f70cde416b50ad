/** Where a sequence occurs in another one, in linear time (Knuth, Morris, Pratt): `indexOf` takes text × pattern steps in the worst case. */
import type { TimeSlices } from "../../base/async/timeSlices";

/** The first `limit` places, also where they overlap. */
export async function findOccurrences(
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

/** For each beginning of `wanted`: the length of its longest proper beginning that is also its end. */
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
export function codeUnits(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at += 1) units[at] = text.charCodeAt(at);
  return units;
}

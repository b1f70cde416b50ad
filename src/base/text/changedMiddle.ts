/** The part in which two texts differ. Pure. */

export interface ChangedMiddle {
  /** Offsets in the first text. */
  readonly start: number;
  readonly end: number;
  /** What the second text has there. */
  readonly text: string;
}

/**
 * The part between the common start and the common end. It begins and ends at whole characters and line ends: an editor moves the end of a range out of
 * a surrogate pair but leaves the text, so that an edit of half a pair would leave half a character.
 */
export function changedMiddle(before: string, after: string): ChangedMiddle {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  while (isWithin(before, start) || isWithin(after, start)) start -= 1;
  let tail = 0;
  while (tail < shorter - start && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  while (tail > 0 && (isWithin(before, before.length - tail) || isWithin(after, after.length - tail))) tail -= 1;
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}

/** Whether the place is between the halves of a surrogate pair or between `\r` and `\n`. VS Code treats any place after a high surrogate as the former. */
function isWithin(text: string, at: number): boolean {
  return /^(?:[\ud800-\udbff]|\r\n$)/.test(text.slice(Math.max(0, at - 1), at + 1)) && at > 0;
}

/** A part of a text that stays the same part while a person types before, in and behind it. Pure. */

/** A range in UTF-16 units. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

export interface TextChange {
  readonly start: number;
  /** Units that were removed there. */
  readonly removed: number;
  readonly inserted: string;
}

/** Where the part is after the change. What is inserted at its start or its end is not of it; of what is removed across its edge the rest stays. */
export function moveRange({ start, end }: TextRange, { start: at, removed, inserted }: TextChange): TextRange {
  const to = at + removed;
  const shift = inserted.length - removed;
  if (to <= start && !(removed === 0 && at === start && start === end))
    return { start: start + shift, end: end + shift };
  if (at >= end) return { start, end };
  // Across an edge: what was inserted lies outside of what is left of the part.
  if (at < start && to > end) return { start: at + inserted.length, end: at + inserted.length };
  if (at < start) return { start: at + inserted.length, end: end + shift };
  if (to > end) return { start, end: at };
  return { start, end: end + shift };
}

export function replaceRange(text: string, { start, end }: TextRange, by: string): string {
  return text.slice(0, start) + by + text.slice(end);
}

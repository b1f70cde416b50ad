/** Moves a range of a text with the changes before, in and after it, so that it covers the same part. Pure. */

/** A range in UTF-16 units. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

export interface TextSplice {
  readonly start: number;
  /** Units that were removed there. */
  readonly removed: number;
  readonly inserted: string;
}

/** The range after a change. Text inserted at its start or end stays outside; a removal across an edge leaves the rest of the range. */
export function moveRange({ start, end }: TextRange, { start: at, removed, inserted }: TextSplice): TextRange {
  const to = at + removed;
  const shift = inserted.length - removed;
  if (to <= start && !(removed === 0 && at === start && start === end))
    return { start: start + shift, end: end + shift };
  if (at >= end) return { start, end };
  // The removal crosses an edge: the inserted text stays outside of the rest of the range.
  if (at < start && to > end) return { start: at + inserted.length, end: at + inserted.length };
  if (at < start) return { start: at + inserted.length, end: end + shift };
  if (to > end) return { start, end: at };
  return { start, end: end + shift };
}

export function replaceRange(text: string, { start, end }: TextRange, by: string): string {
  return text.slice(0, start) + by + text.slice(end);
}

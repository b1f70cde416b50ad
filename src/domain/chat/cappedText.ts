/** The output of a running tool within bounds: its first and last characters, and how many were dropped between them. */

export interface CappedText {
  readonly head: string;
  /** Characters (UTF-16 code units) between `head` and `tail`. */
  readonly omitted: number;
  /** Empty until `head` is full. */
  readonly tail: string;
}

const keptLengths = { head: 8 * 1024, tail: 24 * 1024 };

export const emptyOutput: CappedText = { head: "", omitted: 0, tail: "" };

/** Caps any text. */
export function capText(text: string): CappedText {
  const { head, tail } = keptLengths;
  if (text.length <= head + tail) return { head: text.slice(0, head), omitted: 0, tail: text.slice(head) };
  return { head: text.slice(0, head), omitted: text.length - head - tail, tail: text.slice(-tail) };
}

/** The output of `first` followed by that of `next`. Associative: the same result however a text was cut into chunks. */
export function joinOutput(first: CappedText, next: CappedText): CappedText {
  if (first.omitted === 0 && next.omitted === 0) return capText(first.head + first.tail + next.head + next.tail);
  const known = first.omitted === 0 ? first.head + first.tail + next.head : first.head;
  const length = lengthOf(first) + lengthOf(next);
  const { head, tail } = keptLengths;
  const last = next.omitted === 0 ? (first.tail + next.head + next.tail).slice(-tail) : next.tail;
  return { head: known.slice(0, head), omitted: length - head - tail, tail: last };
}

function lengthOf({ head, omitted, tail }: CappedText): number {
  return head.length + omitted + tail.length;
}

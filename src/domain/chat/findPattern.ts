/** Builds the pattern of a search in a chat, the same in the host and on the page: it ignores case and accepts any blanks between words. Pure. */

/** A pattern that finds any of the phrases; `undefined` where there is nothing to look for. */
export function findPattern(...phrases: readonly string[]): RegExp | undefined {
  const sources = phrases
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== "")
    .map((phrase) => phrase.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replace(/\s+/g, "\\s+"));
  return sources.length === 0 ? undefined : new RegExp(sources.join("|"), "gi");
}

/** Matches of a part beyond this number are neither counted nor shown: a single letter may match most of a long text. */
export const maxMatches = 10_000;

/** The first matches of the pattern, which is global. */
export function* matchesIn(text: string, pattern: RegExp, most = maxMatches): Iterable<RegExpExecArray> {
  let rest = most;
  for (const match of text.matchAll(pattern)) {
    if (rest === 0) return;
    rest -= 1;
    yield match;
  }
}

/** The number of matches in each part of an entry: the message, or the blocks with a text of their own, in order. */
export interface FoundEntry {
  readonly entry: string;
  readonly parts: readonly number[];
}

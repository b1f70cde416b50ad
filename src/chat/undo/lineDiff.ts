/** Compares two texts by lines and finds which lines were replaced by which. Pure, in bounded time. */
import { diffArrays } from "diff";

/** A range of lines of the former text and the range of lines of the text now in its place; from 0, the ends are exclusive. */
export interface LineReplacement {
  readonly start: number;
  readonly end: number;
  readonly nowStart: number;
  readonly nowEnd: number;
}

const diffBounds = { maxEditLength: 5000, timeout: 100 };

/** Splits a text into lines, each with its line end, so that joining them gives the text. */
export function linesWithEnds(text: string): readonly string[] {
  return text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
}

/**
 * The replacements in order; `undefined` where the texts differ too much to be compared in time. Lines that are in both texts once are paired first,
 * because the comparison of what lies between them takes time in proportion to the lines times the changes.
 */
export function lineReplacements(
  former: readonly string[],
  now: readonly string[],
): readonly LineReplacement[] | undefined {
  const found: LineReplacement[] = [];
  const add = (one: LineReplacement): void => {
    if (one.start === one.end && one.nowStart === one.nowEnd) return;
    const last = found.at(-1);
    if (last?.end === one.start && last.nowEnd === one.nowStart)
      found[found.length - 1] = { ...last, end: one.end, nowEnd: one.nowEnd };
    else found.push(one);
  };
  const outer = trimmed(former, now, { start: 0, end: former.length, nowStart: 0, nowEnd: now.length });
  let { start, nowStart } = outer;
  const gaps: LineReplacement[] = [];
  for (const [at, nowAt] of uniquePairs(former, now, outer)) {
    gaps.push({ start, end: at, nowStart, nowEnd: nowAt });
    start = at + 1;
    nowStart = nowAt + 1;
  }
  gaps.push({ start, end: outer.end, nowStart, nowEnd: outer.nowEnd });
  for (const gap of gaps) {
    const inner = trimmed(former, now, gap);
    if (inner.start === inner.end || inner.nowStart === inner.nowEnd) add(inner);
    else {
      const parts = diffArrays(
        former.slice(inner.start, inner.end),
        now.slice(inner.nowStart, inner.nowEnd),
        diffBounds,
      );
      if (parts === undefined) return undefined;
      let at = inner.start;
      let nowAt = inner.nowStart;
      for (const { added, removed, value } of parts) {
        const isSame = !added && !removed;
        const [end, nowEnd] = [added ? at : at + value.length, removed ? nowAt : nowAt + value.length];
        if (!isSame) add({ start: at, end, nowStart: nowAt, nowEnd });
        [at, nowAt] = [end, nowEnd];
      }
    }
  }
  return found;
}

/** Narrows a range by the lines that both texts begin with and that both end with. */
function trimmed(former: readonly string[], now: readonly string[], range: LineReplacement): LineReplacement {
  let { start, end, nowStart, nowEnd } = range;
  while (start < end && nowStart < nowEnd && former[start] === now[nowStart])
    [start, nowStart] = [start + 1, nowStart + 1];
  while (start < end && nowStart < nowEnd && former[end - 1] === now[nowEnd - 1]) [end, nowEnd] = [end - 1, nowEnd - 1];
  return { start, end, nowStart, nowEnd };
}

/** Pairs lines that occur once in each range, and keeps the longest series that has the same order in both. */
function uniquePairs(
  former: readonly string[],
  now: readonly string[],
  { start, end, nowStart, nowEnd }: LineReplacement,
): readonly (readonly [number, number])[] {
  const places = placesOfUnique(former, start, end);
  const nowPlaces = placesOfUnique(now, nowStart, nowEnd);
  const pairs: (readonly [number, number])[] = [];
  for (const [line, at] of places) {
    const nowAt = nowPlaces.get(line);
    if (at >= 0 && nowAt !== undefined && nowAt >= 0) pairs.push([at, nowAt]);
  }
  return longestIncreasing(pairs);
}

/** Maps each line, in order, to its index, or to -1 if it is there more than once. */
function placesOfUnique(lines: readonly string[], start: number, end: number): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (let at = start; at < end; at += 1) {
    const line = lines[at] ?? "";
    places.set(line, places.has(line) ? -1 : at);
  }
  return places;
}

/** Finds the longest series of pairs in which the second number grows too. The pairs are sorted by their first number. */
function longestIncreasing(pairs: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] {
  /** By length minus one: the index of the pair with the least second number that ends a series of that length. */
  const ends: number[] = [];
  const before: number[] = [];
  for (const [index, [, second]] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] ?? 0]?.[1] ?? 0) < second) low = middle + 1;
      else high = middle;
    }
    before[index] = ends[low - 1] ?? -1;
    ends[low] = index;
  }
  const series: (readonly [number, number])[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) {
    const pair = pairs[at];
    if (pair) series.push(pair);
  }
  return series.reverse();
}

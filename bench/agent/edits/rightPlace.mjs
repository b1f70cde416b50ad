// Where a text that is not in a file belongs: the block of as many lines whose line-level alignment has most lines in common, as Python's difflib measures it.
import { dice } from "./anchors.mjs";

/** The indexes of the lines of the file that the best block shares with the wanted ones; of a block without a common line the line most alike. @param {readonly string[]} file @param {readonly string[]} wanted @returns {readonly number[]} */
export function rightLines(file, wanted) {
  const its = file.map((line) => line.trim());
  const ours = wanted.map((line) => line.trim());
  /** @type {{ score: number, lines: readonly number[] }} */
  let best = { score: 0, lines: [] };
  for (let from = 0; from < its.length; from += 1) {
    const window = its.slice(from, from + ours.length);
    const matched = matchingLines(window, ours).filter((at) => window[at] !== "");
    const score = (2 * matched.length) / (window.length + ours.length);
    if (score > best.score) best = { score, lines: matched.map((at) => from + at) };
  }
  if (best.lines.length > 0) return best.lines;
  let nearest = { score: 0, line: 0 };
  for (const [at, line] of its.entries()) {
    for (const other of ours) {
      const score = line === "" || other === "" ? 0 : dice(line, other);
      if (score > nearest.score) nearest = { score, line: at };
    }
  }
  return [nearest.line];
}

/** Indexes of the first list that are in the matching blocks: the longest common run, then those on both sides of it. @param {readonly string[]} one @param {readonly string[]} other @returns {number[]} */
function matchingLines(one, other) {
  /** @type {Map<string, number[]>} */
  const places = new Map();
  for (const [at, line] of other.entries()) places.set(line, [...(places.get(line) ?? []), at]);
  /** @param {number} from @param {number} to @param {number} low @param {number} high @returns {number[]} */
  const within = (from, to, low, high) => {
    let best = { from: 0, at: 0, length: 0 };
    /** @type {Map<number, number>} */
    let runs = new Map();
    for (let index = from; index < to; index += 1) {
      /** @type {Map<number, number>} */
      const next = new Map();
      for (const at of places.get(one[index] ?? "") ?? []) {
        if (at < low || at >= high) continue;
        const length = (runs.get(at - 1) ?? 0) + 1;
        next.set(at, length);
        if (length > best.length) best = { from: index - length + 1, at: at - length + 1, length };
      }
      runs = next;
    }
    if (best.length === 0) return [];
    return [
      ...within(from, best.from, low, best.at),
      ...Array.from({ length: best.length }, (_, offset) => best.from + offset),
      ...within(best.from + best.length, to, best.at + best.length, high),
    ];
  };
  return within(0, one.length, 0, other.length);
}

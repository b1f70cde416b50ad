// The matchers of other agents as their documents and behaviour describe them, implemented here: what each replaces, as a range of lines of the file.

/** @typedef {{ readonly from: number, readonly to: number } | undefined} Range `to` excluded */

/** @param {string} text */
export const linesOf = (text) => {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
};

/** The first run of lines that equal the wanted ones by their keys. @param {readonly string[]} file @param {readonly string[]} wanted @param {(line: string) => string} key @returns {Range} */
function seek(file, wanted, key) {
  if (wanted.length === 0) return undefined;
  const [its, ours] = [file.map(key), wanted.map(key)];
  const from = its.findIndex((_, at) => ours.every((line, offset) => its[at + offset] === line));
  return from < 0 ? undefined : { from, to: from + wanted.length };
}

/** Characters anywhere in the file. @param {readonly string[]} file @param {string} search @returns {Range} */
function characters(file, search) {
  const at = file.join("\n").indexOf(search);
  if (at < 0 || search.trim() === "") return undefined;
  const before = file.join("\n").slice(0, at).split("\n").length - 1;
  return { from: before, to: before + linesOf(search).length };
}

const same = (/** @type {string} */ line) => line;
const trimmed = (/** @type {string} */ line) => line.trim();

/** Whole lines; one amount of leading blanks that all lines lack; `...` for what stays; a first blank line is ignored. @param {readonly string[]} file @param {readonly string[]} wanted @returns {Range} */
function aider(file, wanted) {
  /** @param {readonly string[]} lines @returns {Range} */
  const exactOrMoved = (lines) => seek(file, lines, same) ?? moved(file, lines);
  const found = exactOrMoved(wanted) ?? (wanted[0]?.trim() === "" ? exactOrMoved(wanted.slice(1)) : undefined);
  if (found || !wanted.some((line) => line.trim() === "...")) return found;
  /** @type {string[][]} */
  const parts = [[]];
  for (const line of wanted) {
    if (line.trim() === "...") parts.push([]);
    else parts.at(-1)?.push(line);
  }
  const places = parts.filter(({ length }) => length > 0).map((part) => seek(file, part, same));
  const [first, last] = [places[0], places.at(-1)];
  return first && last && places.every((place) => place !== undefined) ? { from: first.from, to: last.to } : undefined;
}

/** @param {readonly string[]} file @param {readonly string[]} wanted @returns {Range} */
function moved(file, wanted) {
  const place = seek(file, wanted, (line) => line.trimStart());
  if (!place) return undefined;
  const added = new Set(
    wanted.flatMap((line, at) => {
      const its = file[place.from + at] ?? "";
      return line.trim() === ""
        ? []
        : [its.slice(0, its.length - line.trimStart().length).length - (line.length - line.trimStart().length)];
    }),
  );
  return added.size === 1 ? place : undefined;
}

/** First and last line are those of the wanted text; the lines between need not be. @param {readonly string[]} file @param {readonly string[]} wanted @returns {Range} */
function outerLines(file, wanted) {
  if (wanted.length < 3) return undefined;
  const [first, last] = [wanted[0]?.trim(), wanted.at(-1)?.trim()];
  const from = file.findIndex((line, at) => line.trim() === first && file[at + wanted.length - 1]?.trim() === last);
  return from < 0 ? undefined : { from, to: from + wanted.length };
}

/** Like `outerLines` with blocks of any length, of several the most alike; a single candidate is taken as it is. @param {readonly string[]} file @param {readonly string[]} wanted @returns {Range} */
function outerLinesOfAnyLength(file, wanted) {
  if (wanted.length < 3) return undefined;
  const [first, last] = [wanted[0]?.trim(), wanted.at(-1)?.trim()];
  const candidates = file.flatMap((line, from) => {
    if (line.trim() !== first) return [];
    const end = file.findIndex((other, at) => at >= from + 2 && other.trim() === last);
    return end < 0 ? [] : [{ from, to: end + 1 }];
  });
  if (candidates.length < 2) return candidates[0];
  const scored = candidates.map((one) => ({
    one,
    score: middleLikeness(file.slice(one.from + 1, one.to - 1), wanted.slice(1, -1)),
  }));
  const [best] = scored.toSorted((left, right) => right.score - left.score);
  return best && best.score >= 0.3 ? best.one : undefined;
}

/** @param {readonly string[]} one @param {readonly string[]} other */
function middleLikeness(one, other) {
  const count = Math.min(one.length, other.length);
  if (count === 0) return 1;
  let sum = 0;
  for (let at = 0; at < count; at += 1) sum += dice(one[at]?.trim() ?? "", other[at]?.trim() ?? "");
  return sum / count;
}

/** How much of their pairs of characters two lines have in common. @param {string} one @param {string} other */
export function dice(one, other) {
  if (one === other) return 1;
  if (one.length < 2 || other.length < 2) return 0;
  /** @type {Map<string, number>} */
  const pairs = new Map();
  for (let at = 0; at + 1 < one.length; at += 1)
    pairs.set(one.slice(at, at + 2), (pairs.get(one.slice(at, at + 2)) ?? 0) + 1);
  let common = 0;
  for (let at = 0; at + 1 < other.length; at += 1) {
    const left = pairs.get(other.slice(at, at + 2)) ?? 0;
    if (left === 0) continue;
    pairs.set(other.slice(at, at + 2), left - 1);
    common += 1;
  }
  return (2 * common) / (one.length + other.length - 2);
}

/** Half of the lines between the outer ones are as wanted. @param {readonly string[]} file @param {readonly string[]} wanted @returns {Range} */
function outerLinesAndHalf(file, wanted) {
  const place = outerLines(file, wanted);
  if (!place) return undefined;
  const between = wanted.slice(1, -1);
  const equal = between.filter((line, at) => file[place.from + 1 + at]?.trim() === line.trim()).length;
  return equal * 2 >= between.length ? place : undefined;
}

const collapsed = (/** @type {string} */ line) => line.replace(/\s+/g, " ").trim();
const typed = (/** @type {string} */ line) =>
  line
    .trim()
    .replace(/[‘’‚‛]/g, "'")
    .replace(/[“”„‟]/g, '"')
    .replace(/[‐-―−]/g, "-")
    .replace(/[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g, " ");

/** Tokens in their order with any white space between. @param {readonly string[]} file @param {readonly string[]} wanted @returns {Range} */
function tokens(file, wanted) {
  const parts = wanted
    .join("\n")
    .replace(/([():[\]{}<>=])/g, " $1 ")
    .split(/\s+/)
    .filter(Boolean);
  if (parts.length === 0) return undefined;
  const pattern = new RegExp(
    `^[ \\t]*${parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("\\s*")}`,
    "m",
  );
  const text = file.join("\n");
  const match = pattern.exec(text);
  if (!match) return undefined;
  const from = text.slice(0, match.index).split("\n").length - 1;
  return { from, to: from + match[0].split("\n").length };
}

/** By name: what each replaces. @type {Readonly<Record<string, (file: readonly string[], wanted: readonly string[], search: string) => Range>>} */
export const anchors = {
  aider: (file, wanted) => aider(file, wanted),
  "first and last line (Cline)": (file, wanted, search) =>
    characters(file, search) ?? seek(file, wanted, trimmed) ?? outerLines(file, wanted),
  "nine steps (opencode)": (file, wanted, search) =>
    characters(file, search) ??
    seek(file, wanted, trimmed) ??
    outerLinesOfAnyLength(file, wanted) ??
    seek(file, wanted, collapsed) ??
    outerLinesAndHalf(file, wanted),
  "lines and tokens (Gemini CLI)": (file, wanted, search) =>
    characters(file, search) ?? seek(file, wanted, trimmed) ?? tokens(file, wanted),
  "four strictnesses (Codex)": (file, wanted) =>
    seek(file, wanted, same) ??
    seek(file, wanted, (line) => line.trimEnd()) ??
    seek(file, wanted, trimmed) ??
    seek(file, wanted, typed),
};

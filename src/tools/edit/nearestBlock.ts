/** The block of a file that is most like a text which is not there, for a model that corrects its call. Time is linear in the file. */
import type { TimeSlices } from "../../base/async/timeSlices";
import { lineAt, splitLines, type TextLines } from "./textLines";

/** Lines by their index, `end` excluded. */
export interface Block {
  readonly first: number;
  readonly end: number;
  /** The first line of it that differs, and the one of the wanted text beside it. */
  readonly differs?: { readonly line: number; readonly wanted: string };
}

/** Wanted lines that are compared; the best places that are compared line by line; words of a line. */
const bounds = { wanted: 200, places: 3, words: 24 };
/** Lines around the block, and of it at most; characters of a line. */
const shown = { around: 3, lines: 60, length: 300 };

interface Word {
  /** Rare words of the file weigh more. */
  weight: number;
  /** In the wanted text. */
  readonly wanted: number;
  inFile: number;
}

/** `undefined` where no word is in both. */
export async function findNearest(file: TextLines, text: string, slices: TimeSlices): Promise<Block | undefined> {
  const wanted = withoutBlankEdges(splitLines(text)).slice(0, bounds.wanted);
  const words = await countWords(file, wanted, slices);
  const starts = await bestWindows(file, words, wanted.length, slices);
  const wantedWords = wanted.map((line) => wordsOf(line));
  let best: (Block & { readonly score: number }) | undefined;
  for (const start of starts) {
    const slack = Math.ceil(wanted.length / 2);
    const from = Math.max(0, start - slack);
    const to = Math.min(file.count, start + wanted.length + slack);
    const its = Array.from({ length: to - from }, (_, at) => wordsOf(lineAt(file, from + at)));
    const block = await align(its, wantedWords, words, slices);
    if (block === undefined || block.score <= (best?.score ?? 0)) continue;
    const { differs } = block;
    best = {
      score: block.score,
      first: from + block.first,
      end: from + block.end,
      ...(differs && { differs: { line: from + differs.line, wanted: wanted[differs.column] ?? "" } }),
    };
  }
  return best;
}

function withoutBlankEdges(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== "");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  return first < 0 ? [] : lines.slice(first, last + 1);
}

/** Words, and the whole line: an equal one is worth more than its words. */
function wordsOf(line: string): readonly string[] {
  const trimmed = line.trim();
  if (trimmed === "") return [];
  const words = trimmed.slice(0, shown.length * 10).match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]+/gu) ?? [];
  return [...words.slice(0, bounds.words), `\n${trimmed}`];
}

async function countWords(
  file: TextLines,
  wanted: readonly string[],
  slices: TimeSlices,
): Promise<ReadonlyMap<string, Word>> {
  const counts = new Map<string, number>();
  for (const line of wanted) for (const word of wordsOf(line)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const words = new Map<string, Word>();
  for (const [word, count] of counts) words.set(word, { weight: 0, wanted: count, inFile: 0 });
  for (let at = 0; at < file.count; at += 1) {
    if (at % 200 === 0 && slices.isSpent) await slices.next();
    for (const word of wordsOf(lineAt(file, at))) {
      const known = words.get(word);
      if (known) known.inFile += 1;
    }
  }
  for (const word of words.values()) word.weight = word.inFile === 0 ? 0 : Math.log2(2 + file.count / word.inFile);
  return words;
}

/** A window of as many lines as are wanted slides over the file once; what counts is the weight of the wanted words in it, each as often as it is wanted. */
async function bestWindows(
  file: TextLines,
  words: ReadonlyMap<string, Word>,
  length: number,
  slices: TimeSlices,
): Promise<readonly number[]> {
  const inWindow = new Map<string, number>();
  const best: { start: number; score: number }[] = [];
  let score = 0;
  const change = (line: string, by: 1 | -1): void => {
    for (const word of wordsOf(line)) {
      const known = words.get(word);
      if (!known || known.weight === 0) continue;
      const before = inWindow.get(word) ?? 0;
      inWindow.set(word, before + by);
      score += known.weight * (Math.min(known.wanted, before + by) - Math.min(known.wanted, before));
    }
  };
  const note = (start: number): void => {
    const near = best.find((one) => Math.abs(one.start - start) < Math.max(1, length / 2));
    if (near) {
      if (score > near.score) Object.assign(near, { start, score });
    } else if (best.length < bounds.places || score > (best.at(-1)?.score ?? 0)) best.push({ start, score });
    best.sort((one, other) => other.score - one.score);
    best.splice(bounds.places);
  };
  for (let at = 0; at < file.count; at += 1) {
    if (at % 200 === 0 && slices.isSpent) await slices.next();
    change(lineAt(file, at), 1);
    if (at >= length) change(lineAt(file, at - length), -1);
    if (score > 0.01) note(Math.max(0, at + 1 - length));
  }
  return best.map(({ start }) => start);
}

interface Aligned {
  readonly first: number;
  readonly end: number;
  readonly differs?: { readonly line: number; readonly column: number };
}

interface Alignment extends Aligned {
  readonly score: number;
}

/** The best local alignment of two lists of lines (Smith, Waterman), in their order and with gaps. */
async function align(
  its: readonly (readonly string[])[],
  wanted: readonly (readonly string[])[],
  words: ReadonlyMap<string, Word>,
  slices: TimeSlices,
): Promise<Alignment | undefined> {
  const width = wanted.length + 1;
  const scores = new Float64Array((its.length + 1) * width);
  const moves = new Uint8Array(scores.length);
  const worth = wanted.map((line) => weightOf(line, words));
  const gap = 0.25;
  let best = 0;
  for (const [row, line] of its.entries()) {
    if (slices.isSpent) await slices.next();
    const own = weightOf(line, words);
    for (const [column, other] of wanted.entries()) {
      const at = (row + 1) * width + column + 1;
      const equal = likeness(line, other, words, own, worth[column] ?? 0);
      const options = [
        0,
        (scores[at - width - 1] ?? 0) + equal - 0.3,
        (scores[at - width] ?? 0) - gap,
        (scores[at - 1] ?? 0) - gap,
      ];
      const top = Math.max(...options);
      scores[at] = top;
      moves[at] = top === 0 ? 0 : options.indexOf(top);
      if (top > (scores[best] ?? 0)) best = at;
    }
  }
  if (best === 0) return undefined;
  return { score: scores[best] ?? 0, ...trace(best, moves, width, its, wanted) };
}

function trace(
  from: number,
  moves: Uint8Array,
  width: number,
  its: readonly (readonly string[])[],
  wanted: readonly (readonly string[])[],
): Aligned {
  const end = Math.floor(from / width);
  let first = end - 1;
  let differs: Aligned["differs"];
  for (let at = from; moves[at] !== 0;) {
    const [line, column] = [Math.floor(at / width) - 1, (at % width) - 1];
    first = line;
    const isSame = moves[at] === 1 && its[line]?.at(-1) === wanted[column]?.at(-1);
    if (!isSame) differs = { line, column };
    at -= moves[at] === 1 ? width + 1 : moves[at] === 2 ? width : 1;
  }
  return { first, end, ...(differs && { differs }) };
}

function weightOf(line: readonly string[], words: ReadonlyMap<string, Word>): number {
  return line.reduce((sum, word) => sum + (words.get(word)?.weight || 1), 0);
}

/** From 0 to 1: the weight of the common words in that of all. */
function likeness(
  one: readonly string[],
  other: readonly string[],
  words: ReadonlyMap<string, Word>,
  weightOfOne: number,
  weightOfOther: number,
): number {
  if (one.length === 0 || other.length === 0) return one.length === other.length ? 0.35 : 0;
  if (one.at(-1) === other.at(-1)) return 1;
  const left = [...other];
  let common = 0;
  for (const word of one) {
    const at = left.indexOf(word);
    if (at < 0) continue;
    left.splice(at, 1);
    common += words.get(word)?.weight ?? 0;
  }
  return (2 * common) / (weightOfOne + weightOfOther);
}

/** The block with three lines around it, each with its name; a long block is cut around its first difference. */
export function quoteBlock(file: TextLines, block: Block, nameOf: (index: number) => string): string {
  const { differs } = block;
  const most = shown.lines - 2 * shown.around;
  const first = Math.max(
    block.first,
    Math.min(block.end - most, (differs?.line ?? block.first) - Math.floor(most / 2)),
  );
  const from = Math.max(0, first - shown.around);
  const to = Math.min(file.count, Math.min(block.end, first + most) + shown.around);
  const lines = Array.from({ length: to - from }, (_, at) => {
    const line = lineAt(file, from + at);
    const cut = line.length > shown.length ? `${line.slice(0, shown.length).toWellFormed()} … (line cut)` : line;
    return `${nameOf(from + at)}\t${cut}`;
  });
  return lines.join("\n");
}

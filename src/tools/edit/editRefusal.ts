/** Why an edit can't be made, with what the model needs to correct its call; an edit and a hunk of a patch have the same reasons. */
import type { TimeSlices } from "../../base/async/timeSlices";
import { ToolRefusal } from "../../domain/tools/tool";
import { cutLine } from "../base/resultLines";
import { type LinesPlace, type TextLines, lineAt, splitLines } from "./textLines";

/** The names of the two texts of a replacement. */
export interface TextNames {
  readonly old: string;
  readonly now: string;
}

const argumentNames: TextNames = { old: "old_text", now: "new_text" };

export class EditRefusal extends ToolRefusal {
  /** Words the refusal for a tool whose texts have other names. */
  readonly describe: (names: TextNames) => string;

  constructor(describe: (names: TextNames) => string) {
    super(describe(argumentNames));
    this.describe = describe;
  }
}

/** The name of the line with that index, as the model is to find it. */
export type NameLine = (index: number) => string;

export function indentRefusal(file: TextLines, place: LinesPlace, nameOf: NameLine): EditRefusal {
  return new EditRefusal(
    ({ old, now }) =>
      `The lines of ${old} are there from line ${nameOf(place.first)} on, but they are indented otherwise among each other. Write ${old} and ${now} with the file's indentation. ${quoted(file, place, nameOf)}`,
  );
}

/** Places that a refusal lists. */
export const maxListedPlaces = 10;

export function listPlaces(lines: readonly number[], nameOf: NameLine): string {
  const names = lines.slice(0, maxListedPlaces).map(nameOf).join(", ");
  return `at lines ${names}${lines.length > maxListedPlaces ? " and more" : ""}`;
}

export function notUniqueRefusal(lines: readonly number[], nameOf: NameLine): EditRefusal {
  return new EditRefusal(
    ({ old }) =>
      `${old} stands in the file more than once: ${listPlaces(lines, nameOf)}. Give more lines around the one that you mean, or set replace_all to change all of them.`,
  );
}

export async function missing(
  file: TextLines,
  oldText: string,
  nameOf: NameLine,
  slices: TimeSlices,
): Promise<EditRefusal> {
  if (file.count === 0) return new EditRefusal(({ old }) => `${old} is not in the file: it is empty.`);
  const block = await findNearest(file, oldText, slices);
  if (!block)
    return new EditRefusal(({ old }) => `${old} is not in the file, nor anything like it. Read the file first.`);
  const range = block.end - block.first > 1 ? `lines ${nameOf(block.first)} to ` : "line ";
  const { differs } = block;
  return new EditRefusal(({ old }) => {
    const difference = differs
      ? ` Line ${nameOf(differs.line)} is the first that differs; ${old} has there: ${JSON.stringify(differs.wanted.slice(0, 200).toWellFormed())}.`
      : "";
    return `${old} is not in the file. Most like it: ${range}${nameOf(block.end - 1)}.${difference} ${quoted(file, block, nameOf)}`;
  });
}

function quoted(file: TextLines, block: Parameters<typeof quoteBlock>[1], nameOf: NameLine): string {
  return `The file reads (line number, tab, line):\n${quoteBlock(file, block, nameOf)}`;
}

/** Lines by their index, `end` excluded. */
export interface LineBlock {
  readonly first: number;
  readonly end: number;
  /** The first line of the block that differs, and the line of the wanted text that it is aligned with. */
  readonly differs?: { readonly line: number; readonly wanted: string };
}

/** `wanted`: lines that are compared. `short`: so few are compared with each line of the file. `places`: the best ones, aligned line by line. */
const refusalBounds = { wanted: 200, short: 3, places: 3, words: 24, characters: 200 };
/** Lines around the block, lines in all at most, and characters of a line. */
const shown = { around: 3, lines: 60, length: 300 };

interface Word {
  /** Rare words of the file weigh more. */
  weight: number;
  /** How often the wanted text has it. */
  readonly wanted: number;
  inFile: number;
}

/** Finds the block most like the text; `undefined` where nothing of it is in the file. */
async function findNearest(file: TextLines, text: string, slices: TimeSlices): Promise<LineBlock | undefined> {
  const wanted = withoutBlankEdges(splitLines(text)).slice(0, refusalBounds.wanted);
  const words = await countWords(file, wanted, slices);
  const compared = wanted.map((line) => readLine(line, words));
  const starts =
    wanted.length <= refusalBounds.short
      ? await likestLines(file, compared, words, slices)
      : await bestWindows(file, words, wanted.length, slices);
  let best: (LineBlock & { readonly score: number }) | undefined;
  for (const start of starts) {
    const slack = Math.ceil(wanted.length / 2);
    const from = Math.max(0, start - slack);
    const to = Math.min(file.count, start + wanted.length + slack);
    const its = Array.from({ length: to - from }, (_, at) => readLine(lineAt(file, from + at), words));
    const block = await align(its, compared, slices);
    if (block === undefined || block.score <= (best?.score ?? 0)) continue;
    const { differs } = block;
    best = {
      score: block.score,
      first: from + block.first,
      end: from + block.end,
      ...(differs && { differs: { line: from + differs.line, wanted: wanted[differs.column] ?? "" } }),
    };
  }
  const [start] = starts;
  // Where no lines are more than half alike, the best start is named.
  return best ?? (start === undefined ? undefined : { first: start, end: Math.min(file.count, start + wanted.length) });
}

/** A line to be compared. */
interface ReadLine {
  readonly text: string;
  /** Its pairs of characters, sorted. */
  readonly pairs: Uint32Array;
  /** The score of an equal line: higher where the file has few of them. */
  readonly worth: number;
}

function readLine(line: string, words: ReadonlyMap<string, Word>): ReadLine {
  const text = line.trim();
  const compared = text.slice(0, refusalBounds.characters);
  const pairs = new Uint32Array(Math.max(0, compared.length - 1));
  for (let at = 0; at < pairs.length; at += 1)
    pairs[at] = compared.charCodeAt(at) * 65_536 + compared.charCodeAt(at + 1);
  const whole = words.get(`\n${text}`);
  return { text, pairs: pairs.sort(), worth: whole === undefined || whole.inFile === 0 ? 1 : 1 + 2 / whole.inFile };
}

/** The share of the pairs of characters, from 0 to 1, that two lines have in common (Dice). */
function likeness(one: ReadLine, other: ReadLine): number {
  if (one.text === other.text) return 1;
  let common = 0;
  for (let at = 0, there = 0; at < one.pairs.length && there < other.pairs.length;) {
    const [left = 0, right = 0] = [one.pairs[at], other.pairs[there]];
    if (left === right) common += 1;
    if (left <= right) at += 1;
    if (right <= left) there += 1;
  }
  return common === 0 ? 0 : (2 * common) / (one.pairs.length + other.pairs.length);
}

/** Compares each line of the file with each of a few wanted lines. */
async function likestLines(
  file: TextLines,
  wanted: readonly ReadLine[],
  words: ReadonlyMap<string, Word>,
  slices: TimeSlices,
): Promise<readonly number[]> {
  const best = new BestStarts(1);
  for (let at = 0; at < file.count; at += 1) {
    if (at % 200 === 0 && slices.isSpent) await slices.next();
    const line = readLine(lineAt(file, at), words);
    if (line.text === "") continue;
    for (const [offset, other] of wanted.entries())
      best.note(Math.max(0, at - offset), likeness(line, other) * line.worth);
  }
  return best.starts;
}

/** The places with the highest scores, none near another. */
class BestStarts {
  #best: { start: number; score: number }[] = [];
  readonly #distance: number;

  constructor(distance: number) {
    this.#distance = distance;
  }

  note(start: number, score: number): void {
    if (score < 0.01 || (this.#best.length === refusalBounds.places && score <= (this.#best.at(-1)?.score ?? 0)))
      return;
    const near = this.#best.find((one) => Math.abs(one.start - start) < this.#distance);
    if (near && score <= near.score) return;
    this.#best = [...this.#best.filter((one) => one !== near), { start, score }]
      .sort((one, other) => other.score - one.score)
      .slice(0, refusalBounds.places);
  }

  get starts(): readonly number[] {
    return this.#best.map(({ start }) => start);
  }
}

function withoutBlankEdges(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== "");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  return first < 0 ? [] : lines.slice(first, last + 1);
}

/** The weight of a whole line, in words. */
const wholeLine = 4;

/** The words, and the whole line, because an equal line counts more than its words. */
function wordsOf(line: string): readonly string[] {
  const trimmed = line.trim();
  if (trimmed === "") return [];
  const words = trimmed.slice(0, shown.length * 10).match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]+/gu) ?? [];
  return [...words.slice(0, refusalBounds.words), `\n${trimmed}`];
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
  for (const [text, word] of words) {
    const rarity = word.inFile === 0 ? 0 : Math.log2(2 + file.count / word.inFile);
    word.weight = text.startsWith("\n") ? wholeLine * rarity : rarity;
  }
  return words;
}

/** Slides a window of the wanted length over the file once, scored by the weight of the wanted words in it, each as often as it is wanted. */
async function bestWindows(
  file: TextLines,
  words: ReadonlyMap<string, Word>,
  length: number,
  slices: TimeSlices,
): Promise<readonly number[]> {
  const inWindow = new Map<string, number>();
  const best = new BestStarts(Math.max(1, length / 2));
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
  for (let at = 0; at < file.count; at += 1) {
    if (at % 200 === 0 && slices.isSpent) await slices.next();
    change(lineAt(file, at), 1);
    if (at >= length) change(lineAt(file, at - length), -1);
    best.note(Math.max(0, at + 1 - length), score);
  }
  return best.starts;
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
  its: readonly ReadLine[],
  wanted: readonly ReadLine[],
  slices: TimeSlices,
): Promise<Alignment | undefined> {
  const width = wanted.length + 1;
  const scores = new Float64Array((its.length + 1) * width);
  const moves = new Uint8Array(scores.length);
  let best = 0;
  for (const [row, line] of its.entries()) {
    if (slices.isSpent) await slices.next();
    for (const [column, other] of wanted.entries()) {
      const at = (row + 1) * width + column + 1;
      const options = [
        0,
        (scores[at - width - 1] ?? 0) + pairScore(line, other),
        (scores[at - width] ?? 0) - gapCost,
        (scores[at - 1] ?? 0) - gapCost,
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

const gapCost = 0.2;

/** Scores two lines, which are worth nothing where they are half alike. */
function pairScore(one: ReadLine, other: ReadLine): number {
  if (one.text === other.text) return one.text === "" ? 0 : one.worth;
  return one.text === "" || other.text === "" ? -gapCost : likeness(one, other) ** 2 - 0.25;
}

function trace(
  from: number,
  moves: Uint8Array,
  width: number,
  its: readonly ReadLine[],
  wanted: readonly ReadLine[],
): Aligned {
  const end = Math.floor(from / width);
  let first = end - 1;
  let differs: Aligned["differs"];
  for (let at = from; moves[at] !== 0;) {
    const [line, column] = [Math.floor(at / width) - 1, (at % width) - 1];
    first = line;
    const isSame = moves[at] === 1 && its[line]?.text === wanted[column]?.text;
    if (!isSame) differs = { line, column };
    at -= moves[at] === 1 ? width + 1 : moves[at] === 2 ? width : 1;
  }
  return { first, end, ...(differs && { differs }) };
}

/** The block with three lines around it, each with its name; a long block is cut around its first difference. */
function quoteBlock(file: TextLines, block: LineBlock, nameOf: (index: number) => string): string {
  const { differs } = block;
  const most = shown.lines - 2 * shown.around;
  const first = Math.max(
    block.first,
    Math.min(block.end - most, (differs?.line ?? block.first) - Math.floor(most / 2)),
  );
  const from = Math.max(0, first - shown.around);
  const to = Math.min(file.count, Math.min(block.end, first + most) + shown.around);
  const lines = Array.from(
    { length: to - from },
    (_, at) => `${nameOf(from + at)}\t${cutLine(lineAt(file, from + at), shown.length)}`,
  );
  return lines.join("\n");
}

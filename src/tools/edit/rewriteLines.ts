/**
 * Writes the new text of lines that were found under a tolerance: what the model left unchanged stays as the file has it, and
 * what is new gets the file's indentation and quotes. Pure; time is linear but for the comparison of a call's two texts, which is bounded.
 */
import { diffArrays } from "diff";
import type { Repair } from "../../domain/chat/chat";
import { EditRefusal } from "./editRefusal";
import { indentOf, lineAt, lineEndAt, type LinesPlace, splitLines, type TextLines } from "./textLines";
import { plainCharacters, type TextReplacement } from "./tolerances";

export interface Rewritten {
  /** Offsets in the file. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly repairs: ReadonlySet<Repair>;
}

/** `lines`: of both texts. `changes`: how many may differ; above either only the common beginning and end count as unchanged. */
const diffBounds = { lines: 4000, changes: 200 };

/** Whether the lines of the file are indented among each other as those of the model are. */
export function isIndentedAlike(
  file: TextLines,
  place: LinesPlace,
  skipsBlank: boolean,
  wanted: TextReplacement,
): boolean {
  const old = splitLines(wanted.oldText);
  const pairs = pairLines(file, place, old, skipsBlank);
  return indentOfPlace(file, pairs, [...old, ...splitLines(wanted.newText)]) !== undefined;
}

export function rewriteLines(
  file: TextLines,
  place: LinesPlace,
  skipsBlank: boolean,
  wanted: TextReplacement,
  lineEnd: string,
): Rewritten {
  const old = splitLines(wanted.oldText);
  const now = splitLines(wanted.newText);
  const pairs = pairLines(file, place, old, skipsBlank);
  const style = new FileStyle(pairs, indentOfPlace(file, pairs, [...old, ...now]) ?? (() => undefined));
  const lines = emitLines(pairs, old, now, style);
  const start = file.starts[place.first] ?? 0;
  const end = file.nexts[place.end - 1] ?? start;
  return { start, end, text: withOwnEnds(file, place, lines, lineEnd), repairs: style.repairs };
}

/** Unchanged lines keep their line ends, of whatever kind; a new line gets the line end of the line that it replaces. */
function withOwnEnds(file: TextLines, { first, end }: LinesPlace, lines: readonly string[], lineEnd: string): string {
  const count = end - first;
  const shared = Math.min(count, lines.length);
  let front = 0;
  while (front < shared && lines[front] === lineAt(file, first + front)) front += 1;
  let back = 0;
  while (back < shared - front && lines[lines.length - 1 - back] === lineAt(file, end - 1 - back)) back += 1;
  const indexOf = (at: number): number =>
    at >= lines.length - back ? end - (lines.length - at) : first + Math.min(at, count - 1);
  // The last line of a file may have no end.
  const isOpen = lineEndAt(file, end - 1) === undefined;
  return lines
    .map((line, at) => line + (isOpen && at === lines.length - 1 ? "" : (lineEndAt(file, indexOf(at)) ?? lineEnd)))
    .join("");
}

/** A line of the model's old text, and the line of the file that it was found as. */
interface LinePair {
  readonly old: string;
  /** Missing for a blank line that the file does not have. */
  readonly file?: string;
  /** How many blank lines the file has behind it that the model left out. */
  readonly extra: number;
}

function pairLines(
  file: TextLines,
  { indexes }: LinesPlace,
  old: readonly string[],
  skipsBlank: boolean,
): readonly LinePair[] {
  let next = 0;
  /** The index of the line after the one that was found before. */
  let at = 0;
  return old.map((line, position) => {
    const isFound = !skipsBlank || line.trim() !== "";
    if (isFound) {
      at = indexes[next] ?? at;
      next += 1;
    } else if (next === 0 || at >= (indexes[next] ?? 0)) return { old: line, extra: 0 };
    const its = lineAt(file, at);
    at += 1;
    const following = old[position + 1]?.trim() ?? "";
    // All that lies before the next wanted line is blank.
    const extra = following === "" ? 0 : Math.max(0, (indexes[next] ?? at) - at);
    return { old: line, file: its, extra };
  });
}

function emitLines(
  pairs: readonly LinePair[],
  old: readonly string[],
  now: readonly string[],
  style: FileStyle,
): readonly string[] {
  const lines: string[] = [];
  const addBlank = ({ extra = 0 }: Partial<LinePair> = {}): void => {
    for (let line = 0; line < extra; line += 1) lines.push("");
  };
  let at = 0;
  for (const { removed, added, kept } of hunksOf(old, now)) {
    const gone = pairs.slice(at, at + removed);
    const around = pairs.slice(Math.max(0, at - 1), at + removed);
    // Blank lines in the new text stand for those that the old text left out.
    const isWritten = added.some((line) => line.trim() === "") && around.some(({ extra }) => extra > 0);
    if (removed === added.length && !isWritten) {
      addBlank(pairs[at - 1]);
      for (const [index, line] of added.entries()) {
        const pair = gone[index];
        lines.push(pair?.file === undefined ? style.move(line) : style.merge(pair.old, line, pair.file));
        addBlank(pair);
      }
    } else {
      if (added.length === 0) around.forEach(addBlank);
      else if (!isWritten) refuseUnclearBlank(around);
      // They are pushed one by one, because the stack has no room for a hundred thousand arguments.
      for (const line of added) lines.push(style.move(line));
    }
    at += removed;
    const stays = pairs.slice(at, at + kept);
    at += kept;
    for (const pair of stays) {
      if (pair.file !== undefined) lines.push(pair.file);
      // Blank lines after the last one are decided with the hunk that follows.
      if (pair !== stays.at(-1) || at === old.length) addBlank(pair);
    }
  }
  return lines;
}

/** Refuses new lines next to a blank line that the model left out: whether they go before or behind it is clear only where the new text has it. */
function refuseUnclearBlank(around: readonly LinePair[]): void {
  if (around.every(({ extra }) => extra === 0)) return;
  throw new EditRefusal(
    ({ old }) =>
      `The file has a blank line that ${old} leaves out, and whether the new lines go before or behind it is not clear. Write ${old} with all blank lines.`,
  );
}

/** How many lines of the old text are removed, the lines that replace them, and how many unchanged lines follow. */
interface LineChange {
  readonly removed: number;
  readonly added: readonly string[];
  readonly kept: number;
}

function hunksOf(old: readonly string[], now: readonly string[]): readonly LineChange[] {
  const isShort = old.length + now.length <= diffBounds.lines;
  const parts = isShort ? diffArrays([...old], [...now], { maxEditLength: diffBounds.changes }) : undefined;
  if (parts === undefined) return edgesOf(old, now);
  const hunks: { removed: number; added: string[]; kept: number }[] = [{ removed: 0, added: [], kept: 0 }];
  for (const { added, removed, value } of parts) {
    let hunk = hunks.at(-1);
    if ((added || removed) && hunk !== undefined && hunk.kept > 0)
      hunks.push((hunk = { removed: 0, added: [], kept: 0 }));
    if (hunk === undefined) continue;
    if (added) for (const line of value) hunk.added.push(line);
    else if (removed) hunk.removed += value.length;
    else hunk.kept += value.length;
  }
  return hunks;
}

function edgesOf(old: readonly string[], now: readonly string[]): readonly LineChange[] {
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const added = now.slice(start, now.length - end);
  return [
    { removed: 0, added: [], kept: start },
    { removed: old.length - start - end, added, kept: end },
  ];
}

function commonLines(pairs: readonly LinePair[]): readonly (readonly [old: string, its: string])[] {
  return pairs.flatMap(({ old, file }) => (file === undefined ? [] : [[old, file] as const]));
}

function indentOfPlace(file: TextLines, pairs: readonly LinePair[], written: readonly string[]): IndentMap | undefined {
  const lines = commonLines(pairs).filter(([old]) => old.trim() !== "");
  const indents = written.filter((line) => line.trim() !== "").map(indentOf);
  return mapIndentation(
    lines.map(([old, its]) => [indentOf(old), indentOf(its)] as const),
    indents,
    file,
  );
}

/** Writes lines of the model in the style of the file, and collects what was repaired. */
class FileStyle {
  readonly repairs = new Set<Repair>();
  readonly #indent: IndentMap;
  readonly #writeQuotes: (text: string) => string;
  /** Whether the model put blanks at the end of lines that have none. */
  readonly #isTrimmed: boolean;

  constructor(pairs: readonly LinePair[], indent: IndentMap) {
    const both = commonLines(pairs);
    const lines = both.filter(([old]) => old.trim() !== "");
    this.#indent = indent;
    this.#isTrimmed = lines.some(([old, its]) => old.trimEnd() !== old && its.trimEnd() === its);
    for (const [old, its] of both) this.#compare(old, its);
    if (pairs.some(({ extra, file: its }) => extra > 0 || its === undefined)) this.repairs.add("blank-lines");
    this.#writeQuotes = quotesOf(lines);
  }

  #compare(old: string, its: string): void {
    if (old === its) return;
    if (old.trimEnd() === its.trimEnd()) this.repairs.add("trailing-blanks");
    else if (indentOf(old) !== indentOf(its)) this.repairs.add("indentation");
    if (old.trim() === its.trim()) return;
    if (plainCharacters(old) !== plainCharacters(its) && plainCharacters(old.trim()) !== plainCharacters(its.trim()))
      this.repairs.add("inner-blanks");
    if (withoutBlanks(old) !== withoutBlanks(its)) this.repairs.add("quotes");
  }

  /** Writes a line that the model added. */
  move(line: string): string {
    if (line.trim() === "") return this.#isTrimmed ? "" : line;
    const text = this.#writeQuotes(line.slice(indentOf(line).length));
    return this.#indentOf(line) + (this.#isTrimmed ? text.trimEnd() : text);
  }

  /** Writes a line that replaces one of the file: the parts that the model left unchanged stay as the file has them. */
  merge(old: string, now: string, its: string): string {
    if (now.trim() === "" || old.trim() === "") return this.move(now);
    const indent = indentOf(now) === indentOf(old) ? indentOf(its) : this.#indentOf(now);
    const written = now.slice(indentOf(now).length);
    const [from, to, target] = [old.trim(), this.#isTrimmed ? written.trimEnd() : written, its.trim()];
    const { start, end } = commonEdges(from, to);
    const before = lengthAside(target, from.slice(0, start));
    const behind = lengthAside(reverse(target), reverse(from.slice(from.length - end)));
    const middle = target.slice(before, Math.max(before, target.length - behind));
    // Blanks of the file at the edges of the change are kept where the model's line does not have them.
    const replaced = from.slice(start, from.length - end);
    const lead = /^\s/.test(replaced) ? "" : (/^\s*/.exec(middle)?.[0] ?? "");
    const trail = replaced === "" || /\s$/.test(replaced) ? "" : middle.slice(middle.trimEnd().length);
    const changed = this.#writeQuotes(to.slice(start, to.length - end));
    return [indent, target.slice(0, before), lead, changed, trail, target.slice(before + middle.length)].join("");
  }

  #indentOf(line: string): string {
    const indent = this.#indent(indentOf(line));
    if (indent !== undefined) return indent;
    throw new EditRefusal(
      ({ old, now }) =>
        `The indentation of ${old} differs from the file's, and it does not follow how ${now} is to be indented at: ${JSON.stringify(line.slice(0, 100))}. Write both with the file's own indentation.`,
    );
  }
}

/** How many characters two texts begin and end with in common. */
function commonEdges(one: string, other: string): { readonly start: number; readonly end: number } {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  return { start, end };
}

/** Writes the new text in the place of `its`, a text of the file that differs from the old text in its quotes, one for one. */
export function rewriteQuotes(old: string, now: string, its: string): string {
  const { start, end } = commonEdges(old, now);
  const written = quotesOf([[old, its]])(now.slice(start, now.length - end));
  return its.slice(0, start) + written + its.slice(its.length - end);
}

/** Returns what writes the quotes and dashes of a text of the model as the file does. */
function quotesOf(lines: readonly (readonly [old: string, its: string])[]): (text: string) => string {
  const others = new Set(lines.flatMap(([old, its]) => otherCharacters(old, its)));
  if (others.size === 0) return (text) => text;
  const isPlain = lines.every(([, its]) => plainCharacters(its) === its);
  // Only signs of the kinds that differ are replaced: where quotes differ, a dash may be meant.
  const meant = new Set(Array.from(others, (sign) => plainCharacters(sign)));
  const isQuoted = meant.has("'") || meant.has('"');
  if (isQuoted) for (const sign of ["'", '"']) meant.add(sign);
  return (text) => {
    const unclear = isPlain ? nestedQuote(text) : Array.from(text).find((sign) => others.has(sign));
    if (unclear === undefined) return isPlain ? plainCharacters(text, meant) : text;
    throw new EditRefusal(
      ({ old, now }) =>
        `The file has other quotes or dashes there than ${old}, and which of them ${now} means by ${unclear} is not clear. Write both with the file's own characters.`,
    );
  };
}

/** Finds a typographic quote within others: with one typed character for both, the outer quotation would end there. */
function nestedQuote(text: string): string | undefined {
  let depth = 0;
  for (const sign of text.match(/[“”\n]/g) ?? []) {
    depth = sign === "“" ? depth + 1 : 0;
    if (depth > 1) return sign;
  }
  return undefined;
}

function withoutBlanks(line: string): string {
  return line.replace(/\s+/g, "");
}

/** The characters of the first line for which the second one has others. */
function otherCharacters(old: string, its: string): readonly string[] {
  const [one, other] = [withoutBlanks(old), withoutBlanks(its)];
  if (one === other) return [];
  return Array.from({ length: one.length }, (_, at) => one.charAt(at)).filter((sign, at) => sign !== other.charAt(at));
}

/** The length of the beginning of `text` that has the same characters as `part`, white space not counted. */
function lengthAside(text: string, part: string): number {
  const count = withoutBlanks(part).length;
  let at = 0;
  for (let seen = 0; seen < count && at < text.length; at += 1) if (!/\s/.test(text.charAt(at))) seen += 1;
  if (/\s$/.test(part)) while (at < text.length && /\s/.test(text.charAt(at))) at += 1;
  return at;
}

/** Reverses by UTF-16 code units, because the result is reversed again. */
function reverse(text: string): string {
  return text.split("").reverse().join("");
}

/** An indentation of the model's text, and that of the same line in the file. */
export type IndentPair = readonly [model: string, file: string];

/** `undefined` where the indentation does not follow from the common lines, or would be left of the first column. */
type IndentMap = (model: string) => string | undefined;

/** Lines of a file by which its unit is found. */
const sampledLines = 5000;
/** Blanks that a level of indentation may have in a model's text. */
const units: ReadonlySet<number> = new Set([2, 3, 4, 8]);

/**
 * Maps an indentation that a common line has to that of this line in the file. Any other one is computed linearly, with each
 * slope that the units of both texts allow and that fits the common lines, provided that these slopes agree.
 * `written`: the indentations of all lines that the model wrote. `undefined` where the common lines are deeper in one text and not in the other.
 */
function mapIndentation(
  pairs: readonly IndentPair[],
  written: readonly string[],
  file: TextLines,
): IndentMap | undefined {
  // Nothing was moved: what the model wrote is meant as it is.
  if (pairs.every(([model, its]) => model === its)) return (model) => model;
  const known = new Map<string, string | undefined>();
  for (const [model, its] of pairs) {
    const isSame = !known.has(model) || known.get(model) === its;
    known.set(model, isSame ? its : undefined);
  }
  // A text that lost its indentation has one depth for several of the file: then only lines that are there already can be kept.
  if (known.size === 1 && known.values().next().value === undefined) return nowhere;
  const spread = spreadIndentation(pairs, written, file);
  return spread && ((model) => (known.has(model) ? known.get(model) : spread(model)));
}

const nowhere: IndentMap = () => undefined;

function spreadIndentation(
  pairs: readonly IndentPair[],
  written: readonly string[],
  file: TextLines,
): IndentMap | undefined {
  const modelSign = signOf(written) ?? " ";
  const unit = unitOf(file);
  const fileSign = signOf(pairs.map(([, its]) => its)) ?? (unit.sign || modelSign);
  const [first, ...others] = pairs.map(([model, its]) => [model.length, its.length] as const);
  if (modelSign === "mixed" || fileSign === "mixed" || first === undefined) return undefined;
  const [from, to] = first;
  const slopes = possibleSlopes({
    modelSign,
    fileSign,
    from,
    to,
    step: stepOf(written.map(({ length }) => length)),
    width: unit.width,
  });
  const fitting = slopes.filter((slope) => others.every(([model, its]) => round(to + slope * (model - from)) === its));
  if (fitting.length === 0) return undefined;
  return (model) => {
    const found = new Set(fitting.map((slope) => round(to + slope * (model.length - from))));
    const [length = -1] = found;
    return found.size === 1 && length >= 0 && Number.isInteger(length) ? fileSign.repeat(length) : undefined;
  };
}

/** Rounds, because a slope such as a third is no exact number. */
function round(columns: number): number {
  return Number(columns.toFixed(6));
}

/** The signs and columns of one common line. */
interface Depths {
  readonly modelSign: string;
  readonly fileSign: string;
  readonly from: number;
  readonly to: number;
  /** Columns of a level in the model's text, and in the file. */
  readonly step: number;
  readonly width: number;
}

/** The possible numbers of columns of the file for each column of the model's text. */
function possibleSlopes({ modelSign, fileSign, from, to, step, width }: Depths): readonly number[] {
  const ofOrigin = from > 0 && to > 0 ? [to / from] : [];
  if (modelSign !== fileSign) return modelSign === "\t" ? [width, ...ofOrigin] : [1 / step, ...ofOrigin];
  return modelSign === " " && units.has(step) ? [1, width / step] : [1];
}

/** `undefined` where nothing is indented. */
function signOf(indents: readonly string[]): " " | "\t" | "mixed" | undefined {
  const all = indents.join("");
  if (all === "") return undefined;
  if (!all.includes("\t")) return " ";
  return all.includes(" ") ? "mixed" : "\t";
}

/** The largest step of which all depths are multiples from the least one. */
function stepOf(lengths: readonly number[]): number {
  const least = lengths.reduce((one, other) => Math.min(one, other), Infinity);
  return lengths.reduce((step, length) => commonDivisor(step, length - least), 0) || 1;
}

function commonDivisor(one: number, other: number): number {
  return other === 0 ? one : commonDivisor(other, one % other);
}

/** The indentation that most lines of a file add where they go one level deeper. */
function unitOf(file: TextLines): { readonly sign: "" | " " | "\t"; readonly width: number } {
  const counts = new Map<string, number>();
  let before = "";
  for (let at = 0; at < Math.min(file.count, sampledLines); at += 1) {
    const line = lineAt(file, at);
    if (line.trim() === "") continue;
    const indent = indentOf(line);
    if (indent.length > before.length && indent.startsWith(before)) {
      const added = indent.slice(before.length);
      counts.set(added, (counts.get(added) ?? 0) + 1);
    }
    before = indent;
  }
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  if (most === undefined) return { sign: "", width: 4 };
  return most[0].startsWith("\t") ? { sign: "\t", width: 1 } : { sign: " ", width: most[0].length };
}

/** Moves lines of a model to the indentation of a file: all of them by one amount, in the unit of the file. Pure. */
import { indentOf, lineAt, type TextLines } from "./textLines";

/** An indentation of the model's text, and that of the same line in the file. */
export type IndentPair = readonly [model: string, file: string];

/** `undefined`: it does not follow from the lines that both have, or would be left of the first column. */
export type IndentMap = (model: string) => string | undefined;

/** Lines of a file by which its unit is found. */
const sampledLines = 5000;
/** Blanks that a level of indentation may have in a model's text. */
const units: ReadonlySet<number> = new Set([2, 3, 4, 8]);

/**
 * An indentation that a common line has is moved as that line is. Any other one lies on the line through them; where they
 * have one depth only, on each line that the units of both texts allow, provided that these agree.
 * `written`: the indentations of all lines that the model wrote. `undefined` where the common lines are deeper in one text and not in the other.
 */
export function mapIndentation(
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
  // A text that lost its indentation has one depth for several: then only lines that are there already can be kept.
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

/** A third is no exact number. */
function round(columns: number): number {
  return Number(columns.toFixed(6));
}

/** Of one common line: its signs and columns. */
interface Depths {
  readonly modelSign: string;
  readonly fileSign: string;
  readonly from: number;
  readonly to: number;
  /** Columns of a level in the model's text, and in the file. */
  readonly step: number;
  readonly width: number;
}

/** Columns of the file for each one of the model's text. */
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

/** What most lines of a file that go one level deeper add. */
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

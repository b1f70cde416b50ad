/** A Jupyter notebook for a model: its cells with their text outputs, and an edit within one cell that leaves every other byte of the file. */
import * as z from "zod/mini";
import type { TimeSlices } from "../../base/async/timeSlices";
import { ToolRefusal } from "../../domain/tools/tool";
import { lineRanges } from "../base/resultLines";
import { applyEdit, type EditedText, type TextEdit } from "./applyEdit";

/** The schema of a list that ends at the first wrong item: that of zod adds an issue for each. */
function listOf<T>(item: z.ZodMiniType<T>): z.ZodMiniType<T[]> {
  return z.custom<T[]>((value) => Array.isArray(value) && value.every((one) => item.safeParse(one).success));
}

const isLines = (value: unknown): value is string | string[] =>
  typeof value === "string" || (Array.isArray(value) && value.every((line) => typeof line === "string"));
const lines = z.custom<string | string[]>(isLines);
const outputSchema = z.looseObject({
  text: z.optional(lines),
  data: z.optional(z.record(z.string(), z.unknown())),
  ename: z.optional(z.string()),
  evalue: z.optional(z.string()),
});
const notebookSchema = z.looseObject({
  cells: listOf(z.looseObject({ cell_type: z.string(), source: lines, outputs: z.optional(listOf(outputSchema)) })),
});
type NotebookFile = z.infer<typeof notebookSchema>;
type Cell = NotebookFile["cells"][number];

/** Characters of one cell's outputs. */
const maxOutputLength = 2000;
/** Values in the file's JSON. So many take up to 300 ms to parse and check. */
const maxValues = 500_000;

export function isNotebook(label: string): boolean {
  return /\.ipynb$/i.test(label);
}

/** The cells, numbered from 1, as text; `undefined` when the file is none that can be read as a notebook. */
export function describeNotebook(text: string): string | undefined {
  const cells = parseNotebook(text)?.cells;
  return cells
    ?.flatMap((cell, at) => [
      `(cell ${at + 1} of ${cells.length}: ${cell.cell_type})`,
      joinLines(cell.source),
      ...describeOutput(cell),
    ])
    .join("\n");
}

/** A line between two cells: no text of a model can have it. */
const boundary = "\0";
const betweenCells = /\n?\0\n/;

/** Edits within the source of one cell, like `applyEdit`. */
export async function editCell(content: string, edit: TextEdit, slices: TimeSlices): Promise<EditedText> {
  const notebook = parseNotebook(content);
  const spans = notebook && findSources(content);
  if (!notebook || spans?.size !== notebook.cells.length) {
    throw new ToolRefusal(
      "This notebook can't be read, so it can't be changed. Give the person the new code of the cell in your answer.",
    );
  }
  if ((edit.oldText + edit.newText).includes(boundary)) throw new ToolRefusal("old_text holds what no text can hold.");
  const sources = notebook.cells.map(({ source }) => joinLines(source));
  const { text, repairs } = await editSources(sources, edit, slices);
  // Python escapes such letters by default: an added one would be the only one that is not escaped.
  const isAscii = !/[\u0080-\uffff]/.test(content) && /\\u[0-9a-f]{4}/i.test(content);
  const edited = text.split(betweenCells);
  // An edit that takes a line feed of a boundary joins two cells, or leaves the boundary within one.
  if (edited.length !== sources.length || edited.some((source) => source.includes(boundary))) {
    throw new ToolRefusal(
      "old_text reaches beyond its cell. Leave out the line break before the first line of the cell, and edit one cell in each call.",
    );
  }
  const parts: string[] = [];
  let at = 0;
  for (const [index, { start, end }] of [...spans].toSorted(([one], [other]) => one - other)) {
    const source = edited[index] ?? "";
    if (source === sources[index]) continue;
    parts.push(content.slice(at, start), writeSource(source, content.slice(start, end), isAscii));
    at = end;
  }
  return { text: parts.join("") + content.slice(at), repairs };
}

/** All cells as one text, so that an edit that fits in several of them is refused. */
async function editSources(sources: readonly string[], edit: TextEdit, slices: TimeSlices): Promise<EditedText> {
  const starts: number[] = [];
  let lines = 0;
  for (const source of sources) {
    if (slices.isSpent) await slices.next();
    starts.push(lines);
    lines += countLines(source) + 1;
  }
  const nameOf = (index: number): string => {
    const cell = starts.findLastIndex((start) => start <= index);
    return `cell ${cell + 1}:${index - (starts[cell] ?? 0) + 1}`;
  };
  try {
    return await applyEdit(sources.join(`\n${boundary}\n`), edit, slices, nameOf);
  } catch (error) {
    if (error instanceof ToolRefusal) throw new ToolRefusal(error.message.replaceAll(boundary, "(the next cell)"));
    throw error;
  }
}

function countLines(text: string): number {
  let count = 0;
  const ranges = lineRanges(text);
  while (ranges.next().done !== true) count += 1;
  return count;
}

/** Returns the value as it was parsed, because what the schema returns has its members in another order. */
function parseNotebook(text: string): NotebookFile | undefined {
  if (countValues(text) > maxValues)
    throw new ToolRefusal(
      `This notebook has more than ${maxValues.toLocaleString("en")} values, which is too many to read it.`,
    );
  try {
    const value: unknown = JSON.parse(text);
    return isNotebookFile(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** An upper bound on the values in JSON; the count ends one above `maxValues`. */
function countValues(text: string): number {
  let count = 1;
  for (let at = 0; at < text.length && count <= maxValues; at += 1) {
    const code = text.charCodeAt(at);
    if (code === comma || code === bracket || code === brace) count += 1;
  }
  return count;
}

const [comma, bracket, brace] = Array.from(",[{", (sign) => sign.charCodeAt(0));

function isNotebookFile(value: unknown): value is NotebookFile {
  return notebookSchema.safeParse(value).success;
}

function joinLines(source: Cell["source"]): string {
  return typeof source === "string" ? source : source.join("");
}

/** Text only: pictures are named by their type. */
function describeOutput({ outputs = [] }: Cell): readonly string[] {
  const texts = outputs.map(({ text, data = {}, ename, evalue = "" }) => {
    if (text !== undefined) return joinLines(text);
    if (ename !== undefined) return `${ename}: ${evalue}`;
    const plain = lines.safeParse(data["text/plain"]);
    const others = Object.keys(data).filter((type) => type !== "text/plain");
    return [...(plain.success ? [joinLines(plain.data)] : []), ...others.map((type) => `(${type}: not shown)`)].join(
      "\n",
    );
  });
  const whole = texts.join("\n").trimEnd();
  if (whole === "") return [];
  const cut =
    whole.length > maxOutputLength ? `${whole.slice(0, maxOutputLength).toWellFormed()}\n(output cut)` : whole;
  return ["(output)", cut];
}

/** Offsets of a value. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

interface Container {
  readonly isList: boolean;
  /** The key of the member that is read; in a list, its index. */
  key: string;
  index: number;
  /** Whether the next text of an object is a key. */
  isAtKey: boolean;
}

/** Finds the source of each cell, by the index of the cell; of a member that is there twice the last one counts, as for the parser. */
function findSources(text: string): ReadonlyMap<number, Span> {
  const found = new Map<number, Span>();
  const stack: Container[] = [];
  let open: { readonly depth: number; readonly cell: number; readonly start: number } | undefined;
  let at = 0;
  while (at < text.length) {
    const one = text.charAt(at);
    const inside = stack.at(-1);
    const start = at;
    if (one === '"') {
      at = stringEnd(text, at);
      if (inside?.isAtKey) {
        // Only keys near the root are looked at.
        inside.key = stack.length <= 3 ? (JSON.parse(text.slice(start, at)) as string) : "";
        inside.isAtKey = false;
        continue;
      }
      const cell = cellOf(stack);
      if (cell !== undefined) found.set(cell, { start, end: at });
      continue;
    }
    at += 1;
    if (one === "{" || one === "[") {
      const cell = cellOf(stack);
      if (cell !== undefined) open = { depth: stack.length, cell, start };
      stack.push({ isList: one === "[", key: "", index: 0, isAtKey: one === "{" });
    } else if (one === "}" || one === "]") {
      stack.pop();
      if (open?.depth === stack.length) {
        found.set(open.cell, { start: open.start, end: at });
        open = undefined;
      }
    } else if (one === "," && inside) {
      if (inside.isList) inside.index += 1;
      else inside.isAtKey = true;
    }
  }
  return found;
}

/** Returns the index where the value of `cells[index].source` begins. */
function cellOf(stack: readonly Container[]): number | undefined {
  if (stack.length !== 3) return undefined;
  const [root, cells, cell] = stack;
  const isThere = root?.isList === false && root.key === "cells" && cells?.isList === true;
  return isThere && cell?.isList === false && cell.key === "source" ? cells.index : undefined;
}

function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === "\\" ? 2 : 1;
  return at + 1;
}

/** Writes the source as JSON in the form of `before`: a text, or a list of lines with the same blanks, in which unchanged lines keep their bytes. */
function writeSource(source: string, before: string, isAscii: boolean): string {
  const write = (value: string): string => {
    const json = JSON.stringify(value);
    return isAscii ? json.replaceAll(/[\u0080-\uffff]/g, escaped) : json;
  };
  if (before.startsWith('"')) return write(source);
  const items = itemsOf(before);
  const known = new Map(items.map((item) => [JSON.parse(item) as string, item]));
  const [lead = ""] = /^\[(\s*)/.exec(before)?.slice(1) ?? [];
  const inner = before.slice(0, -1);
  const tail = items.length === 0 ? "" : inner.slice(inner.trimEnd().length);
  const lines = source === "" ? [] : source.split(/(?<=\n)/);
  if (lines.length === 0) return "[]";
  // A list with fewer than two items does not show how they are separated.
  const gap = lead === "" && items.length > 1 ? between(before, items) : lead;
  return `[${lead}${lines.map((line) => known.get(line) ?? write(line)).join(`,${gap}`)}${tail}]`;
}

function escaped(one: string): string {
  return `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** The items of a list of texts, as they are written. */
function itemsOf(list: string): readonly string[] {
  const items: string[] = [];
  for (let at = list.indexOf('"'); at >= 0;) {
    const end = stringEnd(list, at);
    items.push(list.slice(at, end));
    at = list.indexOf('"', end);
  }
  return items;
}

/** The blanks behind the first comma. */
function between(list: string, [first = ""]: readonly string[]): string {
  return /^\s*,(\s*)/.exec(list.slice(list.indexOf(first) + first.length))?.[1] ?? "";
}

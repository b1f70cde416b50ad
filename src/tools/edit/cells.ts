/** A Jupyter notebook for a model: its cells with their text outputs, and an edit within one cell that leaves every other byte of the file. */
import * as z from "zod/mini";
import type { TimeSlices } from "../../base/async/timeSlices";
import { ToolRefusal } from "../../domain/tools/tool";
import { lineRanges } from "../base/lineRanges";
import { applyEdit, type EditedText, type TextEdit } from "./applyEdit";
import { findSources, writeSource } from "./sourceSpans";

/** Ends at the first wrong item: the schema of an array adds an issue for each. */
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
/** Of the file's JSON. So many take up to 300 ms to parse and check. */
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

/** Like `applyEdit`, within the source of one cell. */
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
  // As Python writes it by default; else an added letter would be the only one that is not escaped.
  const isAscii = !/[\u0080-\uffff]/.test(content) && /\\u[0-9a-f]{4}/i.test(content);
  const edited = text.split(betweenCells);
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

/** As it was parsed: what a schema returns has its members in another order. */
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

/**
 * Reads a patch of the form that some models are trained on, and applies its hunks to the text of a file. A hunk replaces whole lines, which
 * `findPlaces` finds under the same tolerances as those of an edit.
 */
import type { TimeSlices } from "../../base/async/timeSlices";
import type { Repair } from "../../domain/chat/chat";
import { ToolRefusal } from "../../domain/tools/tool";
import type { EditedText } from "./applyEdit";
import { EditRefusal, listPlaces, indentRefusal, missing, type TextNames } from "./editRefusal";
import { findPlaces, type FoundPlaces, lineEndOf } from "./findPlaces";
import { rewriteLines } from "./rewriteLines";
import { lineAt, lineEndAt, type LinesPlace, readTextLines, type TextLines } from "./textLines";

/** The number of places of a hunk that are looked for. It is one more than a refusal lists, so that the refusal can say _and more_. */
const mostPlaces = 11;

const hunkNames: TextNames = { old: "the hunk", now: "its new lines" };

const nameOf = (index: number): string => `${index + 1}`;

/** Applies the hunks in their order. Each is first looked for below the one before it. Rejects with a `ToolRefusal`. */
export async function applyHunks(
  content: string,
  hunks: readonly PatchHunk[],
  slices: TimeSlices,
): Promise<EditedText> {
  let text = content;
  let from = 0;
  const repairs = new Set<Repair>();
  for (const [at, hunk] of hunks.entries()) {
    try {
      const made = await applyHunk(text, hunk, from, slices);
      text = made.text;
      from = made.next;
      for (const repair of made.repairs) repairs.add(repair);
    } catch (error) {
      if (!(error instanceof ToolRefusal)) throw error;
      const message = error instanceof EditRefusal ? error.describe(hunkNames) : error.message;
      throw new ToolRefusal(hunks.length === 1 ? message : `Hunk ${at + 1}: ${message}`);
    }
  }
  return { text, repairs: [...repairs] };
}

interface MadeHunk {
  readonly text: string;
  readonly repairs: Iterable<Repair>;
  /** The index of the first line after the hunk, from which on the next hunk is looked for. */
  readonly next: number;
}

async function applyHunk(content: string, hunk: PatchHunk, from: number, slices: TimeSlices): Promise<MadeHunk> {
  const file = await readTextLines(content, slices);
  const lineEnd = lineEndOf(content);
  let begin = from;
  for (const anchor of hunk.anchors) begin = (await findAnchor(file, anchor, begin, slices)) + 1;
  if (hunk.old.length === 0) return insert(file, hunk, begin, lineEnd);
  const found = await findHunk(file, hunk, begin, slices);
  if (!found) throw await missing(file, joined(hunk.old), nameOf, slices);
  if (found.type === "misfit") throw indentRefusal(file, found.place, nameOf);
  if (found.type !== "lines") throw new ToolRefusal("The hunk does not consist of whole lines.");
  const place = pickPlace(file, hunk, found.places);
  const { start, end, text, repairs } = rewriteLines(file, place, found.skipsBlank, found.wanted, lineEnd);
  const { repair } = found.reading;
  return {
    text: content.slice(0, start) + text + content.slice(end),
    repairs: repair === undefined ? repairs : [...repairs, repair],
    next: place.first + text.split("\n").length - 1,
  };
}

async function findHunk(
  file: TextLines,
  hunk: PatchHunk,
  begin: number,
  slices: TimeSlices,
): ReturnType<typeof findPlaces> {
  const wanted = { oldText: joined(hunk.old), newText: joined(hunk.now) };
  const find = (from: number): ReturnType<typeof findPlaces> =>
    findPlaces(file, wanted, { limit: mostPlaces, wholeLines: true, from }, slices);
  const found = await find(begin);
  if (begin === 0) return found;
  if (found?.type === "lines") {
    const isClear = hunk.anchors.length > 0 || hunk.isAtEnd || found.places.some((place) => isExact(file, hunk, place));
    const all = isClear ? undefined : await find(0);
    const above = all?.type === "lines" ? all.places.find((place) => isExact(file, hunk, place)) : undefined;
    if (above === undefined) return found;
    throw new ToolRefusal(
      `The hunk is at line ${nameOf(above.first)}, above the hunk before it, and only almost at line ${nameOf(found.places[0]?.first ?? begin)}. Give more lines around the change, or the line of its function or class after @@.`,
    );
  }
  // A patch may have its hunks in another order than the file, so a hunk without an anchor is looked for in the whole file.
  if (hunk.anchors.length === 0) return find(0);
  // A model may repeat the anchor as a line of the hunk, which then begins above `begin`. Only a place that holds the anchor counts:
  // the same lines farther up belong to something else.
  const around = await find(Math.max(0, begin - hunk.old.length));
  if (around?.type !== "lines") return found ?? around;
  const places = around.places.filter(({ first, end }) => first < begin && begin <= end);
  return places.length > 0 ? { ...around, places } : found;
}

function isExact(file: TextLines, { old }: PatchHunk, { first, end }: LinesPlace): boolean {
  return end - first === old.length && old.every((line, at) => lineAt(file, first + at) === line);
}

/**
 * Picks the place at the end of the file for a hunk that says so, else the first place below its anchor. A hunk without an anchor must have only one
 * place.
 */
function pickPlace(
  file: TextLines,
  { anchors, isAtEnd }: PatchHunk,
  places: Extract<FoundPlaces, { type: "lines" }>["places"],
): LinesPlace {
  const last = places.findLast(({ end }) => isAtEnd && end === file.count);
  const [first] = places;
  const place = last ?? (anchors.length > 0 || places.length === 1 ? first : undefined);
  if (place !== undefined) return place;
  throw new ToolRefusal(
    `The hunk fits in the file more than once: ${listPlaces(
      places.map((one) => one.first),
      nameOf,
    )}. Give more lines around the change, or the line of its function or class after @@.`,
  );
}

async function findAnchor(file: TextLines, anchor: string, from: number, slices: TimeSlices): Promise<number> {
  const wanted = { oldText: `${anchor}\n`, newText: "" };
  const found = await findPlaces(file, wanted, { limit: 1, wholeLines: true, from }, slices);
  if (found?.type === "lines") return found.places[0]?.first ?? from;
  const { describe } = await missing(file, anchor, nameOf, slices);
  throw new ToolRefusal(describe({ ...hunkNames, old: "The line after @@" }));
}

/** Inserts the new lines below the anchor, else at the end of the file. */
function insert(file: TextLines, { anchors, now }: PatchHunk, begin: number, lineEnd: string): MadeHunk {
  const { content, count, starts } = file;
  const line = anchors.length > 0 ? begin : count;
  const at = line < count ? (starts[line] ?? content.length) : content.length;
  const before = content.slice(0, at);
  const isOpen = before !== "" && !before.endsWith("\n");
  const end = lineEndAt(file, line - 1) ?? lineEnd;
  const text = now.map((one) => one + end).join("");
  return { text: before + (isOpen ? lineEnd : "") + text + content.slice(at), repairs: [], next: line + now.length };
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

// Reads a patch: files that are added, deleted and updated by hunks. Pure.

export type PatchPart =
  | { readonly type: "add"; readonly path: string; readonly text: string }
  | { readonly type: "delete"; readonly path: string }
  | { readonly type: "update"; readonly path: string; readonly to?: string; readonly hunks: readonly PatchHunk[] };

interface PatchHunk {
  /** The lines after `@@`, which stand above the hunk in the file. Each is looked for below the one before it. */
  readonly anchors: readonly string[];
  /** Lines that stay and lines that are removed. */
  readonly old: readonly string[];
  readonly now: readonly string[];
  /** Whether the hunk says that its last line is the last one of the file. */
  readonly isAtEnd: boolean;
}

interface OpenHunk {
  anchors: string[];
  old: string[];
  now: string[];
  isAtEnd: boolean;
}

type OpenPart =
  | { type: "add"; path: string; lines: string[] }
  | { type: "delete"; path: string }
  | { type: "update"; path: string; to?: string; hunks: OpenHunk[] };

const header = /^\*\*\* (Add|Delete|Update) File: *(\S.*)$/;

/** Throws a `ToolRefusal` for a text that is no patch. If a line does not fit, the refusal names it. */
export function readPatch(text: string): readonly PatchPart[] {
  const parts: OpenPart[] = [];
  const lines = text.split(/\r\n|\n/);
  const begin = lines.findIndex((line) => line.trim() === "*** Begin Patch");
  // The last line of the patch itself: after it come only lines that may surround a patch. It is found once, because looking ahead from each line
  // would take quadratic time.
  const outside = lines.findLastIndex((line) => !isOutside(line));
  for (const [at, line] of lines.entries()) {
    if (at <= begin) continue;
    if (line.trim() === "*** End Patch") break;
    const part = parts.at(-1);
    const [, kind, path = ""] = header.exec(line) ?? [];
    if (kind !== undefined) parts.push(openPart(kind, path.trimEnd()));
    else if (part !== undefined) readLine(part, line, at + 1, at >= outside);
    else if (!isOutside(line)) throw unreadable(at + 1, line, "a line such as *** Update File: path");
  }
  if (parts.length === 0) throw new ToolRefusal(`The patch names no file. ${form}`);
  return mergeUpdates(parts).map(closePart);
}

const form =
  "It begins with *** Begin Patch, ends with *** End Patch, and has sections such as *** Update File: path, with hunks of lines that begin with a space, - or +, each hunk below a line @@.";

/** Whether the line may surround a patch: it is blank, a fence, the end mark, or a part of a shell command that passes the patch on. */
function isOutside(line: string): boolean {
  return /^(?:```.*|EOF|PATCH|apply_patch.*|\*\*\* End Patch|)$/.test(line.trim());
}

function unreadable(number: number, line: string, wanted: string): ToolRefusal {
  return new ToolRefusal(
    `Line ${number} of the patch is not ${wanted}: ${JSON.stringify(line.slice(0, 200).toWellFormed())}. ${form}`,
  );
}

function openPart(kind: string, path: string): OpenPart {
  if (kind === "Add") return { type: "add", path, lines: [] };
  return kind === "Delete" ? { type: "delete", path } : { type: "update", path, hunks: [] };
}

function readLine(part: OpenPart, line: string, number: number, isLast: boolean): void {
  if (isLast && isOutside(line) && line.trim() !== "") return;
  if (part.type === "delete") {
    if (line.trim() !== "") throw unreadable(number, line, "a new section: a file that is deleted has no lines");
  } else if (part.type === "add") {
    if (line.startsWith("+")) part.lines.push(line.slice(1));
    else if (line.trim() !== "") throw unreadable(number, line, "one that begins with +, as all of a new file do");
  } else readUpdateLine(part, line, number, isLast);
}

function readUpdateLine(
  part: Extract<OpenPart, { type: "update" }>,
  line: string,
  number: number,
  isLast: boolean,
): void {
  const moved = /^\*\*\* Move to: *(\S.*)$/.exec(line)?.[1]?.trimEnd();
  if (moved !== undefined) {
    part.to = moved;
    return;
  }
  let hunk = part.hunks.at(-1);
  if (line.startsWith("@@")) {
    const isOpen = hunk !== undefined && hunk.old.length + hunk.now.length === 0;
    if (!isOpen || hunk === undefined) part.hunks.push((hunk = emptyHunk()));
    // Line numbers of a unified diff are not used: models count badly.
    const anchor = line
      .replace(/^@@(?: -\d+(?:,\d+)? \+\d+(?:,\d+)? @@.*)?/, "")
      .replace(/^ /, "")
      .replace(/ @@$/, "");
    if (anchor.trim() !== "") hunk.anchors.push(anchor);
    return;
  }
  if (line.trim() === "*** End of File") {
    if (hunk) hunk.isAtEnd = true;
    return;
  }
  if (line === "" && isLast) return;
  if (hunk === undefined || hunk.isAtEnd) part.hunks.push((hunk = emptyHunk()));
  const sign = line.charAt(0);
  if (sign === "\\") return;
  if (line !== "" && !" -+".includes(sign)) throw unreadable(number, line, "one that begins with a space, - or +");
  if (sign !== "+") hunk.old.push(line.slice(1));
  if (sign !== "-") hunk.now.push(line.slice(1));
}

function emptyHunk(): OpenHunk {
  return { anchors: [], old: [], now: [], isAtEnd: false };
}

/** Joins sections that update the same file, because a model may write several: the hunks of a later one follow those of the first. */
function mergeUpdates(parts: readonly OpenPart[]): readonly OpenPart[] {
  const merged = new Map<string, OpenPart>();
  for (const part of parts) {
    const known = merged.get(part.path);
    if (known === undefined) merged.set(part.path, part);
    else if (known.type === "update" && part.type === "update") {
      for (const hunk of part.hunks) known.hunks.push(hunk);
      if (part.to !== undefined) known.to = part.to;
    } else
      throw new ToolRefusal(`The patch names ${part.path} twice. Put all that happens to a file into one section.`);
  }
  return [...merged.values()];
}

function closePart(part: OpenPart): PatchPart {
  switch (part.type) {
    case "add":
      return { type: "add", path: part.path, text: part.lines.map((line) => `${line}\n`).join("") };
    case "delete":
      return part;
    case "update": {
      const hunks = part.hunks.filter(({ old, now }) => old.length + now.length > 0);
      if (hunks.length > 0 || part.to !== undefined) return { ...part, hunks };
      throw new ToolRefusal(`The section of ${part.path} changes nothing. ${form}`);
    }
  }
}

/** Matches names of models that are trained on patches, also behind a prefix that a gateway puts before the name. */
const trained = /(?:^|[/:])(?:gpt-(?:4\.[1-9]|[5-9]|[1-9]\d)|o[1-9](?![a-z0-9])|codex)/i;

export function takesPatches(model: string): boolean {
  return trained.test(model);
}

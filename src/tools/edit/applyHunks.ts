/** Makes the hunks of a patch in the text of a file: whole lines, found by the same matcher as an edit. */
import type { TimeSlices } from "../../base/async/timeSlices";
import type { Repair } from "../../domain/chat/chat";
import { ToolRefusal } from "../../domain/tools/tool";
import type { EditedText } from "./applyEdit";
import { EditRefusal, listPlaces, misfit, missing, type TextNames } from "./editRefusal";
import { findPlaces, type Found, lineEndOf } from "./findPlaces";
import type { PatchHunk } from "./patchText";
import { rewriteLines } from "./rewriteLines";
import { lineEndAt, type LinesPlace, readTextLines, type TextLines } from "./textLines";

/** Places that are looked at where a hunk has no line above it that names one. */
const mostPlaces = 11;

const hunkNames: TextNames = { old: "the hunk", now: "its new lines" };

const nameOf = (index: number): string => `${index + 1}`;

/** In their order: each begins below the one before it. Rejects with a `ToolRefusal`. */
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
  /** The line behind what it wrote. */
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
  if (found.type === "misfit") throw misfit(file, found.place, nameOf);
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
  if (found?.type === "lines" || begin === 0) return found;
  // Hunks in another order than the file has them.
  if (hunk.anchors.length === 0) return find(0);
  // The line that names the place may be the hunk's own: elsewhere above it the same lines belong to something else.
  const around = await find(Math.max(0, begin - hunk.old.length));
  if (around?.type !== "lines") return found ?? around;
  const places = around.places.filter(({ first, end }) => first < begin && begin <= end);
  return places.length > 0 ? { ...around, places } : found;
}

/** Below a line that names the place the first one is meant; elsewhere there must be one only. */
function pickPlace(
  file: TextLines,
  { anchors, isAtEnd }: PatchHunk,
  places: Extract<Found, { type: "lines" }>["places"],
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

/** Below the line that names the place, else at the end of the file. */
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

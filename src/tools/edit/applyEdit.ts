/** Makes one replacement in a text: finds the place that is meant, and refuses with what the model needs to correct its call. */
import type { TimeSlices } from "../../base/async/timeSlices";
import type { Repair } from "../../domain/chat/chat";
import { EditRefusal, maxListedPlaces, missing, indentRefusal, notUniqueRefusal } from "./editRefusal";
import { type FoundPlaces, findPlaces, isWithinIndentation, lineEndOf, withLineEnd } from "./findPlaces";
import { rewriteLines, rewriteQuotes, type Rewritten } from "./rewriteLines";
import { indentOf, lineAt, lineEndAt, lineOfOffset, readTextLines, splitLines, type TextLines } from "./textLines";
import type { TextReplacement } from "./tolerances";

export interface TextEdit extends TextReplacement {
  /** Replaces every place; otherwise there must be only one. */
  readonly all?: boolean;
}

export interface EditedText {
  readonly text: string;
  /** The kinds of differences between the call and the file that were repaired. */
  readonly repairs: readonly Repair[];
  /** The model wrote all of it. */
  readonly isWhole?: true;
}

/** `nameOf`: names the line with that index for the model. Rejects with a `ToolRefusal`. */
export async function applyEdit(
  content: string,
  edit: TextEdit,
  slices: TimeSlices,
  nameOf = (index: number): string => `${index + 1}`,
): Promise<EditedText> {
  const { oldText, newText, all = false } = edit;
  const lineEnd = lineEndOf(content);
  if (withLineEnd(oldText, lineEnd) === withLineEnd(newText, lineEnd)) {
    throw new EditRefusal(({ old, now }) => `${old} and ${now} are the same.`);
  }
  const file = await readTextLines(content, slices);
  const found = await findPlaces(file, edit, { limit: all ? Infinity : maxListedPlaces + 1 }, slices);
  if (!found) throw await missing(file, oldText, nameOf, slices);
  if (found.type === "misfit") throw indentRefusal(file, found.place, nameOf);
  const lines = firstLines(file, found);
  if (lines.length > 1 && !all) throw notUniqueRefusal(lines, nameOf);
  const made = withoutOverlaps(rewrite(file, found, lineEnd));
  const repairs = new Set(made.flatMap((one) => [...one.repairs]));
  if (found.reading.repair !== undefined) repairs.add(found.reading.repair);
  return { text: replaceRanges(content, made), repairs: [...repairs] };
}

function firstLines(file: TextLines, found: FoundPlaces): readonly number[] {
  return found.type === "lines"
    ? found.places.map(({ first }) => first)
    : found.offsets.map((offset) => lineOfOffset(file, offset));
}

function rewrite(file: TextLines, found: FoundPlaces, lineEnd: string): readonly Rewritten[] {
  const { wanted } = found;
  // New lines end like the line that they replace: a file may have line ends of several kinds.
  const endAt = (line: number): string => lineEndAt(file, line) ?? lineEnd;
  if (found.type === "lines") {
    return found.places.map((place) => rewriteLines(file, place, found.skipsBlank, wanted, endAt(place.first)));
  }
  return found.offsets.map((offset) =>
    rewriteCharacters(file, offset, wanted, lineEnd, endAt(lineOfOffset(file, offset))),
  );
}

/** `lineEnd`: the line end with which the old text was found. */
function rewriteCharacters(
  file: TextLines,
  start: number,
  wanted: TextReplacement,
  lineEnd: string,
  ownEnd: string,
): Rewritten {
  const old = withLineEnd(wanted.oldText, lineEnd);
  // A text of several lines was found with one kind of ends: they are all of that kind.
  const now = withLineEnd(wanted.newText, old.includes("\n") ? lineEnd : ownEnd);
  const end = start + old.length;
  const its = file.content.slice(start, end);
  const repairs = new Set<Repair>(its === old ? [] : ["quotes"]);
  const text = its === old ? now : rewriteQuotes(old, now, its);
  if (!isWithinIndentation(file, start)) return { start, end, text, repairs };
  const line = lineOfOffset(file, start);
  // A removed line takes along the indentation that old_text left out.
  if (text === "" && old.endsWith("\n")) return { start: file.starts[line] ?? start, end, text, repairs };
  refuseUnclearIndentation(lineAt(file, line), wanted);
  const depth = depthOfFirstLine(wanted);
  if (depth !== undefined) return { start: file.starts[line] ?? start, end, text: depth + text, repairs };
  return { start, end, text, repairs };
}

/** The indentation of the first new line, where that line is blank, or is another line of old_text without its indentation; `undefined` otherwise. */
function depthOfFirstLine({ oldText, newText }: TextReplacement): string | undefined {
  const [first, ...others] = splitLines(oldText);
  const [now] = splitLines(newText);
  if (now === undefined || now === first) return undefined;
  if (now.trim() === "") return "";
  const its = others.find((line) => line.trimStart() === now);
  return its === undefined ? undefined : indentOf(its);
}

/**
 * Refuses an edit whose indentation is not clear. A line without its indentation does not show how the model indents: several
 * lines in its place are indented as the file is, unless one would lie left of the line, or as deep as a line that opens a
 * block. Another line that is indented shows that the model writes the indentation.
 */
function refuseUnclearIndentation(line: string, { oldText, newText }: TextReplacement): void {
  const [first = "", ...others] = splitLines(newText);
  const written = others.filter((one) => one.trim() !== "");
  const [old, ...more] = splitLines(oldText);
  const [next] = written;
  const indent = indentOf(line);
  const isShown = more.some((one) => indentOf(one) !== "");
  const isAdded = !isShown && others.length > more.length;
  const isLeft = isAdded && written.some((one) => !one.startsWith(indent) && !more.includes(one));
  const isBeside = more.length === 0 && next !== undefined && indentOf(next) === indent && continues(first, next);
  const isTwin = first === old && leavesOneOf(old, indent, oldText, newText);
  if (!isTwin && !isLeft && !isBeside && !written.some((one) => one === old && !more.includes(one))) return;
  throw new EditRefusal(
    ({ old: named, now }) =>
      `${named} leaves out the indentation of its line, so that of the other lines of ${now} is not clear. Write both with the whole indentation. The line is ${JSON.stringify(line.slice(0, 300).toWellFormed())}.`,
  );
}

/** Whether a line is there twice at different depths and then less often: which of them stays is not clear. */
function leavesOneOf(line: string, indent: string, oldText: string, newText: string): boolean {
  const its = (text: string): readonly string[] => splitLines(text).filter((one) => one.trimStart() === line);
  const [, ...twins] = its(oldText);
  return twins.some((one) => indentOf(one) !== indent) && its(newText).length <= twins.length;
}

/**
 * Whether the second line belongs into what the first one begins. After a comma outside of brackets, and after the end of an
 * element, the next line is as deep as the first, and so are the links of a chain.
 */
function continues(first: string, next: string): boolean {
  const leads = /^\s*[.?:&|+]/;
  if (leads.test(next) && !leads.test(first)) return true;
  if (/,\s*$/.test(first)) return opensBracket(first);
  return /[:{([=>&|+?]\s*$/.test(first) && !/(?:<\/[^<>]*|\/)>\s*$/.test(first);
}

/** More brackets are opened than closed. */
function opensBracket(line: string): boolean {
  const count = (brackets: RegExp): number => line.match(brackets)?.length ?? 0;
  return count(/[([{]/g) > count(/[)\]}]/g);
}

function withoutOverlaps(made: readonly Rewritten[]): readonly Rewritten[] {
  let end = -1;
  return made.filter((one) => {
    if (one.start < end) return false;
    end = one.end;
    return true;
  });
}

function replaceRanges(content: string, made: readonly Rewritten[]): string {
  let at = 0;
  const parts = made.flatMap(({ start, end, text }) => {
    const part = [content.slice(at, start), text];
    at = end;
    return part;
  });
  return [...parts, content.slice(at)].join("");
}

/** Merges the changes of an undo, by lines, into a text that a person has edited since. Pure, in bounded time. */
import { lineReplacements, linesWithEnds } from "./lineDiff";

export interface MergedText {
  readonly text: string;
  /** How many changes of the undo are in the text; those that overlap an edit of the person are left out. */
  readonly undone: number;
  /** Lines of the person's text, from 1, where a change of the undo was left out. */
  readonly overlaps: readonly number[];
}

/** A range of lines of `base` and the lines in its place. */
interface LineReplacement {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/** `undefined` where the texts differ too much to be compared in time. Edits of the person are never left out. */
export function mergeTexts(base: string, person: string, undo: string): MergedText | undefined {
  const baseLines = linesWithEnds(base);
  const edits = replacements(baseLines, linesWithEnds(person));
  const undos = replacements(baseLines, linesWithEnds(undo));
  if (edits === undefined || undos === undefined) return undefined;
  const overlapping = undos.filter((one) => edits.some((edit) => touches(edit, one) && !isSame(edit, one)));
  const kept = undos.filter((one) => !overlapping.includes(one) && !edits.some((edit) => isSame(edit, one)));
  const all = [...edits, ...kept].sort((one, other) => one.start - other.start || one.end - other.end);
  const text: string[] = [];
  let at = 0;
  for (const { start, end, lines } of all) {
    // The lines are joined first, because passing those of a long file as arguments would overflow the stack.
    text.push(baseLines.slice(at, start).join(""), lines.join(""));
    at = end;
  }
  text.push(baseLines.slice(at).join(""));
  const overlaps = overlapping.map(({ start }) => lineInEdited(edits, start));
  return { text: text.join(""), undone: undos.length - overlapping.length, overlaps };
}

/** Ranges that only touch count too, because the order of two insertions at one place is not known. */
function touches(one: LineReplacement, other: LineReplacement): boolean {
  return one.start <= other.end && other.start <= one.end;
}

function isSame(one: LineReplacement, other: LineReplacement): boolean {
  return (
    one.start === other.start &&
    one.end === other.end &&
    one.lines.length === other.lines.length &&
    one.lines.every((line, index) => line === other.lines[index])
  );
}

function lineInEdited(edits: readonly LineReplacement[], line: number): number {
  let shift = 0;
  for (const { start, end, lines } of edits) if (end <= line && start < line) shift += lines.length - (end - start);
  return line + shift + 1;
}

function replacements(base: readonly string[], now: readonly string[]): readonly LineReplacement[] | undefined {
  return lineReplacements(base, now)?.map(({ start, end, nowStart, nowEnd }) => ({
    start,
    end,
    lines: now.slice(nowStart, nowEnd),
  }));
}

/** A three-way merge by lines: what an undo would change, in a text that a person has edited since. Pure, in bounded time. */
import { diffArrays } from "diff";

export interface MergedText {
  readonly text: string;
  /** Changes of the undo that are in the text, and those that overlap an edit of the person and are not. */
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

const diffBounds = { maxEditLength: 5000, timeout: 100 };

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
    // Joined first: the stack has no room for the lines of a long file as arguments.
    text.push(baseLines.slice(at, start).join(""), lines.join(""));
    at = end;
  }
  text.push(baseLines.slice(at).join(""));
  const overlaps = overlapping.map(({ start }) => lineInEdited(edits, start));
  return { text: text.join(""), undone: undos.length - overlapping.length, overlaps };
}

/** Ranges that touch count: which of two insertions at one place comes first is not known. */
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
  const parts = diffArrays<string>([...base], [...now], diffBounds);
  if (parts === undefined) return undefined;
  const found: LineReplacement[] = [];
  let at = 0;
  let open: { start: number; lines: string[] } | undefined;
  for (const { added, removed, value } of parts) {
    if (!added && !removed) {
      if (open) found.push({ ...open, end: at });
      open = undefined;
      at += value.length;
      continue;
    }
    open ??= { start: at, lines: [] };
    if (added) for (const line of value) open.lines.push(line);
    else at += value.length;
  }
  if (open) found.push({ ...open, end: at });
  return found;
}

/** Each with its line end; joined they are the text. */
function linesWithEnds(text: string): readonly string[] {
  return text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
}

/** `now` with the one hunk at a line (from 0) as it was in `before`; `undefined` where the line is in none. */
export function withoutHunkAt(before: string, now: string, line: number): string | undefined {
  const nowLines = linesWithEnds(now);
  // The other way round: what leads from the text now to the one before.
  const hunks = replacements(nowLines, linesWithEnds(before)) ?? [];
  const hunk =
    hunks.find(({ start, end }) => line >= start && line < end) ??
    // Lines that are gone have no line of their own: the cursor is next to where they were.
    hunks.find(({ start, end }) => start === end && (line === start || line === start - 1));
  if (hunk === undefined) return undefined;
  return [...nowLines.slice(0, hunk.start), ...hunk.lines, ...nowLines.slice(hunk.end)].join("");
}

/** A change as a diff for a person, in bounded time: a change too large to compare line by line is shown as one removed and one added block. */
import { structuredPatch } from "diff";
import { countLines } from "../../domain/chat/changedLines";
import type { DiffPreview } from "../../domain/chat/chat";

const context = 3;
/** `lines`: of both sides together. `changes`: how many may differ. Above either the comparison takes too long. */
const previewBounds = { lines: 4000, changes: 500, milliseconds: 20 };

type Hunk = DiffPreview["hunks"][number];

/** The texts have a common prefix and suffix: only the lines between them and some around are compared. */
export function createPreview(path: string, before: string, after: string): DiffPreview {
  const range = changedRange(before, after);
  const offset = countNewlines(before, range.start);
  const old = before.slice(range.start, range.endBefore);
  const now = after.slice(range.start, range.endAfter);
  const hunks = compareLines(path, old, now) ?? [replacement(old, now)];
  // A carriage return is hidden as part of the line end only if every line has one; otherwise it is shown as a change.
  const hasCarriageReturns = isCrlf(before) && isCrlf(after);
  return {
    path,
    hunks: hunks.map(({ oldStart, newStart, lines }) => ({
      oldStart: oldStart + offset,
      newStart: newStart + offset,
      lines: lines.map((line) => (hasCarriageReturns && line.endsWith("\r") ? line.slice(0, -1) : line)),
    })),
  };
}

function isCrlf(text: string): boolean {
  return !/(?:^|[^\r])\n/.test(text);
}

/** Added or removed lines, whichever are more. */
export function countChangedLines({ hunks }: DiffPreview): number {
  const { added, removed } = countLines(hunks);
  return Math.max(added, removed);
}

/** `undefined` when it would take too long. */
function compareLines(path: string, old: string, now: string): readonly Hunk[] | undefined {
  if (countNewlines(old, old.length) + countNewlines(now, now.length) > previewBounds.lines) return undefined;
  return structuredPatch(path, path, old, now, undefined, undefined, {
    context,
    maxEditLength: previewBounds.changes,
    timeout: previewBounds.milliseconds,
  })?.hunks;
}

function replacement(old: string, now: string): Hunk {
  const oldLines = patchLines(old);
  const newLines = patchLines(now);
  const shorter = Math.min(oldLines.length, newLines.length);
  let same = 0;
  while (same < shorter && oldLines[same] === newLines[same]) same += 1;
  let sameEnd = 0;
  while (sameEnd < shorter - same && oldLines.at(-1 - sameEnd) === newLines.at(-1 - sameEnd)) sameEnd += 1;
  // The remark alone is no line: it belongs to each of the two lines before it.
  if (sameEnd === 1 && oldLines.at(-1) === noNewline) sameEnd = 0;
  const begin = Math.max(0, same - context);
  const marked = (mark: string, lines: readonly string[]): string[] =>
    lines.map((line) => (line === noNewline ? line : `${mark}${line}`));
  return {
    oldStart: begin + 1,
    newStart: begin + 1,
    lines: [
      ...marked(" ", oldLines.slice(begin, same)),
      ...marked("-", oldLines.slice(same, oldLines.length - sameEnd)),
      ...marked("+", newLines.slice(same, newLines.length - sameEnd)),
      ...marked(" ", oldLines.slice(oldLines.length - sameEnd).slice(0, context)),
    ],
  };
}

const noNewline = "\\ No newline at end of file";

/** A last line without a line end is followed by the remark of the patch format. */
function patchLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  else lines.push(noNewline);
  return lines;
}

interface ChangedRange {
  readonly start: number;
  readonly endBefore: number;
  readonly endAfter: number;
}

/** Whole lines, including the context lines of the diff. */
function changedRange(before: string, after: string): ChangedRange {
  const shorter = Math.min(before.length, after.length);
  let same = 0;
  while (same < shorter && before.charCodeAt(same) === after.charCodeAt(same)) same += 1;
  let end = 0;
  const most = shorter - same;
  while (end < most && before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end))
    end += 1;
  let start = same;
  for (let lines = 0; lines <= context && start >= 0; lines += 1) {
    start = start === 0 ? -1 : before.lastIndexOf("\n", start - 1);
  }
  // Extended to the end of a line: the same text follows on both sides.
  let endBefore = before.length - end;
  for (let lines = 0; lines <= context && endBefore < before.length; lines += 1) {
    const newline = before.indexOf("\n", endBefore);
    endBefore = newline < 0 ? before.length : newline + 1;
  }
  return { start: start + 1, endBefore, endAfter: endBefore + after.length - before.length };
}

function countNewlines(text: string, end: number): number {
  let count = 0;
  for (let at = 0; at < end; at += 1) if (text.charCodeAt(at) === 10) count += 1;
  return count;
}

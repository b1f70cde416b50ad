/** Counts the lines that a change adds and removes, finds where it begins, and names the one file of a call. Pure. */
import type { DiffHunk, ToolAction } from "./chat";

export interface ChangedLines {
  /** The first line of the changed file that differs, from 1. */
  readonly first: number;
  readonly added: number;
  readonly removed: number;
}

export function countLines(hunks: readonly DiffHunk[]): ChangedLines {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const count = (mark: string): number => lines.filter((line) => line.startsWith(mark)).length;
  const [hunk] = hunks;
  const unchanged = Math.max(0, hunk?.lines.findIndex((line) => !line.startsWith(" ")) ?? 0);
  return { first: (hunk?.newStart ?? 1) + unchanged, added: count("+"), removed: count("-") };
}

// The file of a call that reads or changes only one.

export interface CallFile {
  /** The path as the person is shown it. */
  readonly path: string;
  /** The first line that was read or changed, from 1. */
  readonly line?: number;
}

/** `undefined` for a call on no file, on several, or on one that is gone after it. */
export function fileOfAction(action: ToolAction): CallFile | undefined {
  if (action.type === "rename-file") return { path: action.to };
  if (action.type !== "read-file" && action.type !== "edit-file" && action.type !== "create-file") return undefined;
  return action.lines === undefined ? { path: action.path } : { path: action.path, line: action.lines.first };
}

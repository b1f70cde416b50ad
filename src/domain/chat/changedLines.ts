/** How many lines a change adds and removes, and where it begins. Pure. */
import type { DiffHunk } from "./chat";

export interface ChangedLines {
  /** Of the changed file, from 1. */
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

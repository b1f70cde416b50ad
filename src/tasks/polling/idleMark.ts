/**
 * Finds out whether a window that opens has tasks to go on with, without loading them: a mark next to the task file holds the file's size and time of
 * change as they were when nothing in it was unfinished. Any later write makes the mark void.
 */
import { readFileSync, statSync, type Stats } from "node:fs";
import { writeFile } from "node:fs/promises";

/** Whether nothing in the file is unfinished. Synchronous, because it decides at each start of VS Code whether more is loaded: two small reads. */
export function isIdle(taskFile: string): boolean {
  const file = statSync(taskFile, { throwIfNoEntry: false });
  if (file === undefined) return true;
  try {
    return readFileSync(markOf(taskFile), "utf8") === describe(file);
  } catch {
    return false;
  }
}

/** `file` is the state of the task file in which nothing was found unfinished. */
export async function writeIdleMark(taskFile: string, file: Stats): Promise<void> {
  await writeFile(markOf(taskFile), describe(file));
}

function markOf(taskFile: string): string {
  return `${taskFile}.settled`;
}

function describe({ size, mtimeMs }: Stats): string {
  return `${size} ${mtimeMs}`;
}

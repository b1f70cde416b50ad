/** The names of a result's files in the results folder. */
import { readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Task } from "../../domain/task/task";

/**
 * The prompt's first words and half of the task's id: recognisable and unique. With eight digits a hostile gateway could find ids that lead to the
 * same name.
 */
export function fileStem(task: Task): string {
  const { prompt, type } = task.intent;
  return `${promptWords(prompt) || type}${idEnding(task)}`;
}

function idEnding({ intent }: Task): string {
  return `-${intent.id.replaceAll(/[^0-9a-z]/gi, "").slice(0, 16)}`;
}

/** The words of a prompt for file names: small letters and digits of every script, joined by hyphens; may be empty. */
export function promptWords(prompt: string): string {
  const words = prompt
    .slice(0, 400)
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-+|(?<!-)-+$/g, "");
  // The words are cut by code points: not every file system accepts half of a surrogate pair.
  return Array.from(words)
    .slice(0, 40)
    .join("")
    .replace(/(?<!-)-+$/, "");
}

/**
 * Removes what an earlier download of the same task has left under another ending or for another prompt, and the facts that an earlier version kept
 * next to it. The prompt of a task that was submitted elsewhere may be learnt after its result, so only the id counts.
 */
export async function removeOthers(folder: string, task: Task, kept: readonly (string | undefined)[]): Promise<void> {
  const names = new Set(kept.flatMap((path) => (path === undefined ? [] : [basename(path)])));
  for (const name of await readdir(folder)) {
    const [stem = ""] = name.split(".", 1);
    if (stem.endsWith(idEnding(task)) && !names.has(name)) await rm(join(folder, name), { force: true });
  }
}

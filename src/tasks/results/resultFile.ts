/** Names the file of a task's result on this machine, the results folder, and the terms of a download. */
import { lstat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { definedFields } from "../../base/definedFields";
import { acceptedOf, hasSucceeded, isAccepted } from "../../domain/task/phase";
import type { AcceptedSubmission, Task } from "../../domain/task/task";

export interface LocalResult {
  readonly path: string;
  /** The path of a small picture of it. */
  readonly thumbnail?: string;
}

/** `undefined` until the result was saved. */
export function resultFile(task: Task): LocalResult | undefined {
  const saved = acceptedOf(task)?.saved;
  return saved && { path: saved.path, ...definedFields({ thumbnail: saved.thumbnail }) };
}

/** Whether the task succeeded, or its file is on this machine: a gateway may refund a success later, or call it failed. */
export function hasResult(task: Task): task is Task & { readonly submission: AcceptedSubmission } {
  return hasSucceeded(task) || (isAccepted(task) && resultFile(task) !== undefined);
}

// Says which files of the results folder are results.

/** Whether a stored path is a regular file of this folder. */
export async function isResultFile(folder: string, path: string): Promise<boolean> {
  if (dirname(resolve(path)) !== resolve(folder)) return false;
  return lstat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

// The terms on which a result is downloaded, for the callers and for the download itself.

/** Changes while the download runs: a person may join one that began automatically. */
export interface FetchTerms {
  /** Bytes; `Infinity` for what a person asked for. */
  limit: number;
  /** A person waits for it, not only the window. */
  isAsked: boolean;
  /** The part that arrived is kept for the next download, also after an abort. */
  keepsPart: boolean;
  /** Downloads it although it is there already. */
  readonly anew: boolean;
}

/** The code of the error for a result that is too large to be fetched without a click. */
export const overLimit = "over-limit";

/** The code of the error for a result that is not read again without a click: VS Code stopped responding while it was read, more than once. */
export const heldBackCode = "held-back";

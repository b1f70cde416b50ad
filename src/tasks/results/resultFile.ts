/** Where a task's result lies on this machine; for the pages that show it. */
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

/** It succeeded, or its file is on this machine: a gateway may refund a success later, or call it failed. */
export function hasResult(task: Task): task is Task & { readonly submission: AcceptedSubmission } {
  return hasSucceeded(task) || (isAccepted(task) && resultFile(task) !== undefined);
}

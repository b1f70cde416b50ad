/** Where a task's result lies on this machine; for the pages that show it. */
import { definedFields } from "../../base/definedFields";
import type { Task } from "../../domain/task/task";

export interface LocalResult {
  readonly path: string;
  /** The path of a small picture of it. */
  readonly thumbnail?: string;
}

/** `undefined` until the result was saved. */
export function resultFile({ submission }: Task): LocalResult | undefined {
  if (submission.state !== "accepted") return undefined;
  const { saved, savedAs } = submission;
  const path = saved?.path ?? savedAs;
  return path === undefined ? undefined : { path, ...definedFields({ thumbnail: saved?.thumbnail }) };
}

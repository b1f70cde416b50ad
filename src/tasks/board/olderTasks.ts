/** Reads all tasks on disk page by page, for the board, in slices, so that the extension host goes on meanwhile; recognises rows of an older file. */
import { TimeSlices } from "../../base/async/timeSlices";
import type { Task } from "../../domain/task/task";
import { interruptedAttempt } from "./shownTask";
import type { StoredPage, StoredTask, TaskStore } from "../store/taskStore";

export type StoredRow = Pick<StoredTask, "number" | "revision">;

/** By the ids of the tasks, in the order in which they were made. */
export interface TasksOnDisk {
  readonly all: Map<string, Task>;
  readonly onList: Map<string, Task>;
  readonly stored: Map<string, StoredRow>;
  readonly ids: Set<string>;
}

/** `onPage` is called for each page, oldest first. Rejects as the store does, or with the signal's reason. */
export async function readAllTasks(
  store: TaskStore,
  pageSize: number,
  signal: AbortSignal,
  onPage: (page: StoredPage) => void,
): Promise<TasksOnDisk> {
  const slices = new TimeSlices(signal);
  const read: TasksOnDisk = { all: new Map(), onList: new Map(), stored: new Map(), ids: new Set() };
  for (let after: number | undefined = 0; after !== undefined;) {
    const page: StoredPage = await store.page(after, pageSize);
    signal.throwIfAborted();
    onPage(page);
    for (const { task: found, number, revision, isRemoved } of page.tasks) {
      const task = interruptedAttempt(found);
      const { id } = task.intent;
      read.all.set(id, task);
      if (!isRemoved) read.onList.set(id, task);
      read.stored.set(id, { number, revision });
      read.ids.add(id);
    }
    if (slices.isSpent) await slices.next();
    after = page.next;
  }
  return read;
}

/** Whether an older file was copied over the one that had `stored`, or is in its place: its rows must not replace newer ones on the board. */
export function areOfOlderFile(
  rows: readonly StoredTask[],
  stored: ReadonlyMap<string, Pick<StoredTask, "revision">>,
): boolean {
  return rows.some(({ task, revision }) => revision < (stored.get(task.intent.id)?.revision ?? 0));
}

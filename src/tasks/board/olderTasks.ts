/** Reads all tasks on disk page by page, for the board, in slices, so that the extension host goes on meanwhile; tells rows of an older file. */
import { TimeSlices } from "../../base/async/timeSlices";
import type { Task } from "../../domain/task/task";
import { interruptedAttempt } from "./shownTask";
import type { StoredTask, StoredPage, TaskStore } from "../store/taskStore";

/** In the order in which they were made. `onPage` is called for each page, newest first. */
export async function readAllTasks(
  store: TaskStore,
  pageSize: number,
  signal: AbortSignal,
  onPage: (page: StoredPage) => void,
): Promise<readonly StoredTask[]> {
  const tasks: StoredTask[] = [];
  for (let before: number | undefined = Number.MAX_SAFE_INTEGER; before !== undefined && !signal.aborted;) {
    const page: StoredPage = await store.page(before, pageSize);
    tasks.push(...page.tasks);
    onPage(page);
    before = page.next;
  }
  return tasks.reverse();
}

export interface OrderedTasks {
  readonly all: Map<string, Task>;
  readonly onList: Map<string, Task>;
}

/** The tasks by id in the order of their rows, made in slices; `stored` gets the row of each that it lacks. */
export async function orderTasks(
  rows: readonly StoredTask[],
  stored: Map<string, Pick<StoredTask, "number" | "revision">>,
  signal: AbortSignal,
): Promise<OrderedTasks> {
  const slices = new TimeSlices(signal);
  const ordered: OrderedTasks = { all: new Map(), onList: new Map() };
  for (const { task: read, number, revision, isRemoved } of rows) {
    const { id } = read.intent;
    const task = interruptedAttempt(read);
    if (!stored.has(id)) stored.set(id, { number, revision });
    ordered.all.set(id, task);
    if (!isRemoved) ordered.onList.set(id, task);
    if (slices.isSpent) await slices.next();
  }
  return ordered;
}

/** Whether an older file was copied over the one that had `stored`, or is in its place: a board must not forget by its rows what it knows. */
export function areOfOlderFile(
  rows: readonly StoredTask[],
  stored: ReadonlyMap<string, Pick<StoredTask, "revision">>,
): boolean {
  return rows.some(({ task, revision }) => revision < (stored.get(task.intent.id)?.revision ?? 0));
}

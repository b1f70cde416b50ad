/** Reads all tasks on disk page by page, for the board, in slices, so that the extension host goes on meanwhile. */
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
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    const page = await store.page(before, pageSize);
    const last = Math.min(...page.unreadable, page.tasks.at(-1)?.number ?? Infinity);
    if (signal.aborted || last === Infinity) return tasks.reverse();
    tasks.push(...page.tasks);
    onPage(page);
    before = last;
  }
}

/** The tasks by id in the order of their rows, made in slices; `stored` gets the row of each that it lacks. */
export async function orderTasks(
  all: readonly StoredTask[],
  stored: Map<string, Pick<StoredTask, "number" | "revision">>,
  signal: AbortSignal,
): Promise<Map<string, Task>> {
  const slices = new TimeSlices(signal);
  const ordered = new Map<string, Task>();
  for (const { task, number, revision } of all) {
    const { id } = task.intent;
    if (!stored.has(id)) stored.set(id, { number, revision });
    ordered.set(id, interruptedAttempt(task));
    if (slices.isSpent) await slices.next();
  }
  return ordered;
}

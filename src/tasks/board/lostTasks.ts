/** What a window writes into a file of tasks that took the place of another one. */
import { definedFields } from "../../base/definedFields";
import { isAccepted } from "../../domain/task/phase";
import type { Task } from "../../domain/task/task";
import { hasMore, type TaskRecord } from "../../domain/task/taskRecord";
import { isSameRow } from "./shownTask";

/** The board after the new file was read, by the ids of tasks. */
interface ReplacedBoard {
  readonly inFile: { has(id: string): boolean };
  readonly all: ReadonlyMap<string, Task>;
  readonly onList: { has(id: string): boolean };
  /** The JSON bodies of requests that the file need not have. */
  readonly bodies: ReadonlyMap<string, string>;
}

/** Its memory is newer than any backup: the tasks that the file lacks, or has at an earlier stage. What was taken off the list stays off it. */
export function lostTasks(known: Iterable<Task>, { inFile, all, onList, bodies }: ReplacedBoard): TaskRecord[] {
  const lost: TaskRecord[] = [];
  for (const task of known) {
    const { id } = task.intent;
    const isLost = !inFile.has(id);
    const found = all.get(id);
    // Its request too where the row is there: another window, which has none, may have written that.
    if (isLost || !found || (hasMore(task, found) && !isSameRow(task, found)) || bodies.has(id)) {
      const { intent, submission } = withoutStale(task);
      const body = bodies.get(id) ?? intent.body;
      lost.push({ type: "task-recovered", task: { intent: { ...intent, ...definedFields({ body }) }, submission } });
    }
    if (isLost && !onList.has(id)) lost.push({ type: "task-removed", id, at: task.intent.createdAt });
  }
  return lost;
}

/** `stale`, the error of reads that fail at the moment, is never on disk. */
function withoutStale(task: Task): Task {
  if (!isAccepted(task) || task.submission.stale === undefined) return task;
  const { stale: _, ...submission } = task.submission;
  return { intent: task.intent, submission };
}

/** What a window writes into a file of tasks that took the place of another one: the window's memory is newer than any backup. Pure. */
import { isAccepted } from "../../domain/task/phase";
import type { Task } from "../../domain/task/task";
import type { TaskRecord } from "../../domain/task/taskRecord";

/**
 * The tasks of `known` that the file lacks, or has from before they were accepted. A row that was taken off the list
 * before stays off it: the store decides that.
 */
export function lostTasks(
  known: Iterable<Task>,
  inFile: { has(id: string): boolean },
  shown: ReadonlyMap<string, Task>,
): TaskRecord[] {
  const lost: TaskRecord[] = [];
  for (const task of known) {
    const { id } = task.intent;
    const isNewer = isAccepted(task) && !isAccepted(shown.get(id));
    if (!inFile.has(id) || isNewer) lost.push({ type: "task-recovered", task: withoutStale(task) });
  }
  return lost;
}

/** That reads fail is true for the moment only and is never on disk. */
function withoutStale(task: Task): Task {
  if (!isAccepted(task) || task.submission.stale === undefined) return task;
  const { stale: _, ...submission } = task.submission;
  return { intent: task.intent, submission };
}

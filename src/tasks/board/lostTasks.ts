/** What a window writes into a file of tasks that took the place of another one. */
import { definedFields } from "../../base/definedFields";
import { isAccepted } from "../../domain/task/phase";
import type { Task } from "../../domain/task/task";
import { hasMore, type TaskRecord } from "../../domain/task/taskRecord";
import { isSameRow } from "./shownTask";

/** Its memory is newer than any backup: tasks that the file lacks, or of which it has less. What was taken off the list stays off it. */
export function lostTasks(
  known: Iterable<Task>,
  inFile: { has(id: string): boolean },
  now: ReadonlyMap<string, Task>,
  onList: { has(id: string): boolean },
  bodies: ReadonlyMap<string, string>,
): TaskRecord[] {
  const lost: TaskRecord[] = [];
  for (const task of known) {
    const { id } = task.intent;
    const isLost = !inFile.has(id);
    const found = now.get(id);
    if (isLost || !found || (hasMore(task, found) && !isSameRow(task, found))) {
      const { intent, submission } = withoutStale(task);
      const body = bodies.get(id) ?? intent.body;
      lost.push({ type: "task-recovered", task: { intent: { ...intent, ...definedFields({ body }) }, submission } });
    }
    if (isLost && !onList.has(id)) lost.push({ type: "task-removed", id, at: task.intent.createdAt });
  }
  return lost;
}

/** That reads fail is true for the moment only and is never on disk. */
function withoutStale(task: Task): Task {
  if (!isAccepted(task) || task.submission.stale === undefined) return task;
  const { stale: _, ...submission } = task.submission;
  return { intent: task.intent, submission };
}

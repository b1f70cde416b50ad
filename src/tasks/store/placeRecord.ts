/** What one record does to one row. A request that goes on after its row was removed brings the row back (T1). */
import { isRunning, type Task } from "../../domain/task";
import { reduceTask, type TaskRecord } from "../../domain/taskRecord";

export interface PlacedTask {
  readonly task: Task;
  readonly isRemoved: boolean;
}

/** The same object again when the record changes nothing. */
export function placeRecord(before: PlacedTask | undefined, record: TaskRecord): PlacedTask | undefined {
  if (record.type === "task-removed") {
    // No row of a running task offers to be removed: a window that had not learnt of the accept has written this.
    if (before === undefined || before.isRemoved || isRunning(before.task)) return before;
    return { task: before.task, isRemoved: true };
  }
  if (record.type === "task-restored") return before?.isRemoved ? { task: before.task, isRemoved: false } : before;
  // What the person has removed after it was accepted holds no question any more.
  if (before?.isRemoved && before.task.submission.state === "accepted") return before;
  const task = reduceTask(before?.task, record);
  if (task === undefined || isSame(before?.task, task)) {
    const comesBack = before?.isRemoved && record.type === "task-intended";
    return comesBack ? { task: before.task, isRemoved: false } : before;
  }
  // A refusal, or the end of an attempt that nothing came of, is no reason to show a removed task again.
  return { task, isRemoved: before?.isRemoved === true && task.submission.state === "not-accepted" };
}

/** A read that told nothing new moves only the time of the check, which is not worth a write. */
function isSame(before: Task | undefined, after: Task): boolean {
  if (before === after) return true;
  if (before?.submission.state !== "accepted" || after.submission.state !== "accepted") return false;
  const { checkedAt } = before.submission;
  return JSON.stringify(before.submission) === JSON.stringify({ ...after.submission, checkedAt });
}

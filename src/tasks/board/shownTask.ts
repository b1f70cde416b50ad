/** Derives how a task of the store is shown: attempts that were cut, and what only this window has observed. */
import { isDeepStrictEqual } from "node:util";
import { isAccepted, isWaitingToSend } from "../../domain/task/phase";
import type { Task } from "../../domain/task/task";
import type { StoredTask } from "../store/taskStore";
import { reduceTask, type TaskRecord } from "../../domain/task/taskRecord";

const neverSent = { kind: "interrupted", message: "VS Code was closed before this was sent.", notSent: true } as const;
const interrupted = { kind: "interrupted", message: "VS Code was closed before the gateway answered." } as const;

export function isAttemptOpen({ submission }: Task): boolean {
  if (submission.state === "outcome-unknown") return submission.reconcile?.state === "under-way";
  return submission.state === "prepared" || submission.state === "sending";
}

/**
 * The task as it reads when the attempt was cut: not sent when its request had not begun, else with an unknown outcome.
 * For display only: another window may be sending it at this moment, and what that one writes counts.
 */
export function interruptedAttempt(task: Task): Task {
  if (!isAttemptOpen(task)) return task;
  const { id, createdAt: at } = task.intent;
  const end = isWaitingToSend(task)
    ? ({ type: "task-not-accepted", id, at, error: neverSent } as const)
    : ({ type: "task-outcome-unknown", id, at, error: interrupted } as const);
  return reduceTask(task, end) ?? task;
}

/** The task as it was read from disk: unchanged while a living window is sending it, else with its attempt cut. */
export function readAttempt({ task, isUnderWay }: StoredTask): Task {
  return isUnderWay ? task : interruptedAttempt(task);
}

/** Keeps the `checkedAt` and `stale` of this window, because each window knows its own reads only, unless the row was read later. */
function withObserved(before: Task | undefined, after: Task): Task {
  if (!isAccepted(before) || !isAccepted(after)) return after;
  const { stale, checkedAt } = before.submission;
  if (after.submission.checkedAt > checkedAt) return after;
  return { ...after, submission: { ...after.submission, checkedAt, ...(stale ? { stale } : {}) } };
}

/**
 * The task that is shown once the store has `row`: records that the store lacks are applied, and where nothing differs the task stays the same
 * object.
 */
export function afterRow(before: Task | undefined, row: Task, unwritten: readonly TaskRecord[]): Task {
  const observed = withObserved(before, row);
  const task = unwritten.reduce((shown, record) => reduceTask(shown, record) ?? shown, observed);
  // A record that this window has written comes back from the store as another object.
  return before && isSameRow(before, task) ? before : task;
}

/** Whether nothing has changed that a row shows; the time of the last read does not count. The intent never changes. */
export function isSameRow({ submission: before }: Task, { submission: after }: Task): boolean {
  if (before.state !== "accepted" || after.state !== "accepted") return isDeepStrictEqual(before, after);
  return isDeepStrictEqual({ ...before, checkedAt: 0 }, { ...after, checkedAt: 0 });
}

/** Observations that hold only for now and are not written: that reads fail, or that one came back the same. */
export type ObservedRecord = Extract<TaskRecord, { type: "task-read" | "task-read-failed" | "task-not-accepted" }>;

/**
 * Applies the records to `all`, and to `listed` where it has the task; returns the ids of the rows that changed. The time of the last read is no
 * change.
 */
export function applyObserved(
  all: Map<string, Task>,
  listed: Map<string, Task>,
  records: readonly ObservedRecord[],
): ReadonlySet<string> {
  const changed = new Set<string>();
  for (const record of records) {
    const before = all.get(record.id);
    const after = reduceTask(before, record);
    if (!before || !after || after === before) continue;
    all.set(record.id, after);
    if (listed.has(record.id)) listed.set(record.id, after);
    if (!isSameRow(before, after)) changed.add(record.id);
  }
  return changed;
}

/** How a task of the store is shown: attempts that were cut, and what only this window has observed. */
import type { Task } from "../domain/task";
import { reduceTask } from "../domain/taskRecord";

const neverSent = { kind: "interrupted", message: "VS Code was closed before this was sent.", notSent: true } as const;
const interrupted = { kind: "interrupted", message: "VS Code was closed before the gateway answered." } as const;

export function isUnfinished({ submission }: Task): boolean {
  if (submission.state === "outcome-unknown") return submission.reconcile?.state === "under-way";
  return submission.state === "prepared" || submission.state === "sending";
}

/**
 * The task as it reads when the attempt was cut: not sent when its request had not begun, else with an unknown outcome.
 * For display only: another window may be sending it at this moment, and what that one writes counts.
 */
export function interruptedAttempt(task: Task): Task {
  if (!isUnfinished(task)) return task;
  const { id, createdAt: at } = task.intent;
  const isSent = task.submission.state !== "prepared";
  const end = isSent
    ? ({ type: "task-outcome-unknown", id, at, error: interrupted } as const)
    : ({ type: "task-not-accepted", id, at, error: neverSent } as const);
  return reduceTask(task, end) ?? task;
}

/** How fresh a row is, is known to each window alone: what another one wrote does not change it, unless that was read later. */
export function withObserved(before: Task | undefined, after: Task): Task {
  if (before?.submission.state !== "accepted" || after.submission.state !== "accepted") return after;
  const { stale, checkedAt } = before.submission;
  if (after.submission.checkedAt > checkedAt) return after;
  return { ...after, submission: { ...after.submission, checkedAt, ...(stale ? { stale } : {}) } };
}

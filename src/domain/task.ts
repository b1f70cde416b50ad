/** A paid task: what was meant, what the service said of it, and when it is over. The types are those of the schemas that read it from disk. */
import type { TaskState } from "./taskNames";
import type { Task } from "./taskSchema";

export { type TaskState, taskStates, type TaskType, taskTypes } from "./taskNames";
export type {
  CancelProgress,
  CreatedTask,
  ReconcileAttempt,
  RemoteTask,
  ResultAssets,
  Submission,
  Task,
  TaskEvent,
  TaskHome,
  TaskIntent,
} from "./taskSchema";

/** The states after which nothing is polled any more. */
export function isFinal(state: TaskState): boolean {
  switch (state) {
    case "succeeded":
    case "failed":
    case "cancelled":
    case "expired":
    case "refunded":
      return true;
    case "created":
    case "queued":
    case "processing":
    case "unknown":
      return false;
  }
}

/** Accepted and not ended: there is something to poll and something to cancel. */
export function isRunning(task: Task): boolean {
  return task.submission.state === "accepted" && !isFinal(task.submission.remote.state);
}

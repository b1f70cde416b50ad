/** A paid task: the intent, the submission with the service's responses, and which states are final. The types are inferred from the schemas that read it from disk. */
import type { TaskState } from "./taskNames";
import type { Task } from "./taskSchema";

export { isTaskType, type TaskState, taskStates, type TaskType, taskTypes } from "./taskNames";
export type {
  AcceptedSubmission,
  CancelProgress,
  CreatedTask,
  FetchFailure,
  Placement,
  ReconcileAttempt,
  RemoteTask,
  ResultAssets,
  SavedResult,
  Submission,
  Task,
  TaskDestination,
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

export const taskConditions = ["running", "needs-attention", "finished"] as const;
/**
 * What a task means for the person; each task has one. `running`: being submitted, or accepted and not ended (wider than `isRunning`).
 * `needs-attention`: something for the person to decide, or a failure that they have not seen yet.
 */
export type TaskCondition = (typeof taskConditions)[number];

export function conditionOf(task: Task): TaskCondition {
  const { submission } = task;
  switch (submission.state) {
    case "prepared":
    case "sending":
      return "running";
    case "outcome-unknown":
    case "not-accepted":
      return "needs-attention";
    case "accepted":
      if (isRunning(task)) return "running";
      return submission.remote.state === "failed" && submission.seenAt === undefined ? "needs-attention" : "finished";
  }
}

/** A paid task: the intent, the submission with the service's responses, and which states are final. The types are inferred from the schemas that read it from disk. */
import type { TaskState } from "./taskStates";
import type { TaskType } from "./taskTypes";

export { type TaskState, taskStates } from "./taskStates";
export { isTaskType, type TaskType, taskTypes } from "./taskTypes";
export type {
  AcceptedSubmission,
  CancelProgress,
  CreatedTask,
  FetchFailure,
  Placement,
  ProjectCopy,
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

/** What is sent to create a task. */
export interface TaskRequest {
  readonly type: TaskType;
  readonly model: string;
  readonly prompt: string;
  readonly idempotencyKey: string;
  /** JSON objects as text: reference images and the like, and what the task type takes besides the prompt. */
  readonly inputAssets?: string;
  readonly metadata?: string;
}

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

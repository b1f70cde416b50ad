/**
 * A paid task: the intent, the submission with the service's responses, and which states are final. The types are inferred from the schemas that read
 * it from disk.
 */
import type { PromptSource, TaskDestination } from "./taskSchema";
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
  PromptSource,
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

/**
 * A task that is to be made: what the gateway is asked for, and what this machine keeps of it. With a body, an idempotency key and a price it is a
 * `TaskIntent`, which is on disk before anything is sent.
 */
export interface TaskOrder {
  readonly type: TaskType;
  readonly model: string;
  readonly prompt: string;
  /** JSON objects as text: reference images and the like, and what the task type takes besides the prompt. */
  readonly inputAssets?: string;
  readonly metadata?: string;
  /** The id of the task that it was made from. */
  readonly duplicatedFrom?: string;
  /** The difference from the other tasks of its batch, as a person reads it. */
  readonly variant?: string;
  /** The place in the project for the result. */
  readonly destination?: TaskDestination;
  /** The prompt file that its prompt is from. */
  readonly promptSource?: PromptSource;
  /** See `TaskIntent`. */
  readonly isRehearsal?: true;
  readonly makesReal?: string;
  /** The id under which the program that ordered it over MCP asks for it. */
  readonly orderedAs?: string;
}

/** Whether nothing is polled any more after this state. */
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

/** The names of task types and states. */

export const taskTypes = ["video", "stylized-image", "async-image"] as const;

/** The eight states of the gateway's document in the order of their numbers, then `unknown` for any other value. */
export const taskStates = [
  "created",
  "queued",
  "processing",
  "succeeded",
  "failed",
  "cancelled",
  "expired",
  "refunded",
  "unknown",
] as const;

export type TaskType = (typeof taskTypes)[number];

/** False for a type of a later version. */
export function isTaskType(type: string): type is TaskType {
  return (taskTypes as readonly string[]).includes(type);
}

export type TaskState = (typeof taskStates)[number];

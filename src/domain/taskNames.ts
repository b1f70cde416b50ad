/** The names of task types and states. */

export const taskTypes = ["video", "stylized-image", "async-image"] as const;

/** The eight states of the gateway's document by name, in the order of their numbers, and whatever else a gateway may say. */
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
export type TaskState = (typeof taskStates)[number];

/** The names of task states. */

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

export type TaskState = (typeof taskStates)[number];

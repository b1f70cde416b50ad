/** A task as the database keeps it, with its status and events at a given time. */
import * as z from "zod/mini";
import { taskPlanSchema } from "./taskPlan";
import { resultOptionsSchema } from "../demo/resultOptions";
import { subjectOf } from "../demo/drawing/subjects";
import { taskTypeWords } from "../demo/taskKinds";

export const gatewayTaskSchema = z.object({
  taskId: z.string(),
  account: z.int(),
  holdId: z.string(),
  requestId: z.string(),
  type: z.enum(taskTypeWords),
  model: z.string(),
  prompt: z.string(),
  seed: z.int(),
  idempotencyKey: z.optional(z.string()),
  /** Hash of the request body, independent of the order of its fields: a repetition under the same key has the same one. */
  fingerprint: z.string(),
  /** Hash of the input assets. */
  inputs: z.optional(z.int()),
  /** Tasks of earlier versions have none. */
  options: z.optional(resultOptionsSchema),
  createdAt: z.number(),
  plan: taskPlanSchema,
});
export type GatewayTask = z.infer<typeof gatewayTaskSchema>;

export const taskEndSchema = z.discriminatedUnion("state", [
  z.object({ state: z.literal("succeeded"), at: z.number() }),
  z.object({ state: z.literal("failed"), at: z.number(), errorCode: z.string(), errorMessage: z.string() }),
  z.object({ state: z.literal("cancelled"), at: z.number(), reason: z.string() }),
  z.object({ state: z.literal("expired"), at: z.number() }),
]);
export type TaskEnd = z.infer<typeof taskEndSchema>;

/** The operator refunded the task: the charge, if there was one, is returned. `amount`: minor units. */
export const taskRefundSchema = z.object({ at: z.number(), reason: z.string(), amount: z.int() });
export type TaskRefund = z.infer<typeof taskRefundSchema>;

/** The numbers of the service's status field. */
export const statusNumbers = {
  created: 1,
  submitted: 2,
  processing: 3,
  succeeded: 4,
  failed: 5,
  cancelled: 6,
  expired: 7,
  refunded: 8,
} as const;
export type TaskStatus = keyof typeof statusNumbers;

/** A task with its end and refund, once it has them. */
export interface TaskAccount {
  readonly task: GatewayTask;
  readonly end?: TaskEnd;
  readonly refund?: TaskRefund;
}

export function statusAt({ task, end, refund }: TaskAccount, now: number): TaskStatus {
  if (refund !== undefined) return "refunded";
  if (end !== undefined) return end.state;
  if (now >= task.plan.processingAt) return "processing";
  return now >= task.plan.queuedAt ? "submitted" : "created";
}

/** State and time of its end unless it is cancelled before. */
export function dueEnd({ plan }: GatewayTask): TaskEnd {
  const { endsAt, expiresAt, outcome } = plan;
  if (endsAt === undefined || endsAt > expiresAt) return { state: "expired", at: expiresAt };
  if (outcome.state === "succeeded") return { state: "succeeded", at: endsAt };
  return { state: "failed", at: endsAt, errorCode: outcome.errorCode, errorMessage: outcome.errorMessage };
}

export interface GatewayTaskEvent {
  readonly id: string;
  /** `event_type` in the response; the status where it is left out. */
  readonly type?: "hold_released";
  readonly status: TaskStatus;
  readonly message: string;
  readonly at: number;
}

/** Oldest first. */
export function eventsUntil({ task, end, refund }: TaskAccount, now: number): readonly GatewayTaskEvent[] {
  const { plan, createdAt } = task;
  const begun: Omit<GatewayTaskEvent, "id">[] = [
    { status: "created", message: "Task created; play money is reserved for it.", at: createdAt },
    { status: "submitted", message: "Queued for a generator.", at: plan.queuedAt },
    { status: "processing", message: workOn(task), at: plan.processingAt },
  ];
  const last = Math.min(now, end?.at ?? now);
  const seen = begun.filter(({ at }) => at <= last);
  if (end !== undefined) {
    const { state: status, at } = end;
    seen.push({ status, message: endMessage(end), at });
    if (status !== "succeeded")
      seen.push({ type: "hold_released", status, message: "The reserved play money is given back.", at });
  }
  if (refund !== undefined) seen.push({ status: "refunded", message: refundMessage(refund), at: refund.at });
  return seen.map((event, index) => ({ id: `evt_${task.taskId.slice(0, 8)}_${index + 1}`, ...event }));
}

function workOn({ prompt }: GatewayTask): string {
  return subjectOf(prompt) === undefined
    ? "The generator has no drawing of these words: it draws hills."
    : "The generator works on it.";
}

function refundMessage({ amount, reason }: TaskRefund): string {
  const why = reason === "" ? "" : `: ${reason}`;
  return amount === 0 ? `Refunded${why}. Nothing had been charged.` : `Refunded${why}. The charge is returned.`;
}

function endMessage(end: TaskEnd): string {
  switch (end.state) {
    case "succeeded":
      return "The result is ready; the play money for the real usage is taken.";
    case "failed":
      return end.errorMessage;
    case "cancelled":
      return end.reason === "" ? "Cancelled." : `Cancelled: ${end.reason}.`;
    case "expired":
      return "The time to live ran out.";
  }
}

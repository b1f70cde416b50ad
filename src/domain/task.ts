/** A paid task: what was meant, what the service said of it, and how one becomes the other. */
import type { GatewayError } from "./errors";

export const taskTypes = ["video", "stylized-image", "async-image"] as const;
export type TaskType = (typeof taskTypes)[number];

/** The eight states of service-spec 3 by name, in the order of their numbers, and whatever else a gateway may say. */
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

/** Where a task lives, frozen when it was submitted: a later change of gateway or key does not move it. */
export interface TaskHome {
  /** `local` for the gateway that ships inside, else the base URL's origin. */
  readonly origin: string;
  readonly baseUrl: string;
  /** A fingerprint of the key: tells accounts apart and gives nothing away. */
  readonly account: string;
}

/** What the person asked for, on disk before the first byte is sent. `body` is sent as it stands, each time. */
export interface TaskIntent {
  /** Ours; the service's is `taskId`. */
  readonly id: string;
  readonly idempotencyKey: string;
  readonly home: TaskHome;
  readonly type: TaskType;
  readonly model: string;
  readonly prompt: string;
  /** The exact JSON of the request. */
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Tasks that were submitted together share it. */
  readonly batch?: string;
}

/** The URLs of a finished task (service-spec 2.1); `unreadable` keeps what could not be understood. */
export type ResultAssets =
  | {
      readonly kind: "assets";
      readonly imageUrl?: string;
      readonly videoUrl?: string;
      readonly thumbnailUrl?: string;
      readonly seed?: number;
    }
  | { readonly kind: "unreadable"; readonly raw: string };

/** What a read of the task said. */
export interface RemoteTask {
  readonly state: TaskState;
  /** The status as the service wrote it: `3`, or anything else it may say. */
  readonly rawStatus: string;
  readonly model?: string;
  readonly assets?: ResultAssets;
  /** Milliseconds since 1970, as the service said. */
  readonly createdAt?: number;
  readonly completedAt?: number;
  readonly errorCode?: string;
  readonly errorMessage?: string;
}

export interface TaskEvent {
  readonly id: string;
  readonly type: string;
  readonly state: TaskState;
  readonly rawStatus: string;
  readonly message: string;
  readonly createdAt?: number;
}

/** What the create call answered (service-spec 2.1). */
export interface CreatedTask {
  readonly taskId: string;
  readonly holdId?: string;
  readonly requestId?: string;
  readonly remote: RemoteTask;
  /** The service said that this key had been used before, and gave the first task's ids. */
  readonly replayed: boolean;
}

export type CancelProgress =
  | { readonly state: "requested"; readonly reason: string; readonly at: number }
  | { readonly state: "confirmed"; readonly reason: string; readonly at: number }
  /** It had ended before the cancel arrived: a success is charged. */
  | { readonly state: "too-late"; readonly reason: string; readonly at: number }
  | { readonly state: "refused"; readonly reason: string; readonly at: number; readonly error: GatewayError };

/** One Reconcile: the same bytes under the same key, sent once more. Times are milliseconds since 1970. */
export type ReconcileAttempt =
  | { readonly state: "under-way"; readonly at: number }
  /** It proved nothing: it was refused, not sent, or lost as well. */
  | { readonly state: "failed"; readonly at: number; readonly error: GatewayError };

/** Where a submission stands; `submissionTransitions` says how one state follows from another. */
export type Submission =
  /** On disk, and no byte of it was sent. */
  | { readonly state: "prepared" }
  | { readonly state: "sending" }
  /** The task may exist. `error` is that of the first attempt whose outcome was lost. */
  | {
      readonly state: "outcome-unknown";
      readonly error: GatewayError;
      readonly at: number;
      /** The last Reconcile. */
      readonly reconcile?: ReconcileAttempt;
    }
  /** The service refused it, or nothing reached the service: there is no task and no hold. */
  | { readonly state: "not-accepted"; readonly error: GatewayError; readonly at: number }
  | {
      readonly state: "accepted";
      readonly at: number;
      readonly taskId: string;
      readonly holdId?: string;
      readonly requestId?: string;
      readonly remote: RemoteTask;
      /** When the service last answered a read. */
      readonly checkedAt: number;
      /** Reads have failed since; the state is the last known one. */
      readonly stale?: { readonly since: number; readonly error: GatewayError };
      readonly cancel?: CancelProgress;
      readonly events?: readonly TaskEvent[];
      /** Where the result was saved on this machine. */
      readonly savedAs?: string;
    };

export interface Task {
  readonly intent: TaskIntent;
  readonly submission: Submission;
}

/** The states after which nothing is polled any more (service-spec 3). */
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

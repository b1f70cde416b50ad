/** A task as it is kept on disk: the schemas that read it back give the types, so a field that is not read can't be written. */
import * as z from "zod/mini";
import type { Immutable } from "../base/immutable";
import { gatewayErrorSchema } from "./errorSchema";
import { taskStates, taskTypes } from "./taskNames";

const text = z.string();
/** Outside these bounds `Date` is invalid, and `Intl.DateTimeFormat` throws a RangeError for it. */
const latest = 8.64e15;
/** Milliseconds since 1970. Clamped: a paid task counts whatever its time says. */
export const momentSchema = z.pipe(
  z.number(),
  z.transform((at) => Math.min(Math.max(at, -latest), latest)),
);

const state = z.enum(taskStates);

const resultAssetsSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("assets"),
    imageUrl: z.exactOptional(text),
    videoUrl: z.exactOptional(text),
    thumbnailUrl: z.exactOptional(text),
    seed: z.exactOptional(z.number()),
  }),
  z.object({ kind: z.literal("unreadable"), raw: text }),
]);

export const remoteTaskSchema = z.object({
  state,
  /** The status as the service wrote it: `3`, or anything else it may say. */
  rawStatus: text,
  model: z.exactOptional(text),
  assets: z.exactOptional(resultAssetsSchema),
  /** As the service said. */
  createdAt: z.exactOptional(momentSchema),
  completedAt: z.exactOptional(momentSchema),
  errorCode: z.exactOptional(text),
  errorMessage: z.exactOptional(text),
});

/** The response to a create request. */
export const createdTaskSchema = z.object({
  taskId: text,
  holdId: z.exactOptional(text),
  requestId: z.exactOptional(text),
  remote: remoteTaskSchema,
  /** The service said that this key had been used before, and gave the first task's ids. */
  replayed: z.boolean(),
});

export const taskEventSchema = z.object({
  id: text,
  type: text,
  state,
  rawStatus: text,
  message: text,
  createdAt: z.exactOptional(momentSchema),
});

const taskHomeSchema = z.object({
  /** `local` for the gateway that ships inside, else the base URL's origin. */
  origin: text,
  baseUrl: text,
  /** A fingerprint of the key: tells accounts apart and gives nothing away. */
  account: text,
});

export const taskIntentSchema = z.object({
  /** Ours, as `randomUUID` writes it, because it becomes part of file names; the service's is `taskId`. */
  id: text.check(z.regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)),
  idempotencyKey: text,
  home: taskHomeSchema,
  type: z.enum(taskTypes),
  model: text,
  prompt: text,
  /** The exact JSON of the request. */
  body: text,
  createdAt: momentSchema,
  /** Tasks that were submitted together share it. */
  batch: z.exactOptional(text),
});

const asked = { reason: text, at: momentSchema };
export const cancelProgressSchema = z.discriminatedUnion("state", [
  z.object({ state: z.literal("requested"), ...asked }),
  z.object({ state: z.literal("confirmed"), ...asked }),
  /** It had ended before the cancel arrived: a success is charged. */
  z.object({ state: z.literal("too-late"), ...asked }),
  z.object({ state: z.literal("refused"), ...asked, error: gatewayErrorSchema }),
]);

const reconcileAttemptSchema = z.discriminatedUnion("state", [
  z.object({ state: z.literal("under-way"), at: momentSchema }),
  /** It proved nothing: it was refused, not sent, or lost as well. */
  z.object({ state: z.literal("failed"), at: momentSchema, error: gatewayErrorSchema }),
]);

const submissionSchema = z.discriminatedUnion("state", [
  /** On disk, and no byte of it was sent. */
  z.object({ state: z.literal("prepared") }),
  z.object({ state: z.literal("sending") }),
  /** The task may exist. `error` is that of the first attempt whose outcome was lost, `reconcile` the last Reconcile. */
  z.object({
    state: z.literal("outcome-unknown"),
    error: gatewayErrorSchema,
    at: momentSchema,
    reconcile: z.exactOptional(reconcileAttemptSchema),
  }),
  /** The service refused it, or nothing reached the service: there is no task and no hold. */
  z.object({ state: z.literal("not-accepted"), error: gatewayErrorSchema, at: momentSchema }),
  z.object({
    state: z.literal("accepted"),
    at: momentSchema,
    taskId: text,
    holdId: z.exactOptional(text),
    requestId: z.exactOptional(text),
    remote: remoteTaskSchema,
    /** When the service last answered a read. */
    checkedAt: momentSchema,
    /** Reads have failed since; the state is the last known one. */
    stale: z.exactOptional(z.object({ since: momentSchema, error: gatewayErrorSchema })),
    cancel: z.exactOptional(cancelProgressSchema),
    events: z.exactOptional(z.array(taskEventSchema)),
    /** Where the result was saved on this machine. */
    savedAs: z.exactOptional(text),
  }),
]);

export const taskSchema = z.object({ intent: taskIntentSchema, submission: submissionSchema });

type Inferred<S extends z.core.$ZodType> = Immutable<z.infer<S>>;

/** Where a task lives, frozen when it was submitted: a later change of gateway or key does not move it. */
export type TaskHome = Inferred<typeof taskHomeSchema>;
/** What the person asked for, on disk before the first byte is sent. `body` is sent as it stands, each time. */
export type TaskIntent = Inferred<typeof taskIntentSchema>;
/** The URLs of a finished task; `unreadable` keeps what could not be understood. */
export type ResultAssets = Inferred<typeof resultAssetsSchema>;
/** What a read of the task said. */
export type RemoteTask = Inferred<typeof remoteTaskSchema>;
export type CreatedTask = Inferred<typeof createdTaskSchema>;
export type TaskEvent = Inferred<typeof taskEventSchema>;
export type CancelProgress = Inferred<typeof cancelProgressSchema>;
/** One Reconcile: the same bytes under the same key, sent once more. */
export type ReconcileAttempt = Inferred<typeof reconcileAttemptSchema>;
/** Where a submission stands; `submissionTransitions` says how one state follows from another. */
export type Submission = Inferred<typeof submissionSchema>;
export type Task = Inferred<typeof taskSchema>;

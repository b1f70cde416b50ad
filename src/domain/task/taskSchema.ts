/** A task as it is kept on disk: the schemas that read it back give the types, so a field that is not read can't be written. */
import { maxExactFiles } from "./exactFiles";
import * as z from "zod/mini";
import type { Immutable } from "../../base/immutable";
import { appErrorSchema } from "../errors/appErrorSchema";
import { momentSchema } from "../../base/momentSchema";
import { type MediaKind, mediaKinds } from "./taskTypes";
import { priceSchema } from "../prices/priceList";
import { taskStates } from "./taskStates";

const text = z.string();
/** A state that only a later version defines is shown as unknown, with the status as the service wrote it: the row of a paid task never vanishes. */
const state = z.catch(z.enum(taskStates), "unknown");

type UrlFields = { [K in MediaKind as `${K}Url`]: z.ZodMiniExactOptional<z.ZodMiniString> };

/** `imageUrl`, `videoUrl`: one for each kind of media. */
const urlFields = Object.fromEntries(mediaKinds.map((kind) => [`${kind}Url`, z.exactOptional(text)])) as UrlFields;

const resultAssetsSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("assets"),
    ...urlFields,
    thumbnailUrl: z.exactOptional(text),
    seed: z.exactOptional(z.number()),
  }),
  z.object({ kind: z.literal("unreadable"), raw: text }),
]);

export const remoteTaskSchema = z.object({
  state,
  /** The status as the service wrote it: `3`, or anything else it may say. */
  rawStatus: text,
  /** One of `taskTypes`, or what the service wrote for one that is not known here. */
  type: z.exactOptional(text),
  model: z.exactOptional(text),
  assets: z.exactOptional(resultAssetsSchema),
  /** Addresses of further results of the same task. */
  more: z.exactOptional(z.array(text)),
  /** The time that the service named. */
  createdAt: z.exactOptional(momentSchema),
  completedAt: z.exactOptional(momentSchema),
  errorCode: z.exactOptional(text),
  errorMessage: z.exactOptional(text),
  /** The cost of the task, where the gateway states it. */
  cost: z.exactOptional(priceSchema),
});

/** The response to a create request. */
export const createdTaskSchema = z.object({
  taskId: text,
  holdId: z.exactOptional(text),
  requestId: z.exactOptional(text),
  remote: remoteTaskSchema,
  /** The response was marked as replayed: the key had been used before, and the ids are those of the first task. */
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
  /** A fingerprint of the key: distinguishes accounts without revealing the key. */
  account: text,
});

/** The destination of the result in the project. It reserves the name; the file is written when the task has succeeded. */
const destinationSchema = z.object({
  /** The URI of the file, without its ending until the type of the result is known. */
  file: text,
  /** The URI of the document in which a reference to the file was inserted when the task was submitted. */
  document: z.exactOptional(text),
  /** The files that are made of the result, this one first, each with its ending; the result itself is not placed then. */
  exact: z.exactOptional(
    z
      .array(
        z.object({
          file: text,
          width: z.exactOptional(z.int()),
          height: z.exactOptional(z.int()),
          isMaskable: z.exactOptional(z.literal(true)),
        }),
      )
      .check(z.maxLength(maxExactFiles)),
  ),
});

/** The prompt file that a prompt is from, as it was when the task was submitted. */
const promptSourceSchema = z.object({
  /** The URI of the file. */
  document: text,
  /** The text of the heading that the prompt is under. */
  heading: text,
  /** SHA-256 of what the file set for it, in hex. */
  optionsSha256: text,
});

export const taskIntentSchema = z.object({
  /** Our id, as `randomUUID` writes it, because it becomes part of file names; the service's is `taskId`. */
  id: text.check(z.regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)),
  idempotencyKey: text,
  home: taskHomeSchema,
  /** One of `taskTypes`, or the name of one that only a later version defines, which is shown as it is. */
  type: text,
  model: text,
  prompt: text,
  /** The exact JSON of the request, until it is on disk: the store keeps it apart, because it may hold pictures. */
  body: z.exactOptional(text),
  createdAt: momentSchema,
  /** Tasks that were submitted together share it. */
  batch: z.exactOptional(text),
  /** The difference from the other tasks of its batch, as a person reads it: `seed: 2, style: ink`. */
  variant: z.exactOptional(text),
  /** The id of the intent that this one was made from: changed, varied, or with its picture as a reference. */
  duplicatedFrom: z.exactOptional(text),
  /** The id under which the program that ordered it over MCP asks for it. */
  orderedAs: z.exactOptional(text),
  /** The task was submitted elsewhere: there is no body and no key, so nothing is ever sent but reads and a cancel. */
  isWatched: z.exactOptional(z.literal(true)),
  destination: z.exactOptional(destinationSchema),
  promptSource: z.exactOptional(promptSourceSchema),
  /** A rehearsal: the gateway inside makes a placeholder of it, and nothing is paid. */
  isRehearsal: z.exactOptional(z.literal(true)),
  /** The id of the rehearsal that this task makes real: its file takes the place of the placeholder. */
  makesReal: z.exactOptional(text),
  /**
   * The price by the gateway's list or the person's on the day of the submission. The cost that the gateway states at the end is `cost` of a read.
   */
  price: z.exactOptional(priceSchema),
});

const asked = { reason: text, at: momentSchema };
export const cancelProgressSchema = z.discriminatedUnion("state", [
  /** `seenRunningAt`: a read after the service had taken it showed the task still running. */
  z.object({ state: z.literal("requested"), ...asked, seenRunningAt: z.exactOptional(momentSchema) }),
  z.object({ state: z.literal("confirmed"), ...asked }),
  /** The task had ended before the cancel arrived: a success is charged. */
  z.object({ state: z.literal("too-late"), ...asked }),
  /** The service took the cancel, or its response was lost; a read long after it showed that the task went on. */
  z.object({ state: z.literal("no-effect"), ...asked }),
  /** The service refused the cancel, or it was not sent: the task goes on. */
  z.object({ state: z.literal("refused"), ...asked, error: appErrorSchema }),
]);

const reconcileAttemptSchema = z.discriminatedUnion("state", [
  /** `waits`: no byte of the request was sent yet. */
  z.object({ state: z.literal("under-way"), at: momentSchema, waits: z.exactOptional(z.literal(true)) }),
  /** The attempt proved nothing: it was refused, not sent, or lost as well. */
  z.object({ state: z.literal("failed"), at: momentSchema, error: appErrorSchema }),
]);

/** The result on this machine. */
const savedResultSchema = z.object({
  path: text,
  mimeType: text,
  /** Bytes. */
  size: z.number(),
  at: momentSchema,
  /** The path of the small picture that is stored next to it. */
  thumbnail: z.exactOptional(text),
  /** The path of the one of both files that can be the icon of a row. */
  icon: z.exactOptional(text),
});

/** The failure by which the result is not on this machine. */
const fetchFailureSchema = z.object({
  error: appErrorSchema,
  at: momentSchema,
  /** The attempts since the last success. */
  attempts: z.number(),
});

/** The result as a file of the project; `file` is a URI. */
const placementSchema = z.discriminatedUnion("state", [
  /** The file is being written. A task that stays in this state was left by a window that was closed meanwhile. */
  z.object({ state: z.literal("placing"), file: text, at: momentSchema }),
  z.object({ state: z.literal("placed"), file: text, at: momentSchema }),
  /** Another file has that name: a person decides. */
  z.object({ state: z.literal("occupied"), file: text, at: momentSchema }),
  z.object({ state: z.literal("failed"), file: text, at: momentSchema, message: text }),
]);

/**
 * A file of the project with the result, in addition to its placement: converted, or put in the place of another. `file` is a URI. `isForgotten`: the
 * file is not listed among the assets any more.
 */
const projectCopySchema = z.object({ file: text, at: momentSchema, isForgotten: z.exactOptional(z.literal(true)) });

const submissionSchema = z.discriminatedUnion("state", [
  /** The task is on disk, and no byte of it was sent. */
  z.object({ state: z.literal("prepared") }),
  z.object({ state: z.literal("sending") }),
  /** The task may exist. `error` is that of the first attempt whose outcome was lost, `reconcile` the last Reconcile. */
  z.object({
    state: z.literal("outcome-unknown"),
    error: appErrorSchema,
    at: momentSchema,
    reconcile: z.exactOptional(reconcileAttemptSchema),
  }),
  /** The service refused the task, or nothing reached the service: there is no task and no hold. */
  z.object({ state: z.literal("not-accepted"), error: appErrorSchema, at: momentSchema }),
  z.object({
    state: z.literal("accepted"),
    at: momentSchema,
    taskId: text,
    holdId: z.exactOptional(text),
    requestId: z.exactOptional(text),
    /** The outcome was unknown since then, until a Reconcile was answered with this task. */
    lostAt: z.exactOptional(momentSchema),
    /** The response was marked as replayed: the gateway had received the idempotency key before. */
    replayed: z.exactOptional(z.literal(true)),
    /** Other tasks or holds that the service made for the same key. */
    others: z.exactOptional(z.array(z.object({ taskId: text, holdId: z.exactOptional(text), at: momentSchema }))),
    remote: remoteTaskSchema,
    /** The time at which the service last answered a read. */
    checkedAt: momentSchema,
    /** The time of the one read after its end, because a refund may follow one. */
    lookedAt: z.exactOptional(momentSchema),
    /** Reads have failed since; the state is the last known one. */
    stale: z.exactOptional(z.object({ since: momentSchema, error: appErrorSchema })),
    cancel: z.exactOptional(cancelProgressSchema),
    events: z.exactOptional(z.array(taskEventSchema)),
    saved: z.exactOptional(savedResultSchema),
    fetchFailure: z.exactOptional(fetchFailureSchema),
    placement: z.exactOptional(placementSchema),
    /** The files in addition to `placement`, the oldest first; also that of `placement` itself, once it is forgotten. */
    copies: z.exactOptional(z.array(projectCopySchema)),
    /** The time at which the person looked at a task that has failed. */
    seenAt: z.exactOptional(momentSchema),
    /** The time at which a window took it on to notify of the end of the batch; set on one task of the batch. */
    announcedAt: z.exactOptional(momentSchema),
    /** The person's marks on the result, as `judgement` reads them. No gateway gets them. */
    rating: z.exactOptional(z.number()),
    choice: z.exactOptional(text),
  }),
]);

export const taskSchema = z.object({ intent: taskIntentSchema, submission: submissionSchema });

type Inferred<S extends z.core.$ZodType> = Immutable<z.infer<S>>;

/** The gateway and account of a task, frozen when it was submitted: a later change of gateway or key does not move it. */
export type TaskHome = Inferred<typeof taskHomeSchema>;
/** The request of the person, on disk before the first byte is sent. The stored body is sent unchanged, each time. */
export type TaskIntent = Inferred<typeof taskIntentSchema>;
export type TaskDestination = Inferred<typeof destinationSchema>;
export type PromptSource = Inferred<typeof promptSourceSchema>;
/** The URLs of a finished task; `unreadable` keeps what could not be understood. */
export type ResultAssets = Inferred<typeof resultAssetsSchema>;
/** The task as a read returned it. */
export type RemoteTask = Inferred<typeof remoteTaskSchema>;
export type CreatedTask = Inferred<typeof createdTaskSchema>;
export type TaskEvent = Inferred<typeof taskEventSchema>;
export type CancelProgress = Inferred<typeof cancelProgressSchema>;
/** One Reconcile: the same bytes under the same key, sent once more. */
export type ReconcileAttempt = Inferred<typeof reconcileAttemptSchema>;
export type SavedResult = Inferred<typeof savedResultSchema>;
export type FetchFailure = Inferred<typeof fetchFailureSchema>;
export type Placement = Inferred<typeof placementSchema>;
export type ProjectCopy = Inferred<typeof projectCopySchema>;
/** The state of a submission; `submissionTransitions` has the allowed changes from one state to another. */
export type Submission = Inferred<typeof submissionSchema>;
/** A submission that the service has accepted: there is a task. */
export type AcceptedSubmission = Extract<Submission, { state: "accepted" }>;
export type Task = Inferred<typeof taskSchema>;

/** The records of what happens to tasks: each is reduced into the task on disk and into the one that is shown. */
import { definedFields } from "../../base/definedFields";
import type { AppError } from "../errors/appError";
import type { JudgementChange } from "./judgement";
import { failureEvent, restoredCode, type SubmissionEvent, submissionTransitions } from "./submission";
import {
  type AcceptedSubmission,
  type CancelProgress,
  type CreatedTask,
  type FetchFailure,
  type Placement,
  type ProjectCopy,
  type ReconcileAttempt,
  type RemoteTask,
  type SavedResult,
  type Submission,
  type Task,
  type TaskEvent,
  type TaskIntent,
  isFinal,
} from "./task";

/** `at` is milliseconds since 1970; `id` is the intent's. */
export type TaskRecord =
  | { readonly type: "task-intended"; readonly intent: TaskIntent }
  /** A task as a window has it in memory, for a file that has lost it, or has it from before it was accepted. */
  | { readonly type: "task-recovered"; readonly task: Task }
  /** It is to be sent again, and its request waits until the account is not paused: no byte of it was sent. */
  | { readonly type: "task-waiting"; readonly id: string; readonly at: number }
  /** A request is about to be sent: until a later record says more, it may have reached the service. */
  | { readonly type: "task-sending"; readonly id: string; readonly at: number }
  | { readonly type: "task-accepted"; readonly id: string; readonly at: number; readonly created: CreatedTask }
  | { readonly type: "task-not-accepted"; readonly id: string; readonly at: number; readonly error: AppError }
  | { readonly type: "task-outcome-unknown"; readonly id: string; readonly at: number; readonly error: AppError }
  | {
      readonly type: "task-read";
      readonly id: string;
      readonly at: number;
      readonly remote: RemoteTask;
      /** The read is the one after the end, for a refund that may follow. */
      readonly isRecheck?: true;
    }
  /** The record is kept in memory only: it marks a row as stale and changes no state of the task. */
  | { readonly type: "task-read-failed"; readonly id: string; readonly at: number; readonly error: AppError }
  | { readonly type: "task-events"; readonly id: string; readonly at: number; readonly events: readonly TaskEvent[] }
  | { readonly type: "task-cancel"; readonly id: string; readonly cancel: CancelProgress }
  | {
      readonly type: "task-saved";
      readonly id: string;
      readonly at: number;
      readonly path: string;
      readonly saved: Omit<SavedResult, "path" | "at">;
    }
  | { readonly type: "task-fetch-failed"; readonly id: string; readonly at: number; readonly error: AppError }
  /** A step of placing the result: one of the windows that have the folder open takes it. */
  | { readonly type: "task-placing"; readonly id: string; readonly placement: Placement }
  /** The result was saved in another format or size, or one of its files is forgotten. */
  | { readonly type: "task-copied"; readonly id: string; readonly copy: ProjectCopy }
  /** The person has looked at a task that failed. */
  | { readonly type: "task-seen"; readonly id: string; readonly at: number }
  /** The person rated, kept or rejected the result. What is left out stays as it is; 0 and `none` remove the mark. */
  | ({ readonly type: "task-judged"; readonly id: string; readonly at: number } & JudgementChange)
  /** One window has taken it on to notify of the end of this task's batch. */
  | { readonly type: "task-announced"; readonly id: string; readonly at: number }
  /** The task was taken off the list; the disk keeps it. */
  | { readonly type: "task-removed"; readonly id: string; readonly at: number }
  /** The task is back on the list. */
  | { readonly type: "task-restored"; readonly id: string; readonly at: number };

export function intentIdOf(record: TaskRecord): string {
  if (record.type === "task-intended") return record.intent.id;
  return record.type === "task-recovered" ? record.task.intent.id : record.id;
}

/** Returns one task after one record. A record that does not fit (a read of a task that was never accepted) changes nothing. */
export function reduceTask(task: Task | undefined, record: TaskRecord): Task | undefined {
  if (record.type === "task-intended") return task ?? { intent: record.intent, submission: { state: "prepared" } };
  if (record.type === "task-recovered") return recover(task, record.task);
  if (task === undefined) return undefined;
  const { intent, submission } = task;
  switch (record.type) {
    case "task-waiting":
    case "task-sending":
    case "task-accepted":
    case "task-not-accepted":
    case "task-outcome-unknown": {
      const next = reduceSubmission(submission, record);
      return next === submission ? task : { intent, submission: next };
    }
    case "task-removed":
      return undefined;
    case "task-restored":
      return task;
    case "task-seen":
    case "task-judged":
    case "task-announced":
    case "task-read":
    case "task-read-failed":
    case "task-events":
    case "task-cancel":
    case "task-saved":
    case "task-fetch-failed":
    case "task-placing":
    case "task-copied":
      if (submission.state !== "accepted") return task;
      return { intent, submission: reduceAccepted(submission, record) };
  }
}

function recover(task: Task | undefined, known: Task): Task {
  return hasMore(known, task) ? known : (task ?? known);
}

/**
 * Whether `one`, from the memory of a window, is at a later stage of the submission than `other`, from a file that may be older. `accepted` is the
 * latest; an attempt that may have been sent is later than one of which nothing was sent; the state from a backup is the earliest. Of two accepted
 * states the one counts that was read no earlier: the gateway may not have the end, the events and the result any more.
 */
export function hasMore(one: Task, other: Task | undefined): boolean {
  if (other === undefined) return true;
  const [mine, theirs] = [one.submission, other.submission];
  if (mine.state !== "accepted" || theirs.state !== "accepted") return certaintyOf(one) > certaintyOf(other);
  return mine.checkedAt >= theirs.checkedAt;
}

function certaintyOf({ submission }: Task): number {
  switch (submission.state) {
    case "prepared":
    case "not-accepted":
      return 1;
    case "sending":
      return 2;
    case "outcome-unknown":
      return submission.error.code === restoredCode ? 0 : 3;
    case "accepted":
      return 4;
  }
}

/** The task as it is written into a backup that is made at `at`: unless it is accepted, its outcome is unknown, because it may be sent after that. */
export function asOfBackup(task: Task, at: number): Task {
  const { state } = task.submission;
  if (state === "accepted" || state === "outcome-unknown") return task;
  const error = { kind: "storage", code: restoredCode, message: new Date(at).toISOString().slice(0, 10) } as const;
  return { intent: task.intent, submission: { state: "outcome-unknown", error, at } };
}

type SubmissionRecord = Extract<
  TaskRecord,
  { type: "task-waiting" | "task-sending" | "task-accepted" | "task-not-accepted" | "task-outcome-unknown" }
>;

function submissionEvent(record: SubmissionRecord): SubmissionEvent {
  switch (record.type) {
    case "task-waiting":
      return "waits";
    case "task-sending":
      return "started";
    case "task-accepted":
      return "accepted";
    case "task-outcome-unknown":
      return "lost";
    case "task-not-accepted":
      // The error shows whether a byte may have reached the gateway. The type of the record does not: its writer may have judged wrongly.
      return failureEvent(record.error);
  }
}

/** The table names the next state; this adds the data of it. */
function reduceSubmission(before: Submission, record: SubmissionRecord): Submission {
  const next = submissionTransitions[before.state][submissionEvent(record)];
  switch (next) {
    case "prepared":
      return before.state === "prepared" ? before : { state: "prepared" };
    case "sending":
      return { state: "sending" };
    case "not-accepted":
      return "error" in record ? { state: "not-accepted", error: record.error, at: record.at } : before;
    case "outcome-unknown":
      return reduceUnknown(before, record);
    case "accepted":
      if (record.type !== "task-accepted") return before;
      return before.state === "accepted" ? withOther(before, record) : acceptedBy(before, record);
  }
}

function reduceUnknown(before: Submission, record: SubmissionRecord): Submission {
  const { at } = record;
  const isWaiting = record.type === "task-waiting";
  if (before.state !== "outcome-unknown" && !isWaiting) {
    return { state: "outcome-unknown", error: "error" in record ? record.error : overlapping, at };
  }
  const reconcile: ReconcileAttempt =
    "error" in record
      ? { state: "failed", at, error: record.error }
      : { state: "under-way", at, ...(isWaiting ? { waits: true } : {}) };
  const unknown =
    before.state === "outcome-unknown" ? before : { state: "outcome-unknown" as const, error: overlapping, at };
  return { ...unknown, reconcile };
}

/** The error of an attempt that had no outcome when another one began. */
const overlapping = { kind: "interrupted", message: "Another attempt began before this one had an outcome." } as const;

type AcceptRecord = Extract<TaskRecord, { type: "task-accepted" }>;

function acceptedBy(before: Submission, { at, created }: AcceptRecord): Submission {
  const { taskId, holdId, requestId, remote } = created;
  const isReconciled = before.state === "outcome-unknown";
  const replayed = created.replayed ? true : undefined;
  return {
    state: "accepted",
    at,
    checkedAt: at,
    taskId,
    remote,
    ...definedFields({ holdId, requestId, replayed, lostAt: isReconciled ? before.at : undefined }),
  };
}

/** One intent has one task and one hold. Further ones that a service makes are kept, because they may be paid (T10). */
function withOther(before: AcceptedSubmission, { at, created: { taskId, holdId } }: AcceptRecord): AcceptedSubmission {
  const isSameHold = holdId === undefined || before.holdId === undefined || holdId === before.holdId;
  if (taskId === before.taskId && isSameHold) return before;
  const others = before.others ?? [];
  if (others.some((other) => other.taskId === taskId && other.holdId === holdId)) return before;
  return { ...before, others: [...others, { taskId, at, ...definedFields({ holdId }) }] };
}

type AcceptedRecord = Extract<
  TaskRecord,
  {
    type:
      | "task-read"
      | "task-read-failed"
      | "task-events"
      | "task-cancel"
      | "task-saved"
      | "task-fetch-failed"
      | "task-placing"
      | "task-copied"
      | "task-seen"
      | "task-judged"
      | "task-announced";
  }
>;

function reduceAccepted(submission: AcceptedSubmission, record: AcceptedRecord): AcceptedSubmission {
  switch (record.type) {
    case "task-read": {
      const { stale, cancel: asked, ...rest } = submission;
      const { at } = record;
      const remote = withKnownAssets(submission.remote, record.remote);
      // A cancel that was asked for is decided by what is read after it, whoever reads it.
      const cancel = cancelAfterRead(asked, remote, at);
      return {
        ...rest,
        remote,
        checkedAt: at,
        ...definedFields({ cancel, lookedAt: record.isRecheck ? at : undefined }),
      };
    }
    case "task-read-failed":
      return { ...submission, stale: { since: submission.stale?.since ?? record.at, error: record.error } };
    case "task-events":
      return { ...submission, events: record.events };
    case "task-cancel":
      return { ...submission, cancel: record.cancel };
    case "task-saved":
      return reduceSaved(submission, record);
    case "task-fetch-failed": {
      const attempts = (submission.fetchFailure?.attempts ?? 0) + 1;
      const fetchFailure: FetchFailure = { error: record.error, at: record.at, attempts };
      return { ...submission, fetchFailure };
    }
    case "task-placing":
      return { ...submission, placement: record.placement };
    case "task-copied":
      return { ...submission, copies: withCopy(submission.copies, record.copy) };
    // The first record counts, so a second window that was late changes nothing.
    case "task-seen":
      return submission.seenAt === undefined ? { ...submission, seenAt: record.at } : submission;
    case "task-judged":
      return reduceJudged(submission, record);
    case "task-announced":
      return submission.announcedAt === undefined ? { ...submission, announcedAt: record.at } : submission;
  }
}

/** A gateway may forget the addresses of a result while the task stays. The known ones are kept: they may still lead to the file. */
function withKnownAssets(before: RemoteTask, read: RemoteTask): RemoteTask {
  const isKnown = before.assets?.kind === "assets" && before.state === "succeeded";
  if (!isKnown || read.state !== "succeeded" || read.assets?.kind === "assets") return read;
  return { ...read, assets: before.assets };
}

function reduceSaved(
  submission: AcceptedSubmission,
  record: Extract<TaskRecord, { type: "task-saved" }>,
): AcceptedSubmission {
  const { fetchFailure: _, ...rest } = submission;
  const { path, at, saved } = record;
  return { ...rest, saved: { ...saved, path, at } };
}

/** Files of one result that are kept in the record; older ones are dropped. */
const maxCopies = 40;

function withCopy(copies: readonly ProjectCopy[] = [], copy: ProjectCopy): readonly ProjectCopy[] {
  return [...copies.filter(({ file }) => file !== copy.file), copy].slice(-maxCopies);
}

function reduceJudged(before: AcceptedSubmission, change: JudgementChange): AcceptedSubmission {
  const { rating: ratingBefore, choice: choiceBefore, ...rest } = before;
  const rating = change.rating ?? ratingBefore;
  const choice = change.choice ?? choiceBefore;
  return {
    ...rest,
    ...definedFields({
      rating: rating === 0 ? undefined : rating,
      choice: choice === "none" ? undefined : choice,
    }),
  };
}

/** Milliseconds after which a read of a running task shows that the cancel had no effect: its own request has ended by then. */
const cancelTimeout = 90_000;

function cancelAfterRead(
  cancel: CancelProgress | undefined,
  { state }: RemoteTask,
  at: number,
): CancelProgress | undefined {
  // A later read shows a success, which is charged: the confirmed cancel had no effect.
  if (cancel?.state === "confirmed" && state === "succeeded") return { state: "no-effect", reason: cancel.reason, at };
  if (cancel?.state !== "requested" && cancel?.state !== "no-effect") return cancel;
  const { reason } = cancel;
  if (state === "cancelled" || state === "refunded") return { state: "confirmed", reason, at };
  if (cancel.state === "no-effect") return cancel;
  const ranOn = cancel.seenRunningAt !== undefined;
  if (isFinal(state)) return { state: ranOn ? "no-effect" : "too-late", reason, at };
  // This also decides a cancel that was cut off by the end of VS Code or whose response was lost. The clock may have been set either way meanwhile, so
  // only the distance counts.
  return Math.abs(at - cancel.at) >= cancelTimeout ? { state: "no-effect", reason, at } : cancel;
}

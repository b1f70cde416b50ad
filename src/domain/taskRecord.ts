/** What happens to tasks, one record at a time: each is reduced into the task on disk and into the one that is shown. */
import { definedFields } from "../base/definedFields";
import type { GatewayError } from "./errors";
import { failureEvent, type SubmissionEvent, submissionTransitions } from "./submission";
import {
  type CancelProgress,
  type CreatedTask,
  isFinal,
  type ReconcileAttempt,
  type RemoteTask,
  type Submission,
  type Task,
  type TaskEvent,
  type TaskIntent,
} from "./task";

/** `at` is milliseconds since 1970; `id` is the intent's. */
export type TaskRecord =
  | { readonly type: "task-intended"; readonly intent: TaskIntent }
  /** A request is about to be sent: until a later record says more, it may have reached the service. */
  | { readonly type: "task-sending"; readonly id: string; readonly at: number }
  | { readonly type: "task-accepted"; readonly id: string; readonly at: number; readonly created: CreatedTask }
  | { readonly type: "task-not-accepted"; readonly id: string; readonly at: number; readonly error: GatewayError }
  | { readonly type: "task-outcome-unknown"; readonly id: string; readonly at: number; readonly error: GatewayError }
  | { readonly type: "task-read"; readonly id: string; readonly at: number; readonly remote: RemoteTask }
  /** Not written to disk: says how fresh a row is, not what happened. */
  | { readonly type: "task-read-failed"; readonly id: string; readonly at: number; readonly error: GatewayError }
  | { readonly type: "task-events"; readonly id: string; readonly at: number; readonly events: readonly TaskEvent[] }
  | { readonly type: "task-cancel"; readonly id: string; readonly cancel: CancelProgress }
  | { readonly type: "task-saved"; readonly id: string; readonly at: number; readonly path: string }
  /** Taken off the list; the disk keeps the task. */
  | { readonly type: "task-removed"; readonly id: string; readonly at: number };

export function intentIdOf(record: TaskRecord): string {
  return record.type === "task-intended" ? record.intent.id : record.id;
}

/** One task after one record. A record that does not fit (a read of a task that was never accepted) changes nothing. */
export function reduceTask(task: Task | undefined, record: TaskRecord): Task | undefined {
  if (record.type === "task-intended") return task ?? { intent: record.intent, submission: { state: "prepared" } };
  if (task === undefined) return undefined;
  const { intent, submission } = task;
  switch (record.type) {
    case "task-sending":
    case "task-accepted":
    case "task-not-accepted":
    case "task-outcome-unknown": {
      const next = reduceSubmission(submission, record);
      return next === submission ? task : { intent, submission: next };
    }
    case "task-removed":
      return undefined;
    case "task-read":
    case "task-read-failed":
    case "task-events":
    case "task-cancel":
    case "task-saved":
      if (submission.state !== "accepted") return task;
      return { intent, submission: reduceAccepted(submission, record) };
  }
}

type SubmissionRecord = Extract<
  TaskRecord,
  { type: "task-sending" | "task-accepted" | "task-not-accepted" | "task-outcome-unknown" }
>;

function submissionEvent(record: SubmissionRecord): SubmissionEvent {
  switch (record.type) {
    case "task-sending":
      return "started";
    case "task-accepted":
      return "accepted";
    case "task-outcome-unknown":
      return "lost";
    case "task-not-accepted":
      // Judged by the error, not by the name of the record: an imported journal may hold one that was named too boldly.
      return failureEvent(record.error);
  }
}

/** The table names the next state; here it gets its data. */
function reduceSubmission(before: Submission, record: SubmissionRecord): Submission {
  const next = submissionTransitions[before.state][submissionEvent(record)];
  switch (next) {
    case "sending":
      return { state: "sending" };
    case "not-accepted":
      return "error" in record ? { state: "not-accepted", error: record.error, at: record.at } : before;
    case "outcome-unknown":
      return reduceUnknown(before, record);
    case "accepted":
      return before.state === "accepted" || record.type !== "task-accepted" ? before : acceptedBy(record);
  }
}

function reduceUnknown(before: Submission, record: SubmissionRecord): Submission {
  const { at } = record;
  if (before.state !== "outcome-unknown") {
    return { state: "outcome-unknown", error: "error" in record ? record.error : overlapping, at };
  }
  const reconcile: ReconcileAttempt =
    "error" in record ? { state: "failed", at, error: record.error } : { state: "under-way", at };
  return { ...before, reconcile };
}

/** Another attempt began while this one had no outcome. */
const overlapping = { kind: "interrupted", message: "Another attempt began before this one had an outcome." } as const;

function acceptedBy({ at, created }: Extract<TaskRecord, { type: "task-accepted" }>): Submission {
  const { taskId, holdId, requestId, remote } = created;
  return {
    state: "accepted",
    at,
    checkedAt: at,
    taskId,
    remote,
    ...definedFields({ holdId, requestId }),
  };
}

type Accepted = Extract<Submission, { state: "accepted" }>;
type AcceptedRecord = Extract<
  TaskRecord,
  { type: "task-read" | "task-read-failed" | "task-events" | "task-cancel" | "task-saved" }
>;

function reduceAccepted(submission: Accepted, record: AcceptedRecord): Accepted {
  switch (record.type) {
    case "task-read": {
      const { stale, ...rest } = submission;
      const { cancel } = submission;
      const remote = record.remote;
      const read: Accepted = { ...rest, remote, checkedAt: record.at };
      // A cancel that was asked for is decided by the state that ends the task, whoever reports it.
      if (cancel?.state !== "requested" || !isFinal(remote.state)) return read;
      const state = remote.state === "cancelled" || remote.state === "refunded" ? "confirmed" : "too-late";
      return { ...read, cancel: { state, reason: cancel.reason, at: record.at } };
    }
    case "task-read-failed":
      return { ...submission, stale: { since: submission.stale?.since ?? record.at, error: record.error } };
    case "task-events":
      return { ...submission, events: record.events };
    case "task-cancel":
      return { ...submission, cancel: record.cancel };
    case "task-saved":
      return { ...submission, savedAs: record.path };
  }
}

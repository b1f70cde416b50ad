/**
 * The phase of a task, derived once from its submission and the state of the service's task, and what follows from it for showing the task and acting
 * on it.
 */
import { isWithdrawn } from "./submission";
import { type AcceptedSubmission, isFinal, type RemoteTask, type Submission, type Task, type TaskState } from "./task";

/**
 * The state of the submission until the service has accepted the task, then the state that was read last: `unknown` is one that was not read yet or
 * that is not known here. `withdrawn`: the person cancelled it while it waited to be sent.
 */
export type TaskPhase = Exclude<Submission["state"], "accepted"> | TaskState | "withdrawn";

/** A task that exists at the service. */
type AcceptedTask = Task & { readonly submission: AcceptedSubmission };

export function phaseOf({ submission }: Task): TaskPhase {
  if (submission.state === "not-accepted" && isWithdrawn(submission.error)) return "withdrawn";
  return submission.state === "accepted" ? submission.remote.state : submission.state;
}

/** False also for `undefined`, so that the result of a look-up by id can be passed. */
export function isAccepted(task: Task | undefined): task is AcceptedTask {
  return task?.submission.state === "accepted";
}

/** The submission with the task of the service and what was read of it; `undefined` until the service has accepted it. */
export function acceptedOf(task: Task | undefined): AcceptedSubmission | undefined {
  return isAccepted(task) ? task.submission : undefined;
}

/** Whether the task is accepted and has not ended: it can be polled and cancelled. */
export function isRunning(task: Task): task is AcceptedTask {
  return isAccepted(task) && !isFinal(task.submission.remote.state);
}

/** Whether the task is on disk and waits to be sent: no byte of this attempt was sent, so it can still be withdrawn. */
export function isWaitingToSend({ submission }: Task): boolean {
  if (submission.state !== "outcome-unknown") return submission.state === "prepared";
  return submission.reconcile?.state === "under-way" && submission.reconcile.waits === true;
}

export function isCancelable(task: Task): boolean {
  return isWaitingToSend(task) || isRunning(task);
}

/** Whether the service had accepted the task and it has ended. */
export function isEnded(task: Task): task is AcceptedTask {
  return isAccepted(task) && isFinal(task.submission.remote.state);
}

/** Whether the end was learnt while a read, begun at that millisecond, was under way: by the response to a cancel, or from another window. */
export function isOutdatedRead(task: Task | undefined, begun: number, { state }: RemoteTask): boolean {
  return task !== undefined && isEnded(task) && !isFinal(state) && task.submission.checkedAt > begun;
}

export function hasSucceeded(task: Task): task is AcceptedTask {
  return phaseOf(task) === "succeeded";
}

/** Whether the service refused the task, or nothing reached the service. */
export function isRefused({ submission }: Task): boolean {
  return submission.state === "not-accepted";
}

/** Whether the task is refused or ended: no task of the service goes on, and none can come of what was sent. */
export function isOver(task: Task): boolean {
  return isRefused(task) || isEnded(task);
}

/** Whether the task is not known to be accepted after an attempt, also while it is being reconciled: it can be sent again. */
export function isUnsettled(task: Task): boolean {
  return isRefused(task) || phaseOf(task) === "outcome-unknown";
}

/** Whether the outcome is unknown, and no Reconcile is under way. */
export function isReconcilable({ submission }: Task): boolean {
  return submission.state === "outcome-unknown" && submission.reconcile?.state !== "under-way";
}

export const taskConditions = ["running", "needs-attention", "finished"] as const;
/**
 * What a task means for the person; each task has one. `running`: being submitted, or accepted and not ended (wider than `isRunning`).
 * `needs-attention`: something for the person to decide, or a failure that they have not seen yet.
 */
export type TaskCondition = (typeof taskConditions)[number];

export function conditionOf(task: Task): TaskCondition {
  switch (phaseOf(task)) {
    case "prepared":
    case "sending":
    case "created":
    case "queued":
    case "processing":
    case "unknown":
      return "running";
    case "outcome-unknown":
    case "not-accepted":
      return "needs-attention";
    case "failed":
      return acceptedOf(task)?.seenAt === undefined ? "needs-attention" : "finished";
    case "withdrawn":
    case "succeeded":
    case "cancelled":
    case "expired":
    case "refunded":
      return "finished";
  }
}

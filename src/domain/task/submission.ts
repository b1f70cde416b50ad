/**
 * The life of a submission as one table: from *outcome unknown* only an accept leads on, because no other response proves that there is no task (T1).
 */
import { type AppError, mayHaveHappened } from "../errors/appError";
import type { Submission } from "./task";

export type SubmissionState = Submission["state"];

export type SubmissionEvent =
  /** A person wants it sent again, and its request waits for its turn. */
  | "waits"
  /** The start is written before the POST: from here on a byte may have reached the service. */
  | "started"
  /** The service named the task that belongs to the idempotency key. */
  | "accepted"
  /** The service refused this request. */
  | "refused"
  /** No byte of this request can have reached the service. */
  | "not-sent"
  /** The request may have reached the service, and its outcome was not learnt. */
  | "lost";

/**
 * Every transition there is. Three rules make it up:
 * - An accept counts in every state; after it, nothing changes.
 * - A refusal or an unsent request says something about its own attempt only. It decides the submission while no earlier
 *   attempt can have made a task (`prepared`, `sending`, `not-accepted`), and changes nothing in `outcome-unknown`: a
 *   service that refuses a Reconcile (429, 401, 402, 409 in flight, …) has not looked for the task of the first attempt.
 * - A second attempt that waits or starts while the first has no outcome (two windows, or a kill) leaves the first one
 *   unknown.
 */
export const submissionTransitions = {
  prepared: {
    waits: "prepared",
    started: "sending",
    accepted: "accepted",
    refused: "not-accepted",
    "not-sent": "not-accepted",
    lost: "outcome-unknown",
  },
  sending: {
    waits: "outcome-unknown",
    started: "outcome-unknown",
    accepted: "accepted",
    refused: "not-accepted",
    "not-sent": "not-accepted",
    lost: "outcome-unknown",
  },
  "not-accepted": {
    waits: "prepared",
    started: "sending",
    accepted: "accepted",
    refused: "not-accepted",
    "not-sent": "not-accepted",
    lost: "outcome-unknown",
  },
  "outcome-unknown": {
    waits: "outcome-unknown",
    started: "outcome-unknown",
    accepted: "accepted",
    refused: "outcome-unknown",
    "not-sent": "outcome-unknown",
    lost: "outcome-unknown",
  },
  accepted: {
    waits: "accepted",
    started: "accepted",
    accepted: "accepted",
    refused: "accepted",
    "not-sent": "accepted",
    lost: "accepted",
  },
} as const satisfies Readonly<Record<SubmissionState, Readonly<Record<SubmissionEvent, SubmissionState>>>>;

/** The error of a task that was cancelled while it waited to be sent. */
export const withdrawn = {
  kind: "interrupted",
  code: "withdrawn",
  message: "It was cancelled before it was sent.",
  notSent: true,
} as const satisfies AppError;

export function isWithdrawn({ code, notSent }: AppError): boolean {
  return code === withdrawn.code && notSent === true;
}

/** The error of a Reconcile that waited for the end of a pause, perhaps while the machine slept, until its key counted as old. */
export const keyTooOld = {
  kind: "interrupted",
  code: "key-too-old",
  message: "The idempotency key became too old while this waited.",
  notSent: true,
} as const satisfies AppError;

/** The event that a failed create request proves. */
export function failureEvent(error: AppError): Extract<SubmissionEvent, "refused" | "not-sent" | "lost"> {
  if (error.notSent) return "not-sent";
  return mayHaveMadeTask(error) ? "lost" : "refused";
}

/**
 * Whether a create request that failed in this way may have made a task. Besides lost and broken responses these are
 * - 409, and any refusal that calls the idempotency key used: the key is fresh, so a proxy on the way has sent the request
 *   twice, and the other copy is being worked on or has made a task;
 * - 424, 499, and any refusal whose code or words name a failure behind the gateway: relays wrap an upstream timeout in
 *   a 4xx.
 */
export function mayHaveMadeTask(error: AppError): boolean {
  if (error.notSent) return false;
  return (
    mayHaveHappened(error) ||
    error.kind === "conflict" ||
    error.status === 424 ||
    error.status === 499 ||
    upstreamFailure.test(error.message) ||
    usedKey.test(error.message) ||
    usedKey.test(error.code ?? "") ||
    /time[_-]?out|timed[_-]?out|upstream|internal[_-](?:server[_-])?error|in[_-]?(?:flight|progress)/i.test(
      error.code ?? "",
    )
  );
}

const upstreamFailure =
  /\bupstream\b.{0,40}\b(?:time(?:d |-)?out|error|failed|closed|reset)\b|\bdeadline exceeded\b|\bgateway time-?out\b/i;

const usedKey =
  /idempoten.{0,40}(?:already|reused?|was used|in[ _-]use|exists|conflict|duplicat|mismatch)|duplicat\w{0,10}[ _-](?:request|submission|idempotency)/i;

/** The error code of a task that was restored from a backup: what happened to it after the backup is not known. */
export const restoredCode = "of-backup";

/** Whether a chat request is tried again, and when (S6). It costs money: only what was not produced is asked for again. */
import type { GatewayError } from "../../domain/errors";

const mostRetries = 2;
const longestWait = 60_000;

const statuses = new Set([408, 409, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529]);
const connectionCodes = new Set(["ECONNRESET", "ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EPIPE", "UND_ERR_SOCKET"]);

export interface RetryState {
  /** So many tries were made again already. */
  readonly retries: number;
  /** What the try before went wrong with. */
  readonly before: GatewayError | undefined;
  /** `x-should-retry`, where the service said it. */
  readonly shouldRetry: boolean | undefined;
  /** From 0 up to 1. */
  readonly random: () => number;
}

/** Milliseconds to wait before the next try, or nothing if there is none. */
export function readRetryDelay(error: GatewayError, state: RetryState): number | undefined {
  if (state.retries >= mostRetries || !isWorthIt(error, state)) return undefined;
  const { retryAfterMs } = error;
  // To wait longer than this is for the person to decide.
  if (retryAfterMs !== undefined) return retryAfterMs <= longestWait ? retryAfterMs : undefined;
  return Math.round(Math.min(500 * 2 ** state.retries, 8000) * (1 - state.random() * 0.25));
}

function isWorthIt(error: GatewayError, { before, shouldRetry }: RetryState): boolean {
  const isMoney = error.kind === "insufficient-balance" || error.kind === "not-enabled";
  if (shouldRetry !== undefined && !isMoney) return shouldRetry;
  switch (error.kind) {
    case "timed-out":
      // What took too long may have been done all the same, and charged.
      return before?.kind !== "timed-out";
    case "unreachable":
      if (error.code === "ENOTFOUND" && before?.code === "ENOTFOUND") return false;
      return error.code !== undefined ? connectionCodes.has(error.code) : error.message === "terminated";
    case "unavailable":
    case "rate-limited":
    case "conflict":
      return error.status === undefined || error.status < 400 || statuses.has(error.status);
    case "malformed":
      // Not one byte came (F16).
      return error.status === undefined && error.firstBytes === undefined && error.message === emptyAnswer;
    case "insufficient-balance":
    case "not-enabled":
    case "signed-out":
    case "unauthorized":
    case "forbidden":
    case "not-found":
    case "rejected":
    case "too-large":
    case "storage":
    case "interrupted":
      return false;
  }
}

/** How `decodeStream` tells of an answer without a byte. */
export const emptyAnswer = "The answer is empty.";

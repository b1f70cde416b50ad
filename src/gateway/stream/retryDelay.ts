/** Whether a chat request is sent again, and after which delay (S6). Only while nothing was produced: a second answer is paid twice. */
import { isEmptyAnswer } from "../../domain/errors/answerError";
import type { AppError } from "../../domain/errors/appError";
import { factsOfKind } from "../../domain/errors/errorKinds";

/** How often a request is sent again, and after how many milliseconds: each wait is twice as long as the one before. */
interface Patience {
  readonly retries: number;
  readonly first: number;
  readonly longest: number;
}

/** While a gateway is overloaded, limits its rate or is down: 2, 4, 8, 16, 30 and 30 s. */
const long: Patience = { retries: 6, first: 2000, longest: 30_000 };
const short: Patience = { retries: 2, first: 500, longest: 8000 };

const maxDelay = 60_000;

const statuses = new Set([408, 409, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529]);
const connectionCodes = new Set(["ECONNRESET", "ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EPIPE", "UND_ERR_SOCKET"]);

export interface RetryState {
  /** The number of retries so far. */
  readonly retries: number;
  /** The error of the previous attempt. */
  readonly before: AppError | undefined;
  /** The header `x-should-retry`, where there was one. */
  readonly shouldRetry: boolean | undefined;
  /** The response held no value and no text (Q-F16). */
  readonly isEmptyResponse: boolean;
  /** From 0 up to 1. */
  readonly random: () => number;
}

/** Milliseconds to wait before the next attempt; `undefined` for no retry. */
export function readRetryDelay(error: AppError, state: RetryState): number | undefined {
  const { retries, first, longest } = factsOfKind(error.kind).retry === "when-overloaded" ? long : short;
  if (state.retries >= retries || !isRetryable(error, state)) return undefined;
  const { retryAfterMs } = error;
  // A longer wait is the user's decision.
  if (retryAfterMs !== undefined) return retryAfterMs <= maxDelay ? retryAfterMs : undefined;
  return Math.round(Math.min(first * 2 ** state.retries, longest) * (1 - state.random() * 0.25));
}

function isRetryable(error: AppError, { before, shouldRetry, isEmptyResponse }: RetryState): boolean {
  const { retry } = factsOfKind(error.kind);
  if (shouldRetry !== undefined && retry !== "never") return shouldRetry;
  switch (retry) {
    case "once":
      // A request that timed out may have been processed and charged: only one more attempt.
      return before?.kind !== error.kind;
    case "when-disconnected":
      if (error.code === "ENOTFOUND" && before?.code === "ENOTFOUND") return false;
      return error.code !== undefined && connectionCodes.has(error.code);
    case "when-overloaded":
    case "by-status":
      return error.status === undefined || error.status < 400 || statuses.has(error.status);
    case "if-empty":
      // An empty answer is paid: only one more attempt.
      return isEmptyResponse || (isEmptyAnswer(error) && before?.kind !== error.kind);
    case "if-asked":
    case "never":
      return false;
  }
}

/** Why a caller in VS Code gets no answer, in words: what happened, what it means for the money, what to do. */
import { callCap, CallLimitFailure } from "../../domain/chat/callBounds";
import { describeCallLimit } from "../../domain/words/describeAnswer";
import { describeProvidedError } from "../../domain/words/providedWords";
import { type AppError, toAppError } from "../../domain/errors/appError";

/** The code of VS Code's `LanguageModelError`, by which callers distinguish failures; `undefined` where VS Code has none for it. */
export type FailureCode = "no-permissions" | "not-found" | "blocked" | undefined;

export class ProvidedFailure extends Error {
  override readonly name = "ProvidedFailure";
  readonly code: FailureCode;

  constructor(message: string, code?: FailureCode) {
    super(message);
    this.code = code;
  }
}

/** `hasBegun`: something of the answer was passed on. */
export function toProvidedFailure(failure: unknown, hasBegun: boolean): ProvidedFailure {
  if (failure instanceof ProvidedFailure) return failure;
  if (failure instanceof CallLimitFailure) return new ProvidedFailure(describeCallLimit(callCap));
  const error = toAppError(failure);
  return new ProvidedFailure(describeProvidedError(error, hasBegun), codeOf(error));
}

function codeOf({ kind }: AppError): FailureCode {
  switch (kind) {
    case "signed-out":
    case "unauthorized":
    case "forbidden":
    case "not-enabled":
      return "no-permissions";
    case "not-found":
      return "not-found";
    case "insufficient-balance":
      return "blocked";
    case "conflict":
    case "rate-limited":
    case "rejected":
    case "too-large":
    case "unavailable":
    case "unreachable":
    case "timed-out":
    case "malformed":
    case "storage":
    case "interrupted":
    case "capped":
      return undefined;
  }
}

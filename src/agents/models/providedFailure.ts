/** Why a caller in VS Code gets no answer, in words: what happened, what it means for the money, what to do. */
import { callCap, CallLimitFailure } from "../../domain/chat/callBounds";
import { describeCallLimit } from "../../domain/words/describeAnswer";
import { describeProvidedError } from "../../domain/words/providedWords";
import { toAppError } from "../../domain/errors/appError";
import { type ErrorKindFacts, factsOfKind } from "../../domain/errors/errorKinds";

/** The code of VS Code's `LanguageModelError`, by which callers distinguish failures; `undefined` where VS Code has none for it. */
export type FailureCode = ErrorKindFacts["modelErrorCode"];

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
  return new ProvidedFailure(describeProvidedError(error, hasBegun), factsOfKind(error.kind).modelErrorCode);
}

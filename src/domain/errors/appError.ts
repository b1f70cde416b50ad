/** What can go wrong with a gateway, as plain data that can be stored, sent to the chat page and compared. */
import type * as z from "zod/mini";
import type { Immutable } from "../../base/immutable";
import type { appErrorSchema } from "./appErrorSchema";
import { factsOfKind } from "./errorKinds";

export type AppError = Immutable<z.infer<typeof appErrorSchema>>;

/** The exception that carries an `AppError`. An abort is not an error and stays an `AbortError`. */
export class AppFailure extends Error {
  readonly error: AppError;

  constructor(error: AppError, options?: { cause?: unknown }) {
    super(error.message, options);
    this.name = "AppFailure";
    this.error = error;
  }
}

/** Turns anything that was caught into an `AppError`; any other exception becomes `malformed` with its message. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppFailure) return error.error;
  return { kind: "malformed", message: error instanceof Error ? error.message : String(error) };
}

/** Whether the request may have had an effect although no response proves it. Only then is the outcome of a task unknown. */
export function mayHaveHappened({ kind, notSent }: AppError): boolean {
  return !notSent && factsOfKind(kind).mayHaveHappened;
}

/**
 * Errors of an answer that holds nothing: the model may well give another one when it is asked again. The answer came to its end without
 * a word, a call or a picture.
 */
export const emptyAnswer = { kind: "malformed", message: "The answer is empty.", code: "empty_answer" } as const;

/** Gemini's reason for the end of an answer whose call it could not write in a form that can be read. */
const unreadableCall = "MALFORMED_FUNCTION_CALL";

export function isEmptyAnswer({ code }: AppError): boolean {
  return code === emptyAnswer.code || isUnreadableCall({ code });
}

export function isUnreadableCall({ code }: { readonly code?: string | undefined }): boolean {
  return code?.toUpperCase() === unreadableCall;
}

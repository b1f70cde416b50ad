/** An error of a gateway, a model or the disk, as plain data that can be stored, sent to the chat page and compared. */
import type * as z from "zod/mini";
import type { Immutable } from "../../base/immutable";
import type { appErrorSchema } from "./appErrorSchema";
import { factsOfKind } from "./errorKinds";
import { type DatabaseFailureKind, DatabaseFailure } from "../../base/database/failure";
import { definedFields } from "../../base/definedFields";

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

/** Whether another model of the same gateway may well answer where this one produced nothing. */
export function mayBeModels(error: AppError): boolean {
  return factsOfKind(error.kind).mayBeModels === true || isEmptyAnswer(error);
}

// An answer that holds nothing is an error, because the model may well give another one when it is asked again.

/** The answer came to its end without a word, a call or a picture. */
export const emptyAnswer = { kind: "malformed", message: "The answer is empty.", code: "empty_answer" } as const;

/** Gemini's reason for the end of an answer whose call it could not write in a form that can be read. */
const unreadableCall = "MALFORMED_FUNCTION_CALL";

export function isEmptyAnswer({ code }: AppError): boolean {
  return code === emptyAnswer.code || isUnreadableCall({ code });
}

export function isUnreadableCall({ code }: { readonly code?: string | undefined }): boolean {
  return code?.toUpperCase() === unreadableCall;
}

// A failure of this machine's disk becomes an error with words for a person.

/** Maps failures of the database to the file system's own codes, by which the words for a full disk are chosen. */
const codes: Readonly<Partial<Record<DatabaseFailureKind, string>>> = { full: "ENOSPC", "read-only": "EROFS" };

/** `notSent` is the caller's to add: only the caller has a record of what had been sent when the write failed. */
export function storageError(failure: unknown): AppFailure {
  if (failure instanceof AppFailure) return failure;
  const message = failure instanceof Error ? failure.message : String(failure);
  const error: AppError = { kind: "storage", message, ...definedFields({ code: codeOf(failure) }) };
  return new AppFailure(error, { cause: failure });
}

/** The error code where the disk has space left, but less than a download and the reserve need. */
export const noRoomCode = "no-room";

/** Whether the disk is full, or the person's quota on it. */
export function isDiskFull({ kind, code }: AppError): boolean {
  return kind === "storage" && (code === "ENOSPC" || code === "EDQUOT" || code === noRoomCode);
}

function codeOf(failure: unknown): string | undefined {
  if (failure instanceof DatabaseFailure) return codes[failure.kind] ?? failure.kind;
  const code = failure instanceof Error && "code" in failure ? failure.code : undefined;
  return typeof code === "string" ? code : undefined;
}

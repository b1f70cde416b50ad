/** What can go wrong with a gateway, as plain data that can be stored, sent to the chat page and compared. */
import type * as z from "zod/mini";
import type { Immutable } from "../../base/immutable";
import type { appErrorSchema } from "./appErrorSchema";

export type AppError = Immutable<z.infer<typeof appErrorSchema>>;
export type AppErrorKind = AppError["kind"];

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
export function mayHaveHappened(error: AppError): boolean {
  if (error.notSent) return false;
  switch (error.kind) {
    case "unreachable":
    case "timed-out":
    case "unavailable":
    case "malformed":
    case "storage":
    case "interrupted":
      return true;
    case "signed-out":
    case "unauthorized":
    case "forbidden":
    case "not-found":
    case "conflict":
    case "rate-limited":
    case "insufficient-balance":
    case "not-enabled":
    case "rejected":
    case "too-large":
    case "capped":
      return false;
  }
}

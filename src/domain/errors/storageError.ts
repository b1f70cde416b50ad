/** A failure of this machine's disk, as an error with words for a person. */
import { type DatabaseFailureKind, DatabaseFailure } from "../../base/database/failure";
import { definedFields } from "../../base/definedFields";
import { type AppError, AppFailure } from "./appError";

/** The file system's own codes where there is one for it: the words for a full disk are chosen by them. */
const codes: Readonly<Partial<Record<DatabaseFailureKind, string>>> = { full: "ENOSPC", "read-only": "EROFS" };

/** `notSent` is the caller's to add: only the caller has a record of what had been sent when the write failed. */
export function storageError(failure: unknown): AppFailure {
  if (failure instanceof AppFailure) return failure;
  const message = failure instanceof Error ? failure.message : String(failure);
  const error: AppError = { kind: "storage", message, ...definedFields({ code: codeOf(failure) }) };
  return new AppFailure(error, { cause: failure });
}

/** The error code where the disk has space left, but less than a download and the reserve need. */
export const noRoom = "no-room";

/** The disk is full, or the person's quota on it. */
export function isDiskFull({ kind, code }: AppError): boolean {
  return kind === "storage" && (code === "ENOSPC" || code === "EDQUOT" || code === noRoom);
}

function codeOf(failure: unknown): string | undefined {
  if (failure instanceof DatabaseFailure) return codes[failure.kind] ?? failure.kind;
  const code = failure instanceof Error && "code" in failure ? failure.code : undefined;
  return typeof code === "string" ? code : undefined;
}

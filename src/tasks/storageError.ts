/** A failed write to this machine's disk, as an error that a person is told in words. */
import { type GatewayError, GatewayFailure } from "../domain/errors";

/** `notSent` is the caller's to add: only the caller knows what had been sent when the write failed. */
export function storageError(failure: unknown): GatewayFailure {
  if (failure instanceof GatewayFailure) return failure;
  const message = failure instanceof Error ? failure.message : String(failure);
  const code = failure instanceof Error && "code" in failure ? failure.code : undefined;
  const error: GatewayError = { kind: "storage", message, ...(typeof code === "string" ? { code } : {}) };
  return new GatewayFailure(error, { cause: failure });
}

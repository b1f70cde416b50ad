/** What can go wrong with a gateway, as plain data that can be kept, sent to the panel and compared. */

export const gatewayErrorKinds = [
  "signed-out",
  "unauthorized",
  "forbidden",
  "not-found",
  "conflict",
  "rate-limited",
  "insufficient-balance",
  "not-enabled",
  "rejected",
  "too-large",
  "unavailable",
  "unreachable",
  "timed-out",
  "malformed",
  "storage",
  "interrupted",
] as const;

/**
 * The last two are this machine's own: `storage`, what must be on disk first could not be written (`code` is the file
 * system's); `interrupted`, VS Code ended before there was an outcome.
 */
export type GatewayErrorKind = (typeof gatewayErrorKinds)[number];

export interface GatewayError {
  readonly kind: GatewayErrorKind;
  /** The service's own words, or ours where it said none. Never holds a key. */
  readonly message: string;
  /** HTTP status, when an answer came. */
  readonly status?: number;
  /** The service's own code, as text. */
  readonly code?: string;
  readonly requestId?: string;
  /** How long the service asked to wait, in milliseconds. */
  readonly retryAfterMs?: number;
  readonly contentType?: string;
  /** The first bytes of an answer that could not be understood; at most 500 characters. */
  readonly firstBytes?: string;
  /** True when no byte of the request can have reached the service: sending it again can't do anything twice. */
  readonly notSent?: true;
}

/** The one thing that is thrown for a `GatewayError`. An abort is not an error and stays an `AbortError`. */
export class GatewayFailure extends Error {
  readonly error: GatewayError;

  constructor(error: GatewayError, options?: { cause?: unknown }) {
    super(error.message, options);
    this.name = "GatewayFailure";
    this.error = error;
  }
}

/** Reads anything that was caught as a `GatewayError`; what is none of ours becomes `malformed` with its message. */
export function toGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayFailure) return error.error;
  return { kind: "malformed", message: error instanceof Error ? error.message : String(error) };
}

/** Whether the request may have done something although no answer says so. Only such a task has an unknown outcome. */
export function mayHaveHappened(error: GatewayError): boolean {
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
      return false;
  }
}

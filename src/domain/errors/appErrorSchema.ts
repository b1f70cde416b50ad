/** The schema of `AppError`: its type is inferred from here, and errors from disk or the webview are parsed with it. */
import * as z from "zod/mini";

/**
 * The last three come from this machine: `storage`, a write that must precede the request failed (`code` is that of the
 * file system); `interrupted`, VS Code ended before there was an outcome; `capped`, a
 * cap that the person has set (`code`) is reached.
 */
export const appErrorKinds = [
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
  "capped",
] as const;

export const appErrorSchema = z.object({
  kind: z.enum(appErrorKinds),
  /** The message of the service, or an English one of ours where it sent none. Never holds a key. */
  message: z.string(),
  /** HTTP status, when there was a response. */
  status: z.exactOptional(z.number()),
  /** The service's own code, as text. */
  code: z.exactOptional(z.string()),
  requestId: z.exactOptional(z.string()),
  /** How long the service asked to wait, in milliseconds. */
  retryAfterMs: z.exactOptional(z.number()),
  contentType: z.exactOptional(z.string()),
  /** The first bytes of a response that could not be parsed; at most 500 characters. */
  firstBytes: z.exactOptional(z.string()),
  /** Tokens that the model's context holds, and that the refused prompt has, where a refusal for its length names them. */
  contextSize: z.exactOptional(z.number()),
  promptSize: z.exactOptional(z.number()),
  /** True when no byte of the request can have reached the service: sending it again can't do anything twice. */
  notSent: z.exactOptional(z.literal(true)),
});

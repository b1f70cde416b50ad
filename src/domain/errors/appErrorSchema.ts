/** The schema of `AppError`: its type is inferred from here, and errors from disk or the webview are parsed with it. */
import * as z from "zod/mini";
import { appErrorKinds } from "./errorKinds";

export const appErrorSchema = z.object({
  kind: z.enum(appErrorKinds),
  /** The message of the service, or an English one of ours where it sent none. Never holds a key. */
  message: z.string(),
  /** HTTP status, when there was a response. */
  status: z.exactOptional(z.number()),
  /** The service's own code, as text. */
  code: z.exactOptional(z.string()),
  requestId: z.exactOptional(z.string()),
  /** The wait that the service asked for, in milliseconds. */
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

/** The shape of the events of a streamed answer. `chat.ts` has the types that are inferred from it. */
import * as z from "zod/mini";
import { appErrorSchema } from "../errors/appErrorSchema";
import { priceSchema } from "../prices/priceList";
import { families } from "./family";

export const familySchema = z.enum(families);

export const finishSchema = z.enum([
  "stop",
  "tool-calls",
  "length",
  "content-filter",
  "refusal",
  "pause",
  "context-window",
  "error",
  "unknown",
]);

const tokens = z.exactOptional(z.number());

export const usageSchema = z.object({
  input: tokens,
  output: tokens,
  reasoning: tokens,
  cacheRead: tokens,
  cacheWrite: tokens,
  /** The part of `cacheWrite` that is kept for an hour. */
  cacheWriteHour: tokens,
  /** The cost of the answer: the amount in the gateway's answer, else the price by its list of models. Missing where it has neither. */
  cost: z.exactOptional(priceSchema),
  raw: z.unknown(),
});

/** The arguments of a tool call. Read as they are: a record schema would drop a key named `__proto__`. */
export const inputSchema = z.custom<Readonly<Record<string, unknown>>>(
  (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value),
);

const text = z.string();
const block = z.number();

/**
 * Exactly one `message-start` comes first and one `message-end` last, also for a cut, empty or broken stream. `block` is
 * 0, 1, … a new number for each new part of the answer, in order; a citation has the number of the text that it belongs
 * to, a signature that of the part that it signs. Every `tool-call-start` has one `tool-call-end` or
 * `tool-call-invalid`, not before the last byte was read. Adjacent deltas of one block may be merged.
 */
export const chatEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("message-start"), id: z.exactOptional(text), model: z.exactOptional(text) }),
  z.object({ type: z.literal("text-delta"), block, text, refusal: z.exactOptional(z.literal(true)) }),
  z.object({ type: z.literal("reasoning-delta"), block, text }),
  z.object({
    type: z.literal("tool-call-start"),
    block,
    /** Unique in the message. */
    call: text,
    /** The service's own id of the call, kept for sending it back. */
    wireId: z.exactOptional(text),
    name: text,
    /** The name that the model wrote, set where it differs from the declared `name` that it means. */
    calledAs: z.exactOptional(text),
  }),
  z.object({ type: z.literal("tool-call-delta"), call: text, text }),
  z.object({ type: z.literal("tool-call-end"), call: text, input: inputSchema }),
  /** Arguments that did not parse, or a stream that was cut: such a call is never run. `atLimit`: the output limit of the answer cut it. */
  z.object({
    type: z.literal("tool-call-invalid"),
    call: text,
    text,
    reason: text,
    atLimit: z.exactOptional(z.literal(true)),
  }),
  z.object({
    type: z.literal("citation"),
    block,
    url: z.exactOptional(text),
    title: z.exactOptional(text),
    raw: z.unknown(),
  }),
  /** `data` is base64. */
  z.object({ type: z.literal("media"), block, mimeType: text, data: text }),
  /**
   * Opaque data is sent back unchanged to the same family and model: signatures, redacted thinking, server blocks. `read` is set where it is a result
   * that a tool of the service returned to the model, and names that tool's result.
   */
  z.object({ type: z.literal("opaque"), block, family: familySchema, data: z.unknown(), read: z.exactOptional(text) }),
  /** Tokens. Cumulative: the last one counts. */
  z.extend(usageSchema, { type: z.literal("usage") }),
  /** A part of the stream that was skipped; `raw` is capped. */
  z.object({ type: z.literal("malformed"), reason: text, raw: text }),
  /** An error that the service reported inside the stream; the text so far stays. */
  z.object({ type: z.literal("stream-error"), error: appErrorSchema }),
  /** `cut` is true unless a sign of completion was read. */
  z.object({ type: z.literal("message-end"), finish: finishSchema, raw: z.exactOptional(text), cut: z.boolean() }),
]);

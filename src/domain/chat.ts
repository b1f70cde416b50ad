/** The one vocabulary of a streamed answer: what the gateway yields, the session reduces, the panel posts and the golden tests print. */
import type { GatewayError } from "./errors";

/** How a model is spoken to (service-spec 1.2). */
export const families = ["chat-completions", "messages", "generate-content"] as const;
export type Family = (typeof families)[number];

export type Finish =
  "stop" | "tool-calls" | "length" | "content-filter" | "refusal" | "pause" | "context-window" | "error" | "unknown";

/**
 * Exactly one `message-start` comes first and one `message-end` last, also for a cut, empty or broken stream. `block` is
 * 0, 1, … a new number for each new part of the answer, in order; a citation has that of the text that it is a source of,
 * a signature that of what it signs. Every `tool-call-start` has one `tool-call-end` or `tool-call-invalid`, not before
 * the last byte was seen. Adjacent deltas of one block may be merged.
 */
export type ChatEvent =
  | { readonly type: "message-start"; readonly id?: string; readonly model?: string }
  | { readonly type: "text-delta"; readonly block: number; readonly text: string; readonly refusal?: true }
  | { readonly type: "reasoning-delta"; readonly block: number; readonly text: string }
  /** `call` is unique in the message; `wireId` is what the service called it, kept for sending it back. */
  | {
      readonly type: "tool-call-start";
      readonly block: number;
      readonly call: string;
      readonly wireId?: string;
      readonly name: string;
    }
  | { readonly type: "tool-call-delta"; readonly call: string; readonly text: string }
  | { readonly type: "tool-call-end"; readonly call: string; readonly input: Readonly<Record<string, unknown>> }
  /** Arguments that did not parse, or a stream that was cut: such a call is never run. */
  | { readonly type: "tool-call-invalid"; readonly call: string; readonly text: string; readonly reason: string }
  | {
      readonly type: "citation";
      readonly block: number;
      readonly url?: string;
      readonly title?: string;
      readonly raw: unknown;
    }
  /** `data` is base64. */
  | { readonly type: "media"; readonly block: number; readonly mimeType: string; readonly data: string }
  /** To be sent back unchanged to the same family and model: signatures, redacted thinking, server blocks. */
  | { readonly type: "opaque"; readonly block: number; readonly family: Family; readonly data: unknown }
  /** Cumulative: the last one counts. Tokens. */
  | ({ readonly type: "usage" } & Usage)
  /** A piece of the stream that was skipped; `raw` is capped. */
  | { readonly type: "malformed"; readonly reason: string; readonly raw: string }
  /** What the service said inside the stream; the text so far stays. */
  | { readonly type: "stream-error"; readonly error: GatewayError }
  /** `cut` is true unless a sign of completion was seen. */
  | { readonly type: "message-end"; readonly finish: Finish; readonly raw?: string; readonly cut: boolean };

export interface Usage {
  readonly input?: number;
  readonly output?: number;
  readonly reasoning?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly raw: unknown;
}

/** Joins `next` onto `last` when both are deltas of the same block; otherwise there is nothing to merge. */
export function mergeDeltas(last: ChatEvent, next: ChatEvent): ChatEvent | undefined {
  if (last.type === "text-delta" && next.type === "text-delta") {
    if (last.block !== next.block || last.refusal !== next.refusal) return undefined;
    return { ...last, text: last.text + next.text };
  }
  if (last.type === "reasoning-delta" && next.type === "reasoning-delta" && last.block === next.block) {
    return { ...last, text: last.text + next.text };
  }
  if (last.type === "tool-call-delta" && next.type === "tool-call-delta" && last.call === next.call) {
    return { ...last, text: last.text + next.text };
  }
  return undefined;
}

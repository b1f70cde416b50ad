/** The one vocabulary of a streamed answer: the gateway yields these events, the session reduces them, the chat page receives them. */
import type * as z from "zod/mini";
import type { Immutable } from "../../base/immutable";
import type { chatEventSchema, finishSchema, usageSchema } from "./chatEventSchema";

export type { Family } from "./family";
export type Finish = z.infer<typeof finishSchema>;
export type Usage = Immutable<z.infer<typeof usageSchema>>;
/** `chatEventSchema` states the order in which they come. */
export type ChatEvent = Immutable<z.infer<typeof chatEventSchema>>;

/** The events that carry a piece of text. */
export type ChatDelta = Extract<ChatEvent, { readonly type: "text-delta" | "reasoning-delta" | "tool-call-delta" }>;

export function isDelta(event: ChatEvent): event is ChatDelta {
  return event.type === "text-delta" || event.type === "reasoning-delta" || event.type === "tool-call-delta";
}

/** Whether the text of `next` continues that of `last`: both are of the same block or call. Every place that joins deltas asks here. */
export function continuesDelta(last: ChatDelta, next: ChatDelta): boolean {
  if (next.type === "text-delta")
    return last.type === "text-delta" && last.block === next.block && last.refusal === next.refusal;
  if (next.type === "reasoning-delta") return last.type === "reasoning-delta" && last.block === next.block;
  return last.type === "tool-call-delta" && last.call === next.call;
}

/** Joins `next` onto `last` when both are deltas of the same block; `undefined` otherwise. */
export function mergeDeltas(last: ChatEvent, next: ChatEvent): ChatEvent | undefined {
  if (!isDelta(last) || !isDelta(next) || !continuesDelta(last, next)) return undefined;
  return { ...last, text: last.text + next.text };
}

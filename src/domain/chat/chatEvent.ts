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

/** Joins `next` onto `last` when both are deltas of the same block; `undefined` otherwise. */
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

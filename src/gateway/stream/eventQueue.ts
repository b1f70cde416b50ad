/** Events on their way out: adjacent deltas of one piece of the network become one event, fewer to reduce and to post. */
import type { ChatEvent } from "../../domain/chat";

export interface EventQueue {
  push(event: ChatEvent): void;
  /** Adds to the text or thinking of that block, if nothing else came since; false if something did. */
  extend(block: number, text: string): boolean;
  /** All of them, which are then gone from here. */
  take(): readonly ChatEvent[];
}

type Delta = Extract<ChatEvent, { readonly type: "text-delta" | "reasoning-delta" | "tool-call-delta" }>;

/** As `mergeDeltas` of the domain joins, but without an object and a string for each delta. */
export function createEventQueue(): EventQueue {
  let events: ChatEvent[] = [];
  /** The last event, while it is a delta; its text so far stands beside it. */
  let last: Delta | undefined;
  let text = "";

  const settle = (): void => {
    if (last !== undefined && text !== last.text) events[events.length - 1] = { ...last, text };
    last = undefined;
  };

  return {
    push(event) {
      if (event.type !== "text-delta" && event.type !== "reasoning-delta" && event.type !== "tool-call-delta") {
        settle();
        events.push(event);
      } else if (last !== undefined && continues(last, event)) text += event.text;
      else {
        settle();
        events.push(event);
        last = event;
        text = event.text;
      }
    },
    extend(block, more) {
      if (last === undefined || last.type === "tool-call-delta" || last.block !== block) return false;
      text += more;
      return true;
    },
    take() {
      settle();
      const taken = events;
      if (taken.length > 0) events = [];
      return taken;
    },
  };
}

function continues(last: Delta, next: Delta): boolean {
  if (next.type === "text-delta") {
    return last.type === "text-delta" && last.block === next.block && last.refusal === next.refusal;
  }
  if (next.type === "reasoning-delta") return last.type === "reasoning-delta" && last.block === next.block;
  return last.type === "tool-call-delta" && last.call === next.call;
}

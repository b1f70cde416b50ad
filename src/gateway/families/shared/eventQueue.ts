/** Buffers a decoder's events between two reads of the network; adjacent deltas become one event, so that less is reduced and posted. */
import type { ChatDelta, ChatEvent } from "../../../domain/chat/chatEvent";

/** Merges like `mergeDeltas` of the domain, but without an object and a string for each delta. */
export class EventQueue {
  #events: ChatEvent[] = [];
  /** The last event, while it is a delta; `#text` is its text so far. */
  #last: ChatDelta | undefined;
  #text = "";

  push(event: ChatEvent): void {
    if (event.type !== "text-delta" && event.type !== "reasoning-delta" && event.type !== "tool-call-delta") {
      this.#finishDelta();
      this.#events.push(event);
    } else if (this.#last !== undefined && continues(this.#last, event)) {
      this.#text += event.text;
    } else {
      this.#finishDelta();
      this.#events.push(event);
      this.#last = event;
      this.#text = event.text;
    }
  }

  /** Appends to the text or reasoning of that block; false if another event has come since. */
  extend(block: number, text: string): boolean {
    const last = this.#last;
    if (last === undefined || last.type === "tool-call-delta" || last.block !== block) return false;
    this.#text += text;
    return true;
  }

  /** Returns all buffered events and empties the queue. */
  take(): readonly ChatEvent[] {
    this.#finishDelta();
    const taken = this.#events;
    if (taken.length > 0) this.#events = [];
    return taken;
  }

  #finishDelta(): void {
    const last = this.#last;
    if (last === undefined) return;
    if (this.#text !== last.text) this.#events[this.#events.length - 1] = { ...last, text: this.#text };
    this.#last = undefined;
  }
}

function continues(last: ChatDelta, next: ChatDelta): boolean {
  if (next.type === "text-delta") {
    return last.type === "text-delta" && last.block === next.block && last.refusal === next.refusal;
  }
  if (next.type === "reasoning-delta") return last.type === "reasoning-delta" && last.block === next.block;
  return last.type === "tool-call-delta" && last.call === next.call;
}

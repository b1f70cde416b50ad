/** Bounds on one answer and on its tool calls: a broken or hostile model must block neither the host nor the page. */
import { isLargerThan } from "../../base/jsonValue";
import type { ChatEvent } from "./chatEvent";
import { AppFailure } from "../errors/appError";

/** Each call is a row on the page and a message in every later request. */
export const callCap = 256;
/** Levels of nesting: JSON.stringify recurses, and deeper arguments overflow its stack. */
export const depthCap = 100;
/** The bounds of one call's arguments. Members are limited because the schema adds an issue for each wrong one. */
export const argumentBounds = { levels: depthCap, members: 10_000 };
/** Characters of one answer, with its pictures as base64. */
const lengthCap = 64 * 1024 * 1024;
/** Texts, pictures and citations of one answer: each is a node on the page. */
const blockCap = 5000;

/** One answer made more than `callCap` calls. */
export class CallLimitFailure extends Error {
  override readonly name = "CallLimitFailure";
}

/** Counts the calls, the characters and the blocks of one answer. */
export class CallBounds {
  #calls = 0;
  #length = 0;
  #blocks = 0;
  /** The kind and the number of the block that the last delta was a part of. */
  #last = "";

  /**
   * Returns the event, or `tool-call-invalid` for arguments over their bounds. Throws a `CallLimitFailure`, or an `AppFailure` for an
   * answer that is too long.
   */
  check(event: ChatEvent): ChatEvent {
    this.#count(event);
    if (event.type === "tool-call-start") {
      this.#calls += 1;
      if (this.#calls > callCap) throw new CallLimitFailure();
    }
    if (event.type !== "tool-call-end" || !isLargerThan(event.input, argumentBounds)) return event;
    const reason = "They are nested too deeply, or have too many values.";
    return { type: "tool-call-invalid", call: event.call, text: "", reason };
  }

  #count(event: ChatEvent): void {
    if ("text" in event) this.#length += event.text.length;
    if (event.type === "media") this.#length += event.data.length;
    if ("block" in event) {
      const block = `${event.type} ${event.block}`;
      const isDelta = event.type === "text-delta" || event.type === "reasoning-delta";
      if (!isDelta || block !== this.#last) this.#blocks += 1;
      this.#last = block;
    }
    if (this.#length > lengthCap || this.#blocks > blockCap)
      throw new AppFailure({ kind: "malformed", message: "The answer is too long and was ended." });
  }
}

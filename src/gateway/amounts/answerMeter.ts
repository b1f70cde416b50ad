/** Measures an answer while it streams: the bytes that arrived, and the tokens that the service counted (T18). */
import { definedFields } from "../../base/definedFields";
import type { ChatEvent } from "../../domain/chat/chatEvent";
import type { CountedAnswer } from "./billChecks";

export type MeteredAnswer = Pick<CountedAnswer, "named" | "usage" | "produced" | "hasOther" | "hasFound">;

/** Bytes that are added for the parts of a call other than its name and arguments. */
const callBytes = 64;

export class AnswerMeter {
  #named: string | undefined;
  #usage: MeteredAnswer["usage"] = {};
  #produced = 0;
  #hasOther = false;
  #hasFound = false;
  #isWhole = false;

  add(event: ChatEvent): void {
    switch (event.type) {
      case "message-start":
        this.#named = event.model;
        break;
      case "text-delta":
      case "reasoning-delta":
      case "tool-call-delta":
      case "tool-call-invalid":
        this.#produced += Buffer.byteLength(event.text);
        break;
      case "tool-call-start":
        this.#produced += Buffer.byteLength(event.name) + callBytes;
        break;
      case "tool-call-end":
        break;
      case "citation":
        this.#hasFound = true;
        this.#hasOther = true;
        break;
      case "opaque":
        if (event.read !== undefined) this.#hasFound = true;
        this.#hasOther = true;
        break;
      case "media":
      case "malformed":
      case "stream-error":
        this.#hasOther = true;
        break;
      case "usage":
        this.#usage = event;
        break;
      case "message-end":
        this.#isWhole = !event.cut && event.finish !== "error";
        break;
    }
  }

  /** `undefined` for an answer that was cut. */
  get counted(): MeteredAnswer | undefined {
    if (!this.#isWhole) return undefined;
    const { input, output, reasoning, cacheRead } = this.#usage;
    return {
      usage: definedFields({ input, output, reasoning, cacheRead }),
      produced: this.#produced,
      hasOther: this.#hasOther,
      hasFound: this.#hasFound,
      ...definedFields({ named: this.#named }),
    };
  }
}

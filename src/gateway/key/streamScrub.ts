/** Removes the key from the events of a streamed answer, also where it is split over two deltas (C2). */
import type { ChatDelta, ChatEvent } from "../../domain/chat/chatEvent";
import type { Scrub } from "./scrub";

/** Returns the events to pass on in place of the given one. */
export type StreamScrub = (event: ChatEvent) => readonly ChatEvent[];

/**
 * Deltas are searched only for the key itself: a model's text may contain anything that looks like an encoding. The end
 * of a delta waits for the next one while it could be the beginning of the key, usually a letter or two.
 */
export function createStreamScrub(key: string, scrub: Scrub): StreamScrub {
  const search = new DeltaSearch(key, scrub);
  return (event) => {
    switch (event.type) {
      case "text-delta":
      case "reasoning-delta":
      case "tool-call-delta":
        return search.isNeeded ? search.push(event) : [event];
      case "stream-error":
        return [...search.flush(), { ...event, error: scrub.error(event.error) }];
      case "malformed":
        return [...search.flush(), { ...event, raw: scrub.text(event.raw) }];
      case "media":
        return [...search.flush(), { ...event, mimeType: scrub.text(event.mimeType) }];
      case "message-start":
      case "tool-call-start":
      case "tool-call-end":
      case "tool-call-invalid":
      case "citation":
      case "opaque":
      case "usage":
      case "message-end":
        return [...search.flush(), scrub.value(event)];
    }
  };
}

class DeltaSearch {
  readonly #key: string;
  readonly #first: number;
  readonly #scrub: Scrub;
  /** A key that is too short is not searched for. */
  readonly isNeeded: boolean;
  /** The end of the last delta, as one that is still to be passed on. */
  #waiting: ChatDelta | undefined;

  constructor(key: string, scrub: Scrub) {
    this.#key = key;
    this.#first = key.charCodeAt(0);
    this.#scrub = scrub;
    this.isNeeded = scrub.text(key) !== key;
  }

  push(delta: ChatDelta): readonly ChatEvent[] {
    // Nearly every delta: nothing waits, and neither the key nor a beginning of it at the end.
    if (this.#waiting === undefined && this.#sharedLength(delta.text) === 0 && !delta.text.includes(this.#key)) {
      return [delta];
    }
    return this.#search(delta);
  }

  flush(): readonly ChatEvent[] {
    const last = this.#waiting;
    this.#waiting = undefined;
    return last === undefined ? [] : [{ ...last, text: this.#scrub.text(last.text) }];
  }

  #search(delta: ChatDelta): readonly ChatEvent[] {
    const carry = this.#waiting !== undefined && isSamePart(this.#waiting, delta) ? this.#waiting.text : "";
    const before = carry === "" ? this.flush() : [];
    const text = carry + delta.text;
    const end = text.length - this.#sharedLength(text);
    this.#waiting = end === text.length ? undefined : { ...delta, text: text.slice(end) };
    const clean = text.slice(0, end).replaceAll(this.#key, () => this.#scrub.text(this.#key));
    return clean === "" ? before : [...before, clean === delta.text ? delta : { ...delta, text: clean }];
  }

  /** How many characters at the end of the text are a beginning of the key. */
  #sharedLength(text: string): number {
    const key = this.#key;
    for (let at = Math.max(0, text.length - key.length + 1); at < text.length; at++) {
      if (text.charCodeAt(at) === this.#first && key.startsWith(text.slice(at))) return text.length - at;
    }
    return 0;
  }
}

function isSamePart(a: ChatDelta, b: ChatDelta): boolean {
  if (a.type === "tool-call-delta" || b.type === "tool-call-delta") {
    return a.type === b.type && "call" in a && "call" in b && a.call === b.call;
  }
  return a.type === b.type && a.block === b.block;
}

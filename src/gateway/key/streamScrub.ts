/** Takes the key out of a streamed answer, also where two deltas share it. */
import type { ChatEvent } from "../../domain/chat";
import type { Scrub } from "./scrub";

/** The events to pass on in the place of the one that came. */
export type StreamScrub = (event: ChatEvent) => readonly ChatEvent[];

type Delta = Extract<ChatEvent, { readonly type: "text-delta" | "reasoning-delta" | "tool-call-delta" }>;

/**
 * Deltas are searched for the key as it stands only: a model's words may be of any form, and each is on the way to the
 * screen. The end of a delta waits for the next one while it could be the beginning of the key, mostly a letter or two.
 */
export function createStreamScrub(key: string, scrub: Scrub): StreamScrub {
  let waiting: Delta | undefined;
  const isSearched = scrub.text(key) !== key;

  const release = (): readonly ChatEvent[] => {
    const last = waiting;
    waiting = undefined;
    return last === undefined ? [] : [{ ...last, text: scrub.text(last.text) }];
  };
  const pass = (delta: Delta): readonly ChatEvent[] => {
    const goesOn = waiting !== undefined && isSamePart(waiting, delta);
    const before = goesOn ? [] : release();
    const text = goesOn && waiting !== undefined ? waiting.text + delta.text : delta.text;
    const end = text.length - sharedLength(text, key);
    waiting = end === text.length ? undefined : { ...delta, text: text.slice(end) };
    const shown = text.slice(0, end);
    const clean = shown.replaceAll(key, () => scrub.text(key));
    return clean === "" ? before : [...before, clean === delta.text ? delta : { ...delta, text: clean }];
  };

  return (event) => {
    if (!isSearched) return [event];
    switch (event.type) {
      case "text-delta":
      case "reasoning-delta":
      case "tool-call-delta":
        return pass(event);
      case "stream-error":
        return [...release(), { ...event, error: scrub.error(event.error) }];
      case "malformed":
        return [...release(), { ...event, raw: scrub.text(event.raw) }];
      case "media":
        return [...release(), { ...event, mimeType: scrub.text(event.mimeType) }];
      case "message-start":
      case "tool-call-start":
      case "tool-call-end":
      case "tool-call-invalid":
      case "citation":
      case "opaque":
      case "usage":
      case "message-end":
        return [...release(), scrub.value(event)];
    }
  };
}

function isSamePart(a: Delta, b: Delta): boolean {
  if (a.type === "tool-call-delta" || b.type === "tool-call-delta") {
    return a.type === b.type && "call" in a && "call" in b && a.call === b.call;
  }
  return a.type === b.type && a.block === b.block;
}

/** How much of the end of the text is a beginning of the key. */
function sharedLength(text: string, key: string): number {
  const first = key.charAt(0);
  let at = text.indexOf(first, Math.max(0, text.length - key.length + 1));
  while (at !== -1 && !key.startsWith(text.slice(at))) at = text.indexOf(first, at + 1);
  return at === -1 ? 0 : text.length - at;
}

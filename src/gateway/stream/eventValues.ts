/** The data of server-sent events as JSON values, also where a value is split over events, torn off or no JSON (Q-F18, Q-R8). */
import { isRecord, parseJson } from "../../base/jsonValue";
import { ServerEvents } from "./serverEvents";
import { StrayLines } from "./strayLines";

export interface ValueListener {
  onValue(value: unknown, event: string | undefined): void;
  /** An error that came as bare text. */
  onErrorText(text: string): void;
  onMalformed(reason: string, raw: string): void;
}

/** Events that one JSON value may be split over. */
const maxParts = 8;
const idleEvent = /^(?:ping|keep-?alive|heartbeat)$/i;
const errorText = /^\W{0,3}(?:(?:internal )?(?:server )?error|exception)\b/i;

export class EventValues {
  readonly #listener: ValueListener;
  readonly #events: ServerEvents;
  readonly #stray: StrayLines;
  #done = false;
  /** Nearly every stream has no stray line, and then no event has to check for one. */
  #hasStray = false;
  /** JSON split over events (Q-F18): text that does not parse waits for the next event. */
  #parts: string[] = [];

  constructor(listener: ValueListener) {
    this.#listener = listener;
    this.#events = new ServerEvents({
      onEvent: (data, event) => {
        if (!this.#done) this.#readEvent(data, event);
      },
      onStray: (line) => {
        if (this.#done) return;
        this.#hasStray = true;
        this.#stray.read(line);
      },
      onTooLong: (start) => listener.onMalformed("An event is longer than 32 MiB.", start),
    });
    this.#stray = new StrayLines({
      onData: (text) => this.#readEvent(text, undefined),
      onValue: (value, event) => this.#deliver(value, event),
      onMalformed: (raw) => listener.onMalformed("A line is no part of an event stream.", raw),
    });
  }

  /** `[DONE]` was read: the rest of the stream is ignored. */
  get done(): boolean {
    return this.#done;
  }

  /** Error text after the last value, on a line of its own (Q-R8). */
  get lastError(): string {
    return this.#stray.lastError;
  }

  push(text: string): void {
    this.#events.push(text);
  }

  /** `heard`: returns whether at least one JSON value came. */
  end(heard: () => boolean): void {
    this.#events.end();
    if (this.#done) return;
    this.#stray.end(heard());
    this.#flushParts();
  }

  #readEvent(data: string, event: string | undefined): void {
    const text = isBraced(data) ? data : data.trim();
    if (text === "" || (event !== undefined && event.length <= 10 && idleEvent.test(event))) return;
    if (this.#hasStray) this.#stray.flush();
    if (isDone(text)) {
      this.#flushParts();
      this.#done = true;
      return;
    }
    const value = parseJson(text);
    if (typeof value === "object" && value !== null) {
      if (this.#parts.length > 0) this.#flushParts();
      this.#deliver(value, event);
    } else if (!text.startsWith(":")) this.#readOther(text, value, event);
  }

  /** An event that is no JSON object or array. `value`: what it was parsed as. */
  #readOther(text: string, value: unknown, event: string | undefined): void {
    // Some gateways keep a connection alive with it; nothing of an answer is lost.
    if (value === null) return;
    const lines = value === undefined && text.includes("\n") ? text.split("\n") : [];
    // An event that was torn off, directly followed by another one, which usually says why.
    if (lines.some((line) => isRecord(parseJson(line)))) for (const line of lines) this.#readEvent(line, event);
    else if (value !== undefined || !this.#join(text, event)) this.#readText(text, event);
  }

  #readText(text: string, event: string | undefined): void {
    const doubled = /^data:\s*(?=[[{])/.exec(text);
    if (doubled) this.#readEvent(text.slice(doubled[0].length), event);
    else if (event === "error" || errorText.test(text)) this.#listener.onErrorText(text);
    else this.#listener.onMalformed("An event is not JSON.", text);
  }

  /** Returns whether `text` is a part of a split value: the first, a further one, or the last, which delivers it. */
  #join(text: string, event: string | undefined): boolean {
    if (this.#parts.length > 0) {
      for (const joint of ["", "\n"]) {
        const value = parseJson([...this.#parts, text].join(joint));
        if (!isRecord(value)) continue;
        this.#parts = [];
        this.#deliver(value, event);
        return true;
      }
      if (this.#parts.length < maxParts && !/^[[{]/.test(text) && !errorText.test(text)) {
        this.#parts.push(text);
        return true;
      }
      this.#flushParts();
    }
    if (!/^[[{]/.test(text)) return false;
    this.#parts = [text];
    return true;
  }

  #flushParts(): void {
    for (const text of this.#parts.splice(0)) this.#listener.onMalformed("An event is not JSON.", text);
  }

  #deliver(value: unknown, event: string | undefined): void {
    if (this.#hasStray) this.#stray.dropError();
    this.#listener.onValue(value, event);
  }
}

export function isDone(text: string): boolean {
  return text === "[DONE]" || text === '"[DONE]"';
}

/** True for nearly every event: then nothing has to be trimmed. */
function isBraced(text: string): boolean {
  return text.charCodeAt(0) === 0x7b && text.charCodeAt(text.length - 1) === 0x7d;
}

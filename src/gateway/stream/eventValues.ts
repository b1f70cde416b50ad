/**
 * Reads the data of server-sent events as JSON values, also if a value is split over events or torn off, and the text between the events:
 * printed errors, data without field names, garbage (Q-F18, Q-R8).
 */
import { asArray, isRecord, parseJson } from "../../base/jsonValue";
import { type ServerEvent, ServerEvents } from "./serverEvents";

/** A piece of a response body, in the order in which they came. */
export type BodyPart =
  /** `event`: the name of the server-sent event, if it had one. */
  | { readonly type: "value"; readonly value: unknown; readonly event: string | undefined }
  /** An error that came as bare text. */
  | { readonly type: "error-text"; readonly text: string }
  | { readonly type: "malformed"; readonly reason: string; readonly raw: string };

/** The number of events over which one JSON value may be split. */
const maxParts = 8;
/** Characters of an error that is printed over several lines. */
const maxErrorLength = 8 * 1024;
const idleEvent = /^(?:ping|keep-?alive|heartbeat)$/i;
const errorText = /^\W{0,3}(?:(?:internal )?(?:server )?error|exception)\b/i;
/** An unknown field of an event stream, which the specification ignores (Q-F14). */
const unknownField = /^[a-z][\w-]*:/i;
const errorWord = /\b(?:error|exception)\b/i;

export class EventValues {
  readonly #events = new ServerEvents();
  /** The parts that the last pushed text has completed. */
  #found: BodyPart[] = [];
  #heard = false;
  #done = false;
  /** Whether there was a stray line. Nearly every stream has none, and then events need not check for one. */
  #hasStray = false;
  /** JSON that is split over events (Q-F18): text that can't be parsed waits for the next event. */
  #split: string[] = [];
  /** Stray lines that may become an error object printed over several lines. */
  #gathered = "";
  #lastError = "";

  /** Whether `[DONE]` was read, after which the rest of the stream is ignored. */
  get done(): boolean {
    return this.#done;
  }

  /**
   * The error text on a separate line with no JSON value after it, which is why the stream ended (Q-R8). When values
   * follow, the line is reported as malformed instead.
   */
  get lastError(): string {
    return this.#lastError;
  }

  push(text: string): readonly BodyPart[] {
    this.#read(this.#events.push(text));
    return this.#take();
  }

  end(): readonly BodyPart[] {
    this.#read(this.#events.end());
    if (!this.#done) {
      if (this.#heard && this.#lastError === "" && errorWord.test(this.#gathered)) {
        this.#lastError = this.#gathered;
        this.#gathered = "";
      }
      this.#flushGathered();
      this.#flushSplit();
    }
    return this.#take();
  }

  #take(): readonly BodyPart[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }

  #read(events: readonly ServerEvent[]): void {
    for (const event of events) {
      if (this.#done) return;
      if (event.type === "event") this.#readData(event.data, event.event);
      else if (event.type === "stray-line") this.#readStray(event.line.trim());
      else this.#reject("An event is longer than 32 MiB.", event.beginning);
    }
  }

  #readData(data: string, event: string | undefined): void {
    const text = isBraced(data) ? data : data.trim();
    if (text === "" || (event !== undefined && event.length <= 10 && idleEvent.test(event))) return;
    if (this.#hasStray) this.#flushGathered();
    if (isDone(text)) {
      this.#flushSplit();
      this.#done = true;
      return;
    }
    const value = parseJson(text);
    if (typeof value === "object" && value !== null) {
      if (this.#split.length > 0) this.#flushSplit();
      this.#deliver(value, event);
    } else if (!text.startsWith(":")) this.#readOther(text, value, event);
  }

  /** Reads an event that is no JSON object or array. `value`: the parsed value. */
  #readOther(text: string, value: unknown, event: string | undefined): void {
    // Some gateways send `null` to keep a connection alive.
    if (value === null) return;
    const lines = value === undefined && text.includes("\n") ? text.split("\n") : [];
    // The event was cut off and another one follows directly, which usually has the reason.
    if (lines.some((line) => isRecord(parseJson(line)))) for (const line of lines) this.#readData(line, event);
    else if (value !== undefined || !this.#join(text, event)) this.#readText(text, event);
  }

  #readText(text: string, event: string | undefined): void {
    const doubled = /^data:\s*(?=[[{])/.exec(text);
    if (doubled) this.#readData(text.slice(doubled[0].length), event);
    else if (event === "error" || errorText.test(text)) this.#found.push({ type: "error-text", text });
    else this.#reject("An event is not JSON.", text);
  }

  /** Returns whether `text` is a part of a split value: the first, a further one, or the last, which delivers it. */
  #join(text: string, event: string | undefined): boolean {
    if (this.#split.length > 0) {
      for (const joint of ["", "\n"]) {
        const value = parseJson([...this.#split, text].join(joint));
        if (!isRecord(value)) continue;
        this.#split = [];
        this.#deliver(value, event);
        return true;
      }
      if (this.#split.length < maxParts && !/^[[{]/.test(text) && !errorText.test(text)) {
        this.#split.push(text);
        return true;
      }
      this.#flushSplit();
    }
    if (!/^[[{]/.test(text)) return false;
    this.#split = [text];
    return true;
  }

  #flushSplit(): void {
    for (const text of this.#split.splice(0)) this.#reject("An event is not JSON.", text);
  }

  #readStray(text: string): void {
    this.#hasStray = true;
    if (text === "") return;
    const data = /^data:\s*/.exec(text);
    const error = /^error:\s*/i.exec(text);
    if (data) this.#readData(text.slice(data[0].length), undefined);
    else if (isDone(text)) this.#readData(text, undefined);
    else if (error) this.#readStrayError(text.slice(error[0].length));
    else if (!unknownField.test(text)) this.#readBare(text);
  }

  #readStrayError(text: string): void {
    const value = parseJson(text);
    if (typeof value === "object" && value !== null) this.#deliver(value, "error");
    else {
      this.#dropLastError();
      this.#lastError = text;
    }
  }

  #readBare(text: string): void {
    const value = parseJson(text);
    if (isRecord(value)) {
      this.#flushGathered();
      this.#deliver(value, undefined);
    } else this.#gather(text);
  }

  /** Adds a line, and delivers the gathered lines once they are a whole error object. */
  #gather(text: string): void {
    this.#gathered = this.#gathered === "" ? text : `${this.#gathered}\n${text}`;
    if (this.#gathered.length > maxErrorLength) this.#flushGathered();
    if (!/[\]}],?$/.test(text)) return;
    const value = parseJson(this.#gathered.replace(/^,|,$/g, ""));
    const first = isRecord(value) ? value : asArray(value)[0];
    if (!isRecord(first) || !("error" in first)) return;
    this.#gathered = "";
    this.#deliver(first, "error");
  }

  /** Rejects the gathered lines: they are no error object, because an event follows or the stream ends. */
  #flushGathered(): void {
    if (this.#gathered !== "") this.#reject("A line is no part of an event stream.", this.#gathered);
    this.#gathered = "";
  }

  /** Rejects the error text: it did not end the stream, because a JSON value follows. */
  #dropLastError(): void {
    if (this.#lastError !== "") this.#reject("A line is no part of an event stream.", this.#lastError);
    this.#lastError = "";
  }

  #deliver(value: unknown, event: string | undefined): void {
    if (this.#hasStray) this.#dropLastError();
    this.#heard = true;
    this.#found.push({ type: "value", value, event });
  }

  #reject(reason: string, raw: string): void {
    this.#found.push({ type: "malformed", reason, raw });
  }
}

export function isDone(text: string): boolean {
  return text === "[DONE]" || text === '"[DONE]"';
}

/** True for nearly every event, which then need not be trimmed. */
function isBraced(text: string): boolean {
  return text.charCodeAt(0) === 0x7b && text.charCodeAt(text.length - 1) === 0x7d;
}

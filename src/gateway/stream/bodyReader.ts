/** The text of a response to JSON values, for `decodeStream`: an event stream, JSON lines, one JSON document, a web page or nothing (Q-F15, Q-F16, Q-F18). */
import { isRecord, parseJson } from "../../base/jsonValue";
import { EventValues, isDone, type ValueListener } from "./eventValues";
import { JsonArray } from "./jsonArray";

const beginningLength = 500;
/** Characters. */
const maxDocumentLength = 64 * 1024 * 1024;

export class BodyReader implements ValueListener {
  readonly #listener: ValueListener;
  readonly #events: EventValues;
  readonly #array: JsonArray;
  #mode: "unknown" | "events" | "array" | "document" | "page" = "unknown";
  #documentDone = false;
  #ended = false;
  #empty = true;
  #heard = false;
  #beginning = "";
  /** Text before the mode is known. */
  #head = "";
  /** Joined once it is needed: joining per chunk would cost the square of the length. */
  #documentChunks: string[] = [];
  #documentLength = 0;
  #firstLineRead = false;

  constructor(listener: ValueListener) {
    this.#listener = listener;
    this.#events = new EventValues(this);
    this.#array = new JsonArray(maxDocumentLength, {
      onElement: (text) => {
        const value = parseJson(text);
        if (value !== undefined) this.onValue(value, undefined);
        else this.onMalformed("An element of the array is not JSON.", text);
      },
      onMalformed: (reason, raw) => this.onMalformed(reason, raw),
    });
  }

  /** The stream was completed by `[DONE]` or by its last bracket; the rest is ignored. */
  get done(): boolean {
    return this.#documentDone || this.#array.closed || this.#events.done;
  }

  /** At least one JSON value came. */
  get heard(): boolean {
    return this.#heard;
  }

  /** Only white space, comments and `[DONE]` came. */
  get empty(): boolean {
    return this.#empty;
  }

  /** The body is markup, and as much of it came as will be shown. */
  get page(): boolean {
    return this.#mode === "page" && (this.#ended || this.#beginning.length === beginningLength);
  }

  /** The body is a JSON array. */
  get array(): boolean {
    return this.#mode === "array";
  }

  /** Error text after the last value, on a line of its own (Q-R8). */
  get lastError(): string {
    return this.#events.lastError;
  }

  /** The first characters of the body. What follows `[DONE]` is cut: whether it has arrived depends on the network. */
  get beginning(): string {
    return this.done ? this.#beginning.replace(/(\[DONE\])[^]*$/, "$1") : this.#beginning;
  }

  push(text: string): void {
    if (this.#beginning.length < beginningLength) {
      this.#beginning = (this.#beginning + text).slice(0, beginningLength);
    }
    switch (this.#mode) {
      case "unknown":
        this.#head = this.#head.trim() === "" ? text : this.#head + text;
        this.#decideMode();
        break;
      case "array":
        this.#array.push(text);
        break;
      case "document":
        this.#readDocument(text);
        break;
      case "events":
        this.#events.push(text);
        break;
      case "page":
        break;
    }
  }

  end(): void {
    this.#ended = true;
    if (this.#mode === "unknown" && this.#head !== "") this.#readEvents(this.#head);
    if (this.#mode === "document") this.#endDocument();
    if (this.#mode === "array") this.#array.end();
    if (this.#mode === "page" || this.#documentDone) return;
    this.#events.end(() => this.#heard);
  }

  onValue(value: unknown, event: string | undefined): void {
    this.#empty = false;
    this.#heard = true;
    this.#listener.onValue(value, event);
  }

  onErrorText(text: string): void {
    this.#empty = false;
    this.#listener.onErrorText(text);
  }

  onMalformed(reason: string, raw: string): void {
    this.#empty = false;
    this.#listener.onMalformed(reason, raw);
  }

  #decideMode(): void {
    const [first, second] = /^\s*(\S)\s*(\S)?/.exec(this.#head)?.slice(1) ?? [];
    if (first === undefined || (first === "[" && second === undefined)) return;
    const text = this.#head;
    this.#head = "";
    if (first === "<") this.#mode = "page";
    else if (first === "[" && second === "{") {
      this.#mode = "array";
      this.#array.push(text);
    } else if (first === "{" || first === "[") {
      this.#mode = "document";
      this.#readDocument(text);
    } else this.#readEvents(text);
  }

  #readEvents(text: string): void {
    this.#mode = "events";
    this.#events.push(text);
  }

  /** JSON lines are read as they arrive; a document over several lines is parsed at its end. */
  #readDocument(text: string): void {
    this.#documentChunks.push(text);
    this.#documentLength += text.length;
    if (this.#documentLength > maxDocumentLength) {
      this.#readEvents(this.#takeDocument());
      return;
    }
    if (this.#firstLineRead || !text.includes("\n")) return;
    const all = this.#takeDocument().trimStart();
    this.#documentChunks = [all];
    const end = all.indexOf("\n");
    if (end === -1) return;
    this.#firstLineRead = true;
    const line = all.slice(0, end).trim();
    if (isDone(line) || isRecord(parseJson(line))) this.#readEvents(this.#takeDocument());
  }

  #endDocument(): void {
    const text = this.#takeDocument();
    const value = parseJson(text);
    if (typeof value !== "object" || value === null) {
      this.#readEvents(text);
      return;
    }
    for (const part of Array.isArray(value) ? (value as unknown[]) : [value]) this.onValue(part, undefined);
    // A document that parses is complete, as a stream with [DONE] is.
    this.#documentDone = true;
  }

  #takeDocument(): string {
    return this.#documentChunks.splice(0).join("");
  }
}

/** Reads JSON values from a response's text: an event stream, JSON lines, a JSON document, a web page or nothing (Q-F15, Q-F16, Q-F18). */
import { isRecord, parseJson } from "../../base/jsonValue";
import { type BodyPart, EventValues, isDone } from "./eventValues";

const beginningLength = 500;
/** Characters. */
const maxDocumentLength = 64 * 1024 * 1024;

export class BodyReader {
  readonly #events = new EventValues();
  readonly #array = new JsonArray(maxDocumentLength);
  #mode: "unknown" | "events" | "array" | "document" | "page" = "unknown";
  #documentDone = false;
  #ended = false;
  #empty = true;
  #heard = false;
  #beginning = "";
  /** The text before the mode is known. */
  #head = "";
  /** The chunks are joined only when the text is needed: joining per chunk would cost the square of the length. */
  #documentChunks: string[] = [];
  #documentLength = 0;
  #firstLineRead = false;

  /** Whether the stream was completed by `[DONE]` or by its last bracket; the rest is ignored. */
  get done(): boolean {
    return this.#documentDone || this.#array.closed || this.#events.done;
  }

  /** Whether at least one JSON value arrived. */
  get heard(): boolean {
    return this.#heard;
  }

  /** Whether only white space, comments and `[DONE]` arrived. */
  get empty(): boolean {
    return this.#empty;
  }

  /** Whether the body is markup, and the part that will be shown has arrived. */
  get page(): boolean {
    return this.#mode === "page" && (this.#ended || this.#beginning.length === beginningLength);
  }

  /** Whether the body is a JSON array. */
  get array(): boolean {
    return this.#mode === "array";
  }

  /** The error text after the last value, on a separate line (Q-R8). */
  get lastError(): string {
    return this.#events.lastError;
  }

  /** The first characters of the body. Text after `[DONE]` is cut, because whether it has arrived depends on the network. */
  get beginning(): string {
    return this.done ? this.#beginning.replace(/(\[DONE\])[^]*$/, "$1") : this.#beginning;
  }

  /** Returns the parts that this text completes. */
  push(text: string): readonly BodyPart[] {
    if (this.#beginning.length < beginningLength) {
      this.#beginning = (this.#beginning + text).slice(0, beginningLength);
    }
    return this.#note(this.#read(text));
  }

  end(): readonly BodyPart[] {
    this.#ended = true;
    return this.#note(this.#readEnd());
  }

  #note(parts: readonly BodyPart[]): readonly BodyPart[] {
    if (parts.length > 0) this.#empty = false;
    this.#heard ||= parts.some(({ type }) => type === "value");
    return parts;
  }

  #read(text: string): readonly BodyPart[] {
    switch (this.#mode) {
      case "unknown":
        this.#head = this.#head.trim() === "" ? text : this.#head + text;
        return this.#decideMode();
      case "array":
        return this.#array.push(text);
      case "document":
        return this.#readDocument(text);
      case "events":
        return this.#events.push(text);
      case "page":
        return [];
    }
  }

  #readEnd(): readonly BodyPart[] {
    if (this.#mode === "page") return [];
    if (this.#mode === "array") return this.#array.end();
    const document = this.#mode === "document" ? this.#takeDocument() : "";
    const value = document === "" ? undefined : parseJson(document);
    if (typeof value === "object" && value !== null) {
      // A document that can be parsed is complete, like a stream with [DONE].
      this.#documentDone = true;
      const values = Array.isArray(value) ? (value as unknown[]) : [value];
      return values.map((one) => ({ type: "value", value: one, event: undefined }));
    }
    return [...this.#readEvents(this.#head + document), ...this.#events.end()];
  }

  #decideMode(): readonly BodyPart[] {
    const [first, second] = /^\s*(\S)\s*(\S)?/.exec(this.#head)?.slice(1) ?? [];
    if (first === undefined || (first === "[" && second === undefined)) return [];
    const text = this.#head;
    this.#head = "";
    if (first === "<") {
      this.#mode = "page";
      return [];
    }
    if (first === "[" && second === "{") {
      this.#mode = "array";
      return this.#array.push(text);
    }
    if (first !== "{" && first !== "[") return this.#readEvents(text);
    this.#mode = "document";
    return this.#readDocument(text);
  }

  #readEvents(text: string): readonly BodyPart[] {
    this.#mode = "events";
    return this.#events.push(text);
  }

  /** JSON lines are read as they arrive; a document over several lines is parsed at its end. */
  #readDocument(text: string): readonly BodyPart[] {
    this.#documentChunks.push(text);
    this.#documentLength += text.length;
    if (this.#documentLength > maxDocumentLength) return this.#readEvents(this.#takeDocument());
    if (this.#firstLineRead || !text.includes("\n")) return [];
    const all = this.#takeDocument().trimStart();
    this.#documentChunks = [all];
    const end = all.indexOf("\n");
    if (end === -1) return [];
    this.#firstLineRead = true;
    const line = all.slice(0, end).trim();
    return isDone(line) || isRecord(parseJson(line)) ? this.#readEvents(this.#takeDocument()) : [];
  }

  #takeDocument(): string {
    return this.#documentChunks.splice(0).join("");
  }
}

/**
 * Below, a JSON array that arrives in chunks is read element by element: generate content streams this way without `alt=sse`. Of an element
 * that is too long, this many characters are reported.
 */
const maxReportLength = 1000;
const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

class JsonArray {
  readonly #longest: number;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #began = false;
  #closed = false;
  /** The unfinished element. Its chunks are joined when it ends: joining per chunk would cost the square of its length. */
  #chunks: string[] = [];
  #length = 0;

  /** `longest`: the most characters of one element. */
  constructor(longest: number) {
    this.#longest = longest;
  }

  /** Whether the closing bracket was read, or an element was too long. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Returns the elements that this text completes. */
  push(text: string): readonly BodyPart[] {
    const parts: BodyPart[] = [];
    let at = 0;
    while (at < text.length && !this.#closed) {
      if (this.#depth === 0) at = this.#findElement(text, at);
      if (at === text.length) break;
      const end = this.#findEnd(text, at);
      if (end === 0) {
        this.#keep(text.slice(at), parts);
        break;
      }
      this.#chunks.push(text.slice(at, end));
      parts.push(readElement(this.#take()));
      at = end;
    }
    return parts;
  }

  /** Reports an unfinished element. */
  end(): readonly BodyPart[] {
    if (this.#depth === 0 || this.#closed) return [];
    return [{ type: "malformed", reason: "The array ends in the middle of an element.", raw: this.#take() }];
  }

  /** Between elements, finds the offset of the next one, or the end of the text. */
  #findElement(text: string, from: number): number {
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === openBrace) return at;
      if (code === openBracket) this.#began = true;
      if (code === closeBracket && this.#began) {
        this.#closed = true;
        return text.length;
      }
    }
    return text.length;
  }

  /** Inside an element, finds the offset after its end, or 0 when it continues in the next chunk. */
  #findEnd(text: string, from: number): number {
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (code === backslash) this.#escaped = true;
        else if (code === quote) this.#inString = false;
      } else if (code === quote) this.#inString = true;
      else if (code === openBrace || code === openBracket) this.#depth += 1;
      else if (code === closeBrace || code === closeBracket) {
        this.#depth -= 1;
        if (this.#depth === 0) return at + 1;
      }
    }
    return 0;
  }

  #keep(chunk: string, parts: BodyPart[]): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#length <= this.#longest) return;
    // A bracket is never closed, so the elements after it can't be separated.
    this.#closed = true;
    const raw = this.#take().slice(0, maxReportLength);
    parts.push({ type: "malformed", reason: "An element of the array is too long.", raw });
  }

  #take(): string {
    const text = this.#chunks.join("");
    this.#chunks = [];
    this.#length = 0;
    return text;
  }
}

function readElement(text: string): BodyPart {
  const value = parseJson(text);
  return value === undefined
    ? { type: "malformed", reason: "An element of the array is not JSON.", raw: text }
    : { type: "value", value, event: undefined };
}

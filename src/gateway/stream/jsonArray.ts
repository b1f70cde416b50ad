/** Reads a JSON array that arrives in chunks, element by element: generate content streams this way without `alt=sse`. */
import { parseJson } from "../../base/jsonValue";
import type { BodyPart } from "./eventValues";

/** Characters reported of an element that is too long. */
const maxReportLength = 1000;
const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

export class JsonArray {
  readonly #longest: number;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #began = false;
  #closed = false;
  /** The unfinished element. Joined once, when it ends: joining per chunk would cost the square of its length. */
  #chunks: string[] = [];
  #length = 0;

  /** `longest`: characters of one element. */
  constructor(longest: number) {
    this.#longest = longest;
  }

  /** The closing bracket was read, or the array was given up. */
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

  /** An unfinished element is reported. */
  end(): readonly BodyPart[] {
    if (this.#depth === 0 || this.#closed) return [];
    return [{ type: "malformed", reason: "The array ends in the middle of an element.", raw: this.#take() }];
  }

  /** Between elements: the offset of the next one, or the end of the text. */
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

  /** Inside an element: the offset after its end, or 0 when it continues in the next chunk. */
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
    // A bracket that never closes: the elements after it can't be separated.
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

/**
 * Finds the byte ranges of the members of a JSON object, and of the elements of those that are lists. Each can be parsed alone, so that a long
 * file from outside neither blocks the thread nor is held in memory as values twice. The parser of a part checks its content.
 */
import type { TimeSlices } from "../async/timeSlices";

export interface JsonPart {
  readonly name: string;
  /** Each element of a list is a part; an empty list has no part. */
  readonly isElement: boolean;
  readonly start: number;
  readonly end: number;
}

/** The bounds of one part. */
export interface JsonBounds {
  readonly bytes: number;
  /** The depth of nested lists and objects. */
  readonly levels: number;
  /** The number of commas, colons, lists and objects. */
  readonly marks: number;
}

/** A part exceeds the bounds. */
export class JsonBoundsFailure extends Error {
  override readonly name = "JsonBoundsFailure";
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];
/** Bytes between two checks of the time. */
const step = 32 * 1024;

/** Throws a `SyntaxError` where the bytes are no JSON object, a `JsonBoundsFailure`, or the reason of the slices' signal. */
export async function* readJsonParts(
  bytes: Uint8Array,
  bounds: JsonBounds,
  slices: TimeSlices,
): AsyncGenerator<JsonPart> {
  const reader = new PartReader(bytes, bounds, slices);
  reader.take(openObject);
  if (reader.next === closeObject) reader.take(closeObject);
  else
    do {
      const name = parsedText(bytes, await reader.value());
      reader.take(colon);
      if (reader.next !== openList) {
        yield { name, isElement: false, ...(await reader.value()) };
        continue;
      }
      reader.take(openList);
      if (reader.next === closeList) reader.take(closeList);
      else
        do yield { name, isElement: true, ...(await reader.value()) };
        while (reader.take(comma, closeList) === comma);
    } while (reader.take(comma, closeObject) === comma);
  if (reader.next !== undefined) throw new SyntaxError("There is more behind the object.");
}

function parsedText(bytes: Uint8Array, { start, end }: Pick<JsonPart, "start" | "end">): string {
  const name: unknown = JSON.parse(textOfPart(bytes, { start, end }));
  if (typeof name !== "string") throw new SyntaxError("The name of a member is no text.");
  return name;
}

export function textOfPart(bytes: Uint8Array, { start, end }: Pick<JsonPart, "start" | "end">): string {
  return new TextDecoder().decode(bytes.subarray(start, end));
}

class PartReader {
  readonly #bytes: Uint8Array;
  readonly #bounds: JsonBounds;
  readonly #slices: TimeSlices;
  #at = 0;

  constructor(bytes: Uint8Array, bounds: JsonBounds, slices: TimeSlices) {
    this.#bytes = bytes;
    this.#bounds = bounds;
    this.#slices = slices;
  }

  /** The next byte that is no blank; `undefined` at the end. */
  get next(): number | undefined {
    for (; this.#at < this.#bytes.length; this.#at += 1) {
      const byte = this.#bytes[this.#at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte;
    }
    return undefined;
  }

  take(...wanted: readonly number[]): number {
    const { next } = this;
    if (next === undefined || !wanted.includes(next)) throw new SyntaxError(`Not JSON at byte ${this.#at}.`);
    this.#at += 1;
    return next;
  }

  /** Reads to the end of a value: to the comma, colon or bracket after it that belongs to its container. */
  async value(): Promise<Pick<JsonPart, "start" | "end">> {
    const { next: first } = this;
    const bytes = this.#bytes;
    const { bytes: maxBytes, levels, marks: maxMarks } = this.#bounds;
    const start = this.#at;
    let [depth, marks, isText, isEscaped] = [0, 0, false, false];
    for (; this.#at < bytes.length; this.#at += 1) {
      if ((this.#at - start) % step === 0 && this.#slices.isSpent) await this.#slices.next();
      const byte = bytes[this.#at];
      if (isText) {
        if (isEscaped) isEscaped = false;
        else if (byte === backslash) isEscaped = true;
        else if (byte === quote) isText = false;
        continue;
      }
      const isClosing = byte === closeList || byte === closeObject;
      if (depth === 0 && (isClosing || byte === comma || byte === colon)) break;
      if (byte === quote) isText = true;
      else if (byte === openList || byte === openObject) depth += 1;
      else if (isClosing) depth -= 1;
      else if (byte !== comma && byte !== colon) continue;
      if (byte !== quote) marks += 1;
      if (depth > levels || marks > maxMarks) throw new JsonBoundsFailure(`Too deep or too many at byte ${this.#at}.`);
    }
    const end = this.#at;
    if (first === undefined || end === start) throw new SyntaxError(`No value at byte ${start}.`);
    if (end - start > maxBytes) throw new JsonBoundsFailure(`Too long at byte ${start}.`);
    return { start, end };
  }
}

/** A JSON array that arrives in pieces, read element by element: generate-content streams so without `alt=sse`. */

export interface JsonArray {
  push(text: string): void;
  /** Nothing more comes: half an element is told of. */
  end(): void;
  /** The closing bracket came. */
  readonly closed: boolean;
}

export interface JsonArrayListener {
  /** The text of one object. */
  onElement(text: string): void;
  onMalformed(reason: string, raw: string): void;
}

const reported = 1000;
const quote = 0x22;
const backslash = 0x5c;

export function createJsonArray(longest: number, listener: JsonArrayListener): JsonArray {
  let depth = 0;
  let inString = false;
  let escaped = false;
  let closed = false;
  let began = false;
  /** Joined once, when the element ends: joining as they come would cost the square of its length. */
  let pieces: string[] = [];
  let length = 0;

  const keep = (piece: string): void => {
    pieces.push(piece);
    length += piece.length;
    if (length <= longest) return;
    // A bracket that never closes: nothing behind it can be told apart any more.
    closed = true;
    listener.onMalformed("An element of the array is too long.", take().slice(0, reported));
  };

  const take = (): string => {
    const text = pieces.join("");
    pieces = [];
    length = 0;
    return text;
  };

  /** Between elements: the offset where the next one begins. */
  const findElement = (text: string, from: number): number => {
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === 0x7b) return at;
      if (code === 0x5b) began = true;
      if (code === 0x5d && began) {
        closed = true;
        return text.length;
      }
    }
    return text.length;
  };

  /** Inside an element: the offset behind its end, or 0 when it goes on. */
  const findEnd = (text: string, from: number): number => {
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (inString) {
        if (escaped) escaped = false;
        else if (code === backslash) escaped = true;
        else if (code === quote) inString = false;
      } else if (code === quote) inString = true;
      else if (code === 0x7b || code === 0x5b) depth += 1;
      else if (code === 0x7d || code === 0x5d) {
        depth -= 1;
        if (depth === 0) return at + 1;
      }
    }
    return 0;
  };

  return {
    push(text) {
      let at = 0;
      while (at < text.length && !closed) {
        if (depth === 0) at = findElement(text, at);
        if (at === text.length) return;
        const end = findEnd(text, at);
        if (end === 0) {
          keep(text.slice(at));
          return;
        }
        pieces.push(text.slice(at, end));
        listener.onElement(take());
        at = end;
      }
    },
    end() {
      if (depth > 0 && !closed) listener.onMalformed("The array ends in the middle of an element.", take());
    },
    get closed() {
      return closed;
    },
  };
}

/** The lines of a result for the model, with a bound on their length together: one path may have 20,000 characters. */
export class ResultLines {
  static readonly lengthCap = 256 * 1024;

  readonly #lines: string[] = [];
  #length = 0;

  add(line: string): void {
    this.#lines.push(line);
    this.#length += line.length + 1;
  }

  get count(): number {
    return this.#lines.length;
  }

  get isFull(): boolean {
    return this.#length >= ResultLines.lengthCap;
  }

  get text(): string {
    return this.#lines.join("\n");
  }
}

/** Yields the lines without their ends (`\n`, `\r\n` or `\r`). A text that ends with one has an empty last line. */
export function* linesOf(text: string): Generator<string> {
  for (const { start, end } of lineRanges(text)) yield text.slice(start, end);
}

export interface LineRange {
  readonly start: number;
  /** The offset before the line's end characters. */
  readonly end: number;
  /** The offset after the line's end characters, where the next line begins. */
  readonly next: number;
}

export function* lineRanges(text: string): Generator<LineRange> {
  let start = 0;
  // Each position is searched again only once it was passed, so the whole search stays linear.
  let newline = positionOf(text, "\n", 0);
  let carriageReturn = positionOf(text, "\r", 0);
  for (;;) {
    const end = Math.min(newline, carriageReturn);
    if (end === text.length) {
      yield { start, end, next: end };
      return;
    }
    const next = carriageReturn === end && newline === end + 1 ? end + 2 : end + 1;
    yield { start, end, next };
    start = next;
    if (newline < start) newline = positionOf(text, "\n", start);
    if (carriageReturn < start) carriageReturn = positionOf(text, "\r", start);
  }
}

function positionOf(text: string, char: string, from: number): number {
  const position = text.indexOf(char, from);
  return position < 0 ? text.length : position;
}

/** A line for the model, cut where it is longer than `most` characters. */
export function cutLine(line: string, most: number): string {
  return line.length > most ? `${line.slice(0, most).toWellFormed()} … (line cut)` : line;
}

/** Removes a line end at the end of the file, which begins no further line. */
export function withoutLastLineEnd(text: string): string {
  const length = text.endsWith("\r\n") ? 2 : text.endsWith("\n") || text.endsWith("\r") ? 1 : 0;
  return text.slice(0, text.length - length);
}

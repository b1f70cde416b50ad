/** Splits text that arrives in chunks into whole lines, in linear time: LF, CR or CRLF, also when a chunk ends between CR and LF. */

export interface LineListener {
  /** One or more whole lines, each ended by LF. */
  onLines(lines: string): void;
  /** A line was dropped because it is too long; its first characters. */
  onTooLong(beginning: string): void;
}

export class LineSplitter {
  readonly #longest: number;
  readonly #listener: LineListener;
  /** The unfinished line. Joined once, when it ends: joining per chunk would cost the square of its length. */
  #chunks: string[] = [];
  #length = 0;
  #skipLineFeed = false;
  #skipLine = false;

  /** `longest`: characters of one line. */
  constructor(longest: number, listener: LineListener) {
    this.#longest = longest;
    this.#listener = listener;
  }

  push(chunk: string): void {
    if (chunk === "") return;
    const text = this.#skipLongLine(this.#normalise(chunk));
    const end = text.lastIndexOf("\n");
    if (end === -1) {
      this.#keep(text);
      return;
    }
    const whole = this.#take() + text.slice(0, end + 1);
    this.#keep(text.slice(end + 1));
    this.#listener.onLines(whole);
  }

  /** The unfinished line counts as a line. */
  end(): void {
    this.#skipLine = false;
    if (this.#length > 0) this.#listener.onLines(`${this.#take()}\n`);
  }

  /** All line ends become LF. A CR at the end of a chunk has ended its line; an LF that follows belongs to it. */
  #normalise(chunk: string): string {
    const text = this.#skipLineFeed && chunk.startsWith("\n") ? chunk.slice(1) : chunk;
    this.#skipLineFeed = chunk.endsWith("\r");
    return text.includes("\r") ? text.replaceAll("\r\n", "\n").replaceAll("\r", "\n") : text;
  }

  /** What follows the line that was dropped. */
  #skipLongLine(text: string): string {
    if (!this.#skipLine) return text;
    const end = text.indexOf("\n");
    if (end === -1) return "";
    this.#skipLine = false;
    return text.slice(end + 1);
  }

  #keep(text: string): void {
    if (text === "") return;
    this.#chunks.push(text);
    this.#length += text.length;
    if (this.#length <= this.#longest) return;
    this.#skipLine = true;
    this.#listener.onTooLong(this.#take().slice(0, 1000));
  }

  #take(): string {
    const text = this.#chunks.length === 1 ? (this.#chunks[0] ?? "") : this.#chunks.join("");
    this.#chunks = [];
    this.#length = 0;
    return text;
  }
}

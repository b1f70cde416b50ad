/** Reads server-sent events from text in any chunks with eventsource-parser, and handles the deviations of real gateways (Q-F rows). */
import { createParser, type EventSourceParser } from "eventsource-parser";
import { isRecord, parseJson } from "../../base/jsonValue";

export type ServerEvent =
  | { readonly type: "event"; readonly data: string; readonly event: string | undefined }
  /** A line that is no field of an event stream. */
  | { readonly type: "stray-line"; readonly line: string }
  /** An event was skipped because it is too long. `beginning`: its first characters, or empty if they are not known. */
  | { readonly type: "too-long"; readonly beginning: string };

/** Characters. An event may hold an image, so the limit is high; a longer event is skipped. */
const maxEventLength = 32 * 1024 * 1024;
/** The first line of JSON that is printed over several lines, and the lines that follow it. */
const printedStart = /^\s*[[{]{1,2}\s*$/;
const printedLine = /^[\s"{}[\]]/;
const lineFeed = 0x0a;
const space = 0x20;
const letterD = 0x64;
const letterE = 0x65;

export class ServerEvents {
  readonly #parser: EventSourceParser;
  readonly #lines = new LineSplitter(maxEventLength);
  /** The events that the last chunk has completed. */
  #found: ServerEvent[] = [];
  #overflown = false;
  /** Whether lines were fed to the parser since the last blank line. */
  #isOpen = false;
  /** The number of data lines of the unfinished event; `#firstData` is the first of them. */
  #dataLines = 0;
  #firstData = "";
  /** The text before the data of the last plain event. The next event usually begins in the same way, so one comparison is enough. */
  #opening = "";
  #openingEvent: string | undefined;

  constructor() {
    // The parser gets whole lines only: it silently drops the beginning of an unknown field when a chunk ends within it, so
    // its events would depend on where the network cut the bytes.
    this.#parser = createParser({
      maxBufferSize: maxEventLength,
      onEvent: ({ data, event }) => this.#found.push({ type: "event", data, event }),
      onError: (error) => {
        if (error.type === "unknown-field" && error.line !== undefined)
          this.#found.push({ type: "stray-line", line: error.line });
        if (error.type !== "max-buffer-size-exceeded") return;
        this.#overflown = true;
        this.#found.push({ type: "too-long", beginning: "" });
      },
    });
  }

  push(text: string): readonly ServerEvent[] {
    this.#readLines(this.#lines.push(text));
    return this.#take();
  }

  /** The last event counts even without the blank line after it (Q-F13). */
  end(): readonly ServerEvent[] {
    this.#readLines(this.#lines.end());
    this.#dispatch();
    return this.#take();
  }

  #take(): readonly ServerEvent[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }

  #readLines(lines: string): void {
    const dropped = this.#lines.takeDropped();
    if (dropped !== undefined) this.#found.push({ type: "too-long", beginning: dropped });
    let at = 0;
    while (at < lines.length) {
      const next = this.#isOpen ? at : this.#readPlain(lines, at);
      if (next > at) {
        at = next;
        continue;
      }
      const end = lines.indexOf("\n", at);
      this.#readLine(lines.slice(at, end));
      at = end + 1;
    }
  }

  /**
   * Reads the form of nearly every event without the parser (`npm run bench -- stream`): a data line, at most an event
   * name before it, and a blank line. Returns the offset after the event, or `from` for anything else. `slice` and a
   * comparison cost a fraction of `startsWith`, which compares character by character.
   */
  #readPlain(lines: string, from: number): number {
    const length = this.#opening.length;
    const isSame = length > 0 && lines.slice(from, from + length) === this.#opening;
    const colon = isSame ? from + length : this.#readOpening(lines, from);
    if (colon === undefined) return from;
    const end = lines.indexOf("\n", colon);
    if (lines.charCodeAt(end + 1) !== lineFeed) return from;
    this.#found.push({ type: "event", data: lines.slice(valueAt(lines, colon), end), event: this.#openingEvent });
    return end + 2;
  }

  /** Returns the offset after `data:`; `undefined` for anything but a data line with at most an event name before it. */
  #readOpening(lines: string, from: number): number | undefined {
    let at = from;
    let event: string | undefined;
    if (lines.charCodeAt(at) === letterE && lines.slice(at, at + 6) === "event:") {
      const end = lines.indexOf("\n", at);
      event = lines.slice(valueAt(lines, at + 6), end);
      at = end + 1;
    }
    if (lines.charCodeAt(at) !== letterD || lines.slice(at, at + 5) !== "data:") return undefined;
    this.#opening = lines.slice(from, at + 5);
    this.#openingEvent = event === "" ? undefined : event;
    return at + 5;
  }

  /**
   * Some gateways write one LF, not two, between their events (Q-F7). A first data line that is whole JSON ends its event
   * when a new event, or an error that is printed without a field name, follows.
   */
  #readLine(line: string): void {
    if (line === "") {
      this.#dispatch();
      return;
    }
    const isData = line.startsWith("data:");
    const isNext = this.#dataLines === 1 && (isData || /^(?:event:|[{[])/.test(line));
    if (isNext && isWholeObject(this.#firstData)) this.#dispatch();
    this.#isOpen = true;
    // Relays write one `data:` before an error that is printed over several lines.
    const isPrinted = this.#dataLines > 0 && printedLine.test(line) && printedStart.test(this.#firstData);
    this.#feed(isPrinted ? `data:${line}\n` : `${line}\n`);
    if (!isData) return;
    this.#dataLines += 1;
    if (this.#dataLines > 1) return;
    this.#firstData = line.slice(5);
    // A server may leave the connection open instead of sending the blank line.
    if (this.#firstData.trim() === "[DONE]") this.#dispatch();
  }

  #dispatch(): void {
    this.#feed("\n");
    this.#isOpen = false;
    this.#dataLines = 0;
    this.#firstData = "";
  }

  #feed(text: string): void {
    this.#parser.feed(text);
    if (!this.#overflown) return;
    this.#overflown = false;
    this.#parser.reset();
  }
}

/** One space after the colon is not part of the value. */
function valueAt(lines: string, at: number): number {
  return lines.charCodeAt(at) === space ? at + 1 : at;
}

function isWholeObject(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.startsWith("{") && trimmed.endsWith("}") && isRecord(parseJson(trimmed));
}

/** Splits text that arrives in chunks into whole lines, in linear time: LF, CR or CRLF, also when a chunk ends between CR and LF. */
class LineSplitter {
  readonly #maxLength: number;
  /** The unfinished line. Its chunks are joined when it ends: joining per chunk would cost the square of its length. */
  #chunks: string[] = [];
  #length = 0;
  #skipLineFeed = false;
  #skipLine = false;
  #dropped: string | undefined;

  /** `maxLength`: the most characters of one line. */
  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** Returns the lines that this chunk ends, each with an LF. */
  push(chunk: string): string {
    if (chunk === "") return "";
    const text = this.#skipLongLine(this.#normalise(chunk));
    const end = text.lastIndexOf("\n");
    if (end === -1) {
      this.#keep(text);
      return "";
    }
    const whole = this.#take() + text.slice(0, end + 1);
    this.#keep(text.slice(end + 1));
    return whole;
  }

  /** The unfinished line counts as a line. */
  end(): string {
    this.#skipLine = false;
    return this.#length > 0 ? `${this.#take()}\n` : "";
  }

  /** Returns once the first characters of a line that was dropped because it is too long. */
  takeDropped(): string | undefined {
    const dropped = this.#dropped;
    this.#dropped = undefined;
    return dropped;
  }

  /** Changes all line ends to LF. A CR at the end of a chunk ends its line, and an LF after it belongs to it. */
  #normalise(chunk: string): string {
    const text = this.#skipLineFeed && chunk.startsWith("\n") ? chunk.slice(1) : chunk;
    this.#skipLineFeed = chunk.endsWith("\r");
    return text.includes("\r") ? text.replaceAll("\r\n", "\n").replaceAll("\r", "\n") : text;
  }

  /** Drops the rest of a line that is too long, and returns the text after it. */
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
    if (this.#length <= this.#maxLength) return;
    this.#skipLine = true;
    this.#dropped = this.#take().slice(0, 1000);
  }

  #take(): string {
    const text = this.#chunks.length === 1 ? (this.#chunks[0] ?? "") : this.#chunks.join("");
    this.#chunks = [];
    this.#length = 0;
    return text;
  }
}

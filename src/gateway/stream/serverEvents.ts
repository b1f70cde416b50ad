/** Server-sent events from text in any chunks: eventsource-parser, and around it the deviations of real gateways (Q-F rows). */
import { createParser, type EventSourceParser } from "eventsource-parser";
import { isRecord, parseJson } from "../../base/jsonValue";
import { type LineListener, LineSplitter } from "./lineSplitter";

export interface ServerEventListener {
  onEvent(data: string, event: string | undefined): void;
  /** A line that is no field of an event stream. */
  onStray(line: string): void;
  /** An event was skipped because it is too long; its first characters, where they are known. */
  onTooLong(beginning: string): void;
}

/** Characters. An event may hold an image; a longer one is skipped. */
const maxEventLength = 32 * 1024 * 1024;
/** First and further lines of JSON that is printed over several lines. */
const printedStart = /^\s*[[{]{1,2}\s*$/;
const printedLine = /^[\s"{}[\]]/;
const lineFeed = 0x0a;
const space = 0x20;
const letterD = 0x64;
const letterE = 0x65;

export class ServerEvents implements LineListener {
  readonly #listener: ServerEventListener;
  readonly #parser: EventSourceParser;
  readonly #lines: LineSplitter;
  #overflown = false;
  /** Lines were fed to the parser since the last blank line. */
  #isOpen = false;
  /** The unfinished event: the number of its data lines, and the first of them. */
  #dataLines = 0;
  #firstData = "";
  /** The text of the last plain event before its data, and the event's name: the next one usually begins in the same way. */
  #opening = "";
  #openingEvent: string | undefined;

  constructor(listener: ServerEventListener) {
    this.#listener = listener;
    // The parser sees whole lines only: it drops the beginning of an unknown field silently when a chunk ends in it, so
    // what it reports would depend on where the network cut the bytes.
    this.#lines = new LineSplitter(maxEventLength, this);
    this.#parser = createParser({
      maxBufferSize: maxEventLength,
      onEvent: ({ data, event }) => listener.onEvent(data, event),
      onError: (error) => {
        if (error.type === "unknown-field" && error.line !== undefined) listener.onStray(error.line);
        if (error.type !== "max-buffer-size-exceeded") return;
        this.#overflown = true;
        listener.onTooLong("");
      },
    });
  }

  push(text: string): void {
    this.#lines.push(text);
  }

  /** The last event counts also without the blank line after it (Q-F13). */
  end(): void {
    this.#lines.end();
    this.#dispatch();
  }

  onTooLong(beginning: string): void {
    this.#listener.onTooLong(beginning);
  }

  onLines(lines: string): void {
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
   * The form of nearly every event, read without the parser (`npm run bench -- stream`): a data line, at most an event
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
    this.#listener.onEvent(lines.slice(valueAt(lines, colon), end), this.#openingEvent);
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
   * Q-F7: gateways that write one LF, not two, between their events. A first data line that is whole JSON ends its event
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
    // Relays write one `data:` before an error that was printed over several lines.
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

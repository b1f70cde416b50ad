/** Server-sent events from text in any pieces: eventsource-parser, and around it what real gateways do besides (F rows). */
import { createParser } from "eventsource-parser";
import { isRecord, parseJson } from "../http/jsonValue";
import { createLines } from "./lines";
import { createRepeats } from "./repeats";

export interface ServerEvents {
  push(text: string): void;
  /** The last event counts also without the blank line after it (F13). */
  end(): void;
}

export interface ServerEventListener {
  /** Gives the text in it, if all that an event said is that the answer goes on with this text. */
  onEvent(data: string, event: string | undefined): string | undefined;
  /** An event that is the one before it but for its text. */
  onRepeat(text: string): void;
  /** A line that is no field of an event stream. */
  onStray(line: string): void;
  onTooLong(beginning: string): void;
}

/** An event may hold an image; beyond this it is skipped. */
const longestEvent = 32 * 1024 * 1024;
/** JSON printed over several lines begins like this, and goes on like that. */
const printedStart = /^\s*[[{]{1,2}\s*$/;
const printedLine = /^[\s"{}[\]]/;
const lineFeed = 0x0a;
const space = 0x20;

export function createServerEvents(listener: ServerEventListener): ServerEvents {
  const parser = createParser({
    maxBufferSize: longestEvent,
    onEvent: ({ data, event }) => void listener.onEvent(data, event),
    onError: (error) => {
      if (error.type === "unknown-field" && error.line !== undefined) listener.onStray(error.line);
      if (error.type === "max-buffer-size-exceeded") {
        overflown = true;
        listener.onTooLong("");
      }
    },
  });
  let overflown = false;
  /** Something was fed since the last blank line. */
  let isOpen = false;
  /** The unfinished event: how many data lines it has, and the first of them. */
  let dataLines = 0;
  let firstData = "";
  const repeats = createRepeats((text) => listener.onRepeat(text));

  const feed = (text: string): void => {
    parser.feed(text);
    if (!overflown) return;
    overflown = false;
    parser.reset();
  };

  // The parser sees whole lines only: it drops the beginning of an unknown field without a word when a piece ends in it,
  // so that what it reports would depend on where the network cut the bytes.
  const onLines = (lines: string): void => {
    for (let at = 0; at < lines.length;) {
      const before = at;
      if (!isOpen) {
        at = repeats.read(lines, at);
        if (at === before) at = readPlain(lines, at);
      }
      if (at > before) continue;
      repeats.forget();
      const end = lines.indexOf("\n", at);
      onLine(lines.slice(at, end));
      at = end + 1;
    }
  };

  /**
   * The one form that nearly every event has, read without the parser (`npm run bench -- stream`): a data line, at most a
   * name before it, and a blank line. Gives the offset behind the event, or `from` for anything else.
   */
  const readPlain = (lines: string, from: number): number => {
    let at = from;
    let event: string | undefined;
    if (lines.startsWith("event:", at)) {
      const end = lines.indexOf("\n", at);
      event = lines.slice(valueAt(lines, at + 6), end);
      at = end + 1;
    }
    if (!lines.startsWith("data:", at)) return from;
    const end = lines.indexOf("\n", at);
    if (lines.charCodeAt(end + 1) !== lineFeed) return from;
    repeats.forget();
    const text = listener.onEvent(lines.slice(valueAt(lines, at + 5), end), event === "" ? undefined : event);
    if (text !== undefined) repeats.learn(lines, from, end + 2, text);
    return end + 2;
  };

  /**
   * F7: gateways that put one LF, not two, between their events. A first data line that is whole JSON ends its event, and
   * so does an error that is printed right behind it.
   */
  const onLine = (line: string): void => {
    if (line === "") {
      dispatch();
      return;
    }
    const isData = line.startsWith("data:");
    if (dataLines === 1 && (isData || /^(?:event:|[{[])/.test(line)) && isWholeObject(firstData)) dispatch();
    isOpen = true;
    // Relays write one `data:` before an error that was printed over several lines.
    const goesOn = dataLines > 0 && printedLine.test(line) && printedStart.test(firstData);
    feed(goesOn ? `data:${line}\n` : `${line}\n`);
    if (!isData) return;
    dataLines += 1;
    if (dataLines > 1) return;
    firstData = line.slice(5);
    // Nothing comes after it, and a server may leave the connection open instead of sending the blank line.
    if (firstData.trim() === "[DONE]") dispatch();
  };

  const dispatch = (): void => {
    feed("\n");
    isOpen = false;
    dataLines = 0;
    firstData = "";
  };

  const lines = createLines(longestEvent, onLines, (beginning) => listener.onTooLong(beginning));
  return {
    push: (text) => lines.push(text),
    end() {
      lines.end();
      dispatch();
    },
  };
}

/** One space behind the colon is no part of the value. */
function valueAt(lines: string, at: number): number {
  return lines.charCodeAt(at) === space ? at + 1 : at;
}

function isWholeObject(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.startsWith("{") && trimmed.endsWith("}") && isRecord(parseJson(trimmed));
}

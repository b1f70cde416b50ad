/** Server-sent events from text in any pieces: eventsource-parser, and around it what real gateways do besides (async-tasks.md 4.5, F rows). */
import { createParser } from "eventsource-parser";
import { createLines } from "./lines";
import { isRecord, parseJson } from "./jsonValue";

export interface ServerEvents {
  push(text: string): void;
  /** The last event counts also without the blank line after it (F13). */
  end(): void;
}

export interface ServerEventListener {
  onEvent(data: string, event: string | undefined): void;
  /** A line that is no field of an event stream. */
  onStray(line: string): void;
  onTooLong(beginning: string): void;
}

/** An event may hold an image (contract.md 0.3.9); beyond this it is skipped. */
const longestEvent = 32 * 1024 * 1024;

export function createServerEvents(listener: ServerEventListener): ServerEvents {
  const parser = createParser({
    maxBufferSize: longestEvent,
    onEvent: ({ data, event }) => listener.onEvent(data, event),
    onError: (error) => {
      if (error.type === "unknown-field" && error.line !== undefined) listener.onStray(error.line);
      if (error.type === "max-buffer-size-exceeded") {
        overflown = true;
        listener.onTooLong("");
      }
    },
  });
  let overflown = false;
  /** The unfinished event: how many data lines it has, and the first of them. */
  let dataLines = 0;
  let firstData = "";

  const feed = (text: string): void => {
    parser.feed(text);
    if (!overflown) return;
    overflown = false;
    parser.reset();
  };

  // The parser sees whole lines only: it drops the beginning of an unknown field without a word when a piece ends in it,
  // so that what it reports would depend on where the network cut the bytes.
  const onLines = (lines: string): void => {
    const isPlain = dataLines === 0 && lines.endsWith("\n\n") && !hasAdjacentFields(lines);
    if (isPlain) feed(lines);
    else for (const line of lines.slice(0, -1).split("\n")) onLine(line);
  };

  /** F7: gateways that put one LF, not two, between their events. A first data line that is whole JSON ends its event. */
  const onLine = (line: string): void => {
    if (line === "") {
      dispatch();
      return;
    }
    const isData = line.startsWith("data:");
    if (dataLines === 1 && (isData || line.startsWith("event:")) && isWholeObject(firstData)) dispatch();
    feed(`${line}\n`);
    if (!isData) return;
    dataLines += 1;
    if (dataLines > 1) return;
    firstData = line.slice(5);
    // Nothing comes after it, and a server may leave the connection open instead of sending the blank line.
    if (firstData.trim() === "[DONE]") dispatch();
  };

  const dispatch = (): void => {
    feed("\n");
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

/** Whether a data line is followed by another field without a blank line between. */
function hasAdjacentFields(lines: string): boolean {
  for (let at = lines.indexOf("\ndata:"); at !== -1; at = lines.indexOf("\ndata:", at + 1)) {
    if (at > 0 && lines.charCodeAt(at - 1) !== 10 && isDataLine(lines, at)) return true;
  }
  for (let at = lines.indexOf("\nevent:"); at !== -1; at = lines.indexOf("\nevent:", at + 1)) {
    if (at > 0 && lines.charCodeAt(at - 1) !== 10 && isDataLine(lines, at)) return true;
  }
  return false;
}

function isDataLine(lines: string, end: number): boolean {
  return lines.startsWith("data:", lines.lastIndexOf("\n", end - 1) + 1);
}

function isWholeObject(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.startsWith("{") && trimmed.endsWith("}") && isRecord(parseJson(trimmed));
}

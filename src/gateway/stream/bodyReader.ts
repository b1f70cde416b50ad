/** The text of an answer to JSON values, whatever it turns out to be: an event stream, JSON lines, one JSON document, a web page or nothing (F15, F16, F18). */
import { isRecord, parseJson } from "../http/jsonValue";
import { createJsonArray } from "./jsonArray";
import { createServerEvents } from "./serverEvents";
import { createStrayLines } from "./strayLines";

export interface BodyListener {
  /** Gives the text in it, if all that a value said is that the answer goes on with this text. */
  onValue(value: unknown, event: string | undefined): string | undefined;
  /** A value that is the one before it but for its text. */
  onRepeat(text: string): void;
  /** An error that came as bare text. */
  onErrorText(text: string): void;
  onMalformed(reason: string, raw: string): void;
}

export interface BodyReader {
  push(text: string): void;
  end(): void;
  /** The stream said that it is complete; nothing after it counts. */
  readonly done: boolean;
  /** At least one JSON value came. */
  readonly heard: boolean;
  /** Nothing but white space, comments and an end came. */
  readonly empty: boolean;
  /** The body is markup, and as much of it came as will be shown. */
  readonly page: boolean;
  /** The body is a JSON array. */
  readonly array: boolean;
  /** Error text behind the last event, on a line of its own (R8). */
  readonly lastWords: string;
  /** The first characters of the body. */
  readonly beginning: string;
}

const beginningLength = 500;
const longestDocument = 64 * 1024 * 1024;
const mostPieces = 8;
const idleEvent = /^(?:ping|keep-?alive|heartbeat)$/i;
const errorText = /^\W{0,3}(?:(?:internal )?(?:server )?error|exception)\b/i;

export function createBodyReader(listener: BodyListener): BodyReader {
  let mode: "unknown" | "events" | "array" | "document" | "page" = "unknown";
  let done = false;
  let empty = true;
  let heard = false;
  let ended = false;
  let beginning = "";
  let head = "";
  let documentPieces: string[] = [];
  let documentLength = 0;
  let firstLineRead = false;
  /** JSON that came in two events (F18): what does not parse waits for the next one. */
  let broken: string[] = [];
  /** Nearly every stream has no stray line, and then no event need ask for one. */
  let hasStray = false;

  const events = createServerEvents({
    onEvent: (data, event) => (done ? undefined : onEvent(data, event)),
    onRepeat: (text) => listener.onRepeat(text),
    onStray(line) {
      if (done) return;
      hasStray = true;
      stray.line(line);
    },
    onTooLong: (start) => listener.onMalformed("An event is longer than 32 MiB.", start),
  });

  const array = createJsonArray(longestDocument, {
    onElement(text) {
      const value = parseJson(text);
      if (value !== undefined) deliver(value, undefined);
      else {
        empty = false;
        listener.onMalformed("An element of the array is not JSON.", text);
      }
    },
    onMalformed(reason, raw) {
      empty = false;
      listener.onMalformed(reason, raw);
    },
  });

  const onEvent = (data: string, event: string | undefined): string | undefined => {
    const text = isBraced(data) ? data : data.trim();
    if (text === "" || (event !== undefined && event.length <= 10 && idleEvent.test(event))) return undefined;
    if (hasStray) stray.flush();
    if (isDone(text)) {
      flushBroken();
      done = true;
      return undefined;
    }
    const value = parseJson(text);
    if (typeof value === "object" && value !== null) {
      if (broken.length > 0) flushBroken();
      return deliver(value, event);
    }
    if (text.startsWith(":")) return undefined;
    empty = false;
    const lines = value === undefined && text.includes("\n") ? text.split("\n") : [];
    // An event that was torn off, and without a blank line behind it the next one: why it was torn, as a rule.
    if (lines.some((line) => isRecord(parseJson(line)))) for (const line of lines) onEvent(line, event);
    else if (value !== undefined || !joins(text, event)) onNoJson(text, event);
    return undefined;
  };

  const onNoJson = (text: string, event: string | undefined): void => {
    const again = /^data:\s*(?=[[{])/.exec(text);
    if (again) onEvent(text.slice(again[0].length), event);
    else if (event === "error" || errorText.test(text)) listener.onErrorText(text);
    else listener.onMalformed("An event is not JSON.", text);
  };

  /** Whether `text` is the beginning or the continuation of a value in pieces. */
  const joins = (text: string, event: string | undefined): boolean => {
    if (broken.length > 0) {
      for (const joint of ["", "\n"]) {
        const value = parseJson([...broken, text].join(joint));
        if (!isRecord(value)) continue;
        broken = [];
        deliver(value, event);
        return true;
      }
      const goesOn = broken.length < mostPieces && !/^[[{]/.test(text) && !errorText.test(text);
      if (!goesOn) flushBroken();
      else broken.push(text);
      if (goesOn) return true;
    }
    if (!/^[[{]/.test(text)) return false;
    broken = [text];
    return true;
  };

  const flushBroken = (): void => {
    for (const text of broken.splice(0)) listener.onMalformed("An event is not JSON.", text);
  };

  const deliver = (value: unknown, event: string | undefined): string | undefined => {
    if (hasStray && stray.lastWords !== "") stray.goOn();
    empty = false;
    heard = true;
    return listener.onValue(value, event);
  };

  const stray = createStrayLines({
    onData: (text) => void onEvent(text, undefined),
    onValue(value, event) {
      deliver(value, event);
    },
    onMalformed(raw) {
      empty = false;
      listener.onMalformed("A line is no part of an event stream.", raw);
    },
  });

  const toEvents = (text: string): void => {
    mode = "events";
    events.push(text);
  };

  const decideMode = (): void => {
    const [first, second] = /^\s*(\S)\s*(\S)?/.exec(head)?.slice(1) ?? [];
    if (first === undefined || (first === "[" && second === undefined)) return;
    const text = head;
    head = "";
    if (first === "<") mode = "page";
    else if (first === "[" && second === "{") {
      mode = "array";
      readArray(text);
    } else if (first === "{" || first === "[") {
      mode = "document";
      readDocument(text);
    } else toEvents(text);
  };

  const readArray = (text: string): void => {
    array.push(text);
    if (array.closed) done = true;
  };

  /** JSON lines are read as they come; a document over several lines is read when it has ended. */
  const readDocument = (text: string): void => {
    documentPieces.push(text);
    documentLength += text.length;
    if (documentLength > longestDocument) {
      const all = documentPieces.join("");
      documentPieces = [];
      toEvents(all);
      return;
    }
    if (firstLineRead || !text.includes("\n")) return;
    const all = documentPieces.join("").trimStart();
    documentPieces = [all];
    const end = all.indexOf("\n");
    if (end === -1) return;
    firstLineRead = true;
    const line = all.slice(0, end).trim();
    if (!isDone(line) && !isRecord(parseJson(line))) return;
    documentPieces = [];
    toEvents(all);
  };

  const endDocument = (): void => {
    const text = documentPieces.join("");
    documentPieces = [];
    const value = parseJson(text);
    if (typeof value !== "object" || value === null) {
      toEvents(text);
      return;
    }
    for (const part of Array.isArray(value) ? (value as unknown[]) : [value]) deliver(part, undefined);
    // A document that parses has its end, which is what [DONE] says of a stream.
    done = true;
  };

  return {
    push(text) {
      if (beginning.length < beginningLength) beginning = (beginning + text).slice(0, beginningLength);
      switch (mode) {
        case "unknown":
          head = head.trim() === "" ? text : head + text;
          decideMode();
          break;
        case "array":
          readArray(text);
          break;
        case "document":
          readDocument(text);
          break;
        case "events":
          events.push(text);
          break;
        case "page":
          break;
      }
    },
    end() {
      ended = true;
      if (mode === "unknown" && head !== "") toEvents(head);
      if (mode === "document") endDocument();
      if (mode === "array") array.end();
      if (mode === "page") return;
      events.end();
      if (done) return;
      stray.end(heard);
      flushBroken();
    },
    get done() {
      return done;
    },
    get heard() {
      return heard;
    },
    get page() {
      return mode === "page" && (ended || beginning.length === beginningLength);
    },
    get empty() {
      return empty;
    },
    get lastWords() {
      return stray.lastWords;
    },
    get array() {
      return mode === "array";
    },
    get beginning() {
      // What stands behind the end may or may not have come with it.
      return done ? beginning.replace(/(\[DONE\])[^]*$/, "$1") : beginning;
    },
  };
}

/** Nearly every event: there is nothing to trim. */
function isBraced(text: string): boolean {
  return text.charCodeAt(0) === 0x7b && text.charCodeAt(text.length - 1) === 0x7d;
}

function isDone(text: string): boolean {
  return text === "[DONE]" || text === '"[DONE]"';
}

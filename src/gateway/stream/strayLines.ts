/** Lines of a stream that are no event: errors printed between events, forgotten field names, garbage (F18, R8). */
import { asArray, isRecord, parseJson } from "../http/jsonValue";

export interface StrayLineListener {
  /** It was the data of an event after all. */
  onData(text: string): void;
  onValue(value: unknown, event: "error" | undefined): void;
  onMalformed(raw: string): void;
}

export interface StrayLines {
  line(line: string): void;
  /** An event follows: what was gathered is no error that grows over several lines. */
  flush(): void;
  /** A JSON value follows: what looked like last words was not. */
  goOn(): void;
  /** Nothing follows. `heard`: at least one JSON value came before. */
  end(heard: boolean): void;
  /**
   * Error text on a line of its own, with nothing behind it that counts: the last words of a stream that has died. A line
   * between events that go on is only malformed.
   */
  readonly lastWords: string;
}

const longest = 8 * 1024;
/** What an event stream calls an unknown field: it is ignored (F14). */
const unknownField = /^[a-z][\w-]*:/i;
const deathNote = /\b(?:error|exception)\b/i;

export function createStrayLines(listener: StrayLineListener): StrayLines {
  /** An error may be printed over several lines. */
  let gathered = "";
  let lastWords = "";

  const flush = (): void => {
    if (gathered !== "") listener.onMalformed(gathered);
    gathered = "";
  };
  const goOn = (): void => {
    if (lastWords !== "") listener.onMalformed(lastWords);
    lastWords = "";
  };

  const readError = (text: string): void => {
    const value = parseJson(text);
    if (typeof value === "object" && value !== null) listener.onValue(value, "error");
    else {
      goOn();
      lastWords = text;
    }
  };

  /** Whether what was gathered is now a whole error object. */
  const gather = (text: string): void => {
    gathered = gathered === "" ? text : `${gathered}\n${text}`;
    if (gathered.length > longest) flush();
    if (!/[\]}],?$/.test(text)) return;
    const value = parseJson(gathered.replace(/^,|,$/g, ""));
    const first = isRecord(value) ? value : asArray(value)[0];
    if (!isRecord(first) || !("error" in first)) return;
    gathered = "";
    listener.onValue(first, "error");
  };

  return {
    line(line) {
      const text = line.trim();
      if (text === "") return;
      const data = /^data:\s*/.exec(text);
      const error = /^error:\s*/i.exec(text);
      if (data) listener.onData(text.slice(data[0].length));
      else if (text === "[DONE]" || text === '"[DONE]"') listener.onData(text);
      else if (error) readError(text.slice(error[0].length));
      else if (!unknownField.test(text)) {
        const value = parseJson(text);
        if (isRecord(value)) {
          flush();
          listener.onValue(value, undefined);
        } else gather(text);
      }
    },
    flush,
    goOn,
    end(heard) {
      if (heard && lastWords === "" && deathNote.test(gathered)) {
        lastWords = gathered;
        gathered = "";
      }
      flush();
    },
    get lastWords() {
      return lastWords;
    },
  };
}

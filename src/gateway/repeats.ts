/** Nearly every event of a stream is the one before it with another text in one place. Read so, it need not be parsed (`npm run bench -- stream`). */
import { parseJson } from "./jsonValue";

export interface Repeats {
  /** `event`, from its first line to its blank one, said nothing but `text`, and said it in words that JSON does not escape. */
  learn(event: string, text: string): void;
  /** Something else came: what an event means may be another now. */
  forget(): void;
  /** Gives the offset behind the event at `from` if it repeats the last one, and its text to `onText`; else `from`. */
  read(lines: string, from: number): number;
}

const quote = 0x22;
const backslash = 0x5c;
const space = 0x20;
/** V8 copies what is shorter, and refers to the whole text otherwise. */
const longestCopy = 13;
/** After so many events that the next one did not repeat, the stream is of those that count or stamp each event. */
const patience = 32;

export function createRepeats(onText: (text: string) => void): Repeats {
  let head = "";
  let tail = "";
  let inVain = 0;

  return {
    learn(event, text) {
      if (inVain === patience) return;
      inVain += 1;
      head = "";
      // Nothing is escaped and the text stands there once: then what is between those quotes is the text, and whatever
      // stands there without a quote or an escape is another text in the same place.
      const written = `"${text}"`;
      const at = event.indexOf(written);
      if (at === -1 || event.includes("\\") || event.includes(written, at + 1)) return;
      head = event.slice(0, at + 1);
      tail = event.slice(at + 1 + text.length);
    },
    forget() {
      head = "";
    },
    read(lines, from) {
      const start = from + head.length;
      // Cut out and compared: several times faster than `startsWith`, which goes character by character.
      if (head === "" || lines.slice(from, start) !== head) return from;
      let isPlain = true;
      let end = start;
      for (let code = lines.charCodeAt(end); code !== quote; code = lines.charCodeAt(++end)) {
        // Not a number: the text is over.
        if (!(code >= space)) return from;
        if (code !== backslash) continue;
        isPlain = false;
        end += 1;
      }
      const behind = end + tail.length;
      if (end === start || lines.slice(end, behind) !== tail) return from;
      // Cut out of `lines`, anything longer than a word would keep all of them in memory for as long as itself is kept.
      isPlain &&= end - start < longestCopy;
      const text = isPlain ? lines.slice(start, end) : parseJson(lines.slice(start - 1, end + 1));
      if (typeof text !== "string") return from;
      inVain = 0;
      onText(text);
      return behind;
    },
  };
}

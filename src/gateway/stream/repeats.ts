/** Nearly every event of a stream is the one before it with another text in one place. Read so, it need not be parsed (`npm run bench -- stream`). */
import { parseJson } from "../http/jsonValue";

export interface Repeats {
  /** The event from its first line to behind its blank one, which said nothing but `text`. */
  learn(lines: string, from: number, behind: number, text: string): void;
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
/** Services pad their events, so that the length does not tell the words: with letters that nobody reads, or with spaces. */
const letters = /^([^]*"(?:obfuscation|p)":")[\dA-Za-z]*("\}\n\n)$/;

export function createRepeats(onText: (text: string) => void): Repeats {
  let head = "";
  let tail = "";
  let isPadding = isSpace;
  let end = "";
  let inVain = 0;

  return {
    learn(lines, from, behind, text) {
      if (inVain === patience) return;
      inVain += 1;
      head = "";
      const event = lines.slice(from, behind);
      // Nothing is escaped and the text stands there once: then what is between those quotes is the text, and whatever
      // stands there without a quote or an escape is another text in the same place.
      const written = `"${text}"`;
      const at = event.indexOf(written);
      if (at === -1 || event.includes("\\") || event.includes(written, at + 1)) return;
      head = event.slice(0, at + 1);
      const rest = event.slice(at + 1 + text.length);
      const lettered = letters.exec(rest);
      isPadding = lettered === null ? isSpace : isLetter;
      [, tail = "", end = ""] = lettered ?? ["", ...cutSpaces(rest)];
    },
    forget() {
      head = "";
    },
    read(lines, from) {
      const start = from + head.length;
      // Cut out and compared: several times faster than `startsWith`, which goes character by character.
      if (head === "" || lines.slice(from, start) !== head) return from;
      let isPlain = true;
      let behind = start;
      for (let code = lines.charCodeAt(behind); code !== quote; code = lines.charCodeAt(++behind)) {
        // Not a number: the text is over.
        if (!(code >= space)) return from;
        if (code !== backslash) continue;
        isPlain = false;
        behind += 1;
      }
      let at = behind + tail.length;
      if (behind === start || lines.slice(behind, at) !== tail) return from;
      while (isPadding(lines.charCodeAt(at))) at += 1;
      if (lines.slice(at, at + end.length) !== end) return from;
      // Cut out of `lines`, anything longer than a word would keep all of them in memory for as long as itself is kept.
      isPlain &&= behind - start < longestCopy;
      const text = isPlain ? lines.slice(start, behind) : parseJson(lines.slice(start - 1, behind + 1));
      if (typeof text !== "string") return from;
      inVain = 0;
      onText(text);
      return at + end.length;
    },
  };
}

/** What stands before the spaces at the end, and what behind them. */
function cutSpaces(rest: string): [string, string] {
  const end = rest.endsWith("}\n\n") ? rest.length - 3 : rest.length - 2;
  let at = end;
  while (isSpace(rest.charCodeAt(at - 1))) at -= 1;
  return [rest.slice(0, at), rest.slice(end)];
}

function isSpace(code: number): boolean {
  return code === space;
}

function isLetter(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}

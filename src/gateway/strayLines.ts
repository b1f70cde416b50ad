/** Text in a stream that is no event: garbage if the stream goes on behind it, an error if it is the last that was said (F18, R8; contract.md 0.3.6). */
import { asArray, isRecord, parseJson } from "./jsonValue";

export interface StrayLines {
  /** A line; an error may be printed as JSON over several of them. */
  push(line: string): void;
  /** Text that calls itself an error. */
  pushError(text: string): void;
  /** The stream goes on. */
  passOver(): void;
  /** Nothing more comes. `heard`: an answer had begun, so that a last line with such words in it tells how it ended. */
  end(heard: boolean): void;
}

export interface StrayListener {
  /** An error that came as JSON. */
  onError(value: unknown): void;
  onErrorText(text: string): void;
  onMalformed(reason: string, raw: string): void;
}

const longest = 8 * 1024;
const errorWords = /\b(?:error|exception|fail(?:ed|ure)?|timed? ?out|unavailable|overloaded)\b/i;

export function createStrayLines(listener: StrayListener): StrayLines {
  let stray = "";
  let isError = false;

  const take = (): string => {
    const text = stray;
    stray = "";
    isError = false;
    return text;
  };

  const passOver = (): void => {
    if (stray !== "") listener.onMalformed("A line is no part of an event stream.", take());
  };

  return {
    push(line) {
      stray = stray === "" ? line : `${stray}\n${line}`;
      if (stray.length > longest) passOver();
      if (!/[\]}],?$/.test(line)) return;
      const value = parseJson(stray.replace(/^,|,$/g, ""));
      const first = isRecord(value) ? value : asArray(value)[0];
      if (!isRecord(first) || !("error" in first)) return;
      take();
      listener.onError(first);
    },
    pushError(text) {
      passOver();
      stray = text;
      isError = true;
    },
    passOver,
    end(heard) {
      if (isError || (heard && errorWords.test(stray))) listener.onErrorText(take());
      else passOver();
    },
  };
}

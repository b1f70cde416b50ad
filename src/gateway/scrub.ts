/**
 * Removes the key from a service's responses (C2) before anything is cut, stored, logged or shown: plain, URL-encoded and in base64; from whole
 * texts, from streamed deltas and from the log.
 */
import { definedFields } from "../base/definedFields";
import type { AppError } from "../domain/errors/appError";
import type { Facts, Log } from "../domain/ports";
import type { ChatDelta, ChatEvent } from "../domain/chat/chatEvent";

const replacement = "[key]";

/** Characters. A shorter key is not searched, because it can be guessed and would be found in many words. */
const shortestKey = 6;

/**
 * Characters of the shortest piece that is removed from a text without blanks, such as a name or an address. It is longer there, because a name must
 * stay valid and a shorter piece may be a word of it.
 */
const shortestPieceOfName = 12;

/** Characters. It limits the time for one text to a few milliseconds; longer text is cut. */
const maxTextLength = 65_536;
/** Characters of all texts of a value that are searched. So many take about 100 ms. */
const maxText = 1_000_000;

/** The most property names that are remembered as clean. */
const maxNames = 500;
/** Characters of the longest name that is remembered. */
const maxNameLength = 60;

/** Values that are nested deeper are dropped. */
const maxDepth = 100;

export interface Scrub {
  /** Removes the key and its pieces of 10 characters or more, then cuts the text to `maxLength`. */
  text(text: string, maxLength?: number): string;
  /**
   * Removes the key from all texts and property names of a value that is stored. An unchanged value is returned as it is.
   * Texts that are too long to search are dropped; `data:` addresses, which may hold a whole picture, are kept.
   */
  record<T>(value: T): T;
  /** Like `record`, for values that are sent back or given to a tool unchanged: in texts that are too long, only the plain key is removed. */
  value<T>(value: T): T;
  /** Scrubs an error and keeps it within the limits of an `AppError`. */
  error(error: AppError): AppError;
  log(log: Log): Log;
}

/** The most characters of an error's texts. */
const limits = { message: 1000, firstBytes: 500, code: 200, requestId: 200, contentType: 200 } as const;

export function createScrub(key: string): Scrub {
  const replace = createReplace(key);
  const text = (from: string, maxLength = maxTextLength): string =>
    replace(from.slice(0, maxTextLength), shortestPiece).slice(0, maxLength);
  const member = (from: string, walk: Walk): string => {
    if (from.length > Math.min(maxTextLength, walk.left)) {
      return walk.isWhole || from.startsWith("data:") ? from.replaceAll(key, () => text(key)) : "";
    }
    walk.left -= from.length;
    return replace(from, /\s/.test(from) ? shortestPiece : shortestPieceOfName);
  };
  /** Property names that hold no key. They are remembered, because every chunk of a stream has the same few. */
  let cleanNames = new Set<string>();
  const nameOf = (from: string, walk: Walk): string => {
    if (cleanNames.has(from)) return from;
    const clean = member(from, walk);
    if (cleanNames.size >= maxNames) cleanNames = new Set();
    if (clean === from && from.length <= maxNameLength) cleanNames.add(from);
    return clean;
  };
  const value = (from: unknown, walk: Walk, depth = 0): unknown => {
    if (typeof from === "string") return member(from, walk);
    if (typeof from !== "object" || from === null) return from;
    if (depth > maxDepth) return undefined;
    if (Array.isArray(from)) {
      const items = (from as unknown[]).map((item) => value(item, walk, depth + 1));
      return items.every((item, index) => item === from[index]) ? from : items;
    }
    const before = Object.entries(from);
    const after = before.map(([name, inner]): [string, unknown] => [nameOf(name, walk), value(inner, walk, depth + 1)]);
    const isSame = after.every(([name, inner], index) => name === before[index]?.[0] && inner === before[index][1]);
    return isSame ? from : Object.fromEntries(after);
  };
  const facts = (from: Facts | undefined): Facts | undefined =>
    from &&
    Object.fromEntries(
      Object.entries(from).map(([name, fact]) => [name, typeof fact === "string" ? text(fact) : fact]),
    );
  return {
    text,
    record: <T>(from: T) => value(from, { left: maxText, isWhole: false }) as T,
    value: <T>(from: T) => value(from, { left: maxText, isWhole: true }) as T,
    error: (error) => ({
      ...error,
      message: text(error.message, limits.message),
      ...definedFields({
        code: error.code === undefined ? undefined : text(error.code, limits.code),
        firstBytes: error.firstBytes === undefined ? undefined : text(error.firstBytes, limits.firstBytes),
        requestId: error.requestId === undefined ? undefined : text(error.requestId, limits.requestId),
        contentType: error.contentType === undefined ? undefined : text(error.contentType, limits.contentType),
      }),
    }),
    log: (log) => ({
      debug: (message, more) => log.debug(text(message), facts(more)),
      info: (message, more) => log.info(text(message), facts(more)),
      warn: (message, more) => log.warn(text(message), facts(more)),
      error: (message, more) => log.error(text(message), facts(more)),
    }),
  };
}

/**
 * Removes the key and also the secrets of the additional headers, which are read each time because they may change. The secrets are removed first,
 * because the key's scrub cuts the text.
 */
export function withSecrets(scrub: Scrub, secrets: () => readonly string[]): Scrub {
  let [known, all]: [string, readonly Scrub[]] = ["", [scrub]];
  const each = (): readonly Scrub[] => {
    const now = secrets();
    const text = now.join("\n");
    if (text !== known) [known, all] = [text, [...now.map(createScrub), scrub]];
    return all;
  };
  return {
    text: (from, maxLength) =>
      scrub.text(
        each().reduce((text, one) => one.text(text), from),
        maxLength,
      ),
    record: (from) => each().reduce((value, one) => one.record(value), from),
    value: (from) => each().reduce((value, one) => one.value(value), from),
    error: (error) => each().reduce((clean, one) => one.error(clean), error),
    log: (log) => ({
      debug: (message, more) => logOf(log).debug(message, more),
      info: (message, more) => logOf(log).info(message, more),
      warn: (message, more) => logOf(log).warn(message, more),
      error: (message, more) => logOf(log).error(message, more),
    }),
  };
  function logOf(log: Log): Log {
    return each().reduce((inner, one) => one.log(inner), log);
  }
}

/** The remaining budget for one value. */
interface Walk {
  /** Characters that may still be searched. */
  left: number;
  /** A text that is too long to search stays, without the plain key. Where this is false, only a `data:` address stays. */
  readonly isWhole: boolean;
}

type Replace = (text: string, shortest: number) => string;

function createReplace(key: string): Replace {
  if (key.replaceAll(/[^A-Za-z0-9]/g, "").length < shortestPiece) return createWholeReplace(key);
  const search = createKeySearch(key);
  return (text, least) => {
    const ranges = search.find(text, Math.min(least, key.length));
    return ranges.length === 0 ? text : cutOut(text, ranges);
  };
}

/** Replaces a key with few letters and digits: only as a whole word, plain and URL-encoded. */
function createWholeReplace(key: string): Replace {
  if (key.length < shortestKey) return (text) => text;
  const forms = [key, encodeURIComponent(key)].map((form) => form.replaceAll(/[^\w]/g, "\\$&"));
  const pattern = new RegExp(`(?<![A-Za-z0-9])(?:${forms.join("|")})(?![A-Za-z0-9])`, "g");
  return (text) => text.replaceAll(pattern, replacement);
}

/** `ranges`: start, end, start, end, …, in order. Overlapping and adjacent ranges are joined. */
function cutOut(text: string, ranges: readonly number[]): string {
  let result = "";
  let at = -1;
  for (let index = 0; index < ranges.length; index += 2) {
    const [start = 0, end = 0] = ranges.slice(index, index + 2);
    if (start > at) result += text.slice(Math.max(at, 0), start) + replacement;
    at = end;
  }
  return result + text.slice(at);
}

// Finds a key, or a piece of it, in a text: plain, URL-encoded, and in base64 after any other text.

/** Characters of the shortest removed piece: longer than prefixes and masks (`sk-proj-`, `sk-a…wxyz`), which do not reveal a key. */
const shortestPiece = 10;
/** The number of characters that are looked up at once. */
const gram = 8;

interface KeySearch {
  /** Ranges of the text that hold `shortest` or more characters of one of the key's forms in a row: start, end, start, end, … */
  find(text: string, shortest: number): readonly number[];
}

/**
 * Finds runs of characters in which every eight in a row also stand in a row in a form of the key. A run may join pieces from several places or forms
 * of the key, and then counts as one piece.
 */
function createKeySearch(key: string): KeySearch {
  const grams = new Set<string>();
  for (const form of formsOf(key).map((one) => one.toLowerCase())) {
    for (let at = 0; at + gram <= form.length; at += 1) grams.add(form.slice(at, at + gram));
  }
  return {
    find(text, shortest) {
      const lower = text.toLowerCase();
      // A few letters become two characters in lower case. That would shift all later offsets, so such a text is searched as it is written.
      const searched = lower.length === text.length ? lower : text;
      const found: number[] = [];
      for (let at = 0; at + gram <= searched.length; at += 1) {
        if (!grams.has(searched.slice(at, at + gram))) continue;
        const start = at;
        while (grams.has(searched.slice(at + 1, at + 1 + gram))) at += 1;
        if (at + gram - start >= shortest) found.push(start, at + gram);
      }
      return found;
    },
  };
}

function formsOf(key: string): readonly string[] {
  const packed = [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(key)]);
    // The character at either end also encodes bits of the bytes next to the key, so it is cut off.
    const own: [number, number] = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)];
    return [bytes.toString("base64").slice(...own), bytes.toString("base64url").slice(...own)];
  });
  const plain = [key, ...packed];
  return [...plain, ...plain.map(encodeURIComponent)];
}

// Removes the key from the events of a streamed answer, also if it is split over two deltas (C2).

/** Returns the events to pass on in place of the given one. */
export type StreamScrub = (event: ChatEvent) => readonly ChatEvent[];

/**
 * Deltas are searched only for the plain key, because a model's text may contain anything that looks like an encoding. The
 * end of a delta that could be the beginning of the key, usually a letter or two, is held back until the next delta.
 */
export function createStreamScrub(key: string, scrub: Scrub): StreamScrub {
  const search = new DeltaSearch(key, scrub);
  return (event) => {
    switch (event.type) {
      case "text-delta":
      case "reasoning-delta":
      case "tool-call-delta":
        return search.isNeeded ? search.push(event) : [event];
      case "stream-error":
        return [...search.flush(), { ...event, error: scrub.error(event.error) }];
      case "malformed":
        return [...search.flush(), { ...event, raw: scrub.text(event.raw) }];
      case "media":
        return [...search.flush(), { ...event, mimeType: scrub.text(event.mimeType) }];
      case "message-start":
      case "tool-call-start":
      case "tool-call-end":
      case "tool-call-invalid":
      case "citation":
      case "opaque":
      case "usage":
      case "message-end":
        return [...search.flush(), scrub.value(event)];
    }
  };
}

/** Removes several keys, one after the other. */
export function createStreamScrubs(keys: readonly string[], scrub: Scrub): StreamScrub {
  const each = keys.map((key) => createStreamScrub(key, scrub));
  return (event) => each.reduce<readonly ChatEvent[]>((events, clean) => events.flatMap((one) => clean(one)), [event]);
}

class DeltaSearch {
  readonly #key: string;
  readonly #first: number;
  readonly #scrub: Scrub;
  /** False for a key that is too short to be searched for. */
  readonly isNeeded: boolean;
  /** The end of the last delta, which is held back because the key may begin there. */
  #waiting: ChatDelta | undefined;

  constructor(key: string, scrub: Scrub) {
    this.#key = key;
    this.#first = key.charCodeAt(0);
    this.#scrub = scrub;
    this.isNeeded = scrub.text(key) !== key;
  }

  push(delta: ChatDelta): readonly ChatEvent[] {
    // Nearly every delta takes this path: nothing is held back, and the text has neither the key nor its beginning at the end.
    if (this.#waiting === undefined && this.#sharedLength(delta.text) === 0 && !delta.text.includes(this.#key)) {
      return [delta];
    }
    return this.#search(delta);
  }

  flush(): readonly ChatEvent[] {
    const last = this.#waiting;
    this.#waiting = undefined;
    return last === undefined ? [] : [{ ...last, text: this.#scrub.text(last.text) }];
  }

  #search(delta: ChatDelta): readonly ChatEvent[] {
    const carry = this.#waiting !== undefined && isSamePart(this.#waiting, delta) ? this.#waiting.text : "";
    const before = carry === "" ? this.flush() : [];
    const text = carry + delta.text;
    const end = text.length - this.#sharedLength(text);
    this.#waiting = end === text.length ? undefined : { ...delta, text: text.slice(end) };
    const clean = text.slice(0, end).replaceAll(this.#key, () => this.#scrub.text(this.#key));
    return clean === "" ? before : [...before, clean === delta.text ? delta : { ...delta, text: clean }];
  }

  /** The number of characters at the end of the text that are the beginning of the key. */
  #sharedLength(text: string): number {
    const key = this.#key;
    for (let at = Math.max(0, text.length - key.length + 1); at < text.length; at++) {
      if (text.charCodeAt(at) === this.#first && key.startsWith(text.slice(at))) return text.length - at;
    }
    return 0;
  }
}

function isSamePart(a: ChatDelta, b: ChatDelta): boolean {
  if (a.type === "tool-call-delta" || b.type === "tool-call-delta") {
    return a.type === b.type && "call" in a && "call" in b && a.call === b.call;
  }
  return a.type === b.type && a.block === b.block;
}

// Wraps the log of the whole extension and removes every key in use from its lines.

/** The number of keys that are remembered: enough for a few gateways and replaced keys. */
const maxKeys = 16;

interface KeylessLog {
  readonly log: Log;
  /** Removes this key too from later lines. */
  hide(key: string): void;
}

export function createKeylessLog(target: Log): KeylessLog {
  let keys: readonly string[] = [];
  /** The target, wrapped by one scrub for each key. */
  let inner = target;
  return {
    log: {
      debug: (message, facts) => inner.debug(message, facts),
      info: (message, facts) => inner.info(message, facts),
      warn: (message, facts) => inner.warn(message, facts),
      error: (message, facts) => inner.error(message, facts),
    },
    hide(key) {
      if (keys.includes(key)) return;
      keys = [...keys, key].slice(-maxKeys);
      inner = keys.reduce((log, each) => createScrub(each).log(log), target);
    },
  };
}

/** Removes the key from what a service returns (C2), before anything is cut, stored, logged or shown: plain, URL-encoded and in base64. */
import { definedFields } from "../../base/definedFields";
import type { AppError } from "../../domain/errors/appError";
import type { Facts, Log } from "../../domain/ports";
import { createKeySearch, shortestPiece } from "./keySearch";

const replacement = "[key]";

/** A shorter key can be guessed, and would be found in many words. */
const shortestKey = 6;

/** For names and addresses, which must stay valid: only pieces that are too long to be a word. */
const shortestPieceOfName = 12;

/** Bounds the time for one text to a few milliseconds; longer text is cut. */
const maxTextLength = 65_536;
/** The same for all texts of a value: about 100 ms. */
const maxText = 1_000_000;

const maxNames = 500;
const maxNameLength = 60;

/** Deeper JSON is dropped. */
const maxDepth = 100;

export interface Scrub {
  /** Without the key and its pieces of 10 characters or more; then no longer than `maxLength`. */
  text(text: string, maxLength?: number): string;
  /**
   * The same for all texts and property names of a value that is stored. An unchanged value is returned as it is. Texts
   * that are too long to search are dropped; `data:` addresses, which may hold a whole picture, are kept.
   */
  record<T>(value: T): T;
  /** For values that are sent back or given to a tool byte by byte: in text that is too long to search only the plain key is removed. */
  value<T>(value: T): T;
  /** With the limits of an `AppError`. */
  error(error: AppError): AppError;
  log(log: Log): Log;
}

/** Characters of the texts of an error. */
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
  /** Property names without the key: the same few are in each chunk of a stream. */
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

/** Also removes secrets that are no key and may change meanwhile: those of the further headers. They come first, because the key's scrub cuts. */
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

/** The budget for one value. */
interface Walk {
  /** Characters that may still be searched. */
  left: number;
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

/** A key with few letters and digits: searched plain and URL-encoded, as a whole word only. */
function createWholeReplace(key: string): Replace {
  if (key.length < shortestKey) return (text) => text;
  const forms = [key, encodeURIComponent(key)].map((form) => form.replaceAll(/[^\w]/g, "\\$&"));
  const pattern = new RegExp(`(?<![A-Za-z0-9])(?:${forms.join("|")})(?![A-Za-z0-9])`, "g");
  return (text) => text.replaceAll(pattern, replacement);
}

/** `ranges`: start, end, start, end, …, in order. Overlapping and adjacent ones are joined. */
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

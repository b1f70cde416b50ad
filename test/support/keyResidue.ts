/** Encodings in which a service can return a key, and a search for remains of it; written independently of the client's own scrubbing. */
import * as fc from "fast-check";

/** A run of this many of its letters and digits is no coincidence, and identifies the key. */
const telling = 12;

const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/** The first fragment of the key that the text has in any decoding, or nothing. */
export function findResidue(text: string, key: string): string | undefined {
  const wanted = plain(key);
  const pieces: string[] = [];
  for (let at = 0; at + telling <= wanted.length; at += 1) pieces.push(wanted.slice(at, at + telling));
  const backwards = pieces.map((piece) => Array.from(piece).reverse().join(""));
  // Most decodings change nothing, and each is searched once.
  for (const reading of new Set(readings(text))) {
    const bare = plain(reading);
    if (bare.length < telling) continue;
    const found = [...pieces, ...backwards].find((piece) => bare.includes(piece));
    if (found !== undefined) return `${found} in ${reading.slice(0, 2000)}`;
  }
  return undefined;
}

function readings(text: string): readonly string[] {
  const layers = [text];
  for (let depth = 0; depth < 4; depth += 1) layers.push(unescape(layers.at(-1) ?? ""));
  const joined = layers.map((layer) => layer.replaceAll(/[\s\u200b-\u200f\u2060\ufeff\u00ad"'+\\:,]/g, ""));
  return [...layers, ...[...layers, ...joined].flatMap((layer) => [...decodeRuns(layer)])];
}

function unescape(text: string): string {
  return text
    .replaceAll(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replaceAll(/\\x([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replaceAll(/\\([/"\\])/g, "$1")
    .replaceAll(/\\[nrt]/g, " ")
    .replaceAll(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replaceAll(/&#x([0-9a-f]+);/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16) & 0xffff))
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code) & 0xffff))
    .replaceAll("&amp;", "&");
}

function* decodeRuns(text: string): Generator<string> {
  for (const [run] of text.matchAll(/[A-Za-z0-9+/_-]{16,}/g)) {
    for (let offset = 0; offset < 4; offset += 1) yield Buffer.from(run.slice(offset), "base64").toString("latin1");
  }
  for (const [run] of text.matchAll(/[0-9a-f]{24,}/gi)) {
    for (let offset = 0; offset < 2; offset += 1) yield Buffer.from(run.slice(offset), "hex").toString("latin1");
  }
}

const hex = (character: string, width: number): string => character.charCodeAt(0).toString(16).padStart(width, "0");
const each = (text: string, write: (character: string, index: number) => string): string =>
  Array.from(text, write).join("");
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const split = (text: string, size: number, between: string): string =>
  (text.match(new RegExp(`.{1,${size}}`, "gs")) ?? []).join(between);

/** Each encodes a key, or a fragment of one, in another way. */
export const encodings: Readonly<Record<string, (key: string) => string>> = {
  verbatim: (key) => key,
  "upper case": (key) => key.toUpperCase(),
  "mixed case": (key) => each(key, (one, at) => (at % 2 === 0 ? one.toUpperCase() : one.toLowerCase())),
  "\\u escapes": (key) => each(key, (one) => `\\u${hex(one, 4)}`),
  "some \\u escapes": (key) => each(key, (one, at) => (at % 3 === 0 ? `\\u${hex(one, 4).toUpperCase()}` : one)),
  "\\u escapes of JSON in JSON": (key) => each(key, (one) => `\\\\u${hex(one, 4)}`),
  "\\x escapes": (key) => each(key, (one) => `\\x${hex(one, 2)}`),
  percent: (key) => each(key, (one) => `%${hex(one, 2)}`),
  "some percent": (key) => each(key, (one, at) => (at % 4 === 1 ? `%${hex(one, 2).toUpperCase()}` : one)),
  "percent, twice": (key) => each(key, (one) => `%25${hex(one, 2)}`),
  form: (key) => new URLSearchParams({ key }).toString(),
  "decimal entities": (key) => each(key, (one) => `&#${one.charCodeAt(0)};`),
  "hex entities": (key) => each(key, (one) => `&#X00${hex(one, 2)};`),
  "named entities": (key) => each(key, (one) => ({ "-": "&hyphen;", _: "&lowbar;", ".": "&period;" })[one] ?? one),
  base64: (key) => base64(key),
  "base64, second place": (key) => base64(`x${key}`),
  "base64, third place": (key) => base64(`xy${key}tail`),
  "base64 of Bearer": (key) => base64(`Bearer ${key}`),
  "base64 of Basic": (key) => base64(`:${key}`),
  "base64 of user and key": (key) => base64(`me:${key}`),
  "base64url, unpadded": (key) => Buffer.from(`a?~${key}`).toString("base64url"),
  "base64 in lines": (key) => split(base64(key), 20, "\r\n"),
  "base64 in percent": (key) => encodeURIComponent(base64(`?${key}>`)),
  hex: (key) => Buffer.from(key).toString("hex"),
  "upper hex": (key) => Buffer.from(key).toString("hex").toUpperCase(),
  "hex dump": (key) => split(Buffer.from(key).toString("hex"), 2, " "),
  reversed: (key) => Array.from(key).reverse().join(""),
  "line breaks": (key) => split(key, 7, "\n"),
  blanks: (key) => split(key, 1, " "),
  "zero-width": (key) => split(key, 3, "\u200b\u2060\ufeff"),
  "joined strings": (key) => split(key, 5, '" + "'),
  tags: (key) => split(key, 6, "<wbr>"),
};

const alphabet = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789");
const letters = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength, maxLength });

/** Keys as gateways make them: a prefix and 20 to 60 random characters. */
export const anyKey: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom("", "sk-", "sk-proj-", "sk_live.", "key/"), letters(10, 30), letters(10, 30))
  .chain(([prefix, head, tail]) =>
    fc.constantFrom("", "-", "_", ".", "+").map((middle) => prefix + head + middle + tail),
  );

/** The key or a fragment, encoded, behind enough other text that length limits cut through it. */
export const anyEcho = (key: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(...Object.values(encodings)),
      fc.nat(key.length - telling),
      fc.nat(key.length - telling),
      fc.oneof(
        fc.nat(60),
        fc.constantFrom(200, 300, 500, 1000, 2000, 4000).chain((at) => fc.integer({ min: at - 150, max: at })),
      ),
      fc.boolean(),
    )
    .map(([encode, from, less, filler, whole]) => {
      const start = whole ? 0 : from;
      const piece = key.slice(start, whole ? undefined : Math.max(start + telling, key.length - less));
      return `${"The token was ".repeat(400).slice(0, filler)} ${encode(piece)} and so on.`;
    });

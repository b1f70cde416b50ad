/** Encodings in which a service can return a key, and a search for remains of it; written independently of the client's own scrubbing. */
import * as fc from "fast-check";

/** A run of this many of its letters and digits is no coincidence, and identifies the key. */
const telling = 12;

const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/** The first fragment of the key that the text has: plain, URL-encoded or in base64; or nothing. */
export function findResidue(text: string, key: string): string | undefined {
  const wanted = plain(key);
  const pieces: string[] = [];
  for (let at = 0; at + telling <= wanted.length; at += 1) pieces.push(wanted.slice(at, at + telling));
  const plainText = text.replaceAll(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
  for (const reading of [text, plainText, ...decodeRuns(text), ...decodeRuns(plainText)]) {
    const bare = plain(reading);
    const found = pieces.find((piece) => bare.includes(piece));
    if (found !== undefined) return `${found} in ${reading.slice(0, 2000)}`;
  }
  return undefined;
}

function* decodeRuns(text: string): Generator<string> {
  for (const [run] of text.matchAll(/[A-Za-z0-9+/_-]{16,}/g)) {
    for (let offset = 0; offset < 4; offset += 1) yield Buffer.from(run.slice(offset), "base64").toString("latin1");
  }
}

const each = (text: string, write: (character: string, index: number) => string): string =>
  Array.from(text, write).join("");
const base64 = (text: string): string => Buffer.from(text).toString("base64");
/** Each encodes a key, or a fragment of one, in another way. */
export const encodings: Readonly<Record<string, (key: string) => string>> = {
  verbatim: (key) => key,
  "upper case": (key) => key.toUpperCase(),
  "mixed case": (key) => each(key, (one, at) => (at % 2 === 0 ? one.toUpperCase() : one.toLowerCase())),
  form: (key) => new URLSearchParams({ key }).toString(),
  base64: (key) => base64(key),
  "base64, second place": (key) => base64(`x${key}`),
  "base64, third place": (key) => base64(`xy${key}tail`),
  "base64 of Bearer": (key) => base64(`Bearer ${key}`),
  "base64 of Basic": (key) => base64(`:${key}`),
  "base64 of user and key": (key) => base64(`me:${key}`),
  "base64url, unpadded": (key) => Buffer.from(`a?~${key}`).toString("base64url"),
  "base64 in percent": (key) => encodeURIComponent(base64(`?${key}>`)),
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

/** Decodes the escapes of a text (JSON, URL, HTML) for the search of the key; each character keeps its source range. */
import type { Reading } from "./keyFragments";

/** For example JSON in JSON in a URL. */
const maxLayers = 4;

const escape =
  /\\u([0-9a-f]{4})|\\u\{([0-9a-f]{1,6})\}|\\x([0-9a-f]{2})|\\([^])|%([0-9a-f]{2})|&#x([0-9a-f]{1,8});?|&#([0-9]{1,8});?|&([a-z]{2,24});/gi;
/** Bytes as decimal numbers, as JSON writes a Buffer of Node: eight in a row, the least that is searched for. */
const decimalRun = /(?:\b\d{2,3}\b[\s,;]{1,4}){7}\d{2,3}\b/;
const decimal = /\b\d{2,3}\b/g;
const tag = /<[^<>]{0,1000}>/g;

/** The text itself, then with one more layer of escapes decoded each time; each also without tags, and with decimal bytes decoded. */
export function* readingsOf(text: string): Generator<Reading> {
  let layer: Reading | undefined = { text, from: (index) => index, to: (index) => index + 1 };
  for (let depth = 0; layer !== undefined && depth <= maxLayers; depth += 1) {
    yield layer;
    const untagged = layer.text.includes("<") ? replace(layer, tag, () => "") : undefined;
    if (untagged !== undefined) yield untagged;
    const counted = decimalRun.test(layer.text)
      ? replace(layer, decimal, ([code]) => character(Number(code)))
      : undefined;
    if (counted !== undefined) yield counted;
    layer = /[\\%&]/.test(layer.text) ? replace(layer, escape, readEscape) : undefined;
  }
}

function replace(
  reading: Reading,
  pattern: RegExp,
  read: (match: RegExpExecArray) => string | undefined,
): Reading | undefined {
  const before = reading.text;
  const starts = new Int32Array(before.length);
  const ends = new Int32Array(before.length);
  let text = "";
  let at = 0;
  const copy = (until: number): void => {
    const length = text.length;
    for (let index = at; index < until; index += 1) {
      starts[length + index - at] = reading.from(index);
      ends[length + index - at] = reading.to(index);
    }
    text += before.slice(at, until);
  };
  for (const match of before.matchAll(pattern)) {
    const decoded = read(match);
    if (decoded === undefined) continue;
    copy(match.index);
    at = match.index + match[0].length;
    if (decoded === "") continue;
    starts[text.length] = reading.from(match.index);
    ends[text.length] = reading.to(at - 1);
    text += decoded;
  }
  if (at === 0) return undefined;
  copy(before.length);
  return { text, from: (index) => starts[index] ?? 0, to: (index) => ends[index] ?? 0 };
}

/** One character; a blank for anything but ASCII, which is no part of a key. */
function readEscape([, json, braced, byte, plain, percent, hex, decimal, name]: RegExpExecArray): string | undefined {
  const code = json ?? braced ?? byte ?? percent ?? hex;
  if (code !== undefined) return character(parseInt(code, 16));
  if (decimal !== undefined) return character(Number(decimal));
  // Of the named entities none is a letter or digit; `\n` and its like are blanks.
  if (name !== undefined) return name.toLowerCase() === "amp" ? "&" : " ";
  return plain !== undefined && /[bfnrtv0]/.test(plain) ? " " : plain;
}

const character = (code: number): string => (code < 128 ? String.fromCharCode(code) : " ");

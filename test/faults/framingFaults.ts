/** Quirks Q-F: the same events in other bytes. */
import * as z from "zod/mini";
import { count, kind, nothing, oneOf, streamKind, type StreamFaultKind } from "./faultKind";
import type { StreamFault } from "../../src/localGateway/http/requestFaults";

/** `make` receives the number of earlier events. */
function onText(make: (text: string, before: number) => string): StreamFault {
  let before = 0;
  return { text: (text) => make(text, before++) };
}

/** Puts the texts before the events, in turn. */
function between(...texts: readonly string[]): StreamFault {
  return onText((text, before) => `${texts[before % texts.length] ?? ""}${text}`);
}

function atFirst(first: string): StreamFault {
  return onText((text, before) => (before === 0 ? first + text : text));
}

const lineEnds = { crlf: ["\r\n"], cr: ["\r"], mixed: ["\n", "\r\n", "\r"] } as const;

/** Replaces all line ends by these, in turn. */
function withLineEnds(ends: readonly [string, ...string[]]): StreamFault {
  let line = 0;
  return onText((text) => text.replaceAll(/\r\n|\n|\r/g, () => ends[line++ % ends.length] ?? ends[0]));
}

/** Splits the bytes before each offset. */
function cutAt(bytes: Buffer, places: readonly number[]): readonly Buffer[] {
  const edges = [0, ...places, bytes.length];
  return edges.slice(1).flatMap((edge, index) => {
    const from = edges[index] ?? 0;
    return edge > from ? [bytes.subarray(from, edge)] : [];
  });
}

const isTail = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

function byteOrderMark(): StreamFault {
  let first = true;
  return {
    packets(bytes) {
      if (!first) return [bytes];
      first = false;
      return [Buffer.of(0xef), Buffer.of(0xbb, 0xbf), bytes];
    },
  };
}

/** Splits the JSON of an event over several `data:` lines; joined by line ends it is the same JSON. */
function multiline(text: string): string {
  return text.replace(/^data: (\{.*\})$/m, (line, json: string) => {
    const parsed: unknown = JSON.parse(json);
    const pretty = JSON.stringify(parsed, null, 1).split("\n");
    return pretty.length > 1 ? pretty.map((part) => `data: ${part}`).join("\n") : line;
  });
}

/** Delays the blank line of each event until the next one, so the last event has none. */
function noFinalNewline(): StreamFault {
  let owed = "";
  return onText((text) => {
    const end = /(?<![\r\n])[\r\n]+$/.exec(text)?.[0] ?? "";
    const sent = owed + text.slice(0, text.length - end.length);
    owed = end;
    return sent;
  });
}

function extraFields(text: string, before: number): string {
  const name = text.startsWith("event:") ? "" : "event: message\n";
  return `id: ${before + 1}\nretry: 3000\n${name}x-trace: a\nnofield\n${text}`;
}

function hugeLine(size: number): StreamFault {
  // In the second event: the first one often has no content.
  return onText((text, before) =>
    before === 1 ? text.replace(/^data: \{/m, () => `data: {"padding":"${"x".repeat(size)}",`) : text,
  );
}

function badJson(form: "garbage" | "split"): StreamFault {
  return onText((text, before) => {
    if (before !== 1) return text;
    if (form === "garbage") return `data: {"choices":[{"delta":{"content\n\nerror: upstream hiccup\n\n${text}`;
    return text.replace(/^data: (.{20})(.*)$/m, (_, head: string, tail: string) => `data: ${head}\n\ndata: ${tail}`);
  });
}

function onePacket(): StreamFault {
  const kept: Buffer[] = [];
  return {
    packets(bytes) {
      kept.push(bytes);
      return [];
    },
    rest: () => [Buffer.concat(kept)],
  };
}

const pings = {
  empty: "event: ping\ndata:\n\n",
  object: "event: ping\ndata: {}\n\n",
  quoted: 'event: ping\ndata: ""\n\n',
  keepalive: "event: keepalive\ndata: {}\n\n",
} as const;

const contentType = z._default(z.string().check(z.regex(/^[\w.+-]+\/[\w.+-]+(; ?[\w=-]+)?$/)), "text/plain");

export const framingFaults: readonly StreamFaultKind[] = [
  streamKind(kind("sse.comment", "puts a comment before each event: PING, keepalive, and a bare colon", nothing), () =>
    between(": PING\n\n", ": keepalive\n\n", ":\n\n"),
  ),
  streamKind(kind("sse.comment-first", "sends keep-alive comments before the first event", nothing), () =>
    atFirst(": OPENROUTER PROCESSING\n\n".repeat(3)),
  ),
  streamKind(kind("sse.comment-as-data", "wraps a comment into a data line before each event", nothing), () =>
    between("data: : OPENROUTER PROCESSING\n\n"),
  ),
  streamKind(
    kind("sse.empty-event", "puts a comment with blank lines and an empty event before each event", nothing),
    () => between(": keepalive\n\n\n\n", "data:\n\n"),
  ),
  streamKind(
    kind(
      "sse.ping-event",
      "puts a ping event before each event: empty, object, quoted, or keepalive",
      oneOf("empty", "object", "quoted", "keepalive"),
    ),
    (form) => between(pings[form]),
  ),
  streamKind(kind("sse.single-newline", "ends events with one line end instead of two", nothing), () =>
    onText((text) => text.replace(/(\r?\n)\r?\n$/, "$1")),
  ),
  streamKind(kind("sse.no-space", "leaves out the space after data:", nothing), () =>
    onText((text) => text.replaceAll(/^data: /gm, "data:")),
  ),
  streamKind(kind("sse.multiline", "spreads the JSON of each event over several data lines", nothing), () =>
    onText(multiline),
  ),
  streamKind(kind("sse.extra-fields", "adds id, retry, event: message and unknown fields to each event", nothing), () =>
    onText(extraFields),
  ),
  streamKind(kind("sse.huge-line", "pads one event with so many bytes on one line", count(1_000_000)), hugeLine),
  streamKind(
    kind(
      "sse.bad-json",
      "breaks one event: garbage lines before it, or its JSON split over two events",
      oneOf("garbage", "split"),
    ),
    badJson,
  ),
  streamKind(kind("sse.no-final-newline", "leaves out the blank line after the last event", nothing), noFinalNewline),
  streamKind(
    kind("sse.crlf", "ends lines with CRLF, CR alone, or all three mixed", oneOf("crlf", "cr", "mixed")),
    (form) => withLineEnds(lineEnds[form]),
  ),
  streamKind(kind("sse.cr-split", "ends lines with CRLF, and CR and LF leave in different packets", nothing), () => ({
    ...withLineEnds(lineEnds.crlf),
    packets: (bytes) =>
      cutAt(
        bytes,
        [...bytes.keys()].filter((at) => bytes[at] === 0x0a),
      ),
  })),
  streamKind(kind("sse.bom", "begins with a byte order mark, split over two packets", nothing), byteOrderMark),
  streamKind(kind("sse.utf8-split", "cuts every character of several bytes between two packets", nothing), () => ({
    packets: (bytes) =>
      cutAt(
        bytes,
        [...bytes.keys()].filter((at) => isTail(bytes[at])),
      ),
  })),
  streamKind(kind("sse.drip", "sends a stream one byte at a time", nothing), () => ({
    packets: (bytes) => Array.from(bytes, (byte) => Buffer.of(byte)),
  })),
  streamKind(kind("sse.one-packet", "sends the whole stream at once, at its end", nothing), onePacket),
  streamKind(kind("sse.linger", "keeps the line open after the last event", nothing), () => ({ lingers: true })),
  streamKind(kind("http.sse-type", "names another content type for a stream", contentType), (type) => ({
    contentType: type,
  })),
];

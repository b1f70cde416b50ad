/** F: the framing switches, each with the bytes that show it. */
import assert from "node:assert/strict";
import { definedFields } from "../../../../src/base/definedFields";
import { dataLines } from "../support";
import { chunksOf, contentOf, type StreamCase, streamCases, type Streamed } from "./streaming";

const count = (text: string, part: string | RegExp): number => text.split(part).length - 1;
const sameAnswer = (faulty: Streamed, plain: Streamed): void => {
  assert.equal(contentOf(faulty), contentOf(plain));
  assert.notEqual(contentOf(plain), "");
};
/** Line ends and BOM aside, the same events. */
const plainText = (text: string): string => text.replace(/^\uFEFF/, "").replaceAll(/\r\n|\r/g, "\n");
const sameLines = (faulty: Streamed, plain: Streamed): void => {
  const read = plainText(faulty.text);
  assert.equal(contentOf({ ...faulty, text: read }), contentOf(plain));
  assert.equal(dataLines(read).length, dataLines(plain.text).length);
};

const ping = (value: string | undefined, line: string): StreamCase => ({
  ...definedFields({ value }),
  shows: (faulty, plain) => {
    assert.equal(count(faulty.text, line), dataLines(plain.text).length);
    sameAnswer(faulty, plain);
  },
});

export const framingCases = streamCases({
  "sse.comment": [
    {
      shows: (faulty, plain) => {
        for (const comment of [": PING\n\n", ": keepalive\n\n", "\n:\n\n"]) assert.ok(faulty.text.includes(comment));
        sameAnswer(faulty, plain);
      },
    },
    { family: "messages", shows: ({ text }) => assert.match(text, /: PING\n\nevent: message_start\n/) },
    { family: "generate-content", shows: ({ text }) => assert.match(text, /^: PING\n\ndata: \{"/) },
  ],
  "sse.comment-first": [
    {
      shows: (faulty, plain) => {
        assert.match(faulty.text, /^(: OPENROUTER PROCESSING\n\n){3}data: \{/);
        sameAnswer(faulty, plain);
      },
    },
  ],
  "sse.comment-as-data": [ping(undefined, "data: : OPENROUTER PROCESSING\n\n")],
  "sse.empty-event": [
    {
      shows: (faulty, plain) => {
        assert.match(faulty.text, /: keepalive\n\n\n\ndata: \{/);
        assert.match(faulty.text, /\ndata:\n\ndata: \{/);
        sameAnswer(faulty, plain);
      },
    },
  ],
  "sse.ping-event": [
    ping(undefined, "event: ping\ndata:\n\n"),
    ping("object", "event: ping\ndata: {}\n\n"),
    ping("quoted", 'event: ping\ndata: ""\n\n'),
    ping("keepalive", "event: keepalive\ndata: {}\n\n"),
  ],
  "sse.crlf": [
    {
      shows: (faulty, plain) => {
        assert.equal(count(faulty.text, /(?<!\r)\n/), 0);
        assert.ok(faulty.text.includes("\r\n\r\n"));
        sameLines(faulty, plain);
      },
    },
    {
      value: "cr",
      shows: (faulty, plain) => {
        assert.equal(count(faulty.text, "\n"), 0);
        assert.ok(faulty.text.includes("\r\r"));
        sameLines(faulty, plain);
      },
    },
    {
      value: "mixed",
      shows: (faulty, plain) => {
        for (const end of [/[^\r]\n/, /\r\n/, /\r[^\n]/]) assert.match(faulty.text, end);
        sameLines(faulty, plain);
      },
    },
  ],
  "sse.cr-split": [
    {
      shows: (faulty, plain) => {
        const ends = faulty.packets.filter((packet) => packet.at(-1) === 0x0d).length;
        const begins = faulty.packets.filter((packet) => packet[0] === 0x0a).length;
        assert.ok(ends > 10 && begins >= ends);
        sameLines(faulty, plain);
      },
    },
  ],
  "sse.single-newline": [
    {
      shows: (faulty, plain) => {
        assert.ok(!faulty.text.includes("\n\n"));
        assert.match(faulty.text, /\}\ndata: \{/);
        sameAnswer(faulty, plain);
      },
    },
  ],
  "sse.bom": [
    {
      shows: (faulty, plain) => {
        assert.deepEqual(faulty.packets.slice(0, 2), [Buffer.of(0xef), Buffer.of(0xbb, 0xbf)]);
        sameLines(faulty, plain);
      },
    },
  ],
  "sse.no-space": [
    {
      shows: ({ text }, plain) => {
        assert.equal(count(text, "data: "), 0);
        assert.ok(text.endsWith("data:[DONE]\n\n"));
        assert.equal(count(text, "data:"), dataLines(plain.text).length);
      },
    },
  ],
  "sse.multiline": [
    {
      shows: ({ text }, plain) => {
        const events = text.split("\n\n").filter((event) => event.startsWith("data: {"));
        assert.equal(events.length, chunksOf(plain).length);
        for (const event of events) {
          assert.ok(event.split("\n").length > 5);
          JSON.parse(dataLines(event).join("\n"));
        }
      },
    },
  ],
  "sse.utf8-split": [
    {
      prompt: "odd",
      shows: (faulty, plain) => {
        const torn = faulty.packets.filter((packet) => (packet[0]! & 0xc0) === 0x80);
        assert.ok(torn.length >= 4, "é has two bytes and the wave four");
        sameAnswer(faulty, plain);
        assert.match(contentOf(faulty), /café🌊/);
      },
    },
  ],
  "sse.drip": [
    {
      shows: (faulty, plain) => {
        assert.ok(faulty.packets.every(({ length }) => length === 1));
        sameAnswer(faulty, plain);
      },
    },
    {
      family: "messages",
      shows: ({ packets, text }) => {
        assert.ok(packets.every(({ length }) => length === 1));
        assert.match(text, /event: message_stop\n/);
      },
    },
  ],
  "sse.one-packet": [
    {
      shows: (faulty, plain) => {
        assert.equal(faulty.packets.length, 1);
        assert.ok(plain.packets.length > 20);
        sameAnswer(faulty, plain);
      },
    },
  ],
  "sse.huge-line": [
    {
      value: 300_000,
      shows: (faulty, plain) => {
        const longest = Math.max(...faulty.text.split("\n").map(({ length }) => length));
        assert.ok(longest > 300_000);
        sameAnswer(faulty, plain);
      },
    },
  ],
  "sse.no-final-newline": [
    {
      shows: (faulty, plain) => {
        assert.ok(faulty.text.endsWith("data: [DONE]"));
        sameAnswer(faulty, plain);
      },
    },
    { family: "messages", shows: ({ text }) => assert.ok(text.endsWith('{"type":"message_stop"}'), text.slice(-60)) },
  ],
  "sse.extra-fields": [
    {
      shows: (faulty, plain) => {
        assert.match(faulty.text, /^id: 1\nretry: 3000\nevent: message\nx-trace: a\nnofield\ndata: \{/);
        sameAnswer(faulty, plain);
      },
    },
  ],
  "sse.bad-json": [
    {
      shows: (faulty, plain) => {
        assert.match(faulty.text, /data: \{"choices":\[\{"delta":\{"content\n\nerror: upstream hiccup\n\ndata: \{/);
        sameAnswer(faulty, plain);
      },
    },
    {
      value: "split",
      shows: ({ text }, plain) => {
        const lines = dataLines(text);
        assert.equal(lines.length, dataLines(plain.text).length + 1);
        assert.throws(() => JSON.parse(lines[1]!));
        JSON.parse(lines[1]! + lines[2]!);
      },
    },
  ],
  "http.sse-type": [
    { shows: ({ contentType }) => assert.equal(contentType, "text/plain") },
    { value: "application/json", shows: ({ contentType }) => assert.equal(contentType, "application/json") },
  ],
});

/** E and R: the switches for ends and errors inside a stream, each with what shows it. */
import assert from "node:assert/strict";
import {
  chunksOf,
  contentOf,
  deltasOf,
  finishesOf,
  lastPayload,
  type StreamCase,
  streamCases,
  type Streamed,
} from "./streaming";

const texts = (streamed: Streamed): number =>
  deltasOf(streamed).filter(({ content }) => typeof content === "string" && content !== "").length;
const isStart = (faulty: Streamed, plain: Streamed, count: number): void => {
  assert.equal(texts(faulty), count);
  assert.ok(contentOf(plain).startsWith(contentOf(faulty)));
};
const noFinish = (streamed: Streamed): void => assert.ok(finishesOf(streamed).every((finish) => finish === null));
const messages = (shows: StreamCase["shows"]): StreamCase => ({ family: "messages", shows });
const generate = (shows: StreamCase["shows"]): StreamCase => ({ family: "generate-content", shows });
const count = (text: string, part: RegExp): number => text.match(new RegExp(part, "g"))?.length ?? 0;

export const endingCases = streamCases({
  "end.no-done": [
    {
      shows: (faulty, plain) => {
        assert.equal(lastPayload(plain), "[DONE]");
        assert.ok(!faulty.text.includes("[DONE]") && faulty.whole);
        assert.equal(finishesOf(faulty).at(-1), "stop");
        assert.equal(contentOf(faulty), contentOf(plain));
      },
    },
  ],
  "end.no-finish": [
    {
      shows: (faulty, plain) => {
        noFinish(faulty);
        assert.equal(lastPayload(faulty), "[DONE]");
        assert.equal(contentOf(faulty), contentOf(plain));
      },
    },
  ],
  "end.cut": [
    {
      shows: (faulty, plain) => {
        assert.equal(faulty.whole, false);
        isStart(faulty, plain, 3);
        noFinish(faulty);
      },
    },
    { value: 1, shows: (faulty, plain) => isStart(faulty, plain, 1) },
    messages(({ whole, text }) => {
      assert.equal(whole, false);
      assert.equal(count(text, /"text_delta"/), 3);
      assert.ok(!text.includes("message_delta"));
    }),
    generate(({ whole, text }) => {
      assert.equal(whole, false);
      assert.ok(!text.includes('"finishReason"'));
    }),
  ],
  "end.eof": [
    {
      shows: (faulty, plain) => {
        assert.equal(faulty.whole, true);
        isStart(faulty, plain, 3);
        noFinish(faulty);
        assert.ok(!faulty.text.includes("[DONE]"));
      },
    },
    generate(({ whole, text }) => {
      assert.ok(whole && text.includes("data: {"));
      assert.ok(!text.includes('"finishReason"'));
    }),
  ],
  "end.fake-done": [
    {
      shows: (faulty, plain) => {
        assert.equal(faulty.whole, true);
        isStart(faulty, plain, 3);
        noFinish(faulty);
        assert.equal(lastPayload(faulty), "[DONE]");
      },
    },
  ],
  "end.empty-finish": [
    {
      shows: (faulty, plain) => {
        const finishes = finishesOf(faulty);
        assert.ok(finishes.length > 10 && finishes.slice(0, -1).every((finish) => finish === ""));
        assert.equal(finishes.at(-1), "stop");
        assert.equal(contentOf(faulty), contentOf(plain));
      },
    },
  ],
  "end.variant": [
    {
      prompt: "calls",
      shows: (faulty, plain) =>
        assert.deepEqual([finishesOf(faulty).at(-1), finishesOf(plain).at(-1)], ["stop", "tool_calls"]),
    },
    ...["function_call", "length", "max_tokens", "content_filter", "error", "eos", "end_turn", "tool_use", "STOP"].map(
      (value): StreamCase => ({ value, shows: (faulty) => assert.equal(finishesOf(faulty).at(-1), value) }),
    ),
  ],
  "end.late-content": [
    {
      shows: (faulty, plain) => {
        const last = chunksOf(faulty).at(-1)!.choices![0]!;
        assert.equal(last.finish_reason, "stop");
        assert.ok(typeof last.delta!.content === "string" && last.delta!.content !== "");
        assert.equal(contentOf(faulty), contentOf(plain));
      },
    },
    {
      value: "after",
      shows: (faulty, plain) => {
        assert.deepEqual(finishesOf(faulty).slice(-2), ["stop", null]);
        assert.equal(contentOf(faulty), contentOf(plain));
      },
    },
    {
      value: "twice",
      shows: (faulty, plain) => {
        assert.deepEqual(finishesOf(faulty).slice(-3), [null, "stop", "stop"]);
        assert.equal(contentOf(faulty), contentOf(plain));
      },
    },
  ],
  "end.no-message-stop": [
    messages(({ text, whole }, plain) => {
      assert.match(plain.text, /event: message_stop\n/);
      assert.ok(whole && !text.includes("message_stop"));
      assert.match(text, /event: message_delta\n/);
    }),
  ],
  "end.length": [
    {
      shows: (faulty, plain) => {
        isStart(faulty, plain, 3);
        assert.deepEqual([finishesOf(faulty).at(-1), lastPayload(faulty), faulty.whole], ["length", "[DONE]", true]);
      },
    },
    {
      // Inside the second call.
      value: 12,
      prompt: "calls",
      shows: (faulty, plain) => {
        assert.equal(finishesOf(faulty).at(-1), "length");
        const fragments = (streamed: Streamed): number =>
          deltasOf(streamed).filter(({ tool_calls: calls }) => calls !== undefined).length;
        assert.ok(fragments(faulty) > 0 && fragments(faulty) < fragments(plain));
      },
    },
    messages(({ text }) => {
      assert.equal(count(text, /"text_delta"/), 3);
      assert.equal(count(text, /event: content_block_start/), count(text, /event: content_block_stop/));
      assert.match(text, /"stop_reason":"max_tokens"[^]*event: message_stop/);
    }),
    generate(({ text }) => assert.match(text, /"finishReason":"MAX_TOKENS"/)),
  ],
  "end.empty": [
    {
      shows: (faulty) => {
        assert.deepEqual([contentOf(faulty), finishesOf(faulty).at(-1), lastPayload(faulty)], ["", "stop", "[DONE]"]);
      },
    },
    messages(({ text }) => {
      assert.ok(!text.includes("content_block"));
      assert.match(text, /"stop_reason":"end_turn"[^]*event: message_stop/);
    }),
    generate(({ text }) => {
      assert.match(text, /"finishReason":"STOP"/);
      assert.ok(!text.includes('"text":'));
    }),
  ],
  "err.malformed-call": [
    generate(({ text }) => {
      assert.match(text, /"finishReason":"MALFORMED_FUNCTION_CALL"/);
      assert.ok(!text.includes('"text":'));
    }),
  ],
  "err.in-stream": [
    {
      shows: (faulty) => {
        const last = chunksOf(faulty).at(-1)!;
        assert.deepEqual(last.choices, []);
        assert.equal(last.error!["code"], "upstream_error");
        assert.deepEqual([faulty.status, contentOf(faulty)], [200, ""]);
      },
    },
  ],
  "err.event": [
    { shows: ({ text }) => assert.match(text, /\nevent: error\ndata: \{"error":\{[^\n]+\n\n$/) },
    messages(({ text }) =>
      assert.match(text, /\nevent: error\ndata: \{"type":"error","error":\{"type":"overloaded_error"[^\n]+\n\n$/),
    ),
    generate(({ text }) => assert.match(text, /event: error\r\ndata: \{"error":\{"code":503/)),
  ],
  "err.number-code": [
    { shows: (faulty) => assert.equal(chunksOf(faulty).at(-1)!.error!["code"], 502) },
    { value: 429, shows: (faulty) => assert.equal(chunksOf(faulty).at(-1)!.error!["code"], 429) },
  ],
  "err.finish-reason": [
    {
      shows: (faulty) => {
        assert.equal(finishesOf(faulty).at(-1), "error");
        assert.ok(!faulty.text.includes('"error":'));
      },
    },
  ],
  "err.after-text": [
    {
      shows: (faulty, plain) => {
        isStart(faulty, plain, 5);
        assert.ok(chunksOf(faulty).at(-1)!.error);
        assert.equal(lastPayload(faulty), "[DONE]");
      },
    },
    messages(({ text }) => {
      assert.equal(count(text, /"text_delta"/), 5);
      assert.match(text, /event: error\n[^\n]+\n\n$/);
    }),
    generate(({ text }) => assert.match(text, /data: \{"error":\{"code":503[^\n]+\r\n\r\n$/)),
  ],
  "err.no-done": [
    {
      shows: (faulty, plain) => {
        isStart(faulty, plain, 2);
        assert.ok(chunksOf(faulty).at(-1)!.error);
        assert.ok(!faulty.text.includes("[DONE]"));
      },
    },
  ],
  "err.first": [
    { shows: ({ status, text }) => assert.ok(status === 200 && /^data: \{"error":\{[^\n]+\n\n$/.test(text)) },
    messages(({ text }) => assert.match(text, /^event: error\ndata: \{"type":"error"[^\n]+\n\n$/)),
    generate(({ text }) => assert.match(text, /^data: \{"error":\{"code":503[^\n]+\r\n\r\n$/)),
  ],
  "err.text": [
    { shows: ({ text }) => assert.match(text, /\nupstream error: .+\n\n$/) },
    { value: "field", shows: ({ text }) => assert.match(text, /\nerror: \{"detail":.+\}\n\n$/) },
    { value: "object", shows: ({ text }) => assert.match(text, /\n\{\n {2}"error": \{\n[^]+\n\}\n$/) },
  ],
});

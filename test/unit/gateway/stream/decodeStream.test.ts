/** What decodeStream promises whatever the body does: it ends, it says how, and it lets go. */
import assert from "node:assert/strict";
import type { ChatEvent } from "../../../../src/domain/chat/chatEvent";
import { AppFailure } from "../../../../src/domain/errors/appError";
import { decodeStream } from "../../../../src/gateway/stream/decodeStream";
import { collect, decode, merge, pieces } from "../eventList";

const encoder = new TextEncoder();
const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

/** Bytes now, and then whatever `then` does. */
async function* body(text: string, then: () => Promise<void>): AsyncGenerator<Uint8Array> {
  yield encoder.encode(text);
  await then();
}
const never = (): Promise<void> => new Promise(() => undefined);
const types = (events: readonly ChatEvent[]): string[] => events.map(({ type }) => type);

describe("decodeStream", () => {
  it("S3, Q-F17: ends at [DONE] although the connection stays open, and lets go of the body", async () => {
    let released = false;
    const lingering: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({
        next: () => (released ? never().then(() => ({ done: true, value: undefined })) : first()),
        return: () => {
          released = true;
          return Promise.resolve({ done: true, value: undefined });
        },
      }),
    };
    const first = (): Promise<IteratorResult<Uint8Array>> =>
      Promise.resolve({ done: false, value: encoder.encode(`${chunk({ content: "Hi" }, "stop")}data: [DONE]\n`) });
    assert.equal(types(await collect(decodeStream("chat-completions", lingering))).at(-1), "message-end");
    assert.ok(released);
  });

  it("S3, R1 (Kilo-Org/kilocode#3083): null between two chunks is a sign of life, and nothing of the answer is damaged", async () => {
    const stream = `${chunk({ reasoning_content: "hm" })}data: null\n\n${chunk({ content: "hi" })}data: null\n\n${chunk({}, "stop")}data: [DONE]\n\n`;
    assert.deepEqual(types(await decode(stream, [], "chat-completions")), [
      "message-start",
      "reasoning-delta",
      "text-delta",
      "message-end",
    ]);
  });

  it("S3, Q-F7, Q-F17: sees [DONE] without the blank line after it", async () => {
    const events = await collect(
      decodeStream("chat-completions", body(`${chunk({ content: "Hi" }, "stop").trim()}\ndata: [DONE]\n`, never)),
    );
    assert.deepEqual(types(events), ["message-start", "text-delta", "message-end"]);
  });

  it("S3, Q-R6: ends at an error although the connection stays open", async () => {
    const events = await collect(decodeStream("chat-completions", body('data: {"error":{"message":"no"}}\n\n', never)));
    assert.deepEqual(types(events), ["message-start", "stream-error", "message-end"]);
  });

  it("S5: an abort ends it, with the text so far and no error", async () => {
    const controller = new AbortController();
    const events: ChatEvent[] = [];
    const options = { signal: controller.signal };
    for await (const event of decodeStream("chat-completions", body(chunk({ content: "Hi" }), never), options)) {
      events.push(event);
      if (event.type === "text-delta") controller.abort();
    }
    assert.deepEqual(types(events), ["message-start", "text-delta", "message-end"]);
    assert.deepEqual(events.at(-1), { type: "message-end", finish: "unknown", cut: true });
  });

  it("S5: an abort before the first byte ends it", async () => {
    const events = await collect(decodeStream("chat-completions", body("", never), { signal: AbortSignal.abort() }));
    assert.deepEqual(types(events), ["message-start", "message-end"]);
  });

  it("S5: a call that was open at the abort is never run", async () => {
    const controller = new AbortController();
    const open = chunk({ tool_calls: [{ index: 0, id: "a", function: { name: "f", arguments: "{}" } }] });
    const events: ChatEvent[] = [];
    for await (const event of decodeStream("chat-completions", body(open, never), { signal: controller.signal })) {
      events.push(event);
      if (event.type === "tool-call-delta") controller.abort();
    }
    assert.deepEqual(types(events).slice(-2), ["tool-call-invalid", "message-end"]);
  });

  const broken = (error: Error): AsyncIterable<Uint8Array> =>
    body(chunk({ content: "Hi" }), () => Promise.reject(error));
  it("S3: a body that breaks keeps the text, tells why and is cut", async () => {
    const events = await collect(
      decodeStream("chat-completions", broken(Object.assign(new Error("x"), { code: "ECONNRESET" }))),
    );
    assert.deepEqual(events.slice(1), [
      { type: "text-delta", block: 0, text: "Hi" },
      {
        type: "stream-error",
        error: { kind: "unreachable", message: "The connection was reset (ECONNRESET).", code: "ECONNRESET" },
      },
      { type: "message-end", finish: "error", cut: true },
    ]);
  });

  it("S3: a body that falls silent is timed-out", async () => {
    const silent = new AppFailure({ kind: "timed-out", message: "silence" });
    const events = await collect(decodeStream("chat-completions", broken(silent)));
    assert.deepEqual(events.at(-2), { type: "stream-error", error: silent.error });
  });

  it("S3, Q-F13: what came before the break counts, also without its blank line", async () => {
    const last = chunk({ content: "!" }, "stop").trim();
    const events = await collect(
      decodeStream(
        "chat-completions",
        body(chunk({ content: "Hi" }) + last, () => Promise.reject(new Error("gone"))),
      ),
    );
    assert.deepEqual(merge(events).slice(1), [
      { type: "text-delta", block: 0, text: "Hi!" },
      { type: "malformed", reason: "The connection broke after the end of the answer.", raw: "gone" },
      { type: "message-end", finish: "stop", raw: "stop", cut: false },
    ]);
  });

  it("S3, Q-E1: a break after the finish reason takes nothing from the answer, whose calls count, in each family", async () => {
    const line = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
    const called = { name: "f", args: { x: 1 } };
    const fragment = { index: 0, id: "a", function: { name: "f", arguments: "" } };
    const answers = {
      "chat-completions": chunk({ tool_calls: [fragment] }) + chunk({}, "tool_calls"),
      messages:
        line({ type: "message_start", message: { id: "m" } }) +
        line({ type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "t", name: "f" } }) +
        line({ type: "content_block_stop", index: 0 }) +
        line({ type: "message_delta", delta: { stop_reason: "tool_use" } }),
      "generate-content": line({
        candidates: [{ content: { parts: [{ functionCall: called }] }, finishReason: "STOP" }],
      }),
    } as const;
    for (const family of ["chat-completions", "messages", "generate-content"] as const) {
      const silent = new AppFailure({ kind: "timed-out", message: "silence" });
      const events = await collect(
        decodeStream(
          family,
          body(answers[family], () => Promise.reject(silent)),
        ),
      );
      assert.deepEqual(
        types(events).filter((type) => type !== "message-start" && type !== "tool-call-delta"),
        ["tool-call-start", "malformed", "tool-call-end", "message-end"],
        family,
      );
    }
  });

  it("S3, Q-E7: a break is an error where the answer went on after a finish reason, or holds nothing", async () => {
    const part = (text: string): string =>
      `data: ${JSON.stringify({ candidates: [{ content: { parts: [{ text }] }, finishReason: "STOP" }] })}\n\n`;
    const gone = (): Promise<void> => Promise.reject(new Error("gone"));
    for (const [family, text] of [
      ["generate-content", part("one") + part(" two")],
      ["chat-completions", chunk({ content: "one" }, "stop") + chunk({ content: " two" })],
      ["chat-completions", chunk({}, "stop")],
    ] as const)
      assert.equal(types(await collect(decodeStream(family, body(text, gone)))).at(-2), "stream-error", text);
  });

  it("S3, Q-E7: a break runs no call of which only a part came with the finish reason that a server writes in every chunk", async () => {
    const line = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
    const begun = { index: 0, id: "a", function: { name: "write", arguments: "" } };
    const more = { index: 0, function: { arguments: '{"text":"half"}' } };
    const block = (event: object): string => line({ index: 0, ...event });
    const streamed = (functionCall: object): string =>
      line({ candidates: [{ content: { parts: [{ functionCall }] }, finishReason: "STOP" }] });
    const part = { partialArgs: [{ jsonPath: "$.text", stringValue: "half", willContinue: true }], willContinue: true };
    const opened = streamed({ name: "write", willContinue: true });
    const gone = (): Promise<void> => Promise.reject(new Error("gone"));
    for (const [family, text] of [
      ["chat-completions", chunk({ tool_calls: [begun] }, "tool_calls")],
      ["chat-completions", chunk({ tool_calls: [begun] }, "tool_calls") + chunk({ tool_calls: [more] }, "tool_calls")],
      ["chat-completions", chunk({ function_call: { name: "write", arguments: '{"te' } }, "stop") + chunk({}, "stop")],
      ["generate-content", opened],
      ["generate-content", opened + streamed(part)],
      ["generate-content", streamed({ name: "write", ...part })],
      ["generate-content", opened + streamed({ ...part, willContinue: false })],
      [
        "messages",
        line({ type: "message_start", message: { id: "m" } }) +
          block({ type: "content_block_start", content_block: { type: "tool_use", id: "t", name: "write" } }) +
          line({ type: "message_delta", delta: { stop_reason: "tool_use" } }) +
          block({ type: "content_block_delta", delta: { type: "input_json_delta", partial_json: '{"text":"half"}' } }),
      ],
    ] as const) {
      const came = types(await collect(decodeStream(family, body(text, gone))));
      assert.ok(came.includes("stream-error"), text);
      assert.ok(!came.includes("malformed"), text);
    }
  });

  it("S3, Q-E9: a call that the output limit cut is refused with the limit, also where the connection breaks then", async () => {
    const functionCall = { name: "write", willContinue: true };
    const candidate = { content: { parts: [{ functionCall }] }, finishReason: "MAX_TOKENS" };
    const text = `data: ${JSON.stringify({ candidates: [candidate] })}\n\n`;
    const events = await collect(
      decodeStream(
        "generate-content",
        body(text, () => Promise.reject(new Error("gone"))),
      ),
    );
    assert.ok(events.some((event) => event.type === "tool-call-invalid" && event.atLimit === true));
    assert.ok(!types(events).includes("stream-error"));
  });

  it("S4: an answer that holds nothing is told with what came", async () => {
    const bytes = pieces(encoder.encode("upstream connect error"));
    const events = await collect(decodeStream("chat-completions", bytes, { contentType: "text/plain" }));
    assert.deepEqual(
      events.find(({ type }) => type === "stream-error"),
      {
        type: "stream-error",
        error: {
          kind: "malformed",
          message: "The answer is not in a form that can be read.",
          contentType: "text/plain",
          firstBytes: "upstream connect error",
        },
      },
    );
  });

  it("S3, Q-F17: message_stop ends a messages answer although the connection stays open", async () => {
    const stop = 'data: {"type":"message_start","message":{"id":"m"}}\n\ndata: {"type":"message_stop"}\n\n';
    const events = await collect(decodeStream("messages", body(stop, never)));
    assert.deepEqual(types(events), ["message-start", "message-end"]);
  });

  it("T18: what a messages answer keeps in the cache for an hour is counted within what it writes", async () => {
    const event = (data: { readonly type: string }): string => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
    const usage = {
      ...{ input_tokens: 5, cache_creation_input_tokens: 300, cache_read_input_tokens: 20, output_tokens: 7 },
      cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 200 },
    };
    const message = { id: "m", type: "message", role: "assistant", model: "x", content: [], usage };
    const events = await decode(
      [event({ type: "message_start", message } as never), event({ type: "message_stop" })].join(""),
      [],
      "messages",
    );
    const { raw: _raw, ...counted } = events.find(({ type }) => type === "usage") as ChatEvent & { raw: unknown };
    assert.deepEqual(counted, {
      type: "usage",
      input: 325,
      output: 7,
      cacheRead: 20,
      cacheWrite: 300,
      cacheWriteHour: 200,
    });
  });

  it("S1: a generate-content array is told element by element, before it has ended", async () => {
    const part = (text: string): string => `{"candidates":[{"content":{"parts":[{"text":"${text}"}]}}]}`;
    const seen: string[] = [];
    const array = async function* (): AsyncGenerator<Uint8Array> {
      yield encoder.encode(`[${part("a")}\r\n,`);
      await Promise.resolve();
      assert.deepEqual(seen, ["a"]);
      yield encoder.encode(`\r\n${part("b")}]`);
    };
    for await (const event of decodeStream("generate-content", array())) {
      if (event.type === "text-delta") seen.push(event.text);
    }
    assert.deepEqual(seen, ["a", "b"]);
  });

  it("R6: a list index out of the wire makes no list of that length", async () => {
    const call = { name: "f", partialArgs: [{ jsonPath: "$.a[4294967294]", stringValue: "x" }] };
    const chunk = { candidates: [{ content: { parts: [{ functionCall: call }] }, finishReason: "STOP" }] };
    const events = await decode(`data: ${JSON.stringify(chunk)}\n\n`, [], "generate-content");
    assert.ok(JSON.stringify(events).length < 200_000);
  });

  it("R6: garbage without end is told a limited number of times", async () => {
    const events = await decode("nonsense here\n\ndata: nonsense\n\n".repeat(2000));
    assert.ok(events.length < 60, `${events.length} events`);
  });

  it("R6: JSON nested deeper than the stack reaches is skipped", async () => {
    const depth = 200_000;
    const deep = `${'{"text":['.repeat(depth)}1${"]}".repeat(depth)}`;
    const call = `{"choices":[{"delta":{"tool_calls":[{"function":{"name":"f","arguments":${deep}}}]}}]}`;
    for (const json of ["[".repeat(depth) + "]".repeat(depth), `{"choices":[{"delta":{"content":[${deep}]}}]}`, call]) {
      const events = await decode(`data: ${json}\n\n${chunk({ content: "Hi" }, "stop")}`);
      assert.deepEqual(
        types(events).filter((type) => type !== "malformed"),
        ["message-start", "text-delta", "message-end"],
      );
    }
  });

  it("S3, Q-F5: what says that work goes on is no error", async () => {
    const note = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
    const events = await decode(
      note({ status: "queued", message: "3 before you" }) +
        note({ type: "ping" }) +
        note({ code: 0, msg: "ok" }) +
        chunk({ content: "Hi" }, "stop"),
    );
    assert.deepEqual(types(events), ["message-start", "text-delta", "message-end"]);
    const failed = await decode(note({ status: "failed", message: "no" }));
    assert.equal(failed[1]?.type, "stream-error");
  });

  it("S3, Q-F12: one event of 20 MB in small pieces takes time in proportion", async () => {
    const text = "x".repeat(20 * 1024 * 1024);
    const bytes = encoder.encode(chunk({ content: text }, "stop"));
    const cuts = Array.from({ length: 2000 }, (_, index) => (index + 1) * 10_000);
    const events = await decode(bytes, cuts);
    assert.equal(events[1]?.type === "text-delta" && events[1].text.length, text.length);
  });
});

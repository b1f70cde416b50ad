/** What decodeStream promises whatever the body does: it ends, it says how, and it lets go. */
import assert from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import * as fc from "fast-check";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ChatEvent } from "../../../src/domain/chat";
import { GatewayFailure } from "../../../src/domain/errors";
import { decodeStream } from "../../../src/gateway/decodeStream";
import { collect, decode, merge, pieces } from "./eventList";

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
  it("F17: ends at [DONE] although the connection stays open, and lets go of the body", async () => {
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

  it("F7, F17: sees [DONE] without the blank line after it", async () => {
    const events = await collect(
      decodeStream("chat-completions", body(`${chunk({ content: "Hi" }, "stop").trim()}\ndata: [DONE]\n`, never)),
    );
    assert.deepEqual(types(events), ["message-start", "text-delta", "message-end"]);
  });

  it("R6: ends at an error although the connection stays open", async () => {
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
    const silent = new GatewayFailure({ kind: "timed-out", message: "silence" });
    const events = await collect(decodeStream("chat-completions", broken(silent)));
    assert.deepEqual(events.at(-2), { type: "stream-error", error: silent.error });
  });

  it("F13: what came before the break counts, also without its blank line", async () => {
    const last = chunk({ content: "!" }, "stop").trim();
    const events = await collect(
      decodeStream(
        "chat-completions",
        body(chunk({ content: "Hi" }) + last, () => Promise.reject(new Error("gone"))),
      ),
    );
    assert.deepEqual(merge(events).slice(1), [
      { type: "text-delta", block: 0, text: "Hi!" },
      { type: "stream-error", error: { kind: "unreachable", message: "gone" } },
      { type: "message-end", finish: "stop", raw: "stop", cut: false },
    ]);
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

  for (const family of ["messages", "generate-content"] as const) {
    it(`S1: says that it can't read ${family} yet, rather than pretending`, async () => {
      const events = await decode("data: {}\n\n", [], family);
      assert.deepEqual(types(events), ["message-start", "stream-error", "message-end"]);
      assert.equal(events[1]?.type === "stream-error" && events[1].error.kind, "rejected");
    });
  }

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

  it("F5: what says that work goes on is no error", async () => {
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

  it("F12: one event of 20 MB in small pieces takes time in proportion", async () => {
    const text = "x".repeat(20 * 1024 * 1024);
    const bytes = encoder.encode(chunk({ content: text }, "stop"));
    const cuts = Array.from({ length: 2000 }, (_, index) => (index + 1) * 10_000);
    const events = await decode(bytes, cuts);
    assert.equal(events[1]?.type === "text-delta" && events[1].text.length, text.length);
  });
});

describe("R6: whatever the bytes are", () => {
  const folder = join(process.cwd(), "test", "fixtures", "chat-completions");
  const fixtures = readdirSync(folder)
    .filter((file) => file.endsWith(".sse"))
    .map((file) => readFileSync(join(folder, file)));

  it("R6: random bytes never throw, and begin and end as they must", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), fc.nat(400), async (bytes, cut) => {
        check(await decode(bytes, [Math.min(cut, bytes.length)]));
      }),
      { numRuns: 500, seed: 4 },
    );
  });

  it("R6: mutated fixtures never throw, and look the same at any cut", async () => {
    const mutation = fc.record({
      fixture: fc.nat(fixtures.length - 1),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      length: fc.nat(40),
      insert: fc.oneof(
        fc.uint8Array({ maxLength: 12 }),
        fc.constantFrom(...'{}[]"\n\r:\\'.split("").map((c) => encoder.encode(c))),
      ),
      cut: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    await fc.assert(
      fc.asyncProperty(mutation, async ({ fixture, at, length, insert, cut }) => {
        const bytes = fixtures[fixture]!;
        const from = Math.floor(at * bytes.length);
        const mutated = Buffer.concat([bytes.subarray(0, from), insert, bytes.subarray(from + length)]);
        const events = await decode(mutated);
        check(events);
        assert.deepEqual(await decode(mutated, [Math.floor(cut * mutated.length)]), events);
      }),
      { numRuns: 1500, seed: 4 },
    );
  });

  it("R6: random chunks of the right form never throw", async () => {
    const key = fc.constantFrom(
      "choices",
      "delta",
      "message",
      "content",
      "tool_calls",
      "function",
      "index",
      "id",
      "name",
      "arguments",
      "error",
      "usage",
      "finish_reason",
      "reasoning_details",
      "type",
      "text",
    );
    const value = fc.letrec((tie) => ({
      any: fc.oneof({ maxDepth: 5 }, fc.jsonValue({ maxDepth: 1 }), tie("list"), tie("object"), tie("object")),
      list: fc.array(tie("any"), { maxLength: 3 }),
      object: fc.dictionary(key, tie("any"), { maxKeys: 4 }),
    })).any;
    await fc.assert(
      fc.asyncProperty(fc.array(value, { maxLength: 6 }), async (values) => {
        check(await decode(values.map((item) => `data: ${JSON.stringify(item)}\n\n`).join("")));
      }),
      { numRuns: 1000, seed: 4 },
    );
  });

  it("R6: 50,000 tiny events leave nothing behind for the event loop", async () => {
    const events = await decode(chunk({ content: "a" }).repeat(50_000));
    await turn();
    assert.equal(events[1]?.type === "text-delta" && events[1].text.length, 50_000);
  });
});

/** The rules of the vocabulary. */
function check(events: readonly ChatEvent[]): void {
  const kinds = types(events);
  assert.equal(kinds.indexOf("message-start"), 0);
  assert.equal(kinds.lastIndexOf("message-start"), 0);
  assert.equal(kinds.indexOf("message-end"), kinds.length - 1);
  assert.ok(kinds.filter((kind) => kind === "stream-error").length <= 1);
  const started = events.flatMap((event) => (event.type === "tool-call-start" ? [event.call] : []));
  const ended = events.flatMap((event) =>
    event.type === "tool-call-end" || event.type === "tool-call-invalid" ? [event.call] : [],
  );
  assert.equal(new Set(started).size, started.length);
  assert.deepEqual([...ended].sort(), [...started].sort());
  const end = events.at(-1)!;
  assert.ok(end.type === "message-end");
  if (started.length > 0) assert.equal(end.finish, "tool-calls");
  if (end.cut) assert.ok(!kinds.includes("tool-call-end"));
}

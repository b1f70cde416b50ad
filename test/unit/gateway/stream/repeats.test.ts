/** What is read without being parsed says the same as what is parsed: line by line, nothing is taken for a repeat. */
import assert from "node:assert/strict";
import * as fc from "fast-check";
import type { Family } from "../../../../src/domain/chat";
import { createRepeats } from "../../../../src/gateway/stream/repeats";
import { decode } from "../eventList";

/** Also words that stand elsewhere in the event, what JSON escapes, and what is too long for a copy. */
const words = [
  ...["a", "Hi", "m", "c1", "text", "0", "1", "ha", "haha", "naïve", "日本", "👍", "<think>", "</think>", "[DONE]", ""],
  ...["\n", '"', "\\", "\t\u0000", 'const a = "b";\n', "data: {}\n\n", "two words and some more of them"],
];

type Chunk = (text: string, id: string) => unknown;

const chat = (delta: (text: string) => object, rest: object = {}): Chunk => {
  return (text, id) => ({
    id,
    model: "m",
    choices: [{ index: 0, delta: delta(text), finish_reason: null }],
    ...rest,
  });
};
const delta = (index: number, rest: (text: string) => object): Chunk => {
  return (text, id) => ({ type: "content_block_delta", id, index, delta: rest(text) });
};
const candidate = (part: (text: string) => object, rest: object = {}): Chunk => {
  return (text, responseId) => ({ responseId, candidates: [{ content: { parts: [part(text)] }, index: 0 }], ...rest });
};

const chunks: Readonly<Record<Family, readonly Chunk[]>> = {
  "chat-completions": [
    chat((content) => ({ content })),
    chat((content) => ({ content, role: "assistant", tool_calls: [] })),
    chat((content) => ({ content: [{ type: "text", text: content }] })),
    chat((text) => ({ content: [{ type: "thinking", thinking: [{ type: "text", text }, { text: "." }] }] })),
    chat((content) => ({ reasoning_content: content, content: null })),
    chat((content) => ({ reasoning_content: "Hm", content })),
    chat((text) => ({ reasoning: text, reasoning_details: [{ type: "reasoning.text", text, index: 0 }] })),
    chat((text) => ({ reasoning_details: [{ type: "reasoning.text", text, index: 0 }] })),
    chat((refusal) => ({ refusal })),
    chat((text) => ({ tool_calls: [{ index: 0, id: "t1", function: { name: "f", arguments: text } }] })),
    chat((content) => ({ content, tool_calls: [{ index: 0, function: { arguments: " " } }] })),
    chat((content) => ({ content }), { usage: { prompt_tokens: 1, completion_tokens: 2 } }),
    chat((content) => ({ content }), { citations: ["https://a.example"] }),
    chat((content) => ({ content }), { error: { message: "gone" } }),
    (text) => ({ choices: [{ message: { role: "assistant", content: text } }] }),
    (text) => ({ choices: [{ text, finish_reason: "stop" }] }),
    (text) => ({ error: { message: text } }),
  ],
  messages: [
    delta(0, (text) => ({ type: "text_delta", text })),
    delta(1, (text) => ({ type: "text_delta", text })),
    delta(0, (thinking) => ({ type: "thinking_delta", thinking })),
    delta(0, (text) => ({ text, thinking: "Hm" })),
    delta(2, (text) => ({ type: "input_json_delta", partial_json: text })),
    delta(0, (signature) => ({ type: "signature_delta", signature })),
    (text) => ({ type: "content_block_start", index: 1, content_block: { type: "text", text } }),
    (thinking) => ({ type: "content_block_start", index: 0, content_block: { type: "thinking", thinking } }),
    () => ({ type: "content_block_start", index: 2, content_block: { type: "tool_use", id: "t1", name: "f" } }),
    () => ({ type: "content_block_stop", index: 0 }),
    () => ({ type: "ping" }),
    (text) => ({ type: "message_delta", delta: { stop_reason: "end_turn", text } }),
    (text) => ({ type: "error", error: { type: "overloaded_error", message: text } }),
  ],
  "generate-content": [
    candidate((text) => ({ text })),
    candidate((text) => ({ text, thought: true })),
    candidate((text) => ({ text, thoughtSignature: "c2ln" })),
    candidate((text) => ({ text }), { modelVersion: "m", usageMetadata: { promptTokenCount: 1 } }),
    candidate((text) => ({ text }), { error: { message: "gone" } }),
    candidate((text) => ({ functionCall: { name: "f", args: { text } } })),
    (text) => ({ candidates: [{ content: { parts: [{ text }, { text: "!" }] }, finishReason: "STOP" }] }),
    (text) => ({ response: { candidates: [{ content: { parts: [{ text }] } }] } }),
    (text) => ({ error: { message: text } }),
  ],
};

const written = fc.constantFrom<((value: unknown) => string)[]>(
  (value) => JSON.stringify(value),
  (value) => JSON.stringify(value, undefined, 1).replaceAll("\n", ""),
  // Padded, so that the length does not tell the words.
  (value) => JSON.stringify(value).replace(/}$/, `${" ".repeat(JSON.stringify(value).length % 7)}}`),
  (value) => `${JSON.stringify(value)}${" ".repeat(JSON.stringify(value).length % 5)}`,
  (value) =>
    JSON.stringify(value).replace(/}$/, `,"obfuscation":"${"aZ09bcdef".slice(JSON.stringify(value).length % 7)}"}`),
  (value) => JSON.stringify(value).replace(/}$/, `,"p":"${"a1 _b".slice(JSON.stringify(value).length % 4)}"}`),
  // Escaped where it need not be.
  (value) => JSON.stringify(value).replaceAll("a", "\\u0061"),
);
/** Nearly always the same. */
const id = fc.constantFrom("c1", "c1", "c1", "c1", "c1", "Hi", "text");
const between = fc.oneof(
  { arbitrary: fc.constant(""), weight: 12 },
  fc.constantFrom(": still here\n\n", "noise\n", '{"error":{"message":"gone"}}\n', "\n", "id: 7\n", "data: [DONE]\n\n"),
);

for (const family of Object.keys(chunks) as Family[]) {
  describe(`F1: repeats: ${family}`, () => {
    it("R1: say the same as when every event is parsed", async () => {
      const run = fc.record({
        chunk: fc.constantFrom(...chunks[family]),
        events: fc.array(fc.record({ text: fc.constantFrom(...words), id, between }), { minLength: 1, maxLength: 6 }),
        name: fc.constantFrom("", "event: content_block_delta\n", "event: message\n"),
        gap: fc.constantFrom("data: ", "data:"),
        write: written,
      });
      await fc.assert(
        fc.asyncProperty(fc.array(run, { minLength: 1, maxLength: 6 }), async (runs) => {
          const stream = runs
            .flatMap(({ chunk, events, name, gap, write }) =>
              events.map((event) => `${name}${gap}${write(chunk(event.text, event.id))}\n\n${event.between}`),
            )
            .join("");
          const bytes = Buffer.from(stream);
          const lines = [...bytes.keys()].filter((at) => bytes[at - 1] === 0x0a);
          assert.deepEqual(await decode(bytes, [], family), await decode(bytes, lines, family));
        }),
        { numRuns: 600, seed: 4 },
      );
    });
  });
}

describe("F1: repeats", () => {
  const write = (text: string, id = "c1"): string =>
    `event: x\ndata: {"id":"${id}","text":${JSON.stringify(text)}}\n\n`;
  const after = (first: string, text: string, next: string): { text: string | undefined; behind: number } => {
    let read: string | undefined;
    const repeats = createRepeats((more) => (read = more));
    repeats.learn(`..${first}`, 2, 2 + first.length, text);
    const behind = repeats.read(`.${next}`, 1) - 1;
    return { text: read, behind };
  };

  it("F1: an event that differs in its text only is read without a parser, escapes and all", () => {
    for (const text of ["you", "a longer text than any word", 'line\n"quoted" \\ 👍']) {
      assert.deepEqual(after(write("Hi"), "Hi", write(text)), { text, behind: write(text).length });
    }
  });

  it("F1: however long its padding is", () => {
    const spaced = (text: string, count: number): string => write(text).replace("}", `${" ".repeat(count)}}`);
    const behind = (text: string, count: number): string => write(text).replace("}", `}${" ".repeat(count)}`);
    const lettered = (text: string, count: number): string => write(text).replace("}", `,"p":"${"a".repeat(count)}"}`);
    for (const pad of [spaced, behind, lettered]) {
      for (const [one, other] of [
        [3, 5],
        [5, 3],
        [2, 0],
      ] as const) {
        const next = pad("you", other);
        assert.deepEqual(after(pad("Hi", one), "Hi", next), { text: "you", behind: next.length });
      }
    }
    assert.equal(after(spaced("Hi", 3), "Hi", lettered("you", 3)).behind, 0);
    assert.equal(after(lettered("Hi", 3), "Hi", write("you").replace("}", ',"p":"a b"}')).behind, 0);
  });

  it("F1: everything else is left to the parser", () => {
    const left = { text: undefined, behind: 0 };
    assert.deepEqual(after(write("Hi"), "Hi", write("you", "c2")), left);
    assert.deepEqual(after(write("Hi"), "Hi", write("you").replace("}", ',"more":1}')), left);
    assert.deepEqual(after(write("Hi"), "Hi", write("you").slice(0, -1)), left);
    assert.deepEqual(after(write("Hi"), "Hi", write("")), left);
    assert.deepEqual(after(write("Hi"), "Hi", write("y\\u00").replaceAll("\\\\", "\\")), left, "no JSON");
    assert.deepEqual(after(write("Hi"), "Hi", write("y\u0001").replace("\\u0001", "\u0001")), left, "no JSON");
  });

  it("F1: a text that stands there twice, or escaped, teaches nothing", () => {
    assert.equal(after(write("c1"), "c1", write("c1", "you")).behind, 0);
    assert.equal(after(write("\n"), "\n", write("you")).behind, 0);
    const escaped = (name: string): string => write("Hi", name).replace('"Hi"}', '"\\u0048i"}');
    assert.equal(after(escaped("Hi"), "Hi", escaped("you")).behind, 0);
  });

  it("F1: a stream in which no event repeats another is not looked at for ever", () => {
    const repeats = createRepeats(() => undefined);
    const learn = (event: string): void => repeats.learn(event, 0, event.length, "Hi");
    for (let at = 0; at < 100; at++) {
      learn(write("Hi", String(at)));
      assert.equal(repeats.read(write("you", `x${at}`), 0), 0);
    }
    learn(write("Hi"));
    assert.equal(repeats.read(write("you"), 0), 0);
  });
});

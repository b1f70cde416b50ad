/** L4, A14: an Ollama on this machine is asked by its own API with a context that holds the whole prompt: by default it leaves out the beginning without a word. */
import assert from "node:assert/strict";
import { asArray, asRecord, asText } from "../../../src/base/jsonValue";
import { type FakeModel, type FakeOllama, startFakeOllama, usualContext } from "../../support/fakeOllama";
import { dataLines, errorCode, type GatewayUnderTest, startForTest } from "./support";

const models: readonly FakeModel[] = [
  { name: "qwen3:8b", contextLength: 40_960, capabilities: ["completion", "tools", "thinking"] },
  { name: "gemma:2b", contextLength: 8192, capabilities: ["completion"] },
  {
    name: "llava",
    contextLength: 32_768,
    capabilities: ["completion", "vision"],
    parameters: "stop  x\nnum_ctx 16384",
  },
  { name: "nomic-embed-text", contextLength: 2048, capabilities: ["embedding"] },
];
const tool = {
  type: "function",
  function: { name: "read_file", description: "reads", parameters: { type: "object" } },
};

describe("local gateway: an Ollama", () => {
  let ollama: FakeOllama;
  let test: GatewayUnderTest;
  beforeEach(async () => {
    ollama = await startFakeOllama(models);
    // Nothing listens on port 1.
    test = await startForTest({ relay: { ollama: ollama.port, lmStudio: 1, llamaCpp: 1, probeMs: 10_000 } });
  });
  afterEach(async () => {
    await test.end();
    await ollama.close();
  });

  const chat = (body: object): ReturnType<GatewayUnderTest["ask"]> => test.ask("POST", "/v1/chat/completions", body);
  const system = { role: "system", content: "The secret word is harbour." };
  const long = (tokens: number): object => ({ role: "user", content: "word ".repeat((tokens * 4) / 5) });
  /** The text of a streamed answer. */
  const textOf = (stream: string): string =>
    dataLines(stream)
      .filter((line) => line !== "[DONE]")
      .flatMap((line) => asArray(asRecord(JSON.parse(line))?.["choices"]))
      .map((choice) => asText(asRecord(asRecord(choice)?.["delta"])?.["content"]) ?? "")
      .join("");

  it("L4, A14: lists its models with the size of their context and what they take, without those that don't chat", async () => {
    const { json } = await test.ask("GET", "/v1/models");
    const listed = asArray(json["data"]).map((one) => asRecord(one));
    const facts = listed.flatMap((one) => {
      const { context_size: size, tools, images, thinking } = asRecord(one?.["capabilities"]) ?? {};
      return String(one?.["id"]).startsWith("demo-") ? [] : [[one?.["id"], size, tools, images, thinking]];
    });
    assert.deepEqual(facts, [
      ["qwen3:8b", 40_960, true, false, true],
      ["gemma:2b", 8192, undefined, false, false],
      ["llava", 32_768, undefined, true, false],
    ]);
  });

  it("A14: a prompt longer than its default is read whole, and a growing chat has the model loaded again a few times only", async () => {
    const messages: object[] = [system];
    for (let round = 0; round < 12; round += 1) {
      messages.push(long(800), { role: "assistant", content: "go on" });
      const answer = await chat({ model: "qwen3:8b", messages: [...messages, long(10)], stream: true });
      assert.match(textOf(answer.text), /^I was told: The secret word is harbour/, `round ${round}`);
    }
    assert.ok(JSON.stringify(messages).length / 4 > usualContext * 2);
    assert.deepEqual(ollama.loads, [8192, 16_384, 32_768]);
  });

  it("A14: after a long prompt a short one has the model loaded no second time", async () => {
    for (const tokens of [5000, 10]) await chat({ model: "qwen3:8b", messages: [long(tokens)] });
    assert.deepEqual([ollama.requests.length, ollama.loads], [2, [16_384]]);
  });

  it("A14: a prompt that can't fit is refused as services do, so that the client makes room; nothing is cut in silence", async () => {
    const fits = await chat({ model: "gemma:2b", messages: [system, long(3000)] });
    assert.equal(fits.status, 200);
    const refused = await chat({ model: "gemma:2b", messages: [system, long(20_000)] });
    assert.deepEqual([refused.status, errorCode(refused)], [400, "context_length_exceeded"]);
    assert.match(refused.text, /maximum context length is 8192 tokens/);
    assert.equal(ollama.requests.length, 1);
  });

  it("A14: thoughts, calls, usage and the end are those of chat completions", async () => {
    const messages = [system, { role: "user", content: "read it" }];
    const body = { model: "qwen3:8b", messages, tools: [tool], stream: true, stream_options: { include_usage: true } };
    const streamed = await chat({ ...body, max_tokens: 100, temperature: 0.2, reasoning_effort: "none" });
    const chunks = dataLines(streamed.text);
    assert.equal(chunks.at(-1), "[DONE]");
    const read = chunks.slice(0, -1).map((line) => asRecord(JSON.parse(line))!);
    const deltas = read.flatMap(({ choices }) => asArray(choices)).map((choice) => asRecord(choice)!);
    assert.deepEqual(deltas[0]?.["delta"], { role: "assistant", content: "" });
    assert.deepEqual(deltas[1]?.["delta"], { reasoning_content: "Hm." });
    const [call] = asArray(asRecord(deltas.at(-2)?.["delta"])?.["tool_calls"]).map((one) => asRecord(one)!);
    assert.deepEqual(call?.["function"], { name: "read_file", arguments: '{"path":"a"}' });
    assert.equal(deltas.at(-1)?.["finish_reason"], "tool_calls");
    assert.deepEqual(read.at(-1)?.["usage"], { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 });
    const [sent] = ollama.requests;
    assert.deepEqual([sent?.think, sent?.options], [false, { num_predict: 100, num_ctx: 8192, temperature: 0.2 }]);

    const results = [
      { role: "assistant", content: null, tool_calls: [{ id: "c", type: "function", function: call["function"] }] },
      { role: "tool", tool_call_id: "c", content: "text of a" },
    ];
    const whole = await chat({ ...body, messages: [...messages, ...results], stream: false });
    const [choice] = asArray(whole.json["choices"]).map((one) => asRecord(one));
    assert.equal(asRecord(choice?.["message"])?.["content"], "I was told: The secret word is harbour.");
    assert.deepEqual(ollama.requests.at(-1)?.messages.slice(-2), [
      { role: "assistant", content: "", tool_calls: [{ function: { name: "read_file", arguments: { path: "a" } } }] },
      { role: "tool", content: "text of a", tool_name: "read_file" },
    ]);
  });

  it("A14: images go as data, the size that its own file sets is the least, and an error passes with its words", async () => {
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
    const content = [{ type: "text", text: "what is it?" }, image];
    await chat({ model: "llava", messages: [{ role: "user", content }] });
    assert.deepEqual(ollama.requests[0]?.messages, [{ role: "user", content: "what is it?", images: ["AAAA"] }]);
    assert.equal(ollama.requests[0].options?.num_ctx, 16_384);
    const refused = await chat({ model: "gemma:2b", messages: [system], tools: [tool], stream: true });
    assert.deepEqual(
      [refused.status, refused.json],
      [400, { error: "registry.ollama.ai/library/gemma:2b does not support tools" }],
    );
  });
});

/** L4: one spoken answer, and what each of the three families makes of it, event by event. */
import assert from "node:assert/strict";
import type { AnswerEncoder, StreamedTokens, AnswerPart } from "../../../../../src/localGateway/chat/answerEncoder";
import { CompletionEncoder } from "../../../../../src/localGateway/chat/families/completeChat";
import { GenerateEncoder } from "../../../../../src/localGateway/chat/families/generateContent";
import { MessagesEncoder } from "../../../../../src/localGateway/chat/families/createMessage";
import { AnswerSignatures } from "../../../../../src/localGateway/chat/answerSignatures";

const meter: StreamedTokens = { prompt: 100, cacheRead: 60, cacheWrite: 30, output: 9, reasoning: 2 };
const signatures = new AnswerSignatures("secret");

const thought: readonly AnswerPart[] = [
  { type: "reasoning", text: "Let me" },
  { type: "reasoning", text: " see." },
];
const said: readonly AnswerPart[] = [
  { type: "text", text: "Two" },
  { type: "text", text: " calls." },
];
const call = (index: number, city: string): readonly AnswerPart[] => [
  { type: "call", index, id: `call_${index}`, name: "weather" },
  { type: "arguments", index, text: '{"city"' },
  { type: "arguments", index, text: `:"${city}"}` },
  { type: "call-end", index, arguments: `{"city":"${city}"}` },
];
const all: readonly AnswerPart[] = [
  ...thought,
  ...said,
  ...call(0, "Paris"),
  ...call(1, "Rome"),
  { type: "finish", finish: "tool-calls" },
];
/** The limit came in the middle of the second call. */
const cut: readonly AnswerPart[] = [
  ...call(0, "Paris"),
  ...call(1, "Rome").slice(0, 2),
  { type: "finish", finish: "length" },
];

const events = (encoder: AnswerEncoder, pieces: readonly AnswerPart[]): readonly { name?: string; data: unknown }[] => [
  ...encoder.begin(),
  ...pieces.flatMap((piece) => encoder.encode(piece)),
];
const dataOf = (encoder: AnswerEncoder, pieces: readonly AnswerPart[]): Record<string, unknown>[] =>
  events(encoder, pieces).map(({ data }) => data as Record<string, unknown>);

describe("local gateway: encoder of chat completions", () => {
  const encoder = (includeUsage = true): CompletionEncoder =>
    new CompletionEncoder(
      { id: "c1", created: 5, model: "demo-chat" },
      { includeUsage, customTools: new Set(), meter },
    );
  interface Choice {
    readonly delta: Record<string, unknown>;
    readonly finish_reason: string | null;
  }
  const choices = (pieces: readonly AnswerPart[]): Choice[] =>
    dataOf(encoder(), pieces).flatMap((data) => (data["choices"] as Choice[] | undefined) ?? []);

  it("L4: role first, then reasoning, text, calls by index, the reason, usage without choices, [DONE]", () => {
    const deltas = choices(all).map(({ delta }) => delta);
    assert.deepEqual(deltas.slice(0, 5), [
      { role: "assistant", content: "" },
      { reasoning_content: "Let me" },
      { reasoning_content: " see." },
      { content: "Two" },
      { content: " calls." },
    ]);
    assert.deepEqual(deltas.slice(5, 9), [
      { tool_calls: [{ index: 0, id: "call_0", type: "function", function: { name: "weather", arguments: "" } }] },
      { tool_calls: [{ index: 0, function: { arguments: '{"city"' } }] },
      { tool_calls: [{ index: 0, function: { arguments: ':"Paris"}' } }] },
      { tool_calls: [{ index: 1, id: "call_1", type: "function", function: { name: "weather", arguments: "" } }] },
    ]);
    assert.deepEqual(choices(all).at(-1), { index: 0, delta: {}, finish_reason: "tool_calls" });
    const [usage, done] = events(encoder(), all).slice(-2);
    assert.equal(done!.data, "[DONE]");
    assert.deepEqual((usage!.data as { choices: unknown }).choices, []);
    assert.ok(!JSON.stringify(events(encoder(false), all)).includes("usage"));
  });

  it("L4: in one object the same answer; a call that was cut is left out", () => {
    const whole = encoder().whole(all) as { choices: { message: Record<string, unknown>; finish_reason: string }[] };
    const { message, finish_reason: reason } = whole.choices[0]!;
    assert.deepEqual(
      [message["content"], message["reasoning_content"], reason],
      ["Two calls.", "Let me see.", "tool_calls"],
    );
    assert.equal((message["tool_calls"] as unknown[]).length, 2);
    const short = encoder().whole(cut) as typeof whole;
    assert.equal((short.choices[0]!.message["tool_calls"] as unknown[]).length, 1);
    assert.equal(short.choices[0]!.finish_reason, "length");
  });
});

describe("local gateway: encoder of messages", () => {
  const encoder = (omitThinking = false): MessagesEncoder =>
    new MessagesEncoder({ id: "msg_1", model: "demo-messages", omitThinking, signatures, meter });

  it("L4: blocks one after the other, each begun and ended; the signature comes before the end of the thought", () => {
    const list = events(encoder(), all);
    assert.ok(list.every(({ name, data }) => name === (data as { type: string }).type));
    const short = list.map(({ name, data }) => {
      const { index, content_block: block, delta } = data as Record<string, Record<string, unknown> | number>;
      const inner = typeof block === "object" ? block["type"] : typeof delta === "object" ? delta["type"] : undefined;
      return [name, typeof index === "number" ? index : [], typeof inner === "string" ? inner : []].flat().join(" ");
    });
    const useBlock = (index: number): string[] => [
      `content_block_start ${index} tool_use`,
      ...Array.from({ length: 3 }, () => `content_block_delta ${index} input_json_delta`),
      `content_block_stop ${index}`,
    ];
    assert.deepEqual(short, [
      "message_start",
      "ping",
      "content_block_start 0 thinking",
      "content_block_delta 0 thinking_delta",
      "content_block_delta 0 thinking_delta",
      "content_block_delta 0 signature_delta",
      "content_block_stop 0",
      "content_block_start 1 text",
      "content_block_delta 1 text_delta",
      "content_block_delta 1 text_delta",
      "content_block_stop 1",
      ...useBlock(2),
      ...useBlock(3),
      "message_delta",
      "message_stop",
    ]);
  });

  it("L4: calls by their own kind of id, with an empty first fragment; usage without what the cache has", () => {
    const list = dataOf(encoder(), call(0, "Paris"));
    assert.deepEqual(list[2], {
      type: "content_block_start",
      index: 0,
      content_block: { type: "tool_use", id: "toolu_0", name: "weather", input: {} },
    });
    assert.deepEqual(list[3]!["delta"], { type: "input_json_delta", partial_json: "" });
    const [start, end] = [dataOf(encoder(), [])[0]!, dataOf(encoder(), all).at(-2)!];
    const usage = {
      input_tokens: 10,
      cache_creation_input_tokens: 30,
      cache_read_input_tokens: 60,
      output_tokens: 9,
      output_tokens_details: { thinking_tokens: 2 },
    };
    assert.deepEqual((start["message"] as Record<string, unknown>)["usage"], usage);
    assert.deepEqual(end, {
      type: "message_delta",
      delta: { stop_reason: "tool_use", stop_sequence: null },
      usage,
    });
  });

  it("L4: a limit in the middle of a call ends its block and says max_tokens; a stop sequence is named", () => {
    const list = dataOf(encoder(), cut).slice(-3);
    assert.deepEqual(list[0], { type: "content_block_stop", index: 1 });
    assert.deepEqual(list[1]!["delta"], { stop_reason: "max_tokens", stop_sequence: null });
    const [end] = dataOf(encoder(), [{ type: "finish", finish: "stop-sequence", stopSequence: "END" }]).slice(-2);
    assert.deepEqual(end!["delta"], { stop_reason: "stop_sequence", stop_sequence: "END" });
  });

  it("L4: the signature is for the thought and for no other, streamed and whole", () => {
    const signatureOf = (pieces: readonly AnswerPart[]): string => {
      const deltas = dataOf(encoder(), pieces).map((data) => data["delta"] as Record<string, unknown> | undefined);
      return String(deltas.find((delta) => delta?.["type"] === "signature_delta")!["signature"]);
    };
    const signature = signatureOf(all);
    assert.equal(signatures.verify("thinking", "Let me see.", signature), "genuine");
    assert.equal(signatures.verify("thinking", "Let me see!", signature), "changed");
    assert.equal(new AnswerSignatures("another").verify("thinking", "Let me see.", signature), "foreign");
    assert.equal(signatures.verify("call", "Let me see.", signature), "foreign");
    assert.equal(signatures.verify("thinking", "Let me see.", `${signature.slice(0, -4)}AAAA`), "foreign");
    const whole = encoder().whole(all) as { content: Record<string, unknown>[]; stop_reason: string };
    assert.deepEqual(whole.content, [
      { type: "thinking", thinking: "Let me see.", signature },
      { type: "text", text: "Two calls." },
      { type: "tool_use", id: "toolu_0", name: "weather", input: { city: "Paris" } },
      { type: "tool_use", id: "toolu_1", name: "weather", input: { city: "Rome" } },
    ]);
    assert.equal(whole.stop_reason, "tool_use");
  });

  it("L4: thoughts that are not shown: without text but signed, or sealed in one block", () => {
    const omitted = dataOf(encoder(true), [...thought, { type: "finish", finish: "stop" }]);
    const deltas = omitted.flatMap((data) => (data["type"] === "content_block_delta" ? [data["delta"]] : []));
    const [signed, ...others] = deltas as Record<string, unknown>[];
    assert.deepEqual([signed!["type"], others], ["signature_delta", []]);
    assert.equal(signatures.verify("thinking", "", String(signed!["signature"])), "genuine");
    const hidden = dataOf(encoder(), [{ type: "hidden-reasoning", text: "a secret" }]).slice(2);
    const { data } = hidden[0]!["content_block"] as { data: string };
    assert.deepEqual(
      hidden.map(({ type }) => type),
      ["content_block_start", "content_block_stop"],
    );
    assert.ok(signatures.isHidden(data) && !Buffer.from(data, "base64").includes("secret"));
    assert.ok(!signatures.isHidden(`${data.slice(0, -4)}AAAA`));
    assert.ok(!new AnswerSignatures("another").isHidden(data));
  });
});

describe("local gateway: encoder of generate content", () => {
  const encoder = (showThoughts = true): GenerateEncoder =>
    new GenerateEncoder({ responseId: "r1", model: "demo-generate", showThoughts, signatures, meter });
  interface Candidate {
    readonly content: { readonly parts: Record<string, unknown>[]; readonly role: string };
    readonly finishReason?: string;
  }
  const candidates = (list: readonly Record<string, unknown>[]): Candidate[] =>
    list.flatMap((data) => data["candidates"] as Candidate[]);
  const partsOf = (encode: GenerateEncoder, pieces: readonly AnswerPart[]): Record<string, unknown>[][] =>
    candidates(dataOf(encode, pieces)).map(({ content }) => content.parts);

  it("L4: thoughts are marked, calls come whole and together with ids, the first alone is signed", () => {
    const parts = partsOf(encoder(), all);
    assert.deepEqual(parts.slice(0, 3), [
      [{ text: "Let me", thought: true }],
      [{ text: " see.", thought: true }],
      [{ text: "Two" }],
    ]);
    const [first, second] = parts[4]!;
    assert.deepEqual(first!["functionCall"], { id: "0", name: "weather", args: { city: "Paris" } });
    assert.deepEqual(second, { functionCall: { id: "1", name: "weather", args: { city: "Rome" } } });
    const signature = String(first!["thoughtSignature"]);
    assert.equal(signatures.verify("call", 'weather {"city":"Paris"}', signature), "genuine");
    assert.equal(candidates(dataOf(encoder(), all)).at(-1)!.finishReason, "STOP");
  });

  it("L4: one call alone has no id; a call that was cut does not come, and the reason is MAX_TOKENS", () => {
    const [alone] = partsOf(encoder(), [...call(0, "Paris"), { type: "finish", finish: "tool-calls" }]);
    assert.deepEqual(alone![0]!["functionCall"], { name: "weather", args: { city: "Paris" } });
    const list = candidates(dataOf(encoder(), cut));
    assert.equal(list[0]!.content.parts.length, 1);
    assert.equal(list.at(-1)!.finishReason, "MAX_TOKENS");
  });

  it("L4: thoughts that nobody asked for are counted and signed for, not sent", () => {
    const pieces: readonly AnswerPart[] = [...thought, ...said, { type: "finish", finish: "stop" }];
    const parts = partsOf(encoder(false), pieces);
    assert.deepEqual(parts.slice(0, 2), [[{ text: "Two" }], [{ text: " calls." }]]);
    const [last] = parts.at(-1)!;
    assert.deepEqual([last!["text"], typeof last!["thoughtSignature"]], ["", "string"]);
    assert.deepEqual(encoder().usage(), {
      promptTokenCount: 100,
      candidatesTokenCount: 7,
      thoughtsTokenCount: 2,
      totalTokenCount: 109,
      promptTokensDetails: [{ modality: "TEXT", tokenCount: 100 }],
    });
  });

  it("L4: in one object the same parts", () => {
    const whole = encoder().whole(all) as Record<string, unknown>;
    const [{ content, finishReason }] = candidates([whole]) as [Candidate];
    assert.deepEqual(content.parts.slice(0, 2), [{ text: "Let me see.", thought: true }, { text: "Two calls." }]);
    assert.deepEqual(content.parts.slice(2), partsOf(encoder(), all)[4]);
    assert.deepEqual([finishReason, whole["modelVersion"], whole["responseId"]], ["STOP", "demo-generate", "r1"]);
  });
});

/** L4: what the readers of messages and generate-content requests refuse, as the real services do, and what they make of the rest. */
import assert from "node:assert/strict";
import { definedFields } from "../../../../../src/base/definedFields";
import { readGenerateRequest } from "../../../../../src/localGateway/chat/families/generateBody";
import { signCall } from "../../../../../src/localGateway/chat/families/callSignatures";
import { readMessagesRequest } from "../../../../../src/localGateway/chat/families/readMessagesRequest";
import { signThinking } from "../../../../../src/localGateway/chat/families/thinkingCheck";
import { AnswerSignatures } from "../../../../../src/localGateway/chat/answerSignatures";
import { HttpError } from "../../../../../src/localGateway/http/httpError";

const signatures = new AnswerSignatures("secret");

const refused = (read: () => unknown, words: RegExp, status = 400): void => {
  assert.throws(read, (error) => {
    assert.ok(error instanceof HttpError);
    assert.match(error.message, words);
    assert.equal(error.status, status);
    return true;
  });
};

describe("local gateway: messages request", () => {
  const user = { role: "user", content: "hello" };
  const read = (more: Record<string, unknown>, version?: string): ReturnType<typeof readMessagesRequest> =>
    readMessagesRequest(
      { model: "demo-messages", max_tokens: 2_000, messages: [user], ...more },
      { seed: 1, signatures, version },
    );
  const use = { type: "tool_use", id: "toolu_1", name: "f", input: { a: 1 } };
  const result = { type: "tool_result", tool_use_id: "toolu_1", content: "42" };
  const loop = (thought: readonly unknown[], then: readonly unknown[] = []): Record<string, unknown> => ({
    thinking: { type: "enabled", budget_tokens: 1_024 },
    messages: [user, { role: "assistant", content: [...thought, use] }, { role: "user", content: [result] }, ...then],
  });
  const thinking = { type: "thinking", thinking: "hm", signature: signThinking(signatures, "hm", "hm") };

  it("L4 (strangers L1): takes what an operator says between two messages, also between a call and its result", () => {
    const system = { role: "system", content: [{ type: "text", text: "Be brief." }] };
    const { conversation } = read({
      messages: [user, system, { role: "assistant", content: [use] }, system, { role: "user", content: [result] }],
    });
    assert.deepEqual(
      conversation.turns.map(({ role }) => role),
      ["system", "system", "user", "assistant", "tool"],
    );
  });

  it("L4 (strangers L6): takes the tools that a client's own search has found", () => {
    const found = { ...result, content: [{ type: "tool_reference", tool_name: "mcp__a__b" }] };
    const { conversation } = read({
      messages: [user, { role: "assistant", content: [use] }, { role: "user", content: [found] }],
    });
    assert.equal(conversation.turns.at(-1)?.text, "[the tool mcp__a__b]");
  });

  it("L4: refuses what the service refuses, and names the field", () => {
    const wrong: [Record<string, unknown>, RegExp, number?][] = [
      [{ max_tokens: undefined }, /^max_tokens: /],
      [{ max_tokens: 0 }, /^max_tokens: /],
      [{ model: "demo-chat" }, /^model: demo-chat$/, 404],
      [{ messages: [] }, /^messages: /],
      [{ messages: [{ role: "assistant", content: "x" }] }, /first message/],
      [{ messages: [{ role: "system", content: "x" }] }, /^messages\.0/],
      [{ messages: [{ role: "user", content: [{ type: "text", text: "" }] }] }, /^messages\.0\.content\.0\.text/],
      [{ messages: [user, { role: "assistant", content: [use] }] }, /without `tool_result`.*toolu_1/],
      [{ messages: [{ role: "user", content: [result] }] }, /without its `tool_use`/],
      [
        {
          messages: [
            user,
            { role: "assistant", content: [use] },
            { role: "user", content: [{ type: "text", text: "x" }, result] },
          ],
        },
        /without `tool_result`/,
      ],
      [{ thinking: { type: "enabled", budget_tokens: 1_000 } }, /budget_tokens/],
      [{ thinking: { type: "enabled", budget_tokens: 2_000 } }, /greater than/],
      [{ thinking: { type: "adaptive" }, tool_choice: { type: "any" } }, /forced/],
      [{ tools: [{ name: "f", input_schema: { type: "string" } }] }, /^tools\.0\.input_schema/],
    ];
    for (const [more, words, status] of wrong) refused(() => read(more), words, status);
    assert.equal(read({ temperature: 1 }, "2023-06-01").maxTokens, 2_000);
    refused(() => read({ temperature: 1 }, "2026-10-21"), /^temperature: /);
  });

  it("L4: a thought of the turn that goes on comes back as it was, or is refused", () => {
    assert.equal(read(loop([thinking])).conversation.turns.at(-1)!.role, "tool");
    refused(() => read(loop([{ ...thinking, thinking: "hmm" }])), /cannot be modified/);
    refused(() => read(loop([{ ...thinking, signature: "c2lnbmF0dXJl" }])), /Invalid `signature`/);
    refused(() => read(loop([])), /Expected `thinking`.*found `tool_use`/);
    const sealed = { type: "redacted_thinking", data: signatures.hide("a secret") };
    assert.equal(read(loop([sealed])).conversation.turns.length, 3);
    refused(() => read(loop([{ ...sealed, data: "AAAA" }])), /cannot be modified/);
    const omitted = { type: "thinking", thinking: "", signature: signThinking(signatures, "hm", "") };
    assert.equal(read(loop([omitted])).conversation.turns.length, 3);
  });

  it("L4: thoughts of finished turns may be gone; of the latest answer they may go, not change", () => {
    const forged = { ...thinking, signature: "AAAA" };
    const finished = [
      { role: "assistant", content: [{ type: "text", text: "done" }] },
      { role: "user", content: "next" },
    ];
    assert.equal(read(loop([forged], finished)).conversation.turns.length, 5);
    const latest = [user, { role: "assistant", content: [forged, { type: "text", text: "x" }] }, user];
    refused(() => read({ messages: latest }), /Invalid `signature`/);
  });

  it("L4: results of tools, failed ones too, parallel or not, and who may call", () => {
    const two = [use, { ...use, id: "toolu_2" }];
    const messages = [
      user,
      { role: "assistant", content: two },
      { role: "user", content: [{ ...result, tool_use_id: "toolu_2", is_error: true }] },
      { role: "user", content: [{ ...result, content: [{ type: "text", text: "42" }] }] },
    ];
    const { conversation } = read({
      messages,
      system: [{ type: "text", text: "Be brief." }],
      tool_choice: { type: "auto", disable_parallel_tool_use: true },
    });
    assert.deepEqual(
      conversation.turns.map(({ role }) => role),
      ["system", "user", "assistant", "tool", "tool"],
    );
    assert.deepEqual(conversation.turns[3], { role: "tool", callId: "toolu_2", text: "42", failed: true });
    assert.deepEqual(conversation.turns[4], { role: "tool", callId: "toolu_1", text: "42" });
    assert.equal(conversation.parallel, false);
    assert.equal(conversation.thinking, false);
  });

  it("L4: what is marked for the cache is measured up to each mark", () => {
    const mark = { cache_control: { type: "ephemeral" } };
    const { prefixes } = read({
      system: [{ type: "text", text: "x".repeat(400), ...mark }],
      messages: [{ role: "user", content: [{ type: "text", text: "y".repeat(40), ...mark }] }],
    });
    assert.deepEqual(
      prefixes.map(({ tokens }) => tokens),
      [104, 118],
    );
  });
});

describe("local gateway: generate-content request", () => {
  const read = (body: unknown, model = "demo-generate"): ReturnType<typeof readGenerateRequest> =>
    readGenerateRequest(body, { model, stream: false, seed: 1, signatures });
  const user = { role: "user", parts: [{ text: "hello" }] };
  const calls = (...ids: readonly (string | undefined)[]): Record<string, unknown> => ({
    role: "model",
    parts: ids.map((id, index) => ({
      functionCall: { name: "f", args: { n: index }, ...definedFields({ id }) },
      ...(index === 0 ? { thoughtSignature: signCall(signatures, "f", '{"n":0}') } : {}),
    })),
  });
  const answer = (output: string, id?: string): Record<string, unknown> => ({
    functionResponse: { name: "f", response: { output }, ...definedFields({ id }) },
  });
  const declare = (parameters: unknown): Record<string, unknown> => ({
    contents: [user],
    tools: [{ functionDeclarations: [{ name: "f", parameters }] }],
  });

  it("L4: refuses what the service refuses", () => {
    const twoCalls = calls("a", "b");
    const wrong: [unknown, RegExp][] = [
      [{}, /^contents/],
      [{ contents: [{ role: "system", parts: [{ text: "x" }] }] }, /valid role: user, model/],
      [{ contents: [{ role: "user", parts: [] }] }, /^contents\.0\.parts/],
      [{ contents: [{ role: "user", parts: [{}] }] }, /exactly one/],
      [{ contents: [user, twoCalls, { role: "user", parts: [answer("1", "a")] }] }, /must be equal/],
      [{ contents: [user, twoCalls, { role: "user", parts: [answer("1", "a"), answer("2")] }] }, /no open function/],
      [{ contents: [user, calls(undefined), { role: "user", parts: [answer("1", "made-up")] }] }, /made-up/],
      [{ contents: [user], generationConfig: { responseMimeType: "image/png" } }, /responseMimeType/],
      [declare({ type: "OBJECT", additionalProperties: false }), /Unknown name "additionalProperties"/],
      [
        declare({ type: "OBJECT", properties: { a: { type: "ARRAY", items: { $ref: "#" } } } }),
        /Unknown name "\$ref" at '.*parameters\.properties\.a\.items'/,
      ],
    ];
    for (const [body, words] of wrong) refused(() => read(body), words);
    refused(() => read({ contents: [user] }, "demo-chat"), /models\/demo-chat is not found/, 404);
  });

  it("L4: the signature of the first call of each step must be on that part, and be for that call", () => {
    const answers = { role: "user", parts: [answer("1"), answer("2")] };
    const body = (asked: unknown): unknown => ({ contents: [user, asked, answers] });
    const asked = calls(undefined, undefined) as { role: string; parts: Record<string, unknown>[] };
    assert.equal(read(body(asked)).conversation.turns.length, 4);
    const [first, second] = asked.parts as [Record<string, unknown>, Record<string, unknown>];
    const { thoughtSignature, ...bare } = first;
    refused(() => read(body({ role: "model", parts: [bare, second] })), /missing a thought_signature/);
    refused(() => read(body({ role: "model", parts: [bare, { ...second, thoughtSignature }] })), /missing/);
    refused(() => read(body({ role: "model", parts: [{ ...second, thoughtSignature }, second] })), /[Cc]orrupted/);
    const skipped = { ...bare, thoughtSignature: "skip_thought_signature_validator" };
    assert.equal(read(body({ role: "model", parts: [skipped, second] })).conversation.turns.length, 4);
    const later = [
      user,
      { role: "model", parts: [bare, second] },
      answers,
      { role: "model", parts: [{ text: "ok" }] },
      user,
    ];
    assert.equal(read({ contents: later }).conversation.turns.length, 6, "what is finished is not asked for");
  });

  it("L4: calls and results find each other by id, else by name and order; errors are errors", () => {
    const contents = [
      { parts: [{ text: "hello" }] },
      calls("a", "b"),
      {
        role: "user",
        parts: [{ functionResponse: { name: "f", id: "b", response: { error: "no" } } }, answer("1", "a")],
      },
    ];
    const { turns } = read({ contents, systemInstruction: { parts: [{ text: "Be brief." }] } }).conversation;
    assert.equal(turns[0]!.role, "system");
    assert.deepEqual(turns.slice(3), [
      { role: "tool", callId: "b", text: "no", failed: true },
      { role: "tool", callId: "a", text: "1" },
    ]);
    const byOrder = read({ contents: [user, calls(undefined, undefined), { parts: [answer("1"), answer("2")] }] });
    const { turns: ordered } = byOrder.conversation;
    const asked = ordered[1];
    assert.ok(asked?.role === "assistant");
    const ids = asked.calls.map(({ id }) => id);
    assert.deepEqual(
      ordered.slice(2).map((turn) => (turn.role === "tool" ? [turn.callId, turn.text] : [])),
      [
        [ids[0], "1"],
        [ids[1], "2"],
      ],
    );
  });

  it("L4: modes of calling, thinking, seed, limits and JSON", () => {
    const functionDeclarations = [
      { name: "f", parameters: { type: "OBJECT", properties: { a: { type: "STRING" } } } },
      { name: "g", parametersJsonSchema: { type: "object", additionalProperties: false } },
    ];
    const request = read({
      contents: [user],
      tools: [{ functionDeclarations }],
      toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["f"] } },
      generationConfig: {
        seed: 7,
        maxOutputTokens: 9,
        stopSequences: ["x"],
        responseMimeType: "application/json",
        responseSchema: { type: "OBJECT" },
        thinkingConfig: { thinkingBudget: 0, includeThoughts: true },
      },
    });
    const { conversation } = request;
    assert.deepEqual(conversation.toolChoice, { name: "f" });
    assert.deepEqual(conversation.tools[0]!.parameters, { type: "object", properties: { a: { type: "string" } } });
    assert.deepEqual(
      [conversation.seed, conversation.thinking, request.maxTokens, request.stops, conversation.json],
      [7, false, 9, ["x"], { schema: { type: "OBJECT" } }],
    );
  });
});

/** L4: what the readers of messages and generate-content requests refuse, as the real services do, and what they make of the rest. */
import assert from "node:assert/strict";
import { definedFields } from "../../../../../src/base/definedFields";
import { encodePng } from "../../../../../src/localGateway/demo/painter";
import { readCompletionRequest } from "../../../../../src/localGateway/chat/families/completionBody";
import { TokenCounter } from "../../../../../src/localGateway/chat/streamAnswer";
import { readGenerateRequest, signCall } from "../../../../../src/localGateway/chat/families/generateBody";
import { readMessagesRequest, signThinking } from "../../../../../src/localGateway/chat/families/readMessagesRequest";
import { AnswerSignatures } from "../../../../../src/localGateway/chat/answerSignatures";
import { HttpError } from "../../../../../src/localGateway/http/httpError";

const signatures = new AnswerSignatures("secret");
const text = (words: string): object => ({ type: "text", text: words });

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

  it("L4 (strangers L14): documents of text and what a search has found are read, a PDF is refused in words", () => {
    const document = (source: object): object => ({ type: "document", title: "a", source });
    const search = {
      type: "search_result",
      source: "https://a.example",
      title: "Tides",
      content: [text("high at six")],
    };
    const content = [
      document({ type: "text", media_type: "text/plain", data: "first" }),
      document({ type: "content", content: [text("second")] }),
      search,
    ];
    const { turns } = read({ messages: [{ role: "user", content }] }).conversation;
    for (const part of ["first", "second", "Tides", "https://a.example", "high at six"]) {
      assert.ok(turns.at(-1)?.text.includes(part), part);
    }
    const pdf = document({ type: "base64", media_type: "application/pdf", data: "JVBERg==" });
    refused(() => read({ messages: [{ role: "user", content: [pdf] }] }), /only texts are supported/);
    const found = read({
      messages: [
        user,
        { role: "assistant", content: [use] },
        { role: "user", content: [{ ...result, content: [search] }] },
      ],
    });
    assert.match(found.conversation.turns.at(-1)?.text ?? "", /high at six/);
  });

  it("L4 (strangers L14): of Anthropic's own tools those of the client have their schema, those of the service are left out", () => {
    const { tools } = read({
      tools: [
        { type: "bash_20250124", name: "bash" },
        { type: "text_editor_20250728", name: "str_replace_based_edit_tool" },
        { type: "memory_20250818", name: "memory" },
        { type: "web_search_20250305", name: "web_search", max_uses: 3 },
        { type: "code_execution_20250825", name: "code_execution" },
        { name: "f", input_schema: { type: "object" } },
      ],
    }).conversation;
    assert.deepEqual(
      tools.map(({ name }) => name),
      ["bash", "str_replace_based_edit_tool", "memory", "f"],
    );
    assert.ok(Object.hasOwn(tools[0]?.parameters["properties"] as object, "command"));
    refused(() => read({ tools: [{ type: "computer_20250124", name: "computer" }] }), /tools\.0/);
  });

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

describe("local gateway: chat-completions request", () => {
  const user = { role: "user", content: "hello" };
  const read = (more: Record<string, unknown>): ReturnType<typeof readCompletionRequest> =>
    readCompletionRequest({ model: "demo-chat", messages: [user], ...more }, 1);
  const tool = (name: string): object => ({ type: "function", function: { name, parameters: {} } });
  const named = (name: string): object => ({ type: "function", function: { name } });

  it("L4 (strangers L12): only the allowed tools can be called", () => {
    const allowed = { mode: "required", tools: [named("b")] };
    const { tools, toolChoice } = read({
      tools: [tool("a"), tool("b")],
      tool_choice: { type: "allowed_tools", allowed_tools: allowed },
    }).conversation;
    assert.deepEqual([tools.map(({ name }) => name), toolChoice], [["b"], "required"]);
  });

  it("L4 (strangers L12): tools with a text as input, and the role of the form before tools", () => {
    const custom = { type: "custom", custom: { name: "patch", description: "Patches." } };
    const { conversation, customTools } = read({
      tools: [custom],
      messages: [
        user,
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "c1", type: "custom", custom: { name: "patch", input: "+a" } }],
        },
        { role: "tool", tool_call_id: "c1", content: "done" },
        user,
        { role: "function", name: "old", content: "42" },
      ],
    });
    assert.deepEqual([...customTools], ["patch"]);
    const [, called, , , old] = conversation.turns;
    assert.deepEqual(called?.role === "assistant" && called.calls, [
      { id: "c1", name: "patch", arguments: '{"input":"+a"}' },
    ]);
    assert.deepEqual([old?.role, old?.text], ["tool", "42"]);
  });

  it("L4 (strangers L12): what would be dropped without a word is refused by its name", () => {
    refused(() => read({ n: 2 }), /^n: .*one answer/);
    refused(() => read({ logprobs: true }), /^logprobs: /);
    refused(() => read({ functions: [{ name: "a" }] }), /^functions: .*tools/);
    for (const type of ["input_audio", "file", "image"]) {
      refused(() => read({ messages: [{ role: "user", content: [{ type }] }] }), new RegExp(`'${type}'`));
    }
    assert.equal(read({ n: 1, logprobs: false }).stream, false);
  });
});

describe("local gateway: the count of a prompt", () => {
  const count = (more: Record<string, unknown>): number =>
    new TokenCounter(
      readCompletionRequest({ model: "demo-chat", messages: [{ role: "user", content: "hello" }], ...more }, 1),
    ).prompt;

  it("L4 (strangers L8): has tools, calls and images in it", async () => {
    const plain = count({});
    const parameters = {
      type: "object",
      properties: { city: { type: "string", description: "The city to ask for." } },
    };
    const tool = (description: string): object => ({
      type: "function",
      function: { name: "f", description, parameters },
    });
    const one = count({ tools: [tool("Tells the weather.")] });
    assert.ok(one > plain + 20, `${one} ${plain}`);
    assert.ok(count({ tools: [tool("Tells the weather. ".repeat(20))] }) > one + 50);
    const png = (await encodePng({ width: 600, height: 500, rgb: new Uint8Array(600 * 500 * 3) })).toString("base64");
    const image = { type: "image_url", image_url: { url: `data:image/png;base64,${png}` } };
    const shown = count({ messages: [{ role: "user", content: [{ type: "text", text: "hello" }, image] }] });
    assert.equal(shown - plain, 400);
    const call = {
      id: "c",
      type: "function",
      function: { name: "f", arguments: JSON.stringify({ text: "a".repeat(400) }) },
    };
    const called = count({
      messages: [
        { role: "user", content: "hello" },
        { role: "assistant", content: null, tool_calls: [call] },
        { role: "tool", tool_call_id: "c", content: "" },
      ],
    });
    assert.ok(called > plain + 100, `${called}`);
  });
});

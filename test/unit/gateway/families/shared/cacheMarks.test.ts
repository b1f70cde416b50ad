/** Marks for the prompt cache: where they are, that each request begins as the marked part of the one before, and when there are none. */
import assert from "node:assert/strict";
import type { ChatRequest, Message } from "../../../../../src/domain/chat/message";
import {
  buildChatCompletionsRequest,
  firstChatCompletionsVariant,
} from "../../../../../src/gateway/families/chatCompletions";
import { buildMessagesRequest, firstMessagesVariant } from "../../../../../src/gateway/families/messages";
import { type MarkedPrompt, markedPrompt as prompt } from "../../../../support/markedPrompt";
import { ask, call, result, tools, user } from "../requestParts";

type Json = Readonly<Record<string, unknown>>;
const mark = { cache_control: { type: "ephemeral" } };

const inMessages = (options: ChatRequest["options"], ...messages: Message[]): ChatRequest => ({
  ...ask("messages", ...messages),
  tools,
  options: { ...options },
});
const inCompletions = (model: string, ...messages: Message[]): ChatRequest => ({
  ...ask("chat-completions", ...messages),
  model,
  options: {},
});
/** A turn of so many rounds, each with two calls. */
const turn = (family: ChatRequest["family"], rounds: number, model = "m"): readonly Message[] => [
  user("Go"),
  ...Array.from({ length: rounds }, (_, round): readonly Message[] => [
    { role: "assistant", family, model, parts: [call("a", `toolu_${round}a`), call("b", `toolu_${round}b`)] },
    result("a", `yes ${round}`),
    result("b", `no ${round}`),
  ]).flat(),
];

const schemaOf = (path: boolean): Json => ({
  type: "object",
  properties: path ? { path: { type: "string" } } : {},
});

describe("marks for the prompt cache", () => {
  it("A8: messages: the body of the second round, whole", () => {
    assert.deepEqual(buildMessagesRequest(inMessages({ maxOutputTokens: 100 }, ...turn("messages", 1))), {
      model: "m",
      max_tokens: 100,
      stream: true,
      system: [{ type: "text", text: "Be brief.", ...mark }],
      messages: [
        { role: "user", content: [{ type: "text", text: "Go", ...mark }] },
        {
          role: "assistant",
          content: [
            { type: "tool_use", id: "toolu_0a", name: "a", input: { x: 1 } },
            { type: "tool_use", id: "toolu_0b", name: "b", input: { x: 1 } },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "toolu_0a", content: "yes 0" },
            { type: "tool_result", tool_use_id: "toolu_0b", content: "no 0", ...mark },
          ],
        },
      ],
      tools: [
        { name: "mcp_read", description: "Reads.", input_schema: schemaOf(true) },
        { name: "now", input_schema: schemaOf(false) },
      ],
    });
  });

  it("A8: chat completions: the body of the second round, whole", () => {
    const model = "vendor/claude-5";
    const body = buildChatCompletionsRequest(inCompletions(model, ...turn("chat-completions", 1, model)));
    const called = (id: string, name: string): Json => ({
      ...{ id, type: "function" },
      function: { name, arguments: '{"x":1}' },
    });
    assert.deepEqual(body, {
      model: "vendor/claude-5",
      stream: true,
      stream_options: { include_usage: true },
      messages: [
        { role: "system", content: [{ type: "text", text: "Be brief.", ...mark }] },
        { role: "user", content: [{ type: "text", text: "Go", ...mark }] },
        { role: "assistant", content: null, tool_calls: [called("toolu_0a", "a"), called("toolu_0b", "b")] },
        { role: "tool", tool_call_id: "toolu_0a", content: "yes 0" },
        { role: "tool", tool_call_id: "toolu_0b", content: [{ type: "text", text: "no 0", ...mark }] },
      ],
    });
  });

  it("A8: messages: the system prompt with the tools before it, and the last two messages that are not the model's", () => {
    const body = buildMessagesRequest(inMessages({}, ...turn("messages", 2), user("And?")));
    assert.deepEqual(body["system"], [{ type: "text", text: "Be brief.", ...mark }]);
    const contents = (body["messages"] as { content: readonly Json[] }[]).map(({ content }) =>
      content.map((block) => "cache_control" in block),
    );
    assert.deepEqual(contents, [[false], [false, false], [false, true], [false, false], [false, false, true]]);
  });

  it("A8: what is marked in a request is the beginning of the next one, over 50 rounds in both families", () => {
    for (const family of ["messages", "chat-completions"] as const) {
      const bodyAfter = (rounds: number): MarkedPrompt =>
        prompt(
          family === "messages"
            ? buildMessagesRequest(inMessages({}, ...turn(family, rounds)))
            : buildChatCompletionsRequest(inCompletions("anthropic/claude", ...turn(family, rounds))),
        );
      let before = bodyAfter(0);
      for (let rounds = 1; rounds <= 50; rounds += 1) {
        const next = bodyAfter(rounds);
        const last = before.marked.at(-1)!;
        assert.deepEqual(next.pieces.slice(0, last + 1), before.pieces.slice(0, last + 1));
        assert.ok(next.marked.includes(last), "the place where the request before ended is read");
        assert.ok(next.marked.length <= 4);
        before = next;
      }
    }
  });

  it("A8: chat completions: content as parts with the same marks, for Claude only or where the person says so", () => {
    const messages = [user("Go"), result("none", ""), user("And?")];
    const plain = buildChatCompletionsRequest(inCompletions("gpt-6", ...messages));
    assert.doesNotMatch(JSON.stringify(plain), /cache_control/);
    const marked = buildChatCompletionsRequest(inCompletions("vendor/claude-5", ...turn("chat-completions", 1)));
    assert.deepEqual((marked["messages"] as Json[])[0], {
      role: "system",
      content: [{ type: "text", text: "Be brief.", ...mark }],
    });
    assert.deepEqual((marked["messages"] as Json[]).at(-1)?.["content"], [{ type: "text", text: "no 0", ...mark }]);
    const asked = { ...inCompletions("gpt-6", ...messages), options: { promptCache: true } };
    assert.match(JSON.stringify(buildChatCompletionsRequest(asked)), /cache_control/);
    const not = { ...inCompletions("claude", ...messages), options: { promptCache: false } };
    assert.doesNotMatch(JSON.stringify(buildChatCompletionsRequest(not)), /cache_control/);
  });

  it("A8: all marks of the messages family name the hour where the chat's pauses are long, and the prompt is the same", () => {
    const request = inMessages({}, ...turn("messages", 2));
    const long = JSON.stringify(buildMessagesRequest({ ...request, keepsLong: true }));
    assert.equal(long.match(/"cache_control":\{"type":"ephemeral","ttl":"1h"\}/g)?.length, 3);
    assert.equal(long.replaceAll(',"ttl":"1h"', ""), JSON.stringify(buildMessagesRequest(request)));
    const refused = { ...firstMessagesVariant, longMarks: false };
    assert.deepEqual(buildMessagesRequest({ ...request, keepsLong: true }, refused), buildMessagesRequest(request));
    const completions = inCompletions("claude", ...turn("chat-completions", 1));
    assert.deepEqual(
      buildChatCompletionsRequest({ ...completions, keepsLong: true }),
      buildChatCompletionsRequest(completions),
    );
  });

  it("A8: without marks a body is byte for byte what it was", () => {
    const messages = turn("messages", 1);
    const without = buildMessagesRequest(inMessages({}, ...messages), { ...firstMessagesVariant, cacheMarks: false });
    assert.deepEqual(without, buildMessagesRequest(inMessages({ promptCache: false }, ...messages)));
    assert.equal(without["system"], "Be brief.");
    const completions = inCompletions("claude", ...turn("chat-completions", 1));
    assert.deepEqual(
      buildChatCompletionsRequest(completions, { ...firstChatCompletionsVariant, cacheMarks: false }),
      buildChatCompletionsRequest({ ...completions, options: { promptCache: false } }),
    );
  });

  it("A8, V1: a caller's marks replace ours, and four are the most", () => {
    const marked = turn("messages", 4).map((message): Message => ({ ...message, cacheMark: true }));
    const all = prompt(buildMessagesRequest(inMessages({}, ...marked)));
    assert.equal(all.marked.length, 4);
    const [first, ...rest] = turn("messages", 4);
    const one = prompt(buildMessagesRequest(inMessages({}, { ...first!, cacheMark: true }, ...rest)));
    // After two tools: the system prompt, and the prompt of the person.
    assert.deepEqual(one.marked, [2, 3]);
  });
});

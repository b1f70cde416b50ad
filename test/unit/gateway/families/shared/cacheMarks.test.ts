/** Marks for the prompt cache: where they are, that each request begins as the marked part of the one before, and when there are none. */
import assert from "node:assert/strict";
import { asRecord } from "../../../../../src/base/jsonValue";
import type { ChatRequest, Message } from "../../../../../src/domain/chat/message";
import { buildChatCompletionsRequest } from "../../../../../src/gateway/families/chatCompletions/request";
import { firstChatCompletionsVariant } from "../../../../../src/gateway/families/chatCompletions/variants";
import { buildMessagesRequest } from "../../../../../src/gateway/families/messages/request";
import { firstMessagesVariant } from "../../../../../src/gateway/families/messages/variants";
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
const turn = (family: ChatRequest["family"], rounds: number): readonly Message[] => [
  user("Go"),
  ...Array.from({ length: rounds }, (_, round): readonly Message[] => [
    { role: "assistant", family, model: "m", parts: [call("a", `toolu_${round}a`), call("b", `toolu_${round}b`)] },
    result("a", `yes ${round}`),
    result("b", `no ${round}`),
  ]).flat(),
];

/** A body's prompt: tools, system prompt, messages, each block for itself, with its mark taken off. A text alone is one block, as relays read it. */
function prompt(body: Json): { readonly pieces: readonly string[]; readonly marked: readonly number[] } {
  const listed = (value: unknown): readonly unknown[] =>
    Array.isArray(value) ? value : [typeof value === "string" ? { type: "text", text: value } : value];
  const blocks = [
    ...listed(body["tools"] ?? []),
    ...listed(body["system"] ?? []),
    ...listed(body["messages"]).flatMap((message) => listed((message as Json)["content"])),
  ];
  const marked = [...blocks.keys()].filter((at) => asRecord(blocks[at])?.["cache_control"] !== undefined);
  const pieces = blocks.map((block) => JSON.stringify(block).replace(/,"cache_control":\{"type":"ephemeral"\}/, ""));
  return { pieces, marked };
}

describe("marks for the prompt cache", () => {
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
      const bodyAfter = (rounds: number): ReturnType<typeof prompt> =>
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

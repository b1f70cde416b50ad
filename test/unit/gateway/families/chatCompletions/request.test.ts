/** The history as chat completions want it. */
import assert from "node:assert/strict";
import { definedFields } from "../../../../../src/base/definedFields";
import type { AssistantPart, Message } from "../../../../../src/domain/chat/message";
import { buildChatCompletionsRequest } from "../../../../../src/gateway/families/chatCompletions";

const build = (messages: readonly Message[], model = "m"): Record<string, unknown> =>
  buildChatCompletionsRequest({ family: "chat-completions", model, messages, tools: [] });
const user = (text: string): Message => ({ role: "user", parts: [{ type: "text", text }] });
const assistant = (...parts: AssistantPart[]): Message => ({
  role: "assistant",
  family: "chat-completions",
  model: "m",
  parts,
});
const call = (name: string, wireId?: string): AssistantPart => ({
  type: "tool-call",
  call: `call-${name}`,
  name,
  input: { x: 1 },
  ...definedFields({ wireId }),
});
const result = (name: string, text: string, isError = false): Message => ({
  role: "tool",
  call: `call-${name}`,
  name,
  text,
  isError,
});

describe("chatCompletionsRequest", () => {
  it("S1: sends plain strings, asks for usage and leaves empty tools out", () => {
    assert.deepEqual(build([{ role: "system", text: "Be brief." }, user("Hi")]), {
      model: "m",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Hi" },
      ],
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it("S1: declares tools", () => {
    const tools = [{ name: "f", description: "d", parameters: { type: "object", properties: {} } }];
    const body = buildChatCompletionsRequest({ family: "chat-completions", model: "m", messages: [user("Hi")], tools });
    assert.deepEqual(body["tools"], [
      { type: "function", function: { name: "f", description: "d", parameters: { type: "object", properties: {} } } },
    ]);
  });

  it("S1: sends images as data URLs", () => {
    const image = { type: "image", mimeType: "image/png", data: "AAAA" } as const;
    assert.deepEqual(build([{ role: "user", parts: [{ type: "text", text: "What?" }, image] }])["messages"], [
      {
        role: "user",
        content: [
          { type: "text", text: "What?" },
          { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
        ],
      },
    ]);
  });

  it("S1: sends calls with arguments as text, and results under the service's own ids", () => {
    assert.deepEqual(
      build([user("Go"), assistant(call("f", "w1"), call("g")), result("g", "no", true), result("f", "yes")])[
        "messages"
      ],
      [
        { role: "user", content: "Go" },
        {
          role: "assistant",
          content: null,
          tool_calls: [
            { id: "w1", type: "function", function: { name: "f", arguments: '{"x":1}' } },
            { id: "c00001001", type: "function", function: { name: "g", arguments: '{"x":1}' } },
          ],
        },
        { role: "tool", tool_call_id: "w1", content: "yes" },
        { role: "tool", tool_call_id: "c00001001", content: "Error: no" },
      ],
    );
  });

  it("A7: white space alone is no text, because Claude's services behind this family refuse it", () => {
    const blank: AssistantPart = { type: "text", text: "\n\n" };
    const sent = build([
      user("Go"),
      assistant(blank, call("f", "w1")),
      result("f", "yes"),
      assistant(blank),
      user("On"),
    ]);
    assert.deepEqual(
      (sent["messages"] as readonly Record<string, unknown>[]).map(({ content }) => content),
      [...["Go", null], ...["yes", "On"]],
    );
  });

  it("A7, Q-T10: two calls of one id get two ids", () => {
    const messages = build([assistant(call("f", "0"), call("g", "0")), result("f", "a"), result("g", "b")])["messages"];
    assert.match(JSON.stringify(messages), /"tool_call_id":"0","content":"a".*"tool_call_id":"0_2","content":"b"/);
  });

  it("A7: answers calls that were never run, and drops answers to no call", () => {
    const messages = build([assistant(call("f", "w1")), user("Stop"), result("f", "late")])["messages"];
    assert.deepEqual(
      (messages as { role: string }[]).map(({ role }) => role),
      ["assistant", "tool", "user"],
    );
  });

  it("S2: sends the thinking back to the same model only, in the field it came in", () => {
    const opaque = (data: unknown): AssistantPart => ({ type: "opaque", family: "chat-completions", data });
    const thinking: AssistantPart = { type: "reasoning", text: "Hm." };
    const details = [{ type: "reasoning.text", text: "Hm.", signature: "s" }];
    const data = {
      reasoningField: "reasoning_content",
      reasoningDetails: details,
      callExtraContent: { "call-f": { google: { thought_signature: "t" } } },
    };
    const history = [assistant(thinking, call("f", "w1"), opaque(data)), result("f", "ok")];
    const first = (model: string): Record<string, unknown> =>
      (build(history, model)["messages"] as Record<string, unknown>[])[0]!;
    assert.equal(first("m")["reasoning_content"], "Hm.");
    assert.deepEqual(first("m")["reasoning_details"], details);
    assert.match(JSON.stringify(first("m")["tool_calls"]), /"extra_content":\{"google":\{"thought_signature":"t"\}\}/);
    assert.deepEqual(Object.keys(first("other")), ["role", "content", "tool_calls"]);
    assert.doesNotMatch(JSON.stringify(first("other")), /Hm|thought_signature/);

    const plain = [assistant(thinking, call("f", "w1"), opaque({ reasoningField: "reasoning" })), result("f", "ok")];
    assert.doesNotMatch(JSON.stringify(build(plain)), /Hm/);
    const empty = [assistant(call("f", "w1"), opaque({ reasoningField: "reasoning_content" })), result("f", "ok")];
    assert.match(JSON.stringify(build(empty)), /"reasoning_content":""/);
    const foreign: AssistantPart = { type: "opaque", family: "messages", data };
    assert.doesNotMatch(JSON.stringify(build([assistant({ type: "text", text: "a" }, foreign)])), /reasoning/);
  });

  it("S1: cleans half characters and NUL, keeps whole ones, and leaves empty answers out", () => {
    const messages = build([assistant({ type: "reasoning", text: "only" }), user("a\uD800b\0c \u{1F600}")])["messages"];
    assert.deepEqual(messages, [{ role: "user", content: "a\uFFFDbc \u{1F600}" }]);
  });
});

/** What a service must get back goes through stream, transcript and request, and comes out byte by byte in its place (S2). */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createMessages } from "../../../../src/chat/request/history";
import type { Family } from "../../../../src/domain/chat/chatEvent";
import type { ChatRequest, Message } from "../../../../src/domain/chat/message";
import { reduceChat } from "../../../../src/domain/chat/reduceChat";
import { type Chat, emptyChat } from "../../../../src/domain/chat/chat";
import { buildChatCompletionsRequest } from "../../../../src/gateway/families/chatCompletions";
import { buildGenerateContentRequest } from "../../../../src/gateway/families/generateContent";
import { buildMessagesRequest } from "../../../../src/gateway/families/messages";
import { decode } from "../eventList";

/** The transcript after one prompt and the answer of a fixture. */
async function chatOf(family: Family, fixture: string): Promise<Chat> {
  const events = await decode(readFileSync(join(process.cwd(), "test", "fixtures", family, fixture)), [], family);
  const begun = reduceChat(reduceChat(emptyChat("chat"), { type: "prompt-added", id: "p", text: "Go", at: 0 }), {
    type: "answer-started",
    id: "a",
    model: "m",
    family,
    at: 0,
  });
  const chat = events.reduce((one, event) => reduceChat(one, { type: "answer-event", id: "a", event }), begun);
  // As a session file would have kept it.
  return JSON.parse(
    JSON.stringify(reduceChat(chat, { type: "answer-ended", id: "a", at: 1, state: "complete" })),
  ) as Chat;
}

async function requestAfter(family: Family, fixture: string, model = "m"): Promise<ChatRequest> {
  const messages = createMessages(await chatOf(family, fixture), "Be brief.");
  return { family, model, tools: [], messages, options: { promptCache: false } };
}

async function messagesAnswer(fixture: string, model?: string): Promise<unknown> {
  const body = buildMessagesRequest(await requestAfter("messages", fixture, model));
  return (body["messages"] as { content: unknown }[])[1]?.content;
}

async function modelParts(fixture: string, model?: string): Promise<unknown> {
  const body = buildGenerateContentRequest(await requestAfter("generate-content", fixture, model));
  return (body["contents"] as { parts: unknown }[])[1]?.parts;
}

describe("S2: what has to be sent back", () => {
  it("S2: messages: signed and redacted thinking, in their places", async () => {
    assert.deepEqual(await messagesAnswer("redacted-thinking.sse"), [
      { type: "thinking", thinking: "a", signature: "s1" },
      { type: "redacted_thinking", data: "EmwKAhgBEgy3va3=" },
      { type: "thinking", thinking: "b", signature: "s2" },
      { type: "text", text: "Done" },
    ]);
  });

  it("S2: messages: thinking that was left out of the stream, before its call", async () => {
    assert.deepEqual(await messagesAnswer("thinking-omitted.sse"), [
      { type: "thinking", thinking: "", signature: "EqQB/omitted==" },
      { type: "tool_use", id: "toolu_a", name: "read", input: { path: "a" } },
    ]);
  });

  it("S2: messages: calls and results of the service's own tools", async () => {
    assert.deepEqual(await messagesAnswer("server-tool.sse"), [
      { type: "text", text: "Searching." },
      { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "x" } },
      {
        type: "web_search_tool_result",
        tool_use_id: "srvtoolu_1",
        content: [{ type: "web_search_result", url: "https://e.example", title: "E", encrypted_content: "abc" }],
      },
      { type: "text", text: "Found." },
    ]);
  });

  it("S2: messages: nothing of it to another model", async () => {
    assert.deepEqual(await messagesAnswer("redacted-thinking.sse", "other"), [{ type: "text", text: "Done" }]);
    assert.deepEqual(await messagesAnswer("thinking-unsigned.sse"), [{ type: "text", text: "42" }]);
  });

  it("S2: generate content: the signature on the very call that it came with", async () => {
    assert.deepEqual(await modelParts("signature-on-call.sse"), [
      { functionCall: { name: "a", args: { x: 1 } }, thoughtSignature: "c2ln" },
      { functionCall: { name: "b", args: { x: 2 } } },
    ]);
  });

  it("S2: generate content: signed text apart from unsigned, an empty last part, signed thoughts", async () => {
    assert.deepEqual(await modelParts("signature-on-text.sse"), [
      { text: "Hello" },
      { text: " there", thoughtSignature: "c2ln" },
      { text: " again" },
    ]);
    assert.deepEqual(await modelParts("signature-on-empty-last-part.sse"), [
      { text: "Hello there" },
      { text: "", thoughtSignature: "bGFzdA==" },
    ]);
    assert.deepEqual(await modelParts("signature-on-thought.sse"), [
      { text: "Hm.", thought: true, thoughtSignature: "c2ln" },
      { text: "", thoughtSignature: "YmFyZQ==" },
      { text: "42" },
    ]);
  });

  it("S2: generate content: a signed picture with its signature, one drawn while thinking not at all", async () => {
    assert.deepEqual(await modelParts("signature-on-media.sse"), [
      { inlineData: { mimeType: "image/png", data: "aW1hZ2U=" }, thoughtSignature: "c2ln" },
      { text: "", thoughtSignature: "bGFzdA==" },
    ]);
  });

  it("S2: generate content: a signature that comes late goes with its call", async () => {
    assert.deepEqual(await modelParts("signature-on-streaming-args.sse"), [
      { functionCall: { name: "weather", args: { location: "Boston" } }, thoughtSignature: "c2ln" },
    ]);
  });

  it("S2: generate content: another model gets no signature, and one from version 3 on is told that there is none", async () => {
    assert.deepEqual(await modelParts("signature-on-call.sse", "gemini-3-pro"), [
      { functionCall: { name: "a", args: { x: 1 } }, thoughtSignature: "skip_thought_signature_validator" },
      { functionCall: { name: "b", args: { x: 2 } } },
    ]);
    assert.deepEqual(await modelParts("signature-on-text.sse", "gemini-2.5-pro"), [
      { text: "Hello there" },
      { text: " again" },
    ]);
  });

  it("S2: generate content: a picture to the model that made it, and to nobody else", async () => {
    const picture = { inlineData: { mimeType: "image/png", data: "iVBORw0=" } };
    assert.deepEqual(await modelParts("media.sse"), [{ text: "Here:" }, picture, { text: "Done." }]);
    assert.deepEqual(await modelParts("media.sse", "gemini-3-pro"), [{ text: "Here:" }, { text: "Done." }]);
    const { messages } = await requestAfter("generate-content", "signature-on-media.sse");
    for (const build of [buildMessagesRequest, buildChatCompletionsRequest]) {
      for (const family of ["messages", "chat-completions"] as const) {
        assert.doesNotMatch(JSON.stringify(build({ family, model: "m", messages, tools: [] })), /aW1hZ2U|c2ln|image/);
      }
    }
  });

  it("S2: generate content: an answer that was only paused is asked on by the same request with its token", async () => {
    const request = await requestAfter("generate-content", "continuation.sse");
    const paused = buildGenerateContentRequest(request);
    assert.equal(paused["continuationToken"], "tok");
    assert.deepEqual(paused["contents"], [{ role: "user", parts: [{ text: "Go" }] }]);
    const other = buildGenerateContentRequest({ ...request, model: "another" });
    assert.deepEqual(
      [other["continuationToken"], (other["contents"] as { parts: unknown }[]).map(({ parts }) => parts)],
      [undefined, [[{ text: "Go" }], [{ text: "Part" }], [{ text: "Continue." }]]],
    );
    const later: Message = { role: "user", parts: [{ type: "text", text: "Next" }] };
    const asked = buildGenerateContentRequest({ ...request, messages: [...request.messages, later] });
    assert.equal(asked["continuationToken"], undefined);
    assert.match(JSON.stringify(asked["contents"]), /"Part".*"Next"/);
  });

  it("S2: generate content: several pauses are one answer in the end", async () => {
    const request = await requestAfter("generate-content", "continuation.sse");
    const first = request.messages.at(-1)!;
    assert.ok(first.role === "assistant" && first.paused);
    const token = { type: "opaque", family: "generate-content", data: { continuationToken: "tok2" } } as const;
    const second: Message = { ...first, parts: [{ type: "text", text: " two" }, token] };
    const messages = [...request.messages, second];
    const twice = buildGenerateContentRequest({ ...request, messages });
    assert.deepEqual(
      [twice["continuationToken"], twice["contents"]],
      ["tok2", [{ role: "user", parts: [{ text: "Go" }] }]],
    );
    const end: Message = {
      role: "assistant",
      family: first.family,
      model: "m",
      parts: [{ type: "text", text: " end" }],
    };
    const user: Message = { role: "user", parts: [{ type: "text", text: "Next" }] };
    const whole = buildGenerateContentRequest({ ...request, messages: [...messages, end, user] });
    assert.deepEqual((whole["contents"] as unknown[])[1], {
      role: "model",
      parts: [{ text: "Part" }, { text: " two" }, { text: " end" }],
    });
  });

  it("S2: messages: an answer that was only paused goes back as it is, and nobody speaks behind it", async () => {
    const request = await requestAfter("messages", "pause.sse");
    const answer = {
      role: "assistant",
      content: [
        { type: "text", text: "Searching." },
        { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "x" } },
      ],
    };
    const paused = buildMessagesRequest(request)["messages"] as unknown[];
    assert.deepEqual(paused, [{ role: "user", content: [{ type: "text", text: "Go" }] }, answer]);
    const other = buildMessagesRequest({ ...request, model: "another" })["messages"] as unknown[];
    assert.deepEqual(other.slice(1), [
      { role: "assistant", content: [{ type: "text", text: "Searching." }] },
      { role: "user", content: [{ type: "text", text: "Continue." }] },
    ]);
    const result = { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] };
    const rest: Message = {
      role: "assistant",
      family: "messages",
      model: "m",
      parts: [
        { type: "opaque", family: "messages", data: result },
        { type: "text", text: "Found." },
      ],
    };
    const next: Message = { role: "user", parts: [{ type: "text", text: "Next" }] };
    const whole = buildMessagesRequest({ ...request, messages: [...request.messages, rest, next] })[
      "messages"
    ] as unknown[];
    assert.deepEqual(whole[1], { ...answer, content: [...answer.content, result, { type: "text", text: "Found." }] });
  });

  it("S2: generate content: an id only if the service gave one, and the parts of its own tools", async () => {
    const body = buildGenerateContentRequest(await requestAfter("generate-content", "calls-parallel.sse"));
    assert.match(JSON.stringify(body), /"functionResponse":\{"name":"read_file","id":"x1","response":\{"error":/);
    assert.deepEqual(await modelParts("code-execution.sse"), [
      { executableCode: { language: "PYTHON", code: "print(1)" } },
      { codeExecutionResult: { outcome: "OUTCOME_OK", output: "1\n" } },
      { text: "One." },
      { sparkles: { n: 1 } },
    ]);
  });
});

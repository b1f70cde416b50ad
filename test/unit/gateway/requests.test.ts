/** Whatever the history is, each family's own rules hold for what is sent (A7). */
import assert from "node:assert/strict";
import * as fc from "fast-check";
import type { Family } from "../../../src/domain/chat";
import type { ChatRequest, Message } from "../../../src/domain/message";
import { buildChatCompletionsRequest } from "../../../src/gateway/families/chatCompletionsRequest";
import { buildGenerateContentRequest } from "../../../src/gateway/families/generateContentRequest";
import { normaliseHistory } from "../../../src/gateway/families/history";
import { buildMessagesRequest } from "../../../src/gateway/families/messagesRequest";
import { anyHistory, anyModel } from "./histories";

type Json = Readonly<Record<string, unknown>>;

const toolName = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const request = (family: Family, model: string, messages: readonly Message[]): ChatRequest => ({
  family,
  model,
  messages,
  tools: [],
});

function forAnyHistory(
  family: Family,
  build: (request: ChatRequest) => Json,
  check: (body: Json, messages: readonly Message[], model: string) => void,
): void {
  fc.assert(
    fc.property(anyHistory, anyModel, (messages, model) => {
      const body = build(request(family, model, freeze(messages)));
      const text = JSON.stringify(body);
      assert.ok(text.isWellFormed() && !/\\u(?:0000|d[89a-f])/i.test(text), "half characters and NUL");
      assert.equal(JSON.stringify(build(request(family, model, messages))), text, "the same each time");
      check(JSON.parse(text) as Json, messages, model);
    }),
    { numRuns: 2000, seed: 4 },
  );
}

describe("A7: any history", () => {
  it("A7: is normalised without being changed, with one result for each call", () => {
    fc.assert(
      fc.property(anyHistory, (messages) => {
        const { turns } = normaliseHistory(freeze(messages), {
          family: "messages",
          model: "m",
          refusedSignatures: new Set(),
        });
        for (const turn of turns) {
          assert.ok(turn.parts.length > 0);
          if (turn.role === "user") continue;
          const calls = turn.parts.filter(({ type }) => type === "tool-call");
          assert.deepEqual(
            turn.results.map(({ call }) => call),
            calls,
          );
          const echoed = turn.parts.filter(({ type }) => type === "opaque" || type === "reasoning");
          const from = messages[turn.at];
          assert.ok(from?.role === "assistant");
          if (from.family !== "messages" || from.model !== "m") assert.deepEqual(echoed, []);
        }
      }),
      { seed: 4 },
    );
  });

  it("A7: chat completions: each call is answered at once, by its id, before anyone else speaks", () => {
    forAnyHistory("chat-completions", buildChatCompletionsRequest, (body) => {
      const messages = body["messages"] as readonly Json[];
      let open: unknown[] = [];
      let begun = false;
      for (const { role, content, tool_calls: calls, tool_call_id: id } of messages) {
        assert.ok(role === "system" || role === "user" || role === "assistant" || role === "tool");
        if (role === "system") assert.ok(!begun, "system first");
        else begun = true;
        if (role === "tool") {
          assert.ok(open.includes(id));
          open = open.filter((one) => one !== id);
          assert.equal(typeof content, "string");
          continue;
        }
        assert.deepEqual(open, []);
        if (role === "user") assert.ok(content !== "" && (content as unknown[]).length > 0);
        if (role !== "assistant") continue;
        const list = (calls ?? []) as readonly { id: string; function: { name: string; arguments: string } }[];
        assert.ok(list.length > 0 || (content !== null && content !== ""));
        open = list.map((call) => call.id);
        assert.equal(new Set(open).size, open.length);
        for (const call of list) {
          assert.match(call.function.name, toolName);
          assert.equal(typeof JSON.parse(call.function.arguments), "object");
          assert.notEqual(call.id, "");
        }
      }
      assert.deepEqual(open, []);
    });
  });

  it("A7: messages: roles take turns, results stand first, nothing is empty, no id twice, no foreign thinking", () => {
    forAnyHistory("messages", buildMessagesRequest, (body, history, model) => {
      const messages = body["messages"] as readonly { role: string; content: readonly Json[] }[];
      const ids = new Set<unknown>();
      const isOurs = history.some(
        (one) => one.role === "assistant" && one.family === "messages" && one.model === model,
      );
      assert.equal(messages[0]?.role, "user");
      const last = messages.at(-1)!;
      if (last.role === "assistant") assert.equal(last.content.at(-1)?.["type"], "server_tool_use");
      let open: unknown[] = [];
      messages.forEach(({ role, content }, index) => {
        assert.equal(role, index % 2 === 0 ? "user" : "assistant");
        assert.ok(content.length > 0);
        const types = content.map((block) => String(block["type"]));
        const results = content.filter((block) => block["type"] === "tool_result");
        assert.deepEqual(
          results.map((block) => block["tool_use_id"]),
          open,
        );
        assert.deepEqual(
          types.slice(0, results.length).filter((type) => type !== "tool_result"),
          [],
        );
        const calls = content.filter((block) => block["type"] === "tool_use");
        open = calls.map((block) => block["id"]);
        for (const block of calls) {
          assert.ok(!ids.has(block["id"]), "an id twice");
          ids.add(block["id"]);
          assert.match(String(block["id"]), /^[A-Za-z0-9_-]+$/);
          assert.match(String(block["name"]), toolName);
          assert.ok(typeof block["input"] === "object" && block["input"] !== null);
        }
        for (const block of content) {
          if (block["type"] === "text") assert.notEqual(String(block["text"]).trim(), "");
          if (block["type"] === "thinking") assert.ok(isOurs && block["signature"] === "s");
          if (block["is_error"] === true) assert.notEqual(block["content"] ?? "", "");
        }
        if (role === "assistant") assert.doesNotMatch(types.at(-1)!, /thinking/);
      });
      assert.deepEqual(open, []);
      if ("system" in body) assert.notEqual(body["system"], "");
    });
  });

  it("A7: generate content: roles take turns, each call has its response in order, signatures only of this model", () => {
    forAnyHistory("generate-content", buildGenerateContentRequest, (body, history, model) => {
      const contents = body["contents"] as readonly { role: string; parts: readonly Json[] }[];
      const isOurs = history.some(
        (one) => one.role === "assistant" && one.family === "generate-content" && one.model === model,
      );
      assert.equal(contents.at(-1)?.role, "user");
      let open: unknown[] = [];
      contents.forEach(({ role, parts }, index) => {
        assert.equal(role, index % 2 === 0 ? "user" : "model");
        assert.ok(parts.length > 0);
        const responses = parts.flatMap((part) => (part["functionResponse"] ?? []) as readonly Json[] | Json);
        assert.deepEqual(
          responses.map((response) => [response["name"], response["id"]]),
          open,
        );
        assert.ok(responses.every((response) => Object.keys(response["response"] as Json).length === 1));
        assert.ok(parts.slice(0, responses.length).every((part) => "functionResponse" in part));
        const calls = parts.filter((part) => "functionCall" in part);
        open = calls.map((part) => [(part["functionCall"] as Json)["name"], (part["functionCall"] as Json)["id"]]);
        for (const [name] of open as [string][]) assert.match(name, toolName);
        for (const part of parts) {
          const signature = part["thoughtSignature"];
          if (part["text"] === "") assert.equal(signature, "s");
          if (part["thought"] === true) assert.equal(signature, "s");
          if (signature === "s") assert.ok(isOurs);
        }
        const first = calls[0];
        if (model === "gemini-3-pro" && first !== undefined) assert.ok(typeof first["thoughtSignature"] === "string");
      });
      assert.deepEqual(open, []);
    });
  });
});

function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
  return value;
}

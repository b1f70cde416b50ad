/** What a server of chat completions refuses otherwise. */
import assert from "node:assert/strict";
import { callsOf, type Json, list, object, type Rules, type Sent, toolName } from "./everyBody";

const messages = ({ body }: Sent): readonly Json[] => list(body["messages"]);
const ofRole = (sent: Sent, role: string): readonly Json[] => messages(sent).filter((one) => one["role"] === role);
const functions = (sent: Sent): readonly Json[] =>
  ofRole(sent, "assistant").flatMap((one) => list(one["tool_calls"]).map((call) => object(call["function"])));

export const chatCompletionsRules: Rules = {
  "knows four roles, and the system speaks first": (sent) => {
    const roles = messages(sent).map(({ role }) => String(role));
    for (const role of roles) assert.ok(["system", "user", "assistant", "tool"].includes(role), role);
    const first = roles.findIndex((role) => role !== "system");
    assert.ok(first === -1 || !roles.includes("system", first));
    if (!sent.variant.systemInPrompt) return;
    assert.ok(!roles.includes("system"));
    assert.ok(
      roles.every((role, at) => role !== "user" || roles[at + 1] !== "user"),
      roles.join(),
    );
  },
  "answers each call at once, by its id, and nothing else": (sent) => {
    let open: unknown[] = [];
    for (const message of messages(sent)) {
      if (message["role"] === "tool") {
        assert.ok(open.includes(message["tool_call_id"]));
        open = open.filter((id) => id !== message["tool_call_id"]);
        continue;
      }
      assert.deepEqual(open, []);
      open = list(message["tool_calls"]).map(({ id }) => id);
    }
    assert.deepEqual(open, []);
  },
  "has an id for each call, none twice in a message": (sent) => {
    for (const message of ofRole(sent, "assistant")) {
      const ids = list(message["tool_calls"]).map(({ id }) => id);
      for (const id of ids) assert.ok(typeof id === "string" && id !== "");
      assert.equal(new Set(ids).size, ids.length);
    }
  },
  "has text as the content of a system or tool message": (sent) => {
    for (const role of ["system", "tool"]) {
      for (const message of ofRole(sent, role)) assert.equal(typeof message["content"], "string");
    }
    for (const message of ofRole(sent, "system")) assert.notEqual(String(message["content"]).trim(), "");
  },
  "has a plain string wherever a prompt is one text, else parts, and never nothing": (sent) => {
    for (const { content } of ofRole(sent, "user")) {
      if (typeof content === "string") assert.notEqual(content.trim(), "");
      else {
        const parts = list(content);
        assert.ok(parts.length > 0 && !(parts.length === 1 && parts[0]?.["type"] === "text"));
        for (const part of parts) {
          if (part["type"] === "text") assert.notEqual(String(part["text"]).trim(), "");
          else assert.match(String(object(part["image_url"])["url"]), /^data:image\/\w+;base64,./);
        }
      }
    }
  },
  "has text or calls in each answer, and in place of no text what the server takes": (sent) => {
    for (const message of ofRole(sent, "assistant")) {
      const { content, tool_calls: calls } = message;
      if (content === null || content === "") {
        assert.ok(list(calls).length > 0);
        assert.equal(content, sent.variant.emptyContent);
      } else assert.notEqual(String(content).trim(), "");
      if (calls !== undefined) assert.ok(list(calls).length > 0);
    }
  },
  "has an object as text for the arguments of each call, and a name that is allowed": (sent) => {
    for (const { name, arguments: text } of functions(sent)) {
      assert.match(String(name), toolName);
      assert.equal(typeof text, "string");
      object(JSON.parse(String(text)));
    }
  },
  "loses no call": (sent) => {
    assert.equal(functions(sent).length, callsOf(sent.request).length);
  },
  "says beside calls what was thought, also if that is nothing, to a model that wants it": (sent) => {
    for (const message of ofRole(sent, "assistant")) {
      if ("reasoning_content" in message) assert.equal(typeof message["reasoning_content"], "string");
      else assert.ok(!sent.variant.alwaysReasoning || list(message["tool_calls"]).length === 0);
    }
  },
  "asks for the usage only of a server that takes it, and only in a stream": ({ body, variant }) => {
    assert.equal(body["stream"], true);
    assert.equal("stream_options" in body, variant.streamOptions);
  },
  "has one limit at most, and none unless it is set": ({ body, request }) => {
    const limits = ["max_tokens", "max_completion_tokens"].filter((name) => name in body);
    assert.equal(limits.length, request.options?.maxOutputTokens === undefined ? 0 : 1);
  },
};

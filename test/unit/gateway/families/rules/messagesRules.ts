/** What a server of the messages family refuses otherwise. */
import assert from "node:assert/strict";
import { callsOf, type Json, list, object, type Rules, type Sent, toolName } from "./everyBody";

interface Spoken {
  readonly role: unknown;
  readonly blocks: readonly Json[];
}
const spoken = ({ body }: Sent): readonly Spoken[] =>
  list(body["messages"]).map(({ role, content }) => ({ role, blocks: list(content) }));
const blocks = (sent: Sent, type: string): readonly Json[] =>
  spoken(sent).flatMap((one) => one.blocks.filter((block) => block["type"] === type));
const isServerCall = ({ type }: Json): boolean => type === "server_tool_use";
const isServerResult = ({ type }: Json): boolean => String(type).endsWith("_tool_result");

export const messagesRules: Rules = {
  "lets the two roles take turns, and the user begin": (sent) => {
    assert.ok(spoken(sent).length > 0);
    for (const [at, { role }] of spoken(sent).entries()) assert.equal(role, at % 2 === 0 ? "user" : "assistant");
  },
  "ends with the user, unless the model has only paused": (sent) => {
    if (spoken(sent).at(-1)?.role === "user") return;
    const { messages, model, family } = sent.request;
    const prompt = messages.findLastIndex(
      (one) => one.role === "user" && one.parts.some((part) => part.type === "image" || !isBlank(part.text)),
    );
    const behind = messages.slice(prompt + 1);
    assert.ok(
      behind.some((one) => one.role === "assistant" && one.paused && one.model === model && one.family === family),
    );
  },
  "has something in each message, and no blank text": (sent) => {
    for (const one of spoken(sent)) assert.ok(one.blocks.length > 0);
    for (const block of blocks(sent, "text")) assert.ok(!isBlank(String(block["text"])));
  },
  "does not end with a space what the model is to go on with": (sent) => {
    const last = spoken(sent).at(-1);
    const block = last?.blocks.at(-1);
    if (last?.role === "assistant" && block?.["type"] === "text") assert.doesNotMatch(String(block["text"]), /\s$/);
  },
  "has the results of all calls of the message before, first and in their order, and no other": (sent) => {
    let open: readonly unknown[] = [];
    for (const one of spoken(sent)) {
      const results = one.blocks.filter(({ type }) => type === "tool_result");
      assert.deepEqual(
        results.map((block) => block["tool_use_id"]),
        open,
      );
      assert.deepEqual(one.blocks.slice(0, results.length), results);
      open = one.blocks.filter(({ type }) => type === "tool_use").map(({ id }) => id);
    }
    assert.deepEqual(open, []);
  },
  "has an id of the allowed characters for each call, none twice": (sent) => {
    const ids = blocks(sent, "tool_use").map(({ id }) => String(id));
    for (const id of ids) assert.match(id, /^[A-Za-z0-9_-]{1,64}$/);
    assert.equal(new Set(ids).size, ids.length);
  },
  "has an object as the input of each call, and a name that is allowed": (sent) => {
    for (const block of blocks(sent, "tool_use")) {
      object(block["input"]);
      assert.match(String(block["name"]), toolName);
    }
  },
  "loses no call": (sent) => {
    assert.equal(blocks(sent, "tool_use").length, callsOf(sent.request).length);
  },
  "says what went wrong where a call failed": (sent) => {
    for (const block of blocks(sent, "tool_result")) {
      if ("content" in block) assert.ok(!isBlank(String(block["content"])));
      if (block["is_error"] === true) assert.ok("content" in block);
    }
  },
  "has only thinking that is signed, in its order, and never at the end of a message": (sent) => {
    const thoughts = [...blocks(sent, "thinking"), ...blocks(sent, "redacted_thinking")];
    for (const block of thoughts) assert.match(String(block["signature"] ?? block["data"]), /^mark:/);
    for (const { blocks: all } of spoken(sent)) {
      assert.doesNotMatch(String(all.at(-1)?.["type"]), /thinking/);
      const places = all.flatMap(
        (block) => /^mark:.*:(\d+)$/.exec(String(block["signature"] ?? block["data"]))?.[1] ?? [],
      );
      assert.deepEqual(
        places,
        [...places].sort((one, other) => Number(one) - Number(other)),
      );
    }
  },
  "keeps what a model thought before it called": (sent) => {
    const { request, variant } = sent;
    const text = JSON.stringify(sent.body);
    for (const message of request.messages) {
      if (message.role !== "assistant" || message.family !== "messages" || message.model !== request.model) continue;
      const last = message.parts.findLastIndex(({ type }) => type === "tool-call");
      for (const part of message.parts.slice(0, Math.max(last, 0))) {
        const data = part.type === "opaque" && part.family === "messages" ? (part.data as Json | null) : null;
        const signature = data?.["type"] === "redacted_thinking" ? data["data"] : data?.["signature"];
        if (typeof signature !== "string" || variant.refusedSignatures.has(signature)) continue;
        assert.ok(text.includes(signature), signature);
      }
    }
  },
  "has images of four types, as data": (sent) => {
    for (const block of blocks(sent, "image")) {
      const { type, media_type: mimeType, data } = object(block["source"]);
      assert.deepEqual([type, data], ["base64", "AAAA"]);
      assert.match(String(mimeType), /^image\/(?:png|jpeg|gif|webp)$/);
    }
  },
  "has a result behind each call of the service's own, but for the pause that it goes on from": (sent) => {
    for (const [at, { blocks: all }] of spoken(sent).entries()) {
      const isEnd = at === spoken(sent).length - 1;
      for (const [place, block] of all.entries()) {
        const answers = (one: Json): boolean => isServerResult(one) && one["tool_use_id"] === block["id"];
        if (isServerCall(block) && !isEnd) assert.ok(all.slice(place + 1).some(answers));
        if (!isServerResult(block) || block["type"] === "tool_result") continue;
        assert.ok(all.slice(0, place).some((one) => isServerCall(one) && one["id"] === block["tool_use_id"]));
      }
    }
  },
  "has the system apart, if there is one": ({ body }) => {
    if ("system" in body) assert.ok(!isBlank(String(body["system"])));
  },
  "has a limit, and a budget of thinking that leaves room below it": ({ body }) => {
    const limit = Number(body["max_tokens"]);
    assert.ok(Number.isSafeInteger(limit) && limit >= 1);
    const { type, budget_tokens: budget } = object(body["thinking"] ?? {});
    if (type === "enabled") assert.ok(Number(budget) >= 1024 && Number(budget) < limit);
    else assert.equal(budget, undefined);
  },
};

function isBlank(text: string): boolean {
  return text.replaceAll("\0", "").trim() === "";
}

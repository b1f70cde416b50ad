/** Whole answers and the gateway itself: each switch with what shows it. */
import assert from "node:assert/strict";
import { type GatewayUnderTest } from "../support";
import { create, read, made, refused, gatewayCases } from "./gatewayCase";

const whileAway = async (test: GatewayUnderTest): Promise<void> => {
  await assert.rejects(test.ask("GET", "/v1/models"));
};

export const wholeCases = gatewayCases({
  "http.status": [
    {
      value: { status: 429, headers: { "retry-after": "7" } },
      async shows(test) {
        const answered = await create(test);
        refused(answered, 429, "rate_limited");
        assert.equal(answered.headers.get("retry-after"), "7");
        assert.equal(test.gateway.openHolds, 0);
      },
    },
  ],
  "http.context": [
    {
      value: { tokens: 20 },
      async shows(test) {
        const body = { model: "demo-chat", messages: [{ role: "user", content: "hello ".repeat(30) }] };
        const answered = await test.ask("POST", "/v1/chat/completions", body);
        refused(answered, 400, "context_length_exceeded");
        assert.match(JSON.stringify(answered.json), /maximum context length is 20 tokens/);
      },
    },
    {
      value: { tokens: 20, status: 413, body: { error: "too long" } },
      async shows(test) {
        const body = { model: "demo-chat", messages: [{ role: "user", content: "hello ".repeat(30) }] };
        const { status, json } = await test.ask("POST", "/v1/chat/completions", body);
        assert.deepEqual([status, json], [413, { error: "too long" }]);
        const short = { ...body, messages: [{ role: "user", content: "hello" }] };
        assert.equal((await test.ask("POST", "/v1/chat/completions", short)).status, 200);
      },
    },
  ],
  "http.hang": [
    {
      async shows(test) {
        const giveUp = new AbortController();
        const hanging = test.ask("GET", "/v1/models", undefined, { signal: giveUp.signal });
        while (!test.gateway.requests.some(({ path, status }) => path === "/v1/models" && status === undefined)) {
          await new Promise((resolve) => setImmediate(resolve));
        }
        giveUp.abort();
        await assert.rejects(hanging, { name: "AbortError" });
      },
    },
  ],
  "http.empty-200": [
    {
      async shows(test) {
        const { status, text } = await test.ask("GET", "/v1/models");
        assert.deepEqual([status, text], [200, ""]);
      },
    },
  ],
  "http.html": [
    {
      async shows(test) {
        const { status, headers, text } = await create(test);
        assert.deepEqual([status, headers.get("content-type")], [200, "text/html; charset=utf-8"]);
        assert.match(text, /^<!doctype html>/);
        assert.equal(test.gateway.openHolds, 0);
      },
    },
  ],
  "http.json-for-stream": [
    {
      async shows(test) {
        const body = { model: "demo-chat", stream: true, messages: [{ role: "user", content: "hello" }] };
        const { headers, json } = await test.ask("POST", "/v1/chat/completions", body);
        assert.match(headers.get("content-type") ?? "", /^application\/json/);
        assert.equal(json["object"], "chat.completion");
      },
    },
    {
      async shows(test) {
        const body = {
          model: "demo-messages",
          stream: true,
          max_tokens: 500,
          messages: [{ role: "user", content: "hello" }],
        };
        const { headers, json } = await test.ask("POST", "/v1/messages", body);
        assert.match(headers.get("content-type") ?? "", /^application\/json/);
        assert.equal(json["type"], "message");
      },
    },
    {
      async shows(test) {
        const body = { contents: [{ role: "user", parts: [{ text: "hello" }] }] };
        const path = "/v1/models/demo-generate:streamGenerateContent?alt=sse";
        const { headers, json } = await test.ask("POST", path, body);
        assert.match(headers.get("content-type") ?? "", /^application\/json/);
        assert.ok(Array.isArray(json["candidates"]));
      },
    },
  ],
  "sse.linger": [
    {
      async shows(test) {
        const { url, key } = test.gateway;
        const giveUp = new AbortController();
        const response = await fetch(`${url}/v1/chat/completions`, {
          method: "POST",
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          body: JSON.stringify({ model: "demo-chat", stream: true, messages: [{ role: "user", content: "hello" }] }),
          signal: giveUp.signal,
        });
        const reader = response.body!.getReader();
        let text = "";
        while (!text.includes("[DONE]")) text += Buffer.from((await reader.read()).value).toString();
        let ended = false;
        const rest = reader.read().finally(() => (ended = true));
        await test.ask("GET", "/v1/models");
        const [stream] = test.gateway.requests.filter(({ path }) => path === "/v1/chat/completions");
        assert.deepEqual([ended, stream!.ms], [false, undefined]);
        giveUp.abort();
        await assert.rejects(rest);
      },
    },
  ],
  "task.restart": [
    {
      value: 3_000,
      before: made,
      async shows(test, taskId, clock) {
        const waiting = clock.waiting;
        await assert.rejects(read(test, taskId));
        while (clock.waiting === waiting) await new Promise((resolve) => setImmediate(resolve));
        await whileAway(test);
        await clock.advance(3_000);
        for (let back; back !== 200;) back = (await read(test, taskId).catch(() => undefined))?.status;
        assert.equal(test.gateway.openHolds, 1);
      },
    },
  ],
  "task.key-rotated": [
    {
      value: "sk-local-another",
      before: made,
      async shows(test, taskId) {
        const old = test.gateway.key;
        const headers = { authorization: `Bearer ${old}` };
        refused(await read(test, taskId), 401, "invalid_api_key");
        refused(await test.ask("GET", `/v1/tasks/${taskId}`, undefined, { headers }), 401, "invalid_api_key");
        assert.equal(test.gateway.key, "sk-local-another");
        assert.equal((await read(test, taskId)).status, 200);
      },
    },
  ],
});

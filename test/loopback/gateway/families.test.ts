/** Each family on a real socket: where its requests go, with which key in which place, and in which form. */
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import type { ChatRequest } from "../../../src/domain/chat/message";
import type { Retry } from "../../../src/domain/ports";
import { collect, createHarness, failure, json, key, secretPrompt } from "./harness";

const messages: ChatRequest = {
  family: "messages",
  model: "vendor/m:1",
  messages: [{ role: "user", parts: [{ type: "text", text: secretPrompt }] }],
  tools: [{ name: "mcp.read", description: "Reads", parameters: { type: "object" } }],
};
const generate: ChatRequest = { ...messages, family: "generate-content" };
const chat: ChatRequest = { ...messages, family: "chat-completions" };

const stream = (response: ServerResponse, ...values: unknown[]): void => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join(""));
};
const hi = { candidates: [{ content: { parts: [{ text: "Hi" }] }, finishReason: "STOP" }] };

describe("httpGateway: families", () => {
  const { connect, start } = createHarness();

  it("S1: messages: path, version and key, and tools by the names that they have here", async () => {
    const server = await start((response) =>
      stream(
        response,
        { type: "message_start", message: { id: "m" } },
        { type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "t", name: "mcp_read" } },
        { type: "message_delta", delta: { stop_reason: "tool_use" } },
        { type: "message_stop" },
      ),
    );
    const events = await collect(connect(server.url).streamChat(messages));
    assert.deepEqual(
      events.flatMap((event) => (event.type === "tool-call-start" ? [event.name] : [])),
      ["mcp.read"],
    );
    const { url, headers, body } = server.received[0]!;
    assert.deepEqual(
      [url, headers["anthropic-version"], headers.authorization, headers["x-api-key"]],
      ["/v1/messages", "2023-06-01", `Bearer ${key}`, undefined],
    );
    assert.equal((JSON.parse(body) as { model: string }).model, "vendor/m:1");
  });

  it("S1: generate content: the model in the path, segment by segment", async () => {
    const server = await start((response) => stream(response, hi));
    const events = await collect(connect(server.url).streamChat(generate));
    assert.deepEqual(events.at(-1), { type: "message-end", finish: "stop", raw: "STOP", cut: false });
    await collect(connect(`${server.url}/v1beta/`).streamChat({ ...generate, model: "models/gemini-x" }));
    assert.deepEqual(
      server.received.map(({ url }) => url),
      [
        "/v1/models/vendor/m%3A1:streamGenerateContent?alt=sse",
        "/v1beta/models/gemini-x:streamGenerateContent?alt=sse",
      ],
    );
  });

  it("S1: generate content: a model id that climbs the path is sent nowhere", async () => {
    const server = await start((response) => response.end());
    const climbing = { ...generate, model: "../../tasks" };
    assert.equal((await failure(collect(connect(server.url).streamChat(climbing)))).notSent, true);
    assert.equal(server.received.length, 0);
  });

  it("C2: sends the key in one place only, and not into the log when it stands in the address", async () => {
    const message = { type: "message", content: "Hi", stop_reason: "end_turn" };
    const server = await start((response, { url }) => stream(response, url === "/v1/messages" ? message : hi));
    await collect(
      connect(server.url, { chat: () => ({ messages: { authentication: "x-api-key" } }) }).streamChat(messages),
    );
    await collect(
      connect(server.url, { chat: () => ({ "generate-content": { authentication: "x-goog-api-key" } }) }).streamChat(
        generate,
      ),
    );
    await collect(
      connect(server.url, { chat: () => ({ "generate-content": { authentication: "query" } }) }).streamChat(generate),
    );
    assert.deepEqual(
      server.received.map(({ headers, url }) => [
        headers.authorization ??
          headers["x-api-key"] ??
          headers["x-goog-api-key"] ??
          new URL(url, "http://x").searchParams.get("key"),
        JSON.stringify([headers, url]).split(key).length - 1,
      ]),
      [
        [key, 1],
        [key, 1],
        [key, 1],
      ],
    );
  });

  it("S1, S6: generate content: a 404 that is not about the model tries the other prefix once, and remembers", async () => {
    const server = await start((response, { url }) => {
      if (url.startsWith("/v1beta/")) stream(response, hi);
      else
        json(response, 404, { error: { message: "Invalid URL (POST /v1/models/x)", type: "invalid_request_error" } });
    });
    const gateway = connect(server.url);
    const retries: Retry[] = [];
    await collect(gateway.streamChat(generate, undefined, { onRetry: (retry) => retries.push(retry) }));
    await collect(gateway.streamChat(generate));
    assert.deepEqual(
      server.received.map(({ url }) => url.split("/")[1]),
      ["v1", "v1beta", "v1beta"],
    );
    assert.deepEqual(
      retries.map(({ retry, delayMs, error }) => [retry, delayMs, error.status]),
      [[0, 0, 404]],
    );
  });

  it("S1, S6: generate content: a 404 about the model is told as it is", async () => {
    const server = await start((response) => json(response, 404, { error: { message: "The model x does not exist" } }));
    assert.equal((await failure(collect(connect(server.url).streamChat(generate)))).kind, "not-found");
    assert.equal(server.received.length, 1);
  });

  it("S1, S6: generate content: where neither prefix is known, the first answer is told", async () => {
    const server = await start((response, { url }) => response.writeHead(404).end(`nothing at ${url.split("/")[1]!}`));
    const error = await failure(collect(connect(server.url).streamChat(generate)));
    assert.deepEqual([error.firstBytes, server.received.length], ["nothing at v1", 2]);
  });

  it("S6: a 400 that names stream_options is asked again without, and so is the next", async () => {
    const server = await start((response, { body }) => {
      if (body.includes("stream_options")) json(response, 400, { error: { message: "Unknown field: stream_options" } });
      else stream(response, { choices: [{ delta: { content: "Hi" }, finish_reason: "stop" }] });
    });
    const gateway = connect(server.url);
    await collect(gateway.streamChat(chat));
    await collect(gateway.streamChat(chat));
    assert.deepEqual(
      server.received.map(({ body }) => body.includes("stream_options")),
      [true, false, false],
    );
  });

  it("S6: any other 400 is told at once", async () => {
    const server = await start((response) => json(response, 400, { error: { message: "No such parameter" } }));
    assert.equal((await failure(collect(connect(server.url).streamChat(chat)))).kind, "rejected");
    assert.equal(server.received.length, 1);
  });
});

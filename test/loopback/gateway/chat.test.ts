/** Streamed chat on real sockets: errors before and inside the stream, silence and stopping. */
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import type { ChatEvent } from "../../../src/domain/chat/chatEvent";
import type { ChatRequest } from "../../../src/domain/chat/message";
import { startOwnTime } from "../../support/ownTime";
import { collect, createHarness, failure, json, key, secretPrompt } from "./harness";

const chat: ChatRequest = {
  family: "chat-completions",
  model: "m",
  messages: [{ role: "user", parts: [{ type: "text", text: secretPrompt }] }],
  tools: [],
};

describe("httpGateway: chat", () => {
  const { connect, start } = createHarness();

  const hi = 'data: {"id":"c","choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\n';
  const end = 'data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
  const stream = (response: ServerResponse): ServerResponse =>
    response.writeHead(200, { "content-type": "text/event-stream", "x-request-id": "r" });

  it("S1: streams, and sends what the family wants", async () => {
    const server = await start((response) => stream(response).end(hi + end));
    const events = await collect(connect(server.url).streamChat(chat));
    assert.deepEqual(
      events.map(({ type }) => type),
      ["message-start", "text-delta", "message-end"],
    );
    const received = server.received[0]!;
    assert.equal(received.url, "/v1/chat/completions");
    assert.equal(received.headers.accept, "text/event-stream");
    assert.equal((JSON.parse(received.body) as { stream: boolean }).stream, true);
  });

  it("S3: rejects for what went wrong before the stream", async () => {
    const server = await start((response) =>
      json(response, 402, { error: { message: "empty", code: "insufficient_balance" } }),
    );
    assert.equal((await failure(collect(connect(server.url).streamChat(chat)))).kind, "insufficient-balance");
  });

  it("S4: tells status, content type, request id and first bytes of an answer that can't be read", async () => {
    const server = await start((response) =>
      response.writeHead(200, { "content-type": "text/html", "x-request-id": "r" }).end(`<html>${key}`),
    );
    const events = await collect(connect(server.url).streamChat(chat));
    assert.deepEqual(events[1], {
      type: "stream-error",
      error: {
        requestId: "r",
        contentType: "text/html",
        status: 200,
        kind: "malformed",
        message: "The answer is a web page, not a model's answer.",
        firstBytes: "<html>[key]",
      },
    });
  });

  it("S3, Q-E3: a socket that dies in the stream is an event, with the text kept", async () => {
    const server = await start((response) => {
      stream(response).write(hi, () => response.socket?.destroy());
    });
    const events = await collect(connect(server.url).streamChat(chat));
    assert.deepEqual(
      events.map(({ type }) => type),
      ["message-start", "text-delta", "stream-error", "message-end"],
    );
    const error = events[2]?.type === "stream-error" ? events[2].error : undefined;
    assert.deepEqual([error?.kind, error?.requestId], ["unreachable", "r"]);
    assert.deepEqual(events.at(-1), { type: "message-end", finish: "error", cut: true });
  });

  it("C4: silence in the stream is timed-out; comments are life", async () => {
    const attempt = async (pause: number): Promise<number> => {
      let comments = 0;
      const server = await start((response) => {
        stream(response).write(hi);
        const timer = setInterval(() => {
          comments += 1;
          if (comments < 6) response.write(": alive\n\n");
          else clearInterval(timer);
        }, pause);
        response.once("close", () => clearInterval(timer));
      });
      const events = await collect(connect(server.url, { limits: { silence: 4 * pause } }).streamChat(chat));
      const error = events.at(-2);
      assert.equal(error?.type === "stream-error" && error.error.kind, "timed-out");
      return comments;
    };
    // A busy machine may hold a comment up for longer than the limit, which is therefore longer in each attempt.
    const pauses = [40, 80, 160, 320, 640, 1280, 2560];
    for (const pause of pauses) if ((await attempt(pause)) === 6) return;
    assert.fail("no answer with comments outlasted the limit");
  });

  it("S5: an abort closes the socket within 100 ms and ends as an abort", async () => {
    const closed = Promise.withResolvers<undefined>();
    const server = await start((response, _received, request) => {
      request.socket.once("close", () => closed.resolve(undefined));
      stream(response).write(hi);
    });
    const controller = new AbortController();
    const events: ChatEvent[] = [];
    let sinceAbort: (() => number) | undefined;
    await assert.rejects(
      async () => {
        for await (const event of connect(server.url).streamChat(chat, controller.signal)) {
          events.push(event);
          if (event.type !== "text-delta") continue;
          sinceAbort = startOwnTime();
          controller.abort();
        }
      },
      { name: "AbortError" },
    );
    assert.equal(events.at(-1)?.type, "message-end");
    await closed.promise;
    assert.ok(sinceAbort && sinceAbort() <= 100);
  });

  it("S5: an abort before the answer closes the socket too", async () => {
    const closed = Promise.withResolvers<undefined>();
    const controller = new AbortController();
    let sinceAbort: (() => number) | undefined;
    const server = await start((_response, _received, request) => {
      request.socket.once("close", () => closed.resolve(undefined));
      sinceAbort = startOwnTime();
      controller.abort();
    });
    await assert.rejects(collect(connect(server.url).streamChat(chat, controller.signal)), { name: "AbortError" });
    await closed.promise;
    assert.ok(sinceAbort && sinceAbort() <= 100);
  });

  it("S3, Q-F17: [DONE] ends the answer although the server keeps the connection, and lets it go", async () => {
    const closed = Promise.withResolvers<undefined>();
    const server = await start((response, _received, request) => {
      request.socket.once("close", () => closed.resolve(undefined));
      stream(response).write(hi + end);
    });
    assert.equal((await collect(connect(server.url).streamChat(chat))).at(-1)?.type, "message-end");
    await closed.promise;
  });
});

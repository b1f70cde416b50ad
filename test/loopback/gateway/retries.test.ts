/** Chat requests that are tried again: only while nothing was produced, for about 90 s where the gateway is overloaded, and each time the listener is called (S6, A11). */
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import type { Clock } from "../../../src/base/clock";
import type { ChatRequest } from "../../../src/domain/chat/message";
import type { Retry } from "../../../src/domain/ports";
import { until } from "../../support/builders";
import { collect, createHarness, failure, json, secretPrompt } from "./harness";
import { closedPort } from "./rawServer";

const chat: ChatRequest = {
  family: "chat-completions",
  model: "m",
  messages: [{ role: "user", parts: [{ type: "text", text: secretPrompt }] }],
  tools: [],
};

/** A clock that never waits, and what it was asked to wait. */
function createImpatientClock(): Clock & { readonly waits: number[] } {
  const waits: number[] = [];
  return {
    waits,
    now: () => 0,
    delay: (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
  };
}

describe("httpGateway: retries of a chat request", () => {
  const { connect, start, startSockets } = createHarness();
  const hi = 'data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
  const stream = (response: ServerResponse): ServerResponse =>
    response.writeHead(200, { "content-type": "text/event-stream" });
  const error = (code: string): string => `data: {"error":{"message":"busy","code":"${code}"}}\n\n`;

  /** Answers with each in turn, the last one again and again. */
  const inTurn = (...answers: ((response: ServerResponse) => void)[]): ((response: ServerResponse) => void) => {
    let turn = 0;
    return (response) => answers[Math.min(turn++, answers.length - 1)]?.(response);
  };
  const ok = (response: ServerResponse): void => void stream(response).end(hi);
  const status =
    (code: number, headers: Record<string, string> = {}, body: unknown = { error: { message: "no" } }) =>
    (response: ServerResponse): void =>
      json(response, code, body, headers);

  const run = async (...answers: ((response: ServerResponse) => void)[]) => {
    const server = await start(inTurn(...answers));
    const clock = createImpatientClock();
    const retries: Retry[] = [];
    const types: string[] = [];
    const gateway = connect(server.url, { clock });
    const failed = await (async () => {
      for await (const event of gateway.streamChat(chat, undefined, { onRetry: (retry) => retries.push(retry) })) {
        types.push(event.type);
      }
    })().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return { requests: server.received.length, waits: clock.waits, retries, types, failed };
  };
  const answered = ["message-start", "text-delta", "message-end"];

  it("S6: tries again for a server that failed, and tells each time", async () => {
    const { requests, waits, retries, types } = await run(status(503), status(529), ok);
    assert.deepEqual([requests, waits, types], [3, [1500, 3000], answered]);
    assert.deepEqual(
      retries.map(({ retry, delayMs, error: cause }) => [retry, delayMs, cause.status]),
      [
        [1, 1500, 503],
        [2, 3000, 529],
      ],
    );
  });

  it("S6, A11: gives up after six retries over 90 s, less what chance takes off", async () => {
    for (const code of [429, 500, 529]) {
      const { requests, failed, waits } = await run(status(code));
      assert.equal(requests, 7);
      assert.deepEqual(waits, [1500, 3000, 6000, 12_000, 22_500, 22_500]);
      assert.match(String(failed), /no/);
    }
  });

  it("S6 (field 11): an answer with nothing but a part that no reader knows is requested, and paid, only once", async () => {
    for (const delta of [
      { images: [{ url: "https://cdn.example/1.png" }] },
      { content: [{ type: "hologram", id: 1 }] },
    ]) {
      const body = `data: ${JSON.stringify({ choices: [{ delta, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`;
      const { requests, types } = await run((response) => void stream(response).end(body), ok);
      assert.deepEqual([requests, types], [1, answered]);
    }
  });

  it("S6, A11: an answer with nothing in it is asked for once more, and what it took is told", async () => {
    const usage = { prompt_tokens: 90, completion_tokens: 10 };
    const nothing = `data: {"choices":[{"delta":{"role":"assistant"},"finish_reason":"stop"}],"usage":${JSON.stringify(usage)}}\n\ndata: [DONE]\n\n`;
    const empty = (response: ServerResponse): void => void stream(response).end(nothing);
    const mended = await run(empty, ok);
    assert.deepEqual([mended.requests, mended.types], [2, answered]);
    assert.deepEqual(
      mended.retries.map(({ usage: took, error: { message } }) => [took?.input, took?.output, message]),
      [[90, 10, "The answer is empty."]],
    );
    const twice = await run(empty, empty, ok);
    assert.deepEqual([twice.requests, twice.types], [2, ["message-start", "usage", "message-end"]]);
    // A reason that announces calls, of which none came, is the end of an answer like any other.
    const announced = (response: ServerResponse): void =>
      void stream(response).end(nothing.replace("stop", "tool_calls"));
    assert.deepEqual([(await run(announced, ok)).requests, (await run(announced, announced, ok)).requests], [2, 2]);
    // At the limit of its output the model has thought: the same request would end the same way.
    const length = (response: ServerResponse): void => void stream(response).end(nothing.replace("stop", "length"));
    assert.equal((await run(length, ok)).requests, 1);
  });

  it("S6: waits as long as the service asks, but not longer than a minute", async () => {
    assert.deepEqual((await run(status(429, { "retry-after": "7" }), ok)).waits, [7000]);
    assert.deepEqual((await run(status(429, { "retry-after-ms": "20" }), ok)).waits, [20]);
    assert.equal((await run(status(429, { "retry-after": "61" }), ok)).requests, 1);
  });

  it("S6: obeys x-should-retry both ways", async () => {
    assert.equal((await run(status(500, { "x-should-retry": "false" }), ok)).requests, 1);
    assert.equal((await run(status(400, { "x-should-retry": "true" }), ok)).requests, 2);
  });

  it("S6: does not try what trying can't mend", async () => {
    for (const code of [400, 401, 402, 403, 404, 413, 422, 501]) {
      assert.equal((await run(status(code), ok)).requests, 1, String(code));
    }
    const noMoney = { error: { message: "no", code: "insufficient_user_quota" } };
    assert.equal((await run(status(429, {}, noMoney), ok)).requests, 1);
    // Not even where the service asks for it: a retry finds the same balance.
    assert.equal((await run(status(402, { "x-should-retry": "true" }), ok)).requests, 1);
  });

  it("S6, Q-R7: an error before anything else in the stream is tried again, and the first try leaves no trace", async () => {
    const { requests, types } = await run((response) => stream(response).end(error("overloaded_error")), ok);
    assert.deepEqual([requests, types], [2, answered]);
  });

  it("S6, Q-R5: an error after text is told, never tried again", async () => {
    const half = 'data: {"choices":[{"delta":{"content":"Half"}}]}\n\n';
    const { requests, types } = await run((response) => stream(response).end(half + error("overloaded_error")), ok);
    assert.deepEqual([requests, types], [1, ["message-start", "text-delta", "stream-error", "message-end"]]);
  });

  it("S6, Q-R7: an error that stays is told as the stream's own", async () => {
    const { requests, types } = await run((response) => stream(response).end(error("overloaded_error")));
    assert.deepEqual([requests, types], [7, ["message-start", "stream-error", "message-end"]]);
  });

  it("S6, Q-F16: an answer without a byte is tried again", async () => {
    assert.deepEqual((await run((response) => stream(response).end(), ok)).types, answered);
  });

  it("S6, Q-F16: a socket that dies before the first event is tried again", async () => {
    const { requests, types } = await run(
      (response) => void stream(response).write(": alive\n\n", () => response.socket?.destroy()),
      ok,
    );
    assert.deepEqual([requests, types], [2, answered]);
  });

  it("S6: a refused connection is tried twice again", async () => {
    const clock = createImpatientClock();
    const refused = await failure(collect(connect(await closedPort(), { clock }).streamChat(chat)));
    assert.deepEqual([refused.code, clock.waits.length], ["ECONNREFUSED", 2]);
  });

  it("S6: what took too long is tried once again, for it may have been charged", async () => {
    let requests = 0;
    const server = await startSockets((socket) => socket.once("data", () => (requests += 1)));
    const gateway = connect(server.url, { clock: createImpatientClock(), limits: { firstByte: 60 } });
    assert.equal((await failure(collect(gateway.streamChat(chat)))).kind, "timed-out");
    // The client may give up before the server has read what it was sent.
    await until(() => requests === 2);
  });

  it("S6: what took too long behind the gateway is tried once again too, also where another failure came in between", async () => {
    for (const code of [504, 524]) assert.equal((await run(status(code))).requests, 2, String(code));
    const inStream = (response: ServerResponse): void => void stream(response).end('data: {"error":{"code":504}}\n\n');
    assert.equal((await run(inStream)).requests, 2);
    assert.equal((await run((response) => stream(response).end(error("DEADLINE_EXCEEDED")))).requests, 2);
    assert.equal((await run(status(504), status(503), inStream, ok)).requests, 3);
  });

  it("S6: the wait ends with an abort", async () => {
    const server = await start(status(503, { "retry-after": "50" }));
    const controller = new AbortController();
    const events = connect(server.url).streamChat(chat, controller.signal, {
      onRetry: () => setImmediate(() => controller.abort()),
    });
    await assert.rejects(collect(events), { name: "AbortError" });
    assert.equal(server.received.length, 1);
  });
});

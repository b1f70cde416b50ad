/** Each request of a chat as it was sent and answered, on real sockets. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import type { ServerResponse } from "node:http";
import { Store } from "../../../src/base/store";
import { curl } from "../../../src/domain/words/requestReport";
import type { ChatRequest } from "../../../src/domain/chat/message";
import { defaultNetworkSettings } from "../../../src/domain/gateway/networkSettings";
import type { TracedRequest } from "../../../src/domain/chat/requestTrace";
import { until } from "../../support/builders";
import { chat, collect, createHarness, failure, json, key } from "./harness";

describe("the trace of a chat request", () => {
  const { connect, start } = createHarness();
  const stream =
    'data: {"id":"c","choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
  const answer = (response: ServerResponse): ServerResponse =>
    response.writeHead(200, { "content-type": "text/event-stream", "x-request-id": "req-2" }).end(stream);

  it("S4: a retry is a request of its own: what was sent, by which way, when, and what came back", async () => {
    let requests = 0;
    const server = await start((response) =>
      (requests += 1) === 1 ? json(response, 503, { error: { message: "busy" } }) : answer(response),
    );
    const traced: TracedRequest[] = [];
    const clock = { now: () => Date.now(), delay: () => Promise.resolve() };
    const gateway = connect(server.url, { clock });
    await collect(gateway.streamChat(chat, undefined, { onRequest: (request) => traced.push(request) }));
    const [first, second] = traced.map(({ trace }) => trace);
    assert.ok(first && second && traced.length === 2);
    assert.deepEqual([first.status, first.error?.kind], [503, "unavailable"]);
    assert.deepEqual([second.status, second.error, second.requestId], [200, undefined, "req-2"]);
    assert.equal(second.contentType, "text/event-stream");
    assert.deepEqual(second.way, { kind: "direct" });
    assert.equal(second.received.head, stream);
    assert.equal(second.received.bytes, stream.length);
    assert.equal(second.body, server.received[1]?.body);
    const { begun, connected = 0, responded = 0, firstByte = 0, lastByte = 0, ended = 0 } = second.times;
    const order = [begun, connected, responded, firstByte, lastByte, ended];
    assert.deepEqual(
      [...order].sort((a, b) => a - b),
      order,
    );
    assert.equal(JSON.stringify([first, second]).includes(key), false);
  });

  it("S4: a gateway that can't be reached: no connection, no byte, the error", async () => {
    const traced: TracedRequest[] = [];
    const clock = { now: () => 5, delay: () => Promise.resolve() };
    const gateway = connect("http://127.0.0.1:9", { clock });
    const asked = gateway.streamChat(chat, undefined, { onRequest: (request) => traced.push(request) });
    assert.equal((await failure(collect(asked))).kind, "unreachable");
    const trace = traced.at(-1)?.trace;
    assert.equal(trace?.error?.kind, "unreachable");
    assert.deepEqual(trace.times, { begun: 5, ended: 5 });
    assert.equal(trace.received.bytes, 0);
  });

  it("S4: a proxy is named by host and port, never with its user", async () => {
    const settings = new Store({ ...defaultNetworkSettings, proxy: "http://user:secret@127.0.0.1:9" });
    const traced: TracedRequest[] = [];
    const clock = { now: () => 5, delay: () => Promise.resolve() };
    const gateway = connect("https://gateway.example/v1", { clock, network: { settings, environment: {} } });
    const asked = gateway.streamChat(chat, undefined, { onRequest: (request) => traced.push(request) });
    assert.equal((await failure(collect(asked))).kind, "unreachable");
    assert.deepEqual(traced[0]?.trace.way, { kind: "proxy", proxy: "127.0.0.1:9" });
    assert.equal(JSON.stringify(traced[0].trace).includes("secret"), false);
  });

  it("S5, S4: a stopped request has ended, and keeps what had arrived", async () => {
    const server = await start((response) =>
      response.writeHead(200).write(stream.slice(0, stream.indexOf("data: [D"))),
    );
    const stop = new AbortController();
    const traced: TracedRequest[] = [];
    const events = connect(server.url).streamChat(chat, stop.signal, { onRequest: (request) => traced.push(request) });
    await assert.rejects(async () => {
      for await (const event of events) if (event.type === "text-delta") stop.abort();
    });
    await until(() => traced[0]?.trace.times.ended !== undefined);
    assert.match(traced[0]?.trace.received.head ?? "", /"Hi"/);
  });

  for (const family of ["chat-completions", "messages", "generate-content"] as const) {
    it(`S4: ${family}: the request as curl is the one that was sent`, async function () {
      if (process.platform === "win32") this.skip();
      const server = await start((response) => json(response, 400, { error: { message: "no" } }));
      const traced: TracedRequest[] = [];
      const request: ChatRequest = { ...chat, family };
      const listener = { onRequest: (one: TracedRequest) => void traced.push(one) };
      await failure(collect(connect(server.url).streamChat(request, undefined, listener)));
      const trace = traced.at(-1)?.trace;
      const sent = server.received.at(-1);
      assert.ok(trace && sent);
      // The shell's own `printf` in place of curl: each argument, ended by a NUL.
      const script = curl(trace).replace(/^curl/, String.raw`printf '%s\0'`);
      const [url = "", ...rest] = execFileSync("sh", ["-c", script], { env: { SLUICE_API_KEY: key } })
        .toString()
        .split("\0");
      assert.equal(new URL(url).pathname + new URL(url).search, sent.url);
      const headers = rest.flatMap((argument, at) => (rest[at - 1] === "-H" ? [argument.split(": ")] : []));
      for (const [name = "", value] of headers) assert.equal(sent.headers[name.toLowerCase()], value, name);
      assert.ok(headers.some(([, value]) => value?.includes(key)));
      assert.equal(rest[rest.indexOf("--data-raw") + 1], sent.body);
    });
  }
});

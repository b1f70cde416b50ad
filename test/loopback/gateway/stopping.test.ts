/** Stop, in every phase of a request: it ends at once, and so does its socket; nothing more of it is sent (S5). */
import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { definedFields } from "../../../src/base/definedFields";
import { Store } from "../../../src/base/store";
import { defaultNetworkSettings } from "../../../src/domain/gateway/networkSettings";
import type { Gateway } from "../../../src/domain/ports";
import { startOwnTime } from "../../support/ownTime";
import { chat, collect, createHarness, type EndpointOptions } from "./harness";
import { serveProxy, serveTls, testsOnlyCa } from "./proxyServer";
import { serveSocks } from "./socksServer";

/** A server and what comes to it. */
interface Watched {
  readonly port: number;
  readonly bytes: () => string;
  /** Resolves when the request has come as far as the test wants it. */
  readonly reached: Promise<unknown>;
  /** Resolves with the time when the first socket closed. */
  readonly closed: Promise<unknown>;
}

describe("httpGateway: stopping", () => {
  const { connect, startSockets } = createHarness();
  const closing: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of closing.splice(0)) await one.close();
  });

  /** `reachedAt` says whether the phase is reached with what came. Silent unless `answer` speaks. */
  const watch = async (reachedAt: (bytes: string) => boolean, answer?: (socket: Socket) => void): Promise<Watched> => {
    const reached = Promise.withResolvers<undefined>();
    const closed = Promise.withResolvers<undefined>();
    let bytes = "";
    const { url } = await startSockets((socket) => {
      socket.on("data", (piece: Buffer) => {
        bytes += piece.toString("latin1");
        answer?.(socket);
        if (reachedAt(bytes)) reached.resolve(undefined);
      });
      socket.on("close", () => closed.resolve(undefined));
    });
    return { port: Number(new URL(url).port), bytes: () => bytes, reached: reached.promise, closed: closed.promise };
  };

  const through = (proxy?: string): EndpointOptions => ({
    network: {
      settings: new Store({ ...defaultNetworkSettings, ...definedFields({ proxy }) }),
      environment: { NODE_EXTRA_CA_CERTS: testsOnlyCa() },
    },
    limits: { connect: 20_000, firstByte: 20_000, silence: 20_000, read: 20_000 },
  });

  type Call = readonly [string, (gateway: Gateway, signal: AbortSignal) => Promise<unknown>];
  const calls: readonly Call[] = [
    ["chat", (gateway, signal) => collect(gateway.streamChat(chat, signal))],
    ["a task", (gateway, signal) => gateway.createTask("{}", signal)],
    ["a read", (gateway, signal) => gateway.getTask("t", signal)],
  ];

  const stop = async (call: Call, url: string, options: EndpointOptions, phase: Watched): Promise<void> => {
    const controller = new AbortController();
    const asked = assert.rejects(call[1](connect(url, options), controller.signal), { name: "AbortError" });
    await phase.reached;
    const sinceAbort = startOwnTime();
    controller.abort();
    await asked;
    assert.ok(sinceAbort() <= 100, "the request went on");
    await phase.closed;
    assert.ok(sinceAbort() <= 100, "the socket stayed");
  };

  for (const call of calls) {
    const [name] = call;
    it(`S5: ${name} while TLS is being agreed on`, async () => {
      const server = await watch((bytes) => bytes.length > 0);
      await stop(call, `https://0.0.0.0:${server.port}`, through(), server);
    });

    it(`S5: ${name} while a proxy thinks about CONNECT`, async () => {
      const proxy = await watch((bytes) => bytes.endsWith("\r\n\r\n"));
      await stop(call, "https://gateway.test", through(`http://127.0.0.1:${proxy.port}`), proxy);
      assert.match(proxy.bytes(), /^CONNECT gateway\.test:443 /);
    });

    it(`S5: ${name} while a proxy agrees on TLS`, async () => {
      const proxy = await watch((bytes) => bytes.length > 0);
      await stop(call, "https://gateway.test", through(`https://127.0.0.1:${proxy.port}`), proxy);
    });

    it(`S5: ${name} while a SOCKS proxy thinks`, async () => {
      const proxy = await watch((bytes) => bytes.length > 0);
      await stop(call, "https://gateway.test", through(`socks5://127.0.0.1:${proxy.port}`), proxy);
    });

    it(`S5: ${name} while TLS is being agreed on inside a tunnel`, async () => {
      for (const scheme of ["http", "socks5"] as const) {
        const server = await watch((bytes) => bytes.length > 0);
        const proxy = await (scheme === "http" ? serveProxy() : serveSocks());
        closing.push(proxy);
        const address = `${scheme}://127.0.0.1:${proxy.port}`;
        await stop(call, `https://gateway.test:${server.port}`, through(address), server);
      }
    });

    it(`S5: ${name} before the first byte of the answer`, async () => {
      const server = await watch((bytes) => bytes.includes("\r\n\r\n"));
      await stop(call, `http://127.0.0.1:${server.port}`, through(), server);
    });

    it(`S5: ${name} in the middle of the answer's headers, and of its body`, async () => {
      for (const answer of [
        "HTTP/1.1 200 OK\r\ncontent-",
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n: hi\n\n",
      ]) {
        const written = Promise.withResolvers<undefined>();
        const server = await watch(
          () => false,
          (socket) => socket.write(answer, () => written.resolve(undefined)),
        );
        const phase = { ...server, reached: written.promise };
        await stop(call, `http://127.0.0.1:${server.port}`, through(), phase);
      }
    });
  }

  it("S5: while a name is looked up", async () => {
    const controller = new AbortController();
    const asked = connect("https://gateway.invalid", through()).createTask("{}", controller.signal);
    const sinceAbort = startOwnTime();
    controller.abort();
    await assert.rejects(asked, { name: "AbortError" });
    assert.ok(sinceAbort() <= 100);
  });

  it("S5: of two that wait for one connection, the other goes on", async () => {
    const server = await serveTls((_, response) =>
      response.writeHead(200, { "content-type": "application/json" }).end('{"task_id":"t","status":3}'),
    );
    closing.push(server);
    const gateway = connect(`https://0.0.0.0:${server.port}`, through());
    const controller = new AbortController();
    const stopped = assert.rejects(gateway.getTask("t", controller.signal), { name: "AbortError" });
    const other = gateway.getTask("t");
    controller.abort();
    const later = gateway.getTask("t");
    await stopped;
    for (const { rawStatus } of [await other, await later]) assert.equal(rawStatus, "3");
  });
});

/** The editor's fetch as the other way out: when it is tried, what is remembered, and that it keeps the same limits. */
import assert from "node:assert/strict";
import { Store } from "../../../src/base/store";
import { describeError } from "../../../src/domain/words/describeError";
import type { Gateway } from "../../../src/domain/ports";
import { defaultNetworkSettings, type NetworkSettings } from "../../../src/domain/gateway/networkSettings";
import type { Limits } from "../../../src/gateway/http/network/wire";
import { answerName, restoreNames } from "../../support/nameAnswers";
import { startOwnTime } from "../../support/ownTime";
import { chat, createHarness, failure, json, key } from "./harness";
import { closedPort, type TestServer } from "./rawServer";
import { serveTls } from "./proxyServer";

/** It has no address, so undici gets no connection. */
const origin = "https://gateway.invalid";
const hi = 'data: {"id":"c","choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\n';

describe("httpGateway: the editor's fetch", () => {
  const { connect, lines, start } = createHarness();
  const nodeFetch = globalThis.fetch;
  const written = new Map<string, number>();
  const noon = Date.UTC(2026, 10, 21, 12);
  let time = noon;
  let fetched: string[] = [];
  beforeEach(() => {
    // The machine's own name server may take seconds to say so.
    answerName("gateway.invalid", undefined);
    written.clear();
    fetched = [];
    time = noon;
  });
  afterEach(() => {
    globalThis.fetch = nodeFetch;
    restoreNames();
  });

  /** Replaces the editor's `fetch`, which may reach hosts that undici can't: each request goes to `url`. */
  const leadTo = (url: string): void => {
    globalThis.fetch = (input, init) => {
      const asked = input instanceof Request ? input.url : String(input);
      fetched.push(asked);
      return nodeFetch(asked.replace(/^https:\/\/[^/]+/, url), init);
    };
  };
  const settings = (more: Partial<NetworkSettings>): Store<NetworkSettings> =>
    new Store({ ...defaultNetworkSettings, ...more });
  const open = (url = origin, limits: Partial<Limits> = {}, network = settings({})): Gateway =>
    connect(url, {
      clock: { now: () => time, delay: () => Promise.resolve() },
      limits: { connect: 20_000, firstByte: 5000, read: 5000, silence: 5000, ...limits },
      network: {
        settings: network,
        environment: {},
        remembered: {
          read: (one) => written.get(one),
          write: (one, since) => written.set(one, since),
          forget: (one) => (one === undefined ? written.clear() : written.delete(one)),
        },
      },
    });
  const trials = (): number => lines.filter(({ message }) => message.includes("trying the editor's")).length;

  it("C4, T1: a task that no connection could be made for goes once through the editor's fetch, which is remembered", async () => {
    const server = await start((response) => json(response, 202, { task_id: "t" }, { "x-request-id": "r" }));
    const gateway = open();
    leadTo(server.url);
    assert.equal((await gateway.createTask('{"a":1}')).taskId, "t");
    assert.deepEqual([fetched.length, server.received.length, trials()], [1, 1, 1]);
    const [received] = server.received;
    assert.deepEqual([received?.method, received?.url, received?.body], ["POST", "/v1/tasks", '{"a":1}']);
    assert.equal(received?.headers.authorization, `Bearer ${key}`);
    assert.deepEqual([...written], [[origin, noon]]);
    // From now on straight through it, for another client too.
    await open().createTask("{}");
    assert.deepEqual([fetched.length, trials()], [2, 1]);
  });

  it("C4: what is remembered is told once, and tried anew after a day", async () => {
    const server = await start((response) => json(response, 202, { task_id: "t" }));
    leadTo(server.url);
    written.set(origin, noon - 86_400_000);
    const gateway = open();
    await gateway.createTask("{}");
    await gateway.createTask("{}");
    const said = lines.filter(({ message }) => message.includes("as it was found"));
    assert.deepEqual(
      said.map(({ facts }) => facts),
      [{ host: "gateway.invalid", since: "2026-11-20T12:00:00.000Z" }],
    );
    assert.equal(trials(), 0);
    time += 1;
    await gateway.createTask("{}");
    assert.deepEqual([fetched.length, trials(), written.get(origin)], [3, 1, time]);
  });

  it("C4: what is remembered is forgotten when the network settings change, for every origin", async () => {
    const server = await start((response) => json(response, 202, { task_id: "t" }));
    leadTo(server.url);
    written.set("https://other.invalid", noon);
    const network = settings({});
    const gateway = open(origin, {}, network);
    await gateway.createTask("{}");
    network.set({ ...network.current, noProxy: ["a"] });
    assert.equal(written.size, 0);
    await gateway.createTask("{}");
    assert.deepEqual([trials(), [...written.keys()]], [2, [origin]]);
  });

  it("C4, T1: a remembered way that sent nothing is forgotten, and the request goes by ours", async () => {
    const server = await serveTls((_request, response) => json(response, 202, { task_id: "t" }));
    const url = `https://0.0.0.0:${server.port}`;
    leadTo(await closedPort());
    written.set(url, noon);
    const error = await failure(open(url).createTask("{}"));
    await server.close();
    // Ours got as far as the certificate.
    assert.match(error.message, /certificate is not trusted/);
    assert.deepEqual([error.notSent, fetched.length, written.size], [true, 1, 0]);
  });

  it("C4, T1: a remembered way that broke after it may have sent is forgotten, and the request not sent again", async () => {
    const server = await start((response) => response.destroy());
    leadTo(server.url);
    written.set(origin, noon);
    const error = await failure(open().createTask("{}"));
    assert.deepEqual([error.notSent, server.received.length, written.size, trials()], [undefined, 1, 0, 0]);
  });

  it("C4: where the editor adds nothing to its fetch, it is not tried, remembered or not", async () => {
    leadTo((await start((response) => json(response, 202, { task_id: "t" }))).url);
    written.set(origin, noon);
    const error = await failure(open(origin, {}, settings({ editorFetch: false })).createTask("{}"));
    assert.deepEqual([error.notSent, fetched], [true, []]);
  });

  it("C4: an error answer has reached the gateway as well, and is read like any other", async () => {
    const server = await start((response) =>
      json(response, 402, { error: { message: `empty ${key}` } }, { "x-request-id": "r" }),
    );
    leadTo(server.url);
    const error = await failure(open().createTask("{}"));
    assert.deepEqual([error.kind, error.status, error.requestId], ["insufficient-balance", 402, "r"]);
    assert.doesNotMatch(error.message, /canary/);
    assert.deepEqual([...written], [[origin, noon]]);
  });

  it("C4: what also fails there keeps the first reason, and is not remembered", async () => {
    leadTo(await closedPort());
    const error = await failure(open().createTask("{}"));
    assert.match(error.code ?? "", /ENOTFOUND|EAI_AGAIN/);
    assert.deepEqual([error.notSent, fetched.length, written.size], [true, 1, 0]);
  });

  it("C4, T1: what breaks there after it may have been sent is not called unsent, and not sent again", async () => {
    const server = await start((response) => response.destroy());
    leadTo(server.url);
    const error = await failure(open().createTask("{}"));
    assert.deepEqual([error.kind, error.notSent, server.received.length], ["unreachable", undefined, 1]);
  });

  it("C4, T1: what says nothing there keeps the first reason, but not that nothing was sent", async () => {
    globalThis.fetch = () => Promise.reject(new TypeError("fetch failed", { cause: new Error("cancelled") }));
    const error = await failure(open().createTask("{}"));
    assert.match(error.message, /host name/);
    assert.equal(error.notSent, undefined);
  });

  it("C4, T1: what may have been sent already, and this machine, are never tried there", async () => {
    leadTo(await closedPort());
    const server = await start((response) => response.destroy());
    assert.equal((await failure(open(server.url).createTask("{}"))).notSent, undefined);
    assert.equal((await failure(open(await closedPort()).createTask("{}"))).notSent, true);
    assert.deepEqual(fetched, []);
  });

  it("T8, C4 (findings H6b, H16): a result's address is never fetched there, whatever its name leads to next, nor remembered", async () => {
    const inside = await start((response) => response.end("secret"));
    leadTo(inside.url);
    const { port } = new URL(inside.url);
    for (const answers of [[undefined, "127.0.0.1"], ["127.0.0.1"]]) {
      const url = `http://results.example:${port}/a.png`;
      for (const isRemembered of [false, true]) {
        answerName("results.example", ...answers);
        if (isRemembered) written.set(new URL(url).origin, noon);
        const before = [...written];
        const error = await failure(open().downloadAsset(url));
        assert.deepEqual([error.code, error.notSent], ["SLUICE_PRIVATE_ADDRESS", true]);
        assert.deepEqual([fetched, inside.received, [...written]], [[], [], before]);
      }
      written.clear();
    }
  });

  it("T8, C4: where only VS Code's fetch gets out, a result that can't be reached says that http.proxy must be set", async () => {
    const server = await start((response) => json(response, 202, { task_id: "t" }));
    leadTo(server.url);
    const gateway = open();
    const url = "https://results.example/a.png";
    answerName("results.example", undefined);
    assert.equal((await failure(gateway.downloadAsset(url))).code, "ENOTFOUND");
    await gateway.createTask("{}");
    answerName("results.example", undefined);
    const error = await failure(gateway.downloadAsset(url));
    assert.deepEqual([error.kind, error.notSent, fetched.length], ["unreachable", true, 1]);
    assert.match(describeError(error, "result").title, /Name your proxy in the setting http\.proxy\.$/);
  });

  it("C4: a certificate that is not trusted is no reason to try there", async () => {
    const server = await serveTls((_request, response) => response.end());
    const elsewhere = await start((response) => json(response, 202, { task_id: "t" }));
    leadTo(elsewhere.url);
    // 0.0.0.0 leads to this machine without being one of its names.
    const error = await failure(open(`https://0.0.0.0:${server.port}`).createTask("{}"));
    await server.close();
    assert.match(error.message, /certificate is not trusted/);
    assert.deepEqual([fetched, elsewhere.received], [[], []]);
  });

  it("C4: an abort before the fallback sends nothing there", async () => {
    leadTo(await closedPort());
    const stop = new AbortController();
    const asked = open().createTask("{}", stop.signal);
    stop.abort();
    await assert.rejects(asked, { name: "AbortError" });
    assert.deepEqual(fetched, []);
  });

  it("C4, S5: an abort closes the socket there within 100 ms, in a stream and before one", async () => {
    for (const begins of [true, false]) {
      const asked = Promise.withResolvers<undefined>();
      const closed = Promise.withResolvers<undefined>();
      const server = await start((response, _received, request) => {
        request.socket.once("close", () => closed.resolve(undefined));
        if (begins) response.writeHead(200, { "content-type": "text/event-stream" }).write(hi);
        else asked.resolve(undefined);
      });
      leadTo(server.url);
      const stop = new AbortController();
      const read = async (): Promise<void> => {
        for await (const event of open().streamChat(chat, stop.signal)) {
          if (event.type === "text-delta") asked.resolve(undefined);
        }
      };
      const reading = assert.rejects(read(), { name: "AbortError" });
      await asked.promise;
      const sinceAbort = startOwnTime();
      stop.abort();
      await reading;
      await closed.promise;
      assert.ok(sinceAbort() <= 100);
    }
  });

  it("C4: the limits for the first byte and for silence hold there too", async () => {
    const mute = await start(() => undefined);
    leadTo(mute.url);
    const late = await failure(open(origin, { connect: 200, firstByte: 50 }).createTask("{}"));
    assert.deepEqual([late.kind, late.notSent, written.size], ["timed-out", undefined, 0]);

    const silent = await start((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(hi);
    });
    leadTo(silent.url);
    const events = [];
    for await (const event of open(origin, { silence: 100 }).streamChat(chat)) events.push(event);
    const broken = events.find((event) => event.type === "stream-error");
    assert.equal(broken?.error.kind, "timed-out");
    assert.ok(events.some((event) => event.type === "text-delta"));
  });

  it("C4, C2: a redirect is not followed there, so that the key goes nowhere else", async () => {
    const other: TestServer = await start((response) => response.end());
    const server = await start((response) => response.writeHead(307, { location: `${other.url}/x` }).end());
    leadTo(server.url);
    const error = await failure(open().createTask("{}"));
    assert.match(error.message, /redirects elsewhere \(status 307\)/);
    assert.deepEqual(other.received, []);
  });

  it("C4: a status that only a proxy gives is not taken for the gateway's", async () => {
    const server = await start((response) => response.writeHead(407).end());
    leadTo(server.url);
    await failure(open().createTask("{}"));
    assert.equal(written.size, 0);
  });
});

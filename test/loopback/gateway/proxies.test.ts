/** Proxies and certificates on real sockets: who is asked, what the proxy sees, and whose certificates count. */
import assert from "node:assert/strict";
import type { RequestListener, ServerResponse } from "node:http";
import { Store } from "../../../src/base/store";
import { defaultNetworkSettings as plain, type NetworkSettings } from "../../../src/domain/gateway/networkSettings";
import type { EnvironmentVariables } from "../../../src/gateway/http/network/proxyChoice";
import { chat, createHarness, failure, json, type EndpointOptions } from "./harness";
import { closedPort } from "./rawServer";
import { serveProxy, serveTls, testsOnlyCa, type TestProxy } from "./proxyServer";

const trusting: EnvironmentVariables = { NODE_EXTRA_CA_CERTS: testsOnlyCa() };
const models: RequestListener = (_request, response) => json(response, 200, { data: [{ id: "m" }] });

describe("httpGateway: proxies and certificates", () => {
  const { connect, lines, start } = createHarness();
  const closing: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of closing.splice(0)) await one.close();
  });
  const startTls = async (answer: RequestListener = models): Promise<number> => {
    const server = await serveTls(answer);
    closing.push(server);
    return server.port;
  };
  const startProxy = async (...args: Parameters<typeof serveProxy>): Promise<TestProxy> => {
    const proxy = await serveProxy(...args);
    closing.push(proxy);
    return proxy;
  };
  const over = (settings: Partial<NetworkSettings>, environment = trusting): EndpointOptions => ({
    network: { settings: new Store({ ...plain, ...settings }), environment },
    limits: { connect: 20_000 },
  });

  it("C4, C2: goes through the proxy of the settings, which sees its own password and nothing of the key", async () => {
    const port = await startTls();
    const proxy = await startProxy();
    const gateway = connect(`https://gateway.test:${port}`, over({ proxy: `http://me:50%25@127.0.0.1:${proxy.port}` }));
    assert.deepEqual(
      (await gateway.listModels()).map(({ id }) => id),
      ["m"],
    );
    const [asked] = proxy.asked;
    assert.deepEqual([proxy.asked.length, asked?.method, asked?.target], [1, "CONNECT", `gateway.test:${port}`]);
    assert.equal(asked?.headers["proxy-authorization"], `Basic ${Buffer.from("me:50%").toString("base64")}`);
    assert.equal(asked.headers.authorization, undefined);
    assert.ok(proxy.relayed.length > 0);
    assert.doesNotMatch(JSON.stringify(proxy.asked) + Buffer.concat(proxy.relayed).toString("latin1"), /canary/);
  });

  it("C4, R5: http.proxyAuthorization is for the proxy alone, in place of its address's password, and a new one at once", async () => {
    const served: string[] = [];
    const port = await startTls((request, response) => {
      served.push(JSON.stringify(request.headers));
      models(request, response);
    });
    const proxy = await startProxy();
    const address = `http://me:canary-pass@127.0.0.1:${proxy.port}`;
    const settings = new Store<NetworkSettings>({ ...plain, proxy: address, proxyAuthorization: "Basic canary-1" });
    const gateway = connect(`https://gateway.test:${port}`, { network: { settings, environment: trusting } });
    await gateway.listModels();
    settings.set({ ...plain, proxy: address, proxyAuthorization: "Basic canary-2" });
    await gateway.listModels();
    const { body } = await gateway.downloadAsset("http://results.example/a.png");
    for await (const piece of body) assert.equal(Buffer.from(piece).toString(), "by proxy");
    settings.set({ ...plain, proxy: `http://127.0.0.1:${proxy.port}` });
    await gateway.listModels();
    assert.deepEqual(
      proxy.asked.map(({ headers }) => headers["proxy-authorization"]),
      ["Basic canary-1", "Basic canary-2", "Basic canary-2", undefined],
    );
    assert.equal(served.length, 3);
    assert.doesNotMatch(served.join(), /proxy-|canary-[12p]/);
  });

  it("C4: with http.proxySupport off no proxy is asked, also not the environment's", async () => {
    const port = await startTls();
    const proxy = await startProxy();
    const address = `http://127.0.0.1:${proxy.port}`;
    const environment = { ...trusting, HTTPS_PROXY: address };
    await connect(`https://0.0.0.0:${port}`, over({ useProxy: false, proxy: address }, environment)).listModels();
    assert.equal(proxy.asked.length, 0);
  });

  it("C4: keeps the tunnel for the next requests, and opens a new one for each task", async () => {
    const port = await startTls((request, response) =>
      request.url === "/v1/tasks" ? json(response, 202, { task_id: "t" }) : models(request, response),
    );
    const proxy = await startProxy();
    const gateway = connect(`https://gateway.test:${port}`, over({ proxy: `127.0.0.1:${proxy.port}` }));
    for (let request = 0; request < 6; request++) await gateway.listModels();
    // A request that follows at once may find the connection of the one before still busy with its end.
    const kept = proxy.asked.length;
    assert.ok(kept <= 2, `${kept} tunnels for six requests`);
    await gateway.createTask("{}");
    await gateway.createTask("{}");
    assert.equal(proxy.asked.length, kept + 2);
  });

  it("C4: takes the proxy from the environment where the settings name none", async () => {
    const port = await startTls();
    const proxy = await startProxy();
    const environment = { ...trusting, https_proxy: `http://127.0.0.1:${proxy.port}` };
    await connect(`https://gateway.test:${port}`, over({}, environment)).listModels();
    assert.equal(proxy.asked.length, 1);
  });

  it("C4: what is excepted goes directly, by the settings or the environment", async () => {
    const port = await startTls();
    const proxy = await startProxy();
    const settings = { proxy: `http://127.0.0.1:${proxy.port}` };
    // 0.0.0.0 leads to this machine without being one of its names.
    await connect(`https://0.0.0.0:${port}`, over({ ...settings, noProxy: ["0.0.0.0"] })).listModels();
    await connect(`https://0.0.0.0:${port}`, over(settings, { ...trusting, NO_PROXY: `0.0.0.0:${port}` })).listModels();
    assert.equal(proxy.asked.length, 0);
    await connect(`https://0.0.0.0:${port}`, over({ ...settings, noProxy: ["0.0.0.0:1"] })).listModels();
    assert.equal(proxy.asked.length, 1);
  });

  it("C4, L1: this machine is never spoken to through a proxy", async () => {
    const server = await start((response) => json(response, 200, { data: [] }));
    const proxy = await startProxy();
    for (const url of [server.url, server.url.replace("127.0.0.1", "localhost")]) {
      await connect(url, over({ proxy: `http://127.0.0.1:${proxy.port}` })).listModels();
    }
    assert.deepEqual([proxy.asked.length, server.received.length], [0, 2]);
  });

  it("C4: a result at a plain http address is asked of the proxy in whole, without the key", async () => {
    const proxy = await startProxy();
    const gateway = connect("https://gateway.test", over({ proxy: `http://127.0.0.1:${proxy.port}` }));
    const { body } = await gateway.downloadAsset("http://results.example/a.png?b=c#d");
    for await (const piece of body) assert.equal(Buffer.from(piece).toString(), "by proxy");
    assert.deepEqual([proxy.asked[0]?.method, proxy.asked[0]?.target], ["GET", "http://results.example/a.png?b=c"]);
    assert.equal(proxy.asked[0]?.headers.host, "results.example");
    assert.doesNotMatch(JSON.stringify(proxy.asked), /canary/);
  });

  it("C4: a private certificate counts only when NODE_EXTRA_CA_CERTS names its issuer, with a proxy and without", async () => {
    const port = await startTls();
    const proxy = await startProxy();
    const through = { proxy: `http://127.0.0.1:${proxy.port}` };
    for (const [url, settings] of [
      [`https://0.0.0.0:${port}`, {}],
      [`https://gateway.test:${port}`, through],
    ] as const) {
      await connect(url, over(settings)).listModels();
      const error = await failure(connect(url, over(settings, {})).createTask("{}"));
      assert.deepEqual([error.kind, error.notSent], ["unreachable", true]);
      assert.match(error.message, /certificate is not trusted/);
    }
  });

  it("C4: a certificate for another host is refused inside the tunnel too", async () => {
    const port = await startTls();
    const proxy = await startProxy();
    const settings = { proxy: `http://127.0.0.1:${proxy.port}` };
    const error = await failure(connect(`https://other.test:${port}`, over(settings)).createTask("{}"));
    assert.match(error.message, /belongs to another host/);
    assert.equal(error.notSent, true);
  });

  it("C2, T8 (finding S10): a redirect down to plain http is not followed, also where the host is the same", async () => {
    const plainly = await start((response) => response.writeHead(200, { "content-type": "image/png" }).end("bytes"));
    const down = plainly.url.replace("127.0.0.1", "0.0.0.0");
    const keys: unknown[] = [];
    const port = await startTls((request, response) => {
      keys.push(request.headers.authorization);
      response.writeHead(302, { location: `${down}/b` }).end();
    });
    const download = connect(`https://0.0.0.0:${port}`, over({})).downloadAsset(`https://0.0.0.0:${port}/a`);
    assert.match((await failure(download)).message, /https: to http:/);
    assert.deepEqual([keys.length, typeof keys[0], plainly.received.length], [1, "string", 0]);
  });

  it("C4: a proxy over TLS; its own certificate alone may go unchecked, which is said once", async () => {
    const port = await startTls();
    const proxy = await startProxy({ tls: true });
    const [good, wrong] = [`https://localhost:${proxy.port}`, `https://127.0.0.1:${proxy.port}`];
    const url = `https://gateway.test:${port}`;
    await connect(url, over({ proxy: good })).listModels();

    const error = await failure(connect(url, over({ proxy: wrong })).createTask("{}"));
    assert.equal(error.notSent, true);
    assert.match(error.message, new RegExp(`through the proxy 127\\.0\\.0\\.1:${proxy.port}\\.$`));

    const lax = { proxy: wrong, strictProxyCertificates: false };
    const gateway = connect(url, over(lax));
    await gateway.listModels();
    await gateway.createTask("{}").catch(() => undefined);
    assert.equal(lines.filter(({ message }) => message.includes("not checked")).length, 1);
    // The gateway's is checked all the same.
    const untrusted = await failure(connect(url, over(lax, {})).createTask("{}"));
    assert.match(untrusted.message, /certificate is not trusted/);
  });

  it("C4: what goes wrong at the proxy names it, never its password, and sent nothing", async () => {
    const nobody = (await closedPort()).replace("http://", "");
    const cases = [
      [nobody, /^Nothing listens/],
      [`127.0.0.1:${(await startProxy({ answer: 407 })).port}`, /password are asked for \(status 407\)/],
      [`127.0.0.1:${(await startProxy({ answer: 403 })).port}`, /refused \(status 403\)/],
      [`127.0.0.1:${(await startProxy({ answer: "hang-up" })).port}`, /^The connection was closed before it stood,/],
    ] as const;
    for (const [proxy, words] of cases) {
      const error = await failure(
        connect("https://gateway.test", over({ proxy: `http://me:canary-pass@${proxy}` })).createTask("{}"),
      );
      assert.deepEqual([error.kind, error.notSent], ["unreachable", true], error.message);
      assert.match(error.message, words);
      assert.ok(error.message.endsWith(`, through the proxy ${proxy}.`), error.message);
      assert.doesNotMatch(error.message, /canary|me:/);
    }
  });

  it("C4: a proxy that takes CONNECT and falls silent is waited for no longer than a connection", async () => {
    const proxy = await startProxy({ answer: "silent" });
    const { network } = over({ proxy: `http://127.0.0.1:${proxy.port}` });
    const gateway = connect("https://gateway.test", { network: network!, limits: { connect: 100 } });
    const error = await failure(gateway.createTask("{}"));
    assert.deepEqual([error.kind, error.notSent], ["timed-out", true]);
    assert.match(error.message, /through the proxy/);
  });

  it("C4: a proxy that can't be used is said, without its password", async () => {
    for (const proxy of ["socks4://me:canary@proxy.test", "http://me:canary@:x/"]) {
      const error = await failure(connect("https://gateway.test", over({ proxy })).createTask("{}"));
      assert.deepEqual([error.kind, error.notSent], ["unreachable", true]);
      assert.match(error.message, /proxy/);
      assert.doesNotMatch(error.message, /canary/);
    }
  });

  it("C4: a change of settings in the middle of a stream cuts nothing, and counts for the next request", async () => {
    const hi = 'data: {"id":"c","choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\n';
    const end = 'data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
    let open: ServerResponse | undefined;
    const port = await startTls((request, response) => {
      if (request.url === "/v1/models") {
        models(request, response);
        return;
      }
      request.resume();
      open = response;
      open.writeHead(200, { "content-type": "text/event-stream" }).write(hi);
    });
    const [before, after] = [await startProxy(), await startProxy()];
    const settings = new Store<NetworkSettings>({ ...plain, proxy: `http://127.0.0.1:${before.port}` });
    const gateway = connect(`https://gateway.test:${port}`, { network: { settings, environment: trusting } });
    const types: string[] = [];
    for await (const event of gateway.streamChat(chat)) {
      types.push(event.type);
      if (event.type !== "text-delta") continue;
      settings.set({ ...plain, proxy: `http://127.0.0.1:${after.port}` });
      await gateway.listModels();
      assert.deepEqual([before.asked.length, after.asked.length], [1, 1]);
      open?.end(end);
    }
    assert.deepEqual(types, ["message-start", "text-delta", "message-end"]);
  });
});

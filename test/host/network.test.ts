/** The network settings of a real VS Code, followed by the extension that runs in it. */
import assert from "node:assert/strict";
import path from "node:path";
import * as vscode from "vscode";
import { createRememberedOrigins } from "../../src/vscode/network";
import { serveProxy, serveTls, testsOnlyCa, type TestProxy } from "../loopback/gateway/proxyServer";
import { eventually } from "../support/eventually";
import { type ExtensionInside, openExtension } from "../support/extensionApp";

const canary = "sk-canary-1f0c8d2e77";
const extraCertificates = "NODE_EXTRA_CA_CERTS";
// This file is dist/test/host/network.test.cjs.
const root = path.resolve(__dirname, "..", "..", "..");

/** Beside the times that the run of the tests has set. */
const times: unknown = JSON.parse(process.env["SLUICE_TIMES"] ?? "{}");
const setTimes = (more: object): void => {
  process.env["SLUICE_TIMES"] = JSON.stringify({ ...(times as object), ...more });
};

describe("network in VS Code", () => {
  let inside: ExtensionInside;
  const closing: { close(): Promise<void> }[] = [];
  const origins: string[] = [];
  const certificatesBefore = process.env[extraCertificates];
  const set = async (section: string, id: string, value: unknown): Promise<void> => {
    await vscode.workspace.getConfiguration(section).update(id, value, vscode.ConfigurationTarget.Global);
  };
  const models = () => inside.app.models.models.current;
  const problem = (): string => models().error?.message ?? "";
  const startProxy = async (answer: number): Promise<TestProxy> => {
    const proxy = await serveProxy({ answer });
    closing.push(proxy);
    return proxy;
  };
  const use = async (origin: string): Promise<void> => {
    origins.push(origin);
    await inside.keys.store(origin, canary);
    await set("sluice", "baseUrl", `${origin}/v1`);
  };
  /** Back at the local gateway, with nothing left of the one before. */
  const leave = async (): Promise<void> => {
    await set("sluice", "baseUrl", undefined);
    await eventually("the local gateway's models", () => {
      const now = inside.connections.current.current;
      return now.state === "ready" && now.local && problem() === "" && models().list.length > 0;
    });
  };
  before(async () => {
    inside = await openExtension();
  });
  afterEach(async () => {
    for (const id of ["proxy", "noProxy", "proxySupport", "proxyAuthorization", "fetchAdditionalSupport"]) {
      await set("http", id, undefined);
    }
    setTimes({});
    await leave();
    for (const origin of origins.splice(0)) await inside.keys.forget(origin);
    if (certificatesBefore === undefined) Reflect.deleteProperty(process.env, extraCertificates);
    else process.env[extraCertificates] = certificatesBefore;
    for (const one of closing.splice(0)) await one.close();
  });

  it("C4: http.proxy is asked for the gateway, a changed one from the next request on, and gets no key", async () => {
    const [first, second] = [await startProxy(403), await startProxy(403)];
    await set("http", "proxy", `http://127.0.0.1:${first.port}`);
    await use("https://gateway.invalid");
    await eventually("the first proxy", () => problem().includes(`through the proxy 127.0.0.1:${first.port}`));
    assert.match(problem(), /status 403/);

    await set("http", "proxy", `http://127.0.0.1:${second.port}`);
    await inside.app.models.load();
    assert.ok(problem().includes(`through the proxy 127.0.0.1:${second.port}`), problem());
    for (const { target, headers } of [...first.asked, ...second.asked]) {
      assert.equal(target, "gateway.invalid:443");
      assert.doesNotMatch(JSON.stringify(headers), /canary|authorization/i);
    }

    await set("http", "noProxy", ["gateway.invalid"]);
    await inside.app.models.load();
    assert.match(problem(), /host name/);
    assert.doesNotMatch(problem(), /proxy/);
  });

  it("C4, R5: http.proxyAuthorization reaches the proxy; with http.proxySupport off nobody does", async () => {
    const proxy = await startProxy(403);
    await set("http", "proxy", `http://127.0.0.1:${proxy.port}`);
    await set("http", "proxyAuthorization", "Basic bWU6cGFzcw==");
    await use("https://gateway.invalid");
    await eventually("the proxy's refusal", () => problem().includes("status 403"));
    const { length } = proxy.asked;
    // The editor's own fetch may have asked too, and sends what it likes.
    assert.equal(proxy.asked[0]?.headers["proxy-authorization"], "Basic bWU6cGFzcw==");

    await set("http", "proxySupport", "off");
    await inside.app.models.load();
    assert.match(problem(), /host name/);
    assert.equal(proxy.asked.length, length);
  });

  it("C4: a changed limit counts for the next request", async () => {
    const proxy = await serveProxy({ answer: "silent" });
    closing.push(proxy);
    await set("http", "proxy", `http://127.0.0.1:${proxy.port}`);
    // The editor's fetch would wait for its own time.
    await set("http", "fetchAdditionalSupport", false);
    setTimes({ connect: 1000 });
    await use("https://gateway.invalid");
    await eventually("the end of the wait", () => problem().includes("in time, through the proxy"));
    setTimes({ connect: 3000 });
    const started = performance.now();
    await inside.app.models.load();
    const waited = performance.now() - started;
    // Longer than the limit of before; a busy machine may add to it.
    assert.ok(waited > 2500, `${waited} ms`);
  });

  it("C4: origins are remembered with the time, one by one, and forgotten one by one or all", () => {
    const kept = new Map<string, unknown>([["editorFetch", { "https://odd.test": true }]]);
    const memory: vscode.Memento = {
      keys: () => [...kept.keys()],
      get: (key: string) => kept.get(key),
      update: (key, value) => Promise.resolve(void kept.set(key, value)),
    };
    const remembered = createRememberedOrigins(memory);
    assert.equal(remembered.read("https://odd.test"), undefined);
    remembered.write("https://a.test", 1);
    remembered.write("https://b.test", 2);
    remembered.forget("https://a.test");
    const other = createRememberedOrigins(memory);
    assert.deepEqual([other.read("https://a.test"), other.read("https://b.test")], [undefined, 2]);
    other.forget();
    assert.equal(remembered.read("https://b.test"), undefined);
  });

  it("C4: the certificates that count are ours also where the editor has replaced TLS, with a proxy and without", async () => {
    const gateway = await serveTls((request, response) => {
      const known = request.headers.authorization === `Bearer ${canary}`;
      response
        .writeHead(known ? 200 : 401, { "content-type": "application/json" })
        .end('{"data":[{"id":"tls-model"}]}');
    }, root);
    closing.push(gateway);
    const proxy = await startProxy(200);
    await set("http", "proxy", `http://127.0.0.1:${proxy.port}`);
    await set("http", "noProxy", ["0.0.0.0"]);
    const hosts = ["gateway.test", "0.0.0.0"];
    for (const host of hosts) {
      await use(`https://${host}:${gateway.port}`);
      await eventually(`the refusal of ${host}`, () => problem().includes("certificate is not trusted"));
      await leave();
    }
    process.env[extraCertificates] = testsOnlyCa(root);
    // The stores are read once for each state of the settings.
    await set("http", "noProxy", ["0.0.0.0", "again.invalid"]);
    for (const host of hosts) {
      const before = proxy.asked.length;
      await use(`https://${host}:${gateway.port}`);
      await eventually(`the models of ${host}`, () => models().list.some(({ id }) => id === "tls-model"));
      assert.equal(proxy.asked.length > before, host === "gateway.test");
      await leave();
    }
  });
});

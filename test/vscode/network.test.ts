/** The proxy of a real VS Code's settings, asked by the extension that runs in it. */
import assert from "node:assert/strict";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import type { Duplex } from "node:stream";
import * as vscode from "vscode";
import { type ExtensionInside, eventually, openExtension } from "../support/extensionApp";

const canary = "sk-canary-1f0c8d2e77";

describe("network in VS Code", () => {
  let inside: ExtensionInside;
  let proxies: Server[] = [];
  const asked: { target: string; headers: IncomingHttpHeaders }[] = [];
  const set = async (section: string, id: string, value: unknown): Promise<void> => {
    await vscode.workspace.getConfiguration(section).update(id, value, vscode.ConfigurationTarget.Global);
  };
  const problem = (): string => inside.app.models.models.current.error?.message ?? "";
  /** Lets nobody through. */
  const startProxy = async (): Promise<string> => {
    const proxy = createServer();
    proxy.on("connect", ({ url = "", headers }: { url?: string; headers: IncomingHttpHeaders }, client: Duplex) => {
      asked.push({ target: url, headers });
      client.on("error", () => undefined);
      client.end("HTTP/1.1 403 No\r\ncontent-length: 0\r\n\r\n");
    });
    proxy.listen(0, "127.0.0.1");
    await once(proxy, "listening");
    proxies.push(proxy);
    return `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  };
  before(async () => {
    inside = await openExtension();
  });
  after(async () => {
    for (const id of ["proxy", "noProxy"]) await set("http", id, undefined);
    await set("sluice", "baseUrl", undefined);
    await inside.keys.forget("https://gateway.invalid");
    await eventually("the local gateway", () => inside.connections.current.current.state === "ready");
    for (const proxy of proxies) {
      proxy.closeAllConnections();
      proxy.close();
    }
    proxies = [];
  });

  it("C4: http.proxy is asked for the gateway, a changed one from the next request on, and gets no key", async () => {
    const [first, second] = [await startProxy(), await startProxy()];
    await set("http", "proxy", `http://${first}`);
    await inside.keys.store("https://gateway.invalid", canary);
    await set("sluice", "baseUrl", "https://gateway.invalid/v1");
    await eventually("the first proxy in the error", () => problem().includes(`through the proxy ${first}`));
    assert.match(problem(), /status 403/);

    await set("http", "proxy", `http://${second}`);
    await inside.app.models.load();
    assert.ok(problem().includes(`through the proxy ${second}`), problem());
    for (const { target, headers } of asked) {
      assert.equal(target, "gateway.invalid:443");
      assert.doesNotMatch(JSON.stringify(headers), /canary|authorization/i);
    }

    await set("http", "noProxy", ["gateway.invalid"]);
    await inside.app.models.load();
    assert.match(problem(), /host name/);
    assert.doesNotMatch(problem(), /proxy/);
  });
});

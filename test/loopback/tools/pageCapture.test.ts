/** A page of this machine drawn by a real browser: with nothing else in its reach. */
import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { ensureChromium } from "../../../scripts/setup.mjs";
import { systemClock } from "../../../src/base/async/systemClock";
import type { Clock } from "../../../src/base/clock";
import { imageSizeOf } from "../../../src/domain/media/imageSize";
import { createChildProcesses } from "../../../src/tools/command/childProcesses";
import { isInside } from "../../../src/tools/gate/pathNames";
import { createPageCapture } from "../../../src/tools/web/pageCapture";

describe("a page of this machine in a browser", function () {
  this.timeout(180_000);
  let browser = "";
  let page: Server;
  let other: Server;
  let answer: RequestListener;
  const asked: string[] = [];
  /** A browser's first start takes its time where other suites run beside it. */
  const patient: Clock = { ...systemClock, delay: (ms, signal) => systemClock.delay(5 * ms, signal) };
  const servers: Server[] = [];
  const portOf = (server: Server): number => (server.address() as AddressInfo).port;
  const listen = (listener: RequestListener): Promise<Server> =>
    new Promise((resolve) => {
      const server = createServer(listener).listen(0, "127.0.0.1", () => resolve(server));
    });
  before(async function () {
    browser = await ensureChromium();
    if (isInside(resolve(".vscode-test"), browser)) {
      // It is built without the resources of `--screenshot`, and waits for them for good.
      console.log("  NOT PROVEN: a page of this machine in a browser. The Chromium of npm draws none: install one.");
      this.skip();
    }
    page = await listen((request, response) => answer(request, response));
    servers.push(page);
    other = await listen(({ url }, response) => {
      asked.push(url ?? "");
      response.end("canary");
    });
    servers.push(other);
  });
  after(() => {
    for (const server of servers) server.close();
  });
  const capture = async (html: string, signal = new AbortController().signal) => {
    asked.length = 0;
    answer = (_, response) => response.writeHead(200, { "content-type": "text/html" }).end(html);
    const pages = createPageCapture(createChildProcesses(patient), browser);
    return pages?.capture(new URL(`http://127.0.0.1:${portOf(page)}/`), { width: 400, height: 300 }, signal);
  };

  it("A13: draws the page", async () => {
    const bytes = await capture("<body style='background:red'>Hello");
    assert.ok(bytes);
    assert.deepEqual(imageSizeOf(bytes, "image/png"), { width: 400, height: 300 });
  });

  it("A13, R4: no frame, picture, script, popup, download or redirect reaches another port or a file", async () => {
    const to = `http://127.0.0.1:${portOf(other)}`;
    const secret = join(mkdtempSync(join(tmpdir(), "sluice-test-")), "secret.html");
    writeFileSync(secret, "canary");
    const bytes = await capture(`<body>
      <iframe src="${to}/frame"></iframe><iframe srcdoc="<iframe src='${to}/nested'></iframe>"></iframe>
      <img src="${to}/picture"><script src="${to}/script"></script><iframe src="file://${secret}"></iframe>
      <link rel=stylesheet href="${to}/style"><object data="${to}/object"></object>
      <script>
        fetch("${to}/fetch", { mode: "no-cors" }).catch(() => 0);
        navigator.sendBeacon("${to}/beacon", "x");
        new WebSocket("ws://127.0.0.1:${portOf(other)}/socket");
        open("${to}/popup");
        Object.assign(document.createElement("a"), { href: "${to}/download", download: "x" }).click();
      </script>`);
    assert.ok(bytes);
    assert.deepEqual(asked, []);
    await capture(`<meta http-equiv=refresh content="0;url=${to}/refresh">`);
    assert.deepEqual(asked, []);
  });

  it("A13, A1: a server that does not answer gives no picture, and Stop ends the browser", async () => {
    const stop = new AbortController();
    const reached = Promise.withResolvers<undefined>();
    const pages = createPageCapture(createChildProcesses(systemClock), browser);
    answer = () => reached.resolve(undefined);
    const running = pages?.capture(
      new URL(`http://127.0.0.1:${portOf(page)}/`),
      { width: 400, height: 300 },
      stop.signal,
    );
    await reached.promise;
    stop.abort();
    await assert.rejects(async () => running, { name: "AbortError" });
  });
});

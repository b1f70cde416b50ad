/** L1: who has no key, or comes from a page of another site, gets nothing, leaves nothing behind and delays no other client. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type GatewayUnderTest, startForTest } from "./support";
import { fewOf } from "../../support/runs";
import { startBusyTime } from "../../support/busyTime";
import { collectGarbage } from "../../support/collectGarbage";
import { assertWithin } from "../../support/pace";

const megabyte = 1_000_000;
const many = fewOf(20_000, 500);
/** Characters that each request has of its own: so many that the heap would grow beyond the limit if it kept them. */
const length = 4_000;
/** Bytes that the heap may grow by. */
const limit = megabyte + many * 100;

describe("local gateway: strangers", () => {
  let test: GatewayUnderTest;
  const sockets = new Set<Socket>();
  beforeEach(async () => {
    test = await startForTest();
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    await test.end();
  });

  const open = async (): Promise<Socket> => {
    const socket = connect(Number(new URL(test.gateway.url).port), "127.0.0.1");
    sockets.add(socket);
    socket.on("error", () => undefined);
    await once(socket, "connect");
    return socket;
  };
  const head = (path: string, more: Readonly<Record<string, string>>, method = "GET"): string => {
    const lines = Object.entries({ host: new URL(test.gateway.url).host, ...more });
    return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
  };
  /** So many requests over a few lines, a batch at a time; resolves with how many of each status came back. */
  const flood = async (
    count: number,
    request: (index: number) => string,
    { lines = 8, batch = 50 } = {},
  ): Promise<Record<string, number>> => {
    const statuses: Record<string, number> = {};
    const run = async (line: number): Promise<void> => {
      const socket = await open();
      let wanted = 0;
      let seen = 0;
      let tail = "";
      let more = (): void => undefined;
      socket.on("data", (bytes) => {
        const text = tail + bytes.toString("latin1");
        for (const [, status = ""] of text.matchAll(/HTTP\/1\.1 (\d{3})/g)) {
          statuses[status] = (statuses[status] ?? 0) + 1;
          seen += 1;
        }
        tail = text.slice(Math.max(0, text.length - 11)).replace(/HTTP\/1\.1 \d{3}/, "");
        if (seen >= wanted) more();
      });
      for (let at = line * batch; at < count; at += lines * batch) {
        wanted += batch;
        const answered = new Promise<void>((resolve) => (more = resolve));
        socket.write(Array.from({ length: batch }, (_, index) => request(at + index)).join(""));
        await answered;
      }
      socket.destroy();
    };
    await Promise.all(Array.from({ length: lines }, (_, line) => run(line)));
    return statuses;
  };
  /** Bytes of the heap that are in use. */
  const heap = async (): Promise<number> => {
    for (let turn = 0; turn < 3; turn += 1) {
      collectGarbage();
      await new Promise((resolve) => setImmediate(resolve));
    }
    return process.memoryUsage().heapUsed;
  };
  /** `first`: so many requests fill what is filled once and then stays, before the measurement. */
  const growth = async (first: number, work: (count: number, from: number) => Promise<unknown>): Promise<number> => {
    await work(first, 0);
    const before = await heap();
    await work(many, first);
    return (await heap()) - before;
  };

  it(`L1 (finding S9): ${many} requests without the key leave nothing behind but a number`, async () => {
    let sent = 0;
    const grown = await growth(1_000, async (count, from) => {
      const statuses = await flood(count, (index) =>
        head(`/v1/tasks/${from + index}?x=${"y".repeat(length)}`, { authorization: `Bearer sk-wrong-${from + index}` }),
      );
      assert.deepEqual(statuses, { 401: count });
      sent += count;
    });
    assert.ok(grown < limit, `grew by ${grown} bytes`);
    assert.equal(test.gateway.refused, sent);
    assert.deepEqual(test.gateway.requests, []);
    assert.deepEqual([test.gateway.clientReport.findings, test.gateway.clientReport.requests], [[], 0]);
  });

  it(`L1 (finding S9): ${many} requests of foreign pages and hosts leave nothing behind but a number`, async () => {
    const first = 1_000;
    const grown = await growth(first, async (count, from) => {
      const statuses = await flood(count, (index) => {
        const name = `site-${from + index}-${"y".repeat(length)}.example`;
        if (index % 3 === 0) return head("/_local/hello?nonce=1", { host: name });
        if (index % 3 === 1) return head("/_local/", { origin: `https://${name}` });
        return head(`/_local/assets/${name}/image.png`, { "sec-fetch-site": "cross-site" });
      });
      assert.deepEqual(statuses, { 403: count });
    });
    assert.ok(grown < limit, `grew by ${grown} bytes`);
    assert.equal(test.gateway.refused, first + many);
    assert.deepEqual(test.gateway.requests, []);
  });

  it(`L1 (finding S9): ${many} requests with the key, each of another task and path, do not fill the memory either`, async () => {
    const { key } = test.gateway;
    // The log keeps the last 2,000.
    const grown = await growth(2_000, async (count, from) => {
      const statuses = await flood(count, (index) => {
        const name = `${from + index}-${"z".repeat(length)}`;
        const path = index % 2 === 0 ? `/v1/tasks/${name}` : `/v1/${name}`;
        return head(path, { authorization: `Bearer ${key}` });
      });
      assert.deepEqual(Object.keys(statuses), ["404"]);
    });
    assert.ok(grown < limit, `grew by ${grown} bytes`);
    assert.equal(test.gateway.requests.length, 2_000);
  });

  it("L1 (finding S9): a page of another site is refused before anything else, with and without the key", async () => {
    const { url, key } = test.gateway;
    const { port } = new URL(url);
    const strange: Record<string, string>[] = [
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: `http://127.0.0.1:${Number(port) + 1}` },
      { origin: `https://127.0.0.1:${port}` },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { origin: `http://127.0.0.1:${port}`, "sec-fetch-site": "cross-site" },
    ];
    test.gateway.faults.arm({ name: "http.status", times: 1, value: { status: 500 } });
    for (const headers of strange) {
      for (const authorization of [`Bearer ${key}`, ""]) {
        for (const [method, path] of [
          ["POST", "/v1/tasks"],
          ["GET", "/_local/hello"],
          ["OPTIONS", "/v1/models"],
        ] as const) {
          const socket = await open();
          socket.write(head(path, { ...headers, authorization, connection: "close" }, method));
          let text = "";
          for await (const bytes of socket) text += String(bytes);
          assert.match(text, /^HTTP\/1\.1 403 /, JSON.stringify([headers, path]));
          assert.doesNotMatch(text, /access-control/i);
        }
      }
    }
    assert.equal(test.gateway.faults.armed.length, 1, "no fault was used up");
    test.gateway.faults.clear();
    for (const headers of [
      { origin: `http://127.0.0.1:${port}` },
      { origin: `http://localhost:${port}`, "sec-fetch-site": "same-origin" },
      { "sec-fetch-site": "none" },
    ]) {
      const socket = await open();
      socket.write(head("/v1/models", { ...headers, authorization: `Bearer ${key}`, connection: "close" }));
      const [bytes] = (await once(socket, "data")) as [Buffer];
      assert.match(bytes.toString(), /^HTTP\/1\.1 200 /);
    }
  });

  it("L1 (finding S9): without the key no fault acts, none is armed, and no route tells whether it is there", async () => {
    test.gateway.faults.arm({ name: "task.restart", value: 60_000 });
    const headers = { authorization: "Bearer sk-wrong", "x-gateway-fault": "http.empty-200" };
    for (const path of ["/v1/models", "/v1/nothing", "/_local/nothing"]) {
      assert.equal((await test.ask("GET", path, undefined, { headers })).status, 401, path);
    }
    assert.equal(test.gateway.faults.armed.length, 1);
  });

  it("L1 (finding S9): what was refused is one number in the list of requests and on the page", async () => {
    for (const path of [
      "/v1/models",
      "/_local/client-report.html?once=made-up",
      "/_local/assets/t/image.png?signature=x",
    ]) {
      await fetch(test.gateway.url + path);
    }
    const { json } = await test.ask("GET", "/_local/requests");
    assert.equal(json["refused"], 3);
    assert.deepEqual(
      (json["requests"] as { path: string }[]).map(({ path }) => path),
      ["/_local/requests"],
    );
    const page = String((await test.ask("POST", "/_local/page", {})).json["url"]);
    assert.match(await (await fetch(page)).text(), /3 requests were refused/);
  });

  it("L1 (finding S9): idle and half-open lines give way to a client that has the key, and a flood does not hold it up", async () => {
    const { key } = test.gateway;
    const lines = await Promise.all(Array.from({ length: 600 }, open));
    for (const socket of lines.slice(0, 300)) socket.write("POST /v1/tasks HTTP/1.1\r\nhost: ");
    const flooding = new AbortController();
    const flooded = (async () => {
      while (!flooding.signal.aborted)
        await flood(200, (index) => head(`/v1/${index}`, { authorization: "Bearer sk-wrong" }), {
          lines: 2,
          batch: 10,
        });
    })();
    const times: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      const spent = startBusyTime();
      const socket = await open();
      socket.write(head("/v1/models", { authorization: `Bearer ${key}`, connection: "close" }));
      const [bytes] = (await once(socket, "data")) as [Buffer];
      assert.match(bytes.toString(), /^HTTP\/1\.1 200 /);
      times.push(spent());
    }
    flooding.abort();
    await flooded;
    const median = times.toSorted((a, b) => a - b)[10] ?? Infinity;
    assertWithin(100, median, "the median");
    assert.ok(test.gateway.connections <= 256, `${test.gateway.connections} lines are open`);
  });

  it("L1 (finding S9): of the lines that are open, one with an answer under way is the last to be given up", async () => {
    const small = await startForTest({ tokensPerSecond: 200, limits: { connections: 8 } });
    try {
      const body = { model: "demo-chat", stream: true, messages: [{ role: "user", content: "write 3 paragraphs" }] };
      const streaming = fetch(`${small.gateway.url}/v1/chat/completions`, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { authorization: `Bearer ${small.gateway.key}`, "content-type": "application/json" },
      });
      const response = await streaming;
      for (let round = 0; round < 30; round += 1) {
        const socket = connect(Number(new URL(small.gateway.url).port), "127.0.0.1");
        sockets.add(socket);
        socket.on("error", () => undefined);
        await once(socket, "connect");
      }
      assert.match(await response.text(), /\[DONE\]/);
      assert.ok(small.gateway.connections <= 8);
    } finally {
      await small.end();
    }
  });
});

/** L1: limits of size, headers and time: a slow or half-open client delays no other one. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type GatewayUnderTest, startForTest } from "./support";
import { eventually } from "../../support/eventually";
import { startOwnTime } from "../../support/ownTime";

describe("local gateway: safe by itself", () => {
  let test: GatewayUnderTest;
  const sockets = new Set<Socket>();
  beforeEach(async () => {
    // Long enough for a client that is not slow on a machine that is.
    test = await startForTest({
      limits: { headersMs: 1500, bodyMs: 2000, silentMs: 2000, checkMs: 50, connections: 60 },
    });
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    await test.end();
  });

  /** What the gateway answers until it ends the line. */
  const open = (): { readonly socket: Socket; readonly ended: Promise<string> } => {
    const socket = connect(Number(new URL(test.gateway.url).port), "127.0.0.1");
    sockets.add(socket);
    let text = "";
    socket.on("data", (bytes) => (text += bytes.toString())).on("error", () => undefined);
    return { socket, ended: new Promise((resolve) => socket.on("close", () => resolve(text))) };
  };
  const head = (more = "", path = "/v1/tasks"): string => {
    const { host } = new URL(test.gateway.url);
    const type = "content-type: application/json\r\n";
    return `POST ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${test.gateway.key}\r\n${type}${more}\r\n`;
  };
  const others = async (): Promise<void> => {
    const waited = startOwnTime();
    assert.equal((await test.ask("GET", "/v1/models")).status, 200);
    assert.ok(waited() < 1_000);
  };

  it("H15, L1: JSON of very many levels is a 400 of every route", async () => {
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    const routes = ["/v1/tasks", "/v1/chat/completions", "/v1/messages", "/v1beta/models/a:generateContent"];
    for (const path of routes)
      for (const body of [deep, `{"model":"a","messages":${deep},"contents":${deep},"metadata":${deep}}`]) {
        const response = await fetch(new URL(path, test.gateway.url), {
          method: "POST",
          headers: { "content-type": "application/json", authorization: `Bearer ${test.gateway.key}` },
          body,
        });
        assert.deepEqual([path, response.status], [path, 400]);
        assert.match(await response.text(), /more than 200 levels/);
      }
  });

  it("L1: headers that come too slowly end the line", async () => {
    const { socket, ended } = open();
    socket.write("GET /v1/models HTTP/1.1\r\nhost: ");
    await others();
    assert.match(await ended, /^HTTP\/1.1 408 /);
  });

  it("L1: a body that comes too slowly ends the line, and nothing is made of it", async () => {
    const { socket, ended } = open();
    socket.write(`${head("content-length: 100\r\n")}{"task_type":`);
    const drip = setInterval(() => socket.write(" "), 40);
    await others();
    assert.match(await ended, /^(HTTP\/1.1 408 |$)/);
    clearInterval(drip);
    assert.equal(test.gateway.openHolds, 0);
  });

  it("L1: many slow clients at once keep nobody waiting", async () => {
    const slow = Array.from({ length: 40 }, open);
    for (const { socket } of slow) socket.write("POST /v1/tasks HTTP/1.1\r\n");
    await Promise.all(Array.from({ length: 10 }, others));
    for (const { ended } of slow) await ended;
    await others();
  });

  it("L1: a client that is gone in the middle of its body leaves nothing behind", async () => {
    const { socket, ended } = open();
    socket.write(`${head("content-length: 1000\r\n")}{"task_type":`, () => socket.destroy());
    await ended;
    await others();
    assert.deepEqual(test.gateway.balance.held, 0);
  });

  it("L1: a reader that never reads is let go, and pays for what it took", async () => {
    const { socket } = open();
    await once(socket, "connect");
    socket.pause();
    const body = JSON.stringify({
      model: "demo-chat",
      stream: true,
      messages: [{ role: "user", content: "write 4000 paragraphs" }],
    });
    socket.write(`${head(`content-length: ${Buffer.byteLength(body)}\r\n`, "/v1/chat/completions")}${body}`);
    await eventually("the answer is paid for in advance", () => test.gateway.balance.held > 0);
    await others();
    await eventually("the reader is let go", () => test.gateway.balance.held === 0);
    const { available, spent, deposited } = test.gateway.balance;
    assert.ok(spent > 0 && available + spent === deposited);
  });

  it("L1: headers that are too large or too many, and what is no HTTP, are refused", async () => {
    const large = open();
    large.socket.write(head(`x-filler: ${"x".repeat(40_000)}\r\n`));
    assert.match(await large.ended, /^HTTP\/1.1 431 /);
    const nonsense = open();
    nonsense.socket.write("\u0016\u0003\u0001 hello\r\n\r\n");
    assert.match(await nonsense.ended, /^HTTP\/1.1 400 /);
    await others();
  });

  it("L1: a body over the limit is 413, whether it says its length or not, and is not kept", async () => {
    // With the time a person's machine gives a body: a busy one takes a while for 20 MB.
    await test.end();
    test = await startForTest();
    const told = open();
    told.socket.write(head("content-length: 9000000\r\nconnection: close\r\n", "/v1/tasks/none/cancel"));
    const filler = Buffer.alloc(100_000, "x");
    for (let sent = 0; sent < 90 && told.socket.writable; sent += 1) {
      if (!told.socket.write(filler))
        await Promise.race([new Promise((resolve) => told.socket.once("drain", resolve)), told.ended]);
    }
    assert.match(await told.ended, /^(HTTP\/1.1 413 |$)/);
    const chunked = await test.ask("POST", "/v1/messages", `{"model":"${"x".repeat(20_100_000)}"}`);
    assert.equal(chunked.status, 413);
    await others();
  });
});

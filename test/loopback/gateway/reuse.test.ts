/** Connections between requests: kept where that is safe, never for what is sent once, and none left behind. */
import assert from "node:assert/strict";
import { getEventListeners, once } from "node:events";
import type { Socket } from "node:net";
import type { Clock } from "../../../src/base/clock";
import type { Asset } from "../../../src/domain/ports";
import { chat, collect, createHarness, failure, json } from "./harness";

const answer = 'data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
const impatient: Clock = { now: () => 0, delay: () => Promise.resolve() };
const http = (type: string, body: string): string =>
  `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
const models = http("application/json", '{"data":[{"id":"m"}]}');

describe("httpGateway: connections that are kept", () => {
  const { connect, start, startSockets } = createHarness();

  /** What the nth socket (from 0) does with its kth request (from 0). */
  const serveTurns = async (turn: (socket: Socket, opened: number, asked: number) => void) => {
    const lines: string[] = [];
    const sockets: Socket[] = [];
    const { url } = await startSockets((socket) => {
      const opened = sockets.push(socket) - 1;
      let asked = 0;
      socket.on("data", (piece: Buffer) => {
        lines.push(`${opened} ${piece.toString().split(" HTTP")[0] ?? ""}`);
        turn(socket, opened, asked++);
      });
    });
    return { url, lines, sockets };
  };

  it("C4: one after the other, over one connection", async () => {
    const { url, sockets } = await serveTurns((socket) => socket.write(models));
    const gateway = connect(url);
    for (let request = 0; request < 20; request++) await gateway.listModels();
    // A request that follows at once may find the connection of the one before still busy with its end.
    assert.ok(sockets.length <= 2, `${sockets.length} connections`);
  });

  it("S6: a kept connection that turns out to be dead costs a chat one more try", async () => {
    const { url, lines } = await serveTurns((socket, opened, asked) => {
      if (opened === 0 && asked > 0) socket.resetAndDestroy();
      else socket.write(asked === 0 && opened === 0 ? models : http("text/event-stream", answer));
    });
    const gateway = connect(url, { clock: impatient });
    await gateway.listModels();
    // A turn for the connection to come to rest.
    await new Promise(setImmediate);
    const events = await collect(gateway.streamChat(chat));
    assert.deepEqual(
      events.map(({ type }) => type),
      ["message-start", "text-delta", "message-end"],
    );
    assert.deepEqual(lines, ["0 GET /v1/models", "0 POST /v1/chat/completions", "1 POST /v1/chat/completions"]);
  });

  it("C4: one that the server has closed meanwhile is not used again", async () => {
    const closed = Promise.withResolvers<undefined>();
    const { url, lines } = await serveTurns((socket, opened) => {
      socket.on("close", () => closed.resolve(undefined));
      socket.write(models, () => opened === 0 && socket.end());
    });
    const gateway = connect(url);
    await gateway.listModels();
    await closed.promise;
    await gateway.listModels();
    assert.deepEqual(lines, ["0 GET /v1/models", "1 GET /v1/models"]);
  });

  it("T1: a task never goes over a kept connection, and is never sent again by itself", async () => {
    const { url, lines } = await serveTurns((socket, opened) => {
      if (opened === 0) socket.write(models);
      else if (opened === 1) socket.resetAndDestroy();
      else socket.write(http("application/json", '{"task_id":"t"}'));
    });
    const gateway = connect(url, { clock: impatient });
    await gateway.listModels();
    const error = await failure(gateway.createTask("{}"));
    assert.deepEqual([error.kind, error.notSent], ["unreachable", undefined]);
    for (let task = 0; task < 2; task++) await gateway.createTask("{}");
    assert.deepEqual(lines, ["0 GET /v1/models", "1 POST /v1/tasks", "2 POST /v1/tasks", "3 POST /v1/tasks"]);
  });

  it("C4: changed limits count for the next request", async () => {
    // The library's timers come round about twice a second.
    const server = await start((response, { url }) => {
      if (url !== "/v1/tasks/t") return;
      response.writeHead(200, { "content-type": "application/json" }).write("{");
    });
    const limits = { connect: 5000, firstByte: 60_000, silence: 60_000, read: 60_000 };
    const gateway = connect(server.url, { limits });
    const first = new AbortController();
    const waiting = assert.rejects(gateway.createTask("{}", first.signal), { name: "AbortError" });
    limits.firstByte = 50;
    limits.silence = 60;
    limits.connect = 4000;
    assert.equal((await failure(gateway.createTask("{}"))).code, "UND_ERR_HEADERS_TIMEOUT");
    assert.equal((await failure(gateway.getTask("t"))).code, "UND_ERR_BODY_TIMEOUT");

    first.abort();
    await waiting;

    const mute = await startSockets(() => undefined);
    const other = connect(mute.url.replace("http:", "https:"), { limits });
    const slow = new AbortController();
    const connecting = assert.rejects(other.getTask("t", slow.signal), { name: "AbortError" });
    limits.connect = 50;
    assert.equal((await failure(other.getTask("t"))).code, "UND_ERR_CONNECT_TIMEOUT");
    slow.abort();
    await connecting;
  });

  it("R7: a thousand requests leave no socket and no listener behind", async () => {
    const open = new Set<Socket>();
    let connections = 0;
    const server = await start((response, { url }, { socket }) => {
      if (!open.has(socket)) {
        open.add(socket);
        connections += 1;
        socket.on("close", () => {
          open.delete(socket);
        });
      }
      if (url === "/v1/chat/completions") response.writeHead(200, { "content-type": "text/event-stream" }).end(answer);
      else if (url === "/v1/tasks/lost") response.destroy();
      else json(response, 200, { task_id: "t", data: [{ id: "m" }] });
    });
    const { signal } = new AbortController();
    const gateway = connect(server.url, { clock: impatient });
    for (let round = 0; round < 200; round++) {
      await Promise.all([
        gateway.createTask("{}", signal),
        gateway.listModels(signal),
        collect(gateway.streamChat(chat, signal)),
        failure(gateway.getTask("lost", signal)),
        leave(gateway.downloadAsset(`${server.url}/a`, signal)),
      ]);
      assert.ok(open.size <= 12, `${open.size} sockets in round ${round}`);
    }
    assert.equal(getEventListeners(signal, "abort").length, 0);
    assert.ok(connections >= 400, `${connections} connections`);
    await gateway.close();
    // Hangs where one stays.
    for (const socket of open) await once(socket, "close");
  });
});

/** Takes the first piece of a result and nothing more. */
async function leave(asset: Promise<Asset>): Promise<void> {
  for await (const piece of (await asset).body) if (piece.length > 0) break;
}

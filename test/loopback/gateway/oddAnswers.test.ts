/** Answers that are right, only rare, and answers that break the rules below the stream: each is read, or ends with an error. */
import assert from "node:assert/strict";
import { createSecureServer } from "node:http2";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { once } from "node:events";
import { brotliCompressSync, constants, createGzip, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { Store } from "../../../src/base/store";
import type { ChatEvent } from "../../../src/domain/chat/chatEvent";
import { defaultNetworkSettings } from "../../../src/domain/gateway/networkSettings";
import type { AppError } from "../../../src/domain/errors/appError";
import { chat, collect, createHarness, failure, key } from "./harness";
import { identity, testsOnlyCa } from "./proxyServer";

const hi = 'data: {"choices":[{"delta":{"content":"Hi"}}]}\n\n';
const end = 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
const task = '{"task_id":"t"}';

describe("httpGateway: odd answers", () => {
  const { connect, start, startSockets } = createHarness();
  /** Each request gets these bytes, and then the end of the socket. */
  const answering = async (...pieces: (string | Buffer)[]): Promise<string> => {
    const { url } = await startSockets((socket: Socket) =>
      socket.once("data", () => {
        for (const piece of pieces) socket.write(piece);
        socket.end();
      }),
    );
    return url;
  };
  const head = (status: string, ...lines: string[]): string => ["HTTP/1.1 " + status, ...lines, "", ""].join("\r\n");
  const streamHead = head("200 OK", "content-type: text/event-stream", "transfer-encoding: chunked");
  const chunk = (text: string | Buffer): Buffer =>
    Buffer.concat([Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n`), Buffer.from(text), Buffer.from("\r\n")]);
  const types = (events: readonly ChatEvent[]): string[] => events.map(({ type }) => type);
  const errorIn = (events: readonly ChatEvent[]): AppError | undefined =>
    events.flatMap((event) => (event.type === "stream-error" ? [event.error] : []))[0];

  it("S3: compression is not asked for, and read all the same, one inside the other too", async () => {
    const server = await start((response, { headers }) => {
      assert.equal(headers["accept-encoding"], "identity");
      const coding = codings.shift() ?? "";
      const bytes = encode[coding]?.(Buffer.from(task)) ?? Buffer.from(task);
      response.writeHead(202, { "content-encoding": coding }).end(bytes);
    });
    const encode: Record<string, (bytes: Buffer) => Buffer> = {
      gzip: gzipSync,
      "X-GZIP": gzipSync,
      br: brotliCompressSync,
      deflate: deflateSync,
      zstd: zstdCompressSync,
      "gzip, br": (bytes) => brotliCompressSync(gzipSync(bytes)),
    };
    const codings = [...Object.keys(encode), "identity", "unheard-of"];
    const gateway = connect(server.url);
    while (codings.length > 0) assert.equal((await gateway.createTask("{}")).taskId, "t");
  });

  it("S3: a compressed stream arrives piece by piece, and an error answer tells its words", async () => {
    const gone = Promise.withResolvers<undefined>();
    const server = await start((response, { url }, request) => {
      if (url === "/v1/tasks") {
        const said = gzipSync('{"error":{"message":"no such model"}}');
        response.writeHead(404, { "content-encoding": "gzip", "content-type": "application/json" }).end(said);
        return;
      }
      request.socket.once("close", () => gone.resolve(undefined));
      const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH });
      gzip.pipe(response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" }));
      gzip.write(hi);
    });
    const gateway = connect(server.url);
    assert.match((await failure(gateway.createTask("{}"))).message, /no such model/);
    // The rest never comes: the text must be there without it, and who leaves takes the socket along.
    for await (const event of gateway.streamChat(chat)) if (event.type === "text-delta") break;
    await gone.promise;
  });

  it("S3, S4: a compressed answer that is cut keeps what arrived; one that is none says so", async () => {
    const whole = gzipSync(hi + end, { flush: constants.Z_SYNC_FLUSH });
    const cut = await answering(
      head("200 OK", "content-type: text/event-stream", "content-encoding: gzip"),
      whole.subarray(0, -12),
    );
    assert.ok(types(await collect(connect(cut).streamChat(chat))).includes("text-delta"));
    for (const coding of ["gzip", "br", "deflate", "zstd"]) {
      const url = await answering(
        head("202 Accepted", `content-encoding: ${coding}`),
        "this is plain text, not compressed",
      );
      const error = await failure(connect(url).createTask("{}"));
      assert.deepEqual([error.kind, error.status, error.notSent], ["malformed", 202, undefined], error.message);
      assert.match(error.message, /compression is broken/);
    }
  });

  it("S3: informational answers come before the real one", async () => {
    const early = head("102 Processing") + head("103 Early Hints", "link: </a>; rel=preload");
    const url = await answering(early, head("202 Accepted", "content-length: 15"), task);
    assert.equal((await connect(url).createTask("{}")).taskId, "t");
  });

  it("S4: headers without end are told as what they are", async () => {
    const url = await answering(`HTTP/1.1 200 OK\r\nx-long: ${"a".repeat(100_000)}\r\n\r\n`);
    const error = await failure(connect(url).createTask("{}"));
    assert.deepEqual([error.kind, error.code, error.notSent], ["malformed", "UND_ERR_HEADERS_OVERFLOW", undefined]);
    assert.match(error.message, /headers are too long/);
  });

  it("S3, Q-E3: a chunk that breaks the rules is an error in the stream, with the text kept", async () => {
    const events = await collect(
      connect(await answering(streamHead, chunk(hi), "zz\r\nnonsense\r\n")).streamChat(chat),
    );
    assert.deepEqual(types(events), ["message-start", "text-delta", "stream-error", "message-end"]);
    assert.equal(errorIn(events)?.kind, "malformed");
    assert.match(errorIn(events)?.message ?? "", /breaks the rules of HTTP: .*chunk size/);
  });

  it("S3, Q-E3: a body that ends without its last chunk is broken; after [DONE] nobody minds", async () => {
    const broken = await collect(connect(await answering(streamHead, chunk(hi))).streamChat(chat));
    assert.equal(errorIn(broken)?.kind, "unreachable");
    const whole = await collect(connect(await answering(streamHead, chunk(hi), chunk(end))).streamChat(chat));
    assert.deepEqual(types(whole), ["message-start", "text-delta", "message-end"]);
  });

  it("T1: a body shorter than it said may have been anything; one that is longer is read as far as it said", async () => {
    const short = await failure(
      connect(await answering(head("202 Accepted", "content-length: 99"), task)).createTask("{}"),
    );
    assert.deepEqual([short.kind, short.status, short.notSent], ["unreachable", 202, undefined]);
    const long = connect(await answering(head("202 Accepted", "content-length: 15"), task, "and more"));
    assert.equal((await long.createTask("{}")).taskId, "t");
  });

  it("S4: what is no HTTP at all is told as that", async () => {
    const error = await failure(connect(await answering("220 mail.example ESMTP\r\n")).createTask("{}"));
    assert.deepEqual([error.kind, error.notSent], ["malformed", undefined]);
  });

  it("C4: a server that speaks only HTTP/2 is told as one, and was sent nothing", async () => {
    const server = createSecureServer(identity());
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const settings = new Store(defaultNetworkSettings);
    const network = { settings, environment: { NODE_EXTRA_CA_CERTS: testsOnlyCa() } };
    const gateway = connect(`https://localhost:${(server.address() as AddressInfo).port}`, { network });
    const error = await failure(gateway.createTask("{}"));
    server.close();
    assert.deepEqual([error.kind, error.notSent], ["unreachable", true], error.message);
    assert.match(error.message, /HTTP\/1\.1 is not spoken there/);
  });

  it("C4: this machine is reached by its name and by either address", async () => {
    for (const [host, name] of [
      ["127.0.0.1", "localhost"],
      ["127.0.0.1", "127.0.0.1"],
      ["::1", "[::1]"],
    ]) {
      const server = createServer((socket) =>
        socket.once("data", () => socket.end(head("202 Accepted", "content-length: 15") + task)),
      );
      server.listen(0, host);
      await once(server, "listening");
      const gateway = connect(`http://${name}:${(server.address() as AddressInfo).port}`);
      assert.equal((await gateway.createTask("{}")).taskId, "t", name);
      server.close();
    }
  });

  it("C2: a pasted key is sent without what stands around it, and refused unsent with something inside", async () => {
    const server = await start((response) => response.writeHead(202).end(task));
    await connect(server.url, { key: ` ${key}\r\n` }).createTask("{}");
    assert.equal(server.received[0]?.headers.authorization, `Bearer ${key}`);
    for (const inside of ["\r\nx-evil: 1", " ", "\u00a0", "\0", "密"]) {
      const gateway = connect(server.url, { key: `sk-canary${inside}0123456789` });
      const error = await failure(gateway.createTask("{}"));
      assert.deepEqual([error.kind, error.notSent], ["unauthorized", true]);
      assert.doesNotMatch(error.message, /canary/);
      await assert.rejects(collect(gateway.streamChat(chat)), { name: "AppFailure" });
    }
    assert.equal(server.received.length, 1);
  });
});

/** L1: a real server that keeps to itself: host, key, limits, errors, ports, state. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import { createServer, get, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { startLocalGateway } from "../../../src/localGateway/server";
import { StateInUse } from "../../../src/localGateway/state/stateLock";
import { ownPort } from "../../support/ownPort";
import { errorCode, type GatewayUnderTest, request, startForTest } from "./support";

describe("local gateway: server", () => {
  let test: GatewayUnderTest;
  beforeEach(async () => {
    test = await startForTest();
  });
  afterEach(() => test.end());

  /** Starts the gateway again on a port that nobody else takes while it is closed. */
  const moveToOwnPort = async (): Promise<number> => {
    const port = await ownPort();
    await test.gateway.close();
    test = await startForTest({ stateDir: test.stateDir, port });
    return port;
  };

  const withHost = async (host: string): Promise<IncomingMessage> => {
    const sent = get(`${test.gateway.url}/v1/models`, {
      headers: { host, authorization: `Bearer ${test.gateway.key}` },
    });
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    response.resume();
    return response;
  };

  it("L1: listens on 127.0.0.1 only and answers to its own names only", async () => {
    const { port, hostname } = new URL(test.gateway.url);
    assert.equal(hostname, "127.0.0.1");
    assert.equal((await withHost(`127.0.0.1:${port}`)).statusCode, 200);
    assert.equal((await withHost(`localhost:${port}`)).statusCode, 200);
    for (const host of [
      "example.org",
      `example.org:${port}`,
      "127.0.0.1",
      `127.0.0.1:1`,
      `127.0.0.1.example.org:${port}`,
    ]) {
      const answered = await withHost(host);
      assert.equal(answered.statusCode, 403, host);
      assert.ok(answered.headers["x-request-id"]);
    }
  });

  it("L1: has no CORS header on any answer", async () => {
    const headers = { origin: "https://example.org", "access-control-request-method": "POST" };
    for (const method of ["OPTIONS", "GET", "POST"]) {
      const answered = await test.ask(method, "/v1/tasks", method === "POST" ? {} : undefined, { headers });
      assert.deepEqual(
        [...answered.headers.keys()].filter((name) => name.startsWith("access-control")),
        [],
      );
      assert.notEqual(answered.status, 200);
    }
  });

  it("L1: wants its key, and says 401 invalid_api_key without it", async () => {
    for (const authorization of ["", "Bearer wrong", `Basic ${test.gateway.key}`, `Bearer ${test.gateway.key}x`]) {
      for (const path of ["/v1/models", "/v1/tasks/none", "/_local/ledger", "/_local/requests"]) {
        const answered = await test.ask("GET", path, undefined, { headers: { authorization } });
        assert.equal(answered.status, 401, `${path} ${authorization}`);
        assert.equal(errorCode(answered), "invalid_api_key");
      }
    }
    assert.equal((await test.ask("GET", "/v1/models")).status, 200);
  });

  it("L1: errors have the shape of the gateway's document and a request id of their own", async () => {
    const answers = [
      [await test.ask("GET", "/v1/nothing"), 404, "not_found"],
      [await test.ask("PUT", "/v1/tasks", {}), 405, "method_not_allowed"],
      [await test.ask("GET", "/v1/tasks/none"), 404, "task_not_found"],
      [await test.ask("POST", "/v1/tasks", "{nonsense"), 400, "invalid_request"],
      [await test.ask("POST", "/v1/tasks", { task_type: "sculpture" }), 400, "invalid_request"],
      [
        await test.ask("POST", "/v1/tasks", "x", { headers: { "content-type": "text/plain" } }),
        415,
        "unsupported_media_type",
      ],
      [await test.ask("POST", "/v1/tasks/none/cancel", { reason: "x".repeat(1_000_001) }), 413, "request_too_large"],
    ] as const;
    for (const [answered, status, code] of answers) {
      assert.deepEqual([answered.status, errorCode(answered)], [status, code], answered.text);
      const error = answered.json["error"] as Record<string, unknown>;
      assert.deepEqual(Object.keys(error), ["message", "type", "code", "param"]);
      assert.match(answered.headers.get("x-request-id") ?? "", /^req_/);
    }
    assert.equal(new Set(answers.map(([{ headers }]) => headers.get("x-request-id"))).size, answers.length);
    assert.equal((answers[4][0].json["error"] as Record<string, unknown>)["param"], "task_type");
  });

  it("L1: lists its models in the chat-completions shape", async () => {
    const { json } = await test.ask("GET", "/v1/models");
    const data = json["data"] as {
      id: string;
      object: string;
      capabilities: { note: string; task_types?: string[] };
    }[];
    assert.equal(json["object"], "list");
    assert.deepEqual(
      data.map(({ id }) => id),
      ["demo-chat", "demo-messages", "demo-generate", "demo-image", "demo-video"],
    );
    for (const { object, capabilities } of data) {
      assert.equal(object, "model");
      assert.match(capabilities.note, /^Demo model/);
    }
    assert.deepEqual(data[4]!.capabilities.task_types, ["video"]);
  });

  it("L1: keeps its key to its owner, and key and port over a restart; where its port was taken, the key that clients still send there is void", async () => {
    const { mode } = await stat(join(test.stateDir, "gateway.json"));
    if (process.platform !== "win32") assert.equal(mode & 0o777, 0o600);
    const port = await moveToOwnPort();
    const { url, key } = test.gateway;
    await test.gateway.close();
    test = await startForTest({ stateDir: test.stateDir });
    assert.deepEqual([test.gateway.url, test.gateway.key], [url, key]);
    await test.gateway.close();
    const other = createServer().listen(port, "127.0.0.1");
    await once(other, "listening");
    test = await startForTest({ stateDir: test.stateDir });
    assert.notEqual(test.gateway.url, url, "its port was taken");
    assert.notEqual(test.gateway.key, key);
    assert.equal((await request({ url: test.gateway.url, key }, "GET", "/v1/models")).status, 401);
    assert.equal((await request(test.gateway, "GET", "/v1/models")).status, 200);
    other.close();
    const { url: next, key: nextKey } = test.gateway;
    const kept = JSON.parse(await readFile(join(test.stateDir, "gateway.json"), "utf8")) as { readonly port: number };
    assert.equal(kept.port, Number(new URL(next).port), "the new port is the last one from now on");
    await test.gateway.close();
    test = await startForTest({ stateDir: test.stateDir, port });
    assert.deepEqual([test.gateway.url, test.gateway.key], [url, nextKey], "another port by choice is no reason");
    await test.gateway.close();
    test = await startForTest({ stateDir: test.stateDir });
    assert.deepEqual([test.gateway.url, test.gateway.key], [url, nextKey]);
  });

  it("L1: a port that is asked for and taken is an error, and leaves the state free", async () => {
    const taken = Number(new URL(test.gateway.url).port);
    const second = await startForTest();
    await second.gateway.close();
    const { stateDir } = second;
    await assert.rejects(startLocalGateway({ stateDir, port: taken }), { code: "EADDRINUSE" });
    await (await startForTest({ stateDir })).end();
  });

  it("L1: a second gateway on the same state is told where the first one is", async () => {
    await moveToOwnPort();
    const { url, key } = test.gateway;
    await assert.rejects(startLocalGateway({ stateDir: test.stateDir }), (error: unknown) => {
      assert.ok(error instanceof StateInUse);
      assert.deepEqual([error.url, error.key], [url, key]);
      return true;
    });
    await test.gateway.close();
    test = await startForTest({ stateDir: test.stateDir });
    assert.equal(test.gateway.url, url, "the lock ended with the gateway that held it");
  });

  it("L1: the list of requests says what was asked and never holds a key", async () => {
    await test.ask("POST", "/v1/tasks", { task_type: "video", prompt: "x", idempotency_key: "my-key" });
    await test.ask("GET", `/v1/models?key=${test.gateway.key}`);
    await test.ask("GET", "/v1/models", undefined, { headers: { authorization: "Bearer sk-other" } });
    const { json, text } = await test.ask("GET", "/_local/requests");
    const seen = json["requests"] as Record<string, unknown>[];
    assert.deepEqual(
      seen.map(({ method, path, status }) => [method, path, status]),
      [
        ["POST", "/v1/tasks", 202],
        ["GET", "/v1/models?key=%E2%80%A6", 200],
        ["GET", "/_local/requests", undefined],
      ],
    );
    assert.equal(json["refused"], 1);
    assert.equal(seen[0]!["idempotencyKey"], "my-key");
    assert.ok(!text.includes(test.gateway.key) && !text.includes("sk-other"));
    assert.ok(!(await readFile(join(test.stateDir, "state.db"))).includes(test.gateway.key));
  });

  it("L1: close ends answers that are under way and half-open connections", async () => {
    const slow = await startForTest({ tokensPerSecond: 1 });
    const body = { model: "demo-chat", stream: true, messages: [{ role: "user", content: "write 50 paragraphs" }] };
    const stream = await fetch(`${slow.gateway.url}/v1/chat/completions`, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { authorization: `Bearer ${slow.gateway.key}`, "content-type": "application/json" },
    });
    const halfOpen = connect(Number(new URL(slow.gateway.url).port), "127.0.0.1");
    await once(halfOpen, "connect");
    halfOpen.write("POST /v1/tasks HTTP/1.1\r\nhost: 127");
    const ended = new Promise((resolve) =>
      halfOpen
        .on("error", () => undefined)
        .on("close", resolve)
        .resume(),
    );
    await slow.end();
    await ended;
    await assert.rejects(stream.text());
    await assert.rejects(request(slow.gateway, "GET", "/v1/models"));
  });
});

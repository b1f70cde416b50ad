/** What is known to be sent and what is not: it decides whether a paid task may exist. */
import assert from "node:assert/strict";
import { mayHaveHappened } from "../../../src/domain/errors/appError";
import { createHarness, failure } from "./harness";
import { closedPort } from "./rawServer";

describe("httpGateway: what was sent", () => {
  const { connect, start, startSockets } = createHarness();

  it("T1: a refused connection sent nothing", async () => {
    const error = await failure(connect(await closedPort()).createTask("{}"));
    assert.deepEqual([error.kind, error.notSent, error.code], ["unreachable", true, "ECONNREFUSED"]);
  });

  it("T1: an unknown host and an address that is none sent nothing", async () => {
    for (const url of ["http://no-such-host.localhost.invalid", "https://no-such-host.invalid", "nonsense"]) {
      const error = await failure(connect(url).createTask("{}"));
      assert.deepEqual([url, error.kind, error.notSent], [url, "unreachable", true]);
    }
  });

  it("T1: a failed TLS handshake sent nothing", async () => {
    const server = await startSockets((socket) => socket.once("data", () => socket.end("no TLS here")));
    const error = await failure(connect(server.url.replace("http:", "https:")).createTask("{}"));
    assert.deepEqual([error.kind, error.notSent], ["unreachable", true]);
  });

  it("T1: a TLS handshake that never ends is a connection that took too long, and sent nothing", async () => {
    const server = await startSockets(() => undefined);
    const gateway = connect(server.url.replace("http:", "https:"), { limits: { connect: 50 } });
    const error = await failure(gateway.createTask("{}"));
    assert.deepEqual([error.kind, error.notSent], ["timed-out", true]);
  });

  it("T1: a connection that dies after the request may have done everything", async () => {
    const server = await startSockets((socket) => socket.once("data", () => socket.destroy()));
    const error = await failure(connect(server.url).createTask("{}"));
    assert.deepEqual([error.kind, error.notSent], ["unreachable", undefined]);
    assert.ok(mayHaveHappened(error));
  });

  it("T1: an answer that dies after its status may have done everything", async () => {
    const server = await startSockets((socket) =>
      socket.once("data", () => socket.end('HTTP/1.1 202 Accepted\r\ncontent-length: 99\r\n\r\n{"task_id"')),
    );
    const error = await failure(connect(server.url).createTask("{}"));
    assert.deepEqual([error.kind, error.notSent, error.status], ["unreachable", undefined, 202]);
  });

  it("T1: without a key nothing is sent", async () => {
    const server = await start((response) => response.end());
    const error = await failure(connect(server.url, { key: "" }).createTask("{}"));
    assert.deepEqual([error.kind, error.notSent, server.received.length], ["signed-out", true, 0]);
  });

  it("C4: a first byte that does not come is timed-out, and may have been too late only", async () => {
    const server = await start(() => undefined);
    const error = await failure(connect(server.url, { limits: { firstByte: 60 } }).createTask("{}"));
    assert.deepEqual([error.kind, error.notSent], ["timed-out", undefined]);
  });
});

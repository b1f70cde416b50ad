/** Tasks and models on real sockets: what is sent, and what is made of every answer. */
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { setImmediate as turn } from "node:timers/promises";
import { mayHaveHappened } from "../../../src/domain/errors/appError";
import { once } from "node:events";
import { createHarness, failure, json, key } from "./harness";

describe("httpGateway: tasks and models", () => {
  const { connect, start, lines } = createHarness();

  it("T1: creates with exactly the bytes given, and gives the ids", async () => {
    const server = await start((response) =>
      json(response, 202, { task_id: "t", status: 1, hold_id: "h" }, { "x-request-id": "r" }),
    );
    const gateway = connect(server.url);
    const body = gateway.writeTask({ type: "video", model: "m", prompt: "é" }, "k");
    assert.deepEqual(await gateway.createTask(body), {
      taskId: "t",
      holdId: "h",
      requestId: "r",
      remote: { state: "created", rawStatus: "1" },
      replayed: false,
    });
    const [received] = server.received;
    assert.equal(received?.body, body);
    assert.equal(received.url, "/v1/tasks");
    assert.equal(received.headers.authorization, `Bearer ${key}`);
    assert.equal(received.headers["content-type"], "application/json");
    assert.equal(received.headers.connection, "close");
  });

  it("M19, T1: a task that only the Location names is known, but not by that of a 409", async () => {
    const server = await start((response, { body }) =>
      response.writeHead(body === "1" ? 201 : 409, { location: "/v1/tasks/t-1" }).end(),
    );
    const gateway = connect(server.url);
    assert.equal((await gateway.createTask("1")).taskId, "t-1");
    assert.equal((await failure(gateway.createTask("2"))).kind, "conflict");
  });

  it("T1, Q-K2: sees a replay by its header, and the task in a 409 that names it", async () => {
    const server = await start((response, { body }) =>
      body === "1"
        ? json(response, 202, { task_id: "t", status: 3 }, { "Idempotent-Replayed": "true" })
        : body === "2"
          ? json(response, 409, { task_id: "t", status: 3 })
          : json(response, 409, { error: { message: "other body", code: "idempotency_key_conflict" } }),
    );
    const gateway = connect(server.url);
    for (const body of ["1", "2"]) assert.equal((await gateway.createTask(body)).replayed, true);
    const error = await failure(gateway.createTask("3"));
    assert.equal(error.kind, "conflict");
    assert.equal(error.code, "idempotency_key_conflict");
  });

  for (const [name, body] of [
    ["empty", ""],
    ["HTML", "<html></html>"],
    ["JSON without an id", "{}"],
  ] as const) {
    it(`T1, Q-K1: a 2xx to a create that is ${name} may have made a task`, async () => {
      const server = await start((response) => response.writeHead(202, { "x-request-id": "r" }).end(body));
      const error = await failure(connect(server.url).createTask("{}"));
      assert.equal(error.kind, "malformed");
      assert.equal(error.status, 202);
      assert.equal(error.requestId, "r");
      assert.ok(mayHaveHappened(error));
    });
  }

  it("T1: a redirect is not followed, and a create that met one may have happened", async () => {
    const other = await start((response) => json(response, 202, { task_id: "t", status: 1 }));
    const server = await start((response) => response.writeHead(307, { location: `${other.url}/v1/tasks` }).end());
    const error = await failure(connect(server.url).createTask("{}"));
    assert.ok(mayHaveHappened(error));
    assert.equal(other.received.length, 0);
  });

  it("T9: a redirect is no answer to a cancel: the task may go on", async () => {
    const server = await start((response) => response.writeHead(302, { location: "/elsewhere" }).end());
    const error = await failure(connect(server.url).cancelTask("t", "why"));
    assert.deepEqual([error.kind, server.received.length], ["malformed", 1]);
  });

  it("T9, Q-K12: takes every answer to a cancel that is none of refusal", async () => {
    const answers: ((response: ServerResponse) => void)[] = [
      (response) => response.writeHead(200).end(),
      (response) => response.writeHead(204).end(),
      (response) => json(response, 202, {}),
      (response) => json(response, 200, { task_id: "t", status: 6 }),
      (response) => json(response, 409, { error: { message: "ended", code: "task_already_terminal" } }),
    ];
    const server = await start((response) => answers.shift()?.(response));
    const gateway = connect(server.url);
    for (let round = 0; round < 3; round++) assert.equal(await gateway.cancelTask("t", "why"), undefined);
    assert.deepEqual(await gateway.cancelTask("t", "why"), { state: "cancelled", rawStatus: "6" });
    assert.equal((await failure(gateway.cancelTask("t", "why"))).kind, "conflict");
    assert.equal(server.received[0]?.url, "/v1/tasks/t/cancel");
    assert.equal(server.received[0].body, '{"reason":"why"}');
  });

  it("T4: reads a task and its events, and gives what a 429 asks for", async () => {
    const date = "Sat, 21 Nov 2026 12:00:00 GMT";
    const server = await start((response, { url }) => {
      if (url.startsWith("/v1/tasks/a%2Fb/events"))
        json(response, 200, { task_events: [{ task_event_id: "e", status: 1 }] });
      else if (url === "/v1/tasks/t") json(response, 200, { task_id: "t", status: 3 });
      else response.writeHead(429, { date, "retry-after": "Sat, 21 Nov 2026 12:00:09 GMT" }).end();
    });
    const gateway = connect(`${server.url}/v1`);
    assert.equal((await gateway.getTask("t")).state, "processing");
    assert.equal((await gateway.listTaskEvents("a/b", { limit: 50, offset: 0 }))[0]?.id, "e");
    assert.equal(server.received[1]?.url, "/v1/tasks/a%2Fb/events?limit=50&offset=0");
    const error = await failure(gateway.getTask("x"));
    assert.equal(error.kind, "rate-limited");
    assert.equal(error.retryAfterMs, 9000);
  });

  it("T8, T9 (finding M7): what is answered for another task is malformed, in reads, events and cancels", async () => {
    const other = { task_id: "b", status: 6 };
    const answers: unknown[] = [other, { data: other }, { task_id: 7, data: { status: 6 } }];
    const events = [
      { task_events: [{ task_id: "b", task_event_id: "e", status: 6 }] },
      { task_id: "b", task_events: [] },
    ];
    const server = await start((response) => json(response, 200, (answers.length > 0 ? answers : events).shift()));
    const gateway = connect(server.url);
    const malformed = async (promise: Promise<unknown>): Promise<void> => {
      assert.equal((await failure(promise)).kind, "malformed");
    };
    await malformed(gateway.getTask("a"));
    await malformed(gateway.cancelTask("a", "why"));
    await malformed(gateway.getTask("a"));
    while (events.length > 0) await malformed(gateway.listTaskEvents("a", { limit: 50, offset: 0 }));
  });

  it("T4 (finding M7): an answer may leave its id out, write it as a number or in capitals, or name what it relays inside", async () => {
    const answers = [{ status: 3 }, { task_id: 7, status: 3 }, { data: { task_id: "7", status: 3 } }];
    const relayed = { task_id: "7", status: 3, data: { task_id: "upstream", status: 1 } };
    const left: unknown[] = [...answers, relayed];
    const server = await start((response) => json(response, 200, left.shift()));
    const gateway = connect(server.url);
    while (left.length > 0) assert.equal((await gateway.getTask("7")).state, "processing");
    const upper = await start((response) => json(response, 200, { task_id: "ab", status: 3 }));
    assert.equal((await connect(upper.url).getTask("AB")).state, "processing");
  });

  it("C5: reads models, tries again when the gateway stumbles, and takes 404 for an empty list", async () => {
    const statuses = [500, 503, 200, 404];
    const server = await start((response) => json(response, statuses.shift() ?? 500, { data: [{ id: "m" }] }));
    const delays: number[] = [];
    const clock = { now: () => 0, delay: (ms: number) => (delays.push(ms), Promise.resolve()) };
    const gateway = connect(server.url, { clock });
    assert.deepEqual(await gateway.listModels(), [{ id: "m", family: "chat-completions" }]);
    assert.deepEqual(delays, [375, 750]);
    assert.equal(lines.filter(({ message }) => message === "trying a read again").length, 2);
    assert.deepEqual(await gateway.listModels(), []);
  });

  it("C2, R5: an error that repeats the key is shown without it", async () => {
    const server = await start((response) => json(response, 401, { error: { message: `Bad key ${key}`, code: key } }));
    const error = await failure(connect(server.url).getTask("t"));
    assert.equal(error.kind, "unauthorized");
    assert.doesNotMatch(JSON.stringify(error), /canary/);
  });

  it("C4: keeps the connection for the next read, and ends it on close", async () => {
    const sockets = new Set<unknown>();
    const server = await start((response, _received, request) => {
      sockets.add(request.socket);
      json(response, 200, { status: 3 });
    });
    const gateway = connect(server.url);
    await gateway.getTask("t");
    // The connection is free when the event loop has gone round.
    await turn();
    await gateway.getTask("t");
    assert.equal(sockets.size, 1);
    const [socket] = sockets as Set<NodeJS.EventEmitter>;
    const closed = once(socket!, "close");
    await gateway.close();
    await closed;
  });
});

/** The tasks as tools see them; no request reads them until the poller runs. */
import assert from "node:assert/strict";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { isAccepted } from "../../../src/domain/task/phase";
import type { Task } from "../../../src/domain/task/task";
import type { WantedTask } from "../../../src/domain/task/taskPort";
import { type AppOverGateway, openAppOverGateway } from "../../support/appOverGateway";
import { serve } from "../gateway/rawServer";
import { savedFacts } from "../../support/builders";
import { createMovedClock, type MovedClock } from "../../support/movedClock";

const never = new AbortController().signal;

describe("the tasks for tools", () => {
  let over: AppOverGateway;
  let clock: MovedClock;
  beforeEach(async () => {
    clock = createMovedClock();
    over = await openAppOverGateway({ polls: false, pollClock: clock });
  });
  afterEach(() => over.close());
  const orderOf = async (prompt: string): Promise<WantedTask> => {
    const { home } = await over.connections.ready();
    return { type: "async-image", model: "demo-image", prompt, home };
  };

  const submit = async (order: WantedTask): Promise<Task> => {
    const [task] = await (await over.app.openTaskPort()).submit([order], never);
    assert.ok(task);
    return task;
  };

  it("A2, T9: a task is submitted once, looked up, listed and cancelled through the port", async () => {
    const { app, gateway } = over;
    const port = await app.openTaskPort();
    const task = await submit(await orderOf("a harbour"));
    const { id } = task.intent;
    assert.equal(task.submission.state, "accepted");
    assert.equal(port.get(id), task);
    assert.deepEqual(port.list(), [task]);
    assert.equal(port.get("none"), undefined);
    await port.cancel(id, "not needed");
    const after = port.get(id);
    assert.ok(after?.submission.state === "accepted" && after.submission.cancel !== undefined);
    assert.equal(gateway.requests.filter(({ method, path }) => method === "POST" && path === "/v1/tasks").length, 1);
  });

  it("A2, T8: a task is waited for until it ends; a stop ends the wait, and its name in the project is reserved", async () => {
    const { app } = over;
    const port = await app.openTaskPort();
    const destination = path.resolve("assets", "a harbour (1)");
    const { intent } = await submit({ ...(await orderOf("a harbour")), destination });
    assert.equal(intent.destination && fileURLToPath(intent.destination.file), destination);
    assert.ok(port.isReserved(destination) && !port.isReserved(path.resolve("assets")));
    const stopped = new AbortController();
    const wait = port.untilEnded(intent.id, 600_000, stopped.signal);
    stopped.abort();
    await assert.rejects(wait, { name: "AbortError" });
    const short = port.untilEnded(intent.id, 1000, never);
    await clock.advance(1000);
    assert.equal((await short)?.intent.id, intent.id);
    const ended = port.untilEnded(intent.id, 600_000, never);
    await port.cancel(intent.id, "not needed");
    const task = await ended;
    assert.ok(task?.submission.state === "accepted" && task.submission.remote.state === "cancelled");
    assert.ok(!port.isReserved(destination));
  });

  it("V6, T8: a paid task whose file can't be fetched ends for its agent, until it is fetched after all", async () => {
    const { app } = over;
    const port = await app.openTaskPort();
    const order = { ...(await orderOf("a harbour")), destination: path.resolve("assets", "a harbour") };
    const { id } = (await submit({ ...order, orderedAs: "an order" })).intent;
    const isDone = (): boolean | undefined => port.ordered("an order")[0]?.isDone;
    const at = clock.now();
    const remote = { state: "succeeded", rawStatus: "4" } as const;
    await app.board.applyThenWrite({ type: "task-read", id, at, remote });
    const waited = port.untilEnded(id, 600_000, never);
    const error = { kind: "not-found", message: "gone", status: 404 } as const;
    for (let attempt = 1; attempt <= 7; attempt += 1) {
      assert.equal(isDone(), false, `before failure ${attempt}`);
      await app.board.applyThenWrite({ type: "task-fetch-failed", id, at, error });
    }
    assert.equal(isDone(), true);
    assert.equal((await waited)?.intent.id, id, "nobody waits for a file that nobody fetches");
    assert.ok(port.isReserved(path.resolve("assets", "a harbour")), "a person may still fetch it");
    const problem = (): unknown => port.fetchProblemOf(app.board.all.get(id)!);
    assert.equal(problem(), "given-up");
    await app.board.applyThenWrite({ type: "task-saved", id, at, path: "/x.png", saved: savedFacts });
    assert.deepEqual([isDone(), problem()], [false, undefined], "it is to be placed now");
  });

  it("A2, T10 (finding M11): what was taken off the list is still listed for tools: the same prompt was submitted before", async () => {
    const { app } = over;
    const port = await app.openTaskPort();
    const { intent } = await submit(await orderOf("a harbour"));
    await port.cancel(intent.id, "not needed");
    await app.board.writeThenApply({ type: "task-removed", id: intent.id, at: 1 });
    assert.equal(app.board.listed.size, 0);
    assert.deepEqual(
      port.list().map((task) => task.intent.prompt),
      ["a harbour"],
    );
    assert.equal(port.get(intent.id)?.intent.id, intent.id);
  });

  it("A4, C2: what was written for another gateway is neither listed nor looked up for the model of this one", async () => {
    const { app, connections } = over;
    const port = await app.openTaskPort();
    const { intent } = await submit(await orderOf("a secret plan"));
    const other = await serve((response) => response.writeHead(404).end());
    over.baseUrl.set(other.url);
    await connections.refresh();
    assert.deepEqual([port.list(), port.get(intent.id)], [[], undefined]);
    await other.close();
    over.baseUrl.set(over.gateway.url);
    await connections.refresh();
    assert.equal(port.get(intent.id)?.intent, intent);
  });

  it("T10, A2: a task that was accepted, had ended and was taken off the list at once is not told as not submitted", async () => {
    const { app, connections } = over;
    const other = await serve((response) =>
      response
        .writeHead(202, { "content-type": "application/json" })
        .end('{"task_id":"t1","hold_id":"h1","request_id":"r1","status":4}'),
    );
    over.baseUrl.set(other.url);
    await connections.refresh();
    // As another window's Clear Finished does.
    app.board.onDidChange((ids) => {
      for (const id of ids)
        if (isAccepted(app.board.listed.get(id))) void app.board.applyThenWrite({ type: "task-removed", id, at: 1 });
    });
    const task = await submit(await orderOf("a harbour"));
    assert.ok(isAccepted(task));
    assert.equal(app.board.listed.size, 0);
    await other.close();
  });

  it("T5: an app reads no task until its poller is run, and reads them then", async () => {
    const { app, gateway } = over;
    // Only the client's clock is moved.
    over.provoke("polled-too-fast");
    const reads = (): number =>
      gateway.requests.filter(({ method, path }) => method === "GET" && path.includes("/tasks/")).length;
    const [id = ""] = await app.outbox.submit([{ type: "async-image", model: "demo-image", prompt: "a harbour" }]);
    await clock.advance(60_000);
    assert.equal(reads(), 0);
    const changed = new Promise<void>((resolve) => {
      app.board.onDidChange((ids) => ids.has(id) && resolve());
    });
    void app.poller.run();
    await clock.advance(60_000);
    await changed;
    assert.ok(reads() > 0);
  });
});

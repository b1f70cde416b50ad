/** Tasks that were submitted elsewhere, over the local gateway: rows that are read, fetched and cancelled, and nothing is ever sent again. */
import assert from "node:assert/strict";
import { AppFailure } from "../../../src/domain/errors/appError";
import { readTaskIds, watchTasks } from "../../../src/tasks/polling/watch";
import { taskRow } from "../../../src/tasks/view/taskRow";
import { type AppOverGateway, openAppOverGateway } from "../../support/appOverGateway";
import { createMovedClock, type MovedClock } from "../../support/movedClock";
import { TaskBench } from "./taskBench";

describe("tasks from elsewhere", () => {
  let over: AppOverGateway;
  let bench: TaskBench;
  let clock: MovedClock;
  beforeEach(async () => {
    clock = createMovedClock();
    over = await openAppOverGateway({ clock, pollClock: clock });
    bench = new TaskBench(over, clock);
  });
  afterEach(() => over.close());

  /** As curl would. */
  const createElsewhere = async (prompt: string): Promise<string> => {
    over.provoke("resubmitted-without-key");
    const response = await fetch(`${over.gateway.url}/v1/tasks`, {
      method: "POST",
      headers: { authorization: `Bearer ${over.gateway.key}`, "content-type": "application/json" },
      body: JSON.stringify({ task_type: "async_image", public_model: "demo-image", prompt }),
    });
    return ((await response.json()) as { task_id: string }).task_id;
  };
  const watch = async (...ids: string[]) => {
    const { board, poller } = over.app;
    return bench.during(watchTasks({ board, connections: poller.connections, clock }, ids));
  };
  const creates = (): number =>
    over.gateway.requests.filter(({ method, path }) => method === "POST" && path === "/v1/tasks").length;

  it("T14: a watched task is polled to its end and its result fetched; it has no key and no body, and no hold is claimed", async () => {
    const [watched] = await watch(await createElsewhere("a hill"));
    assert.ok(watched?.state === "watched");
    const { intent } = bench.task(watched.id);
    assert.deepEqual(
      [intent.isWatched, intent.body ?? "", intent.idempotencyKey, intent.type],
      [true, "", "", "async-image"],
    );
    const row = taskRow(bench.task(watched.id), clock.now(), "en");
    assert.match(row.description, /^not submitted here$/);
    assert.match(row.label, /^Task [0-9a-f-]{36}$/);
    assert.doesNotMatch(row.money, /Reserved/);
    assert.equal(row.contextValue, "task cancelable accepted");
    await bench.ends(watched.id, "succeeded");
    assert.match(await over.app.saveResult(watched.id), /\.png$/);
  });

  it("T14, T9: it can be cancelled, and is never sent: no Reconcile, no Send Again", async () => {
    const [watched] = await watch(await createElsewhere("[slow] a hill"));
    assert.ok(watched?.state === "watched");
    const before = creates();
    await over.app.outbox.sendAgain(over.app.board.see(watched.id));
    await over.restartApp();
    await over.app.outbox.sendAgain(over.app.board.see(watched.id));
    assert.equal(creates(), before);
    assert.deepEqual(await bench.during(over.app.cancel(watched.id, "wrong")), { state: "confirmed" });
    assert.equal(over.gateway.openHolds, 0);
  });

  it("T14: an id that the gateway does not know makes no row, and one that has a row makes no second one", async () => {
    const own = await bench.submit();
    const { taskId } = bench.accepted(own);
    const elsewhere = await createElsewhere("a hill");
    const unknown = "00000000-0000-4000-8000-000000000000";
    const outcomes = await watch(taskId, unknown, elsewhere);
    assert.deepEqual(
      outcomes.map(({ state }) => state),
      ["known", "failed", "watched"],
    );
    assert.ok(outcomes[1]?.state === "failed" && outcomes[1].error.kind === "not-found");
    assert.deepEqual(
      (await watch(elsewhere)).map(({ state }) => state),
      ["known"],
    );
    assert.equal(over.app.board.listed.size, 2);
  });

  it("T14: a row that was removed comes back when its task is watched again", async () => {
    const taskId = await createElsewhere("a hill");
    const [first] = await watch(taskId);
    assert.ok(first?.state === "watched");
    await bench.ends(first.id, "succeeded");
    await over.app.board.writeThenApply({ type: "task-removed", id: first.id, at: clock.now() });
    assert.equal(over.app.board.listed.size, 0);
    const [again] = await watch(taskId);
    assert.ok(again?.state === "watched");
    assert.equal(bench.accepted(again.id).taskId, taskId);
  });

  it("T14: Cancel ends the search: what was found stays, and nothing more is asked", async () => {
    const { board, poller } = over.app;
    const taskId = await createElsewhere("a hill");
    const cancelled = new AbortController();
    const stop = board.onDidChange(() => cancelled.abort());
    const options = { board, connections: poller.connections, clock };
    const outcomes = await bench.during(watchTasks(options, [taskId, "second", "third"], cancelled.signal));
    stop.dispose();
    assert.deepEqual(
      outcomes.map(({ state }) => state),
      ["watched"],
    );
    assert.ok(!over.gateway.requests.some(({ path }) => /second|third/.test(path)));
    assert.deepEqual(await watchTasks(options, ["second"], AbortSignal.abort()), []);
  });

  it("T14: without a key nothing is asked", async () => {
    over.setKey(undefined);
    await over.connections.refresh();
    await assert.rejects(
      watchTasks({ board: over.app.board, connections: over.connections, clock }, ["a"]),
      AppFailure,
    );
  });

  it("T14: ids are read from lists, addresses and joined lines", () => {
    const one = "11111111-1111-4111-8111-111111111111";
    const two = "22222222-2222-4222-8222-222222222222";
    assert.deepEqual(readTaskIds(`${one}, "${two}"\n${one}`), [one, two]);
    assert.deepEqual(readTaskIds(`${one}${two}`), [one, two]);
    assert.deepEqual(readTaskIds(`https://gateway.example/v1/tasks/${one}/events?limit=50`), [one]);
    assert.deepEqual(readTaskIds("https://console.example/tasks/task_42 (task:7)."), ["task_42", "task:7"]);
    assert.deepEqual(readTaskIds(".. a/b <script>"), ["script"]);
    assert.deepEqual(readTaskIds("  "), []);
    assert.equal(readTaskIds(Array.from({ length: 80 }, (_, index) => `t${index}`).join(" ")).length, 50);
  });
});

/** L2: time drives the tasks, and the tests drive the time. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HttpError } from "../../../../src/localGateway/http/httpError";
import { openState, eventsUntil, statusAt, planTask } from "../../../../src/localGateway/tasks/gatewayTask";
import type { StateDatabase } from "../../../../src/localGateway/state/stateDatabase";
import { TaskEngine, type GatewayTaskOrder } from "../../../../src/localGateway/tasks/taskEngine";
import { taskTypeWords } from "../../../../src/localGateway/demo/taskKinds";
import { createMovedClock } from "../../../support/movedClock";
import { plainEngineOptions } from "../../../support/plainOptions";

const order = (prompt: string, more: Partial<GatewayTaskOrder> = {}): GatewayTaskOrder => ({
  account: 1,
  type: "async_image",
  model: "demo-image",
  prompt,
  seed: 3,
  isSeedRequested: false,
  requestId: "req",
  fingerprint: prompt,
  ...more,
});

describe("local gateway: task engine", () => {
  let folder: string;
  let state: StateDatabase;
  let engine: TaskEngine;
  const clock = createMovedClock();
  const start = async (deposit = 5000): Promise<void> => {
    state = await openState({ stateDir: folder, clock, deposit });
    engine = new TaskEngine({ state, clock, ...plainEngineOptions });
  };
  const stop = async (): Promise<void> => {
    await engine.close();
    await state.close();
  };
  const status = async (taskId: string): Promise<string> => statusAt(await engine.get(taskId), clock.now());

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "engine-"));
    await start();
  });
  afterEach(async () => {
    await stop();
    await rm(folder, { recursive: true });
  });

  it("L2: goes from created over submitted and processing to succeeded as time passes", async () => {
    const { task } = await engine.create(order("a hill"));
    const { queuedAt, processingAt, endsAt } = task.plan;
    assert.ok(endsAt !== undefined);
    const seen: string[] = [await status(task.taskId)];
    for (const moment of [queuedAt, processingAt, endsAt]) {
      await clock.advance(moment - clock.now() - 1);
      assert.equal(await status(task.taskId), seen.at(-1), "not a millisecond early");
      await clock.advance(1);
      seen.push(await status(task.taskId));
    }
    assert.deepEqual(seen, ["created", "submitted", "processing", "succeeded"]);
    const events = eventsUntil(await engine.get(task.taskId), clock.now());
    assert.deepEqual(
      events.map(({ status, at }) => [status, at]),
      [
        ["created", task.createdAt],
        ["submitted", queuedAt],
        ["processing", processingAt],
        ["succeeded", endsAt],
      ],
    );
  });

  it("L2: tasks of one prompt have a seed each unless the request names one; durations and cost are the same", async () => {
    const [first, second] = [await engine.create(order("a hill")), await engine.create(order("a hill"))];
    assert.notEqual(first.task.seed, second.task.seed);
    assert.equal((await engine.get(first.task.taskId)).task.seed, first.task.seed);
    assert.deepEqual(first.task.plan, second.task.plan);
    const named = await engine.create(order("a hill", { isSeedRequested: true }));
    assert.equal(named.task.seed, 3);
  });

  it("L2: settles at its time although nobody reads it", async () => {
    const { task } = await engine.create(order("a hill"));
    assert.equal(state.balance.held, 200);
    await clock.advance(20_000);
    await state.flushed();
    const { held, spent } = state.balance;
    assert.equal(held, 0);
    assert.ok(task.plan.outcome.state === "succeeded" && spent === task.plan.outcome.usage);
  });

  it("L2: durations are plausible for each type, differ by prompt and are shortened by the speed", () => {
    const bounds = { video: [40, 90], stylized_image: [12, 30], async_image: [8, 20] } as const;
    for (const type of taskTypeWords) {
      const lengths = Array.from({ length: 50 }, (_, index) => {
        const request = { type, prompt: `p${index}`, seed: 1, now: 0 };
        const [slow, fast] = [planTask({ ...request, speed: 1 }), planTask({ ...request, speed: 10 })];
        assert.ok(slow.endsAt !== undefined && fast.endsAt !== undefined);
        assert.ok(Math.abs(slow.endsAt / 10 - fast.endsAt) <= 1);
        assert.ok(slow.queuedAt < slow.processingAt && slow.processingAt < slow.endsAt);
        return slow.endsAt / 1000;
      });
      assert.ok(Math.min(...lengths) >= bounds[type][0] && Math.max(...lengths) <= bounds[type][1]);
      assert.ok(new Set(lengths).size > 40);
    }
  });

  it("L2: a prompt with [fail] fails with a code and costs nothing, one with [slow] takes much longer", async () => {
    const failing = await engine.create(order("a hill [fail]"));
    const slow = await engine.create(order("a hill [slow]"));
    await clock.advance(25_000);
    const { end } = await engine.get(failing.task.taskId);
    assert.ok(end?.state === "failed" && end.errorCode !== "" && end.errorMessage !== "");
    assert.equal(await status(slow.task.taskId), "processing");
    await clock.advance(160_000);
    await state.flushed();
    assert.equal(await status(slow.task.taskId), "succeeded");
    assert.ok(state.balance.spent <= 220);
  });

  it("L2: a task that never ends expires when its time to live runs out, and its hold is released", async () => {
    const { task } = await engine.create(order("a hill [stuck]"));
    await clock.advance(15 * 60_000 - 1);
    assert.equal(await status(task.taskId), "processing");
    await clock.advance(1);
    assert.equal(await status(task.taskId), "expired");
    assert.deepEqual(state.balance, { deposited: 5000, available: 5000, held: 0, spent: 0 });
  });

  it("L2: cancel releases the hold once; a task that has ended is not cancelled", async () => {
    const { task } = await engine.create(order("a hill"));
    const { end } = await engine.cancel(task.taskId, "wrong colour");
    assert.deepEqual(end, { state: "cancelled", at: clock.now(), reason: "wrong colour" });
    assert.equal(state.balance.available, 5000);
    const refused = (error: unknown): boolean => error instanceof HttpError && error.code === "task_already_terminal";
    await assert.rejects(engine.cancel(task.taskId, "again"), refused);
    await clock.advance(60_000);
    assert.equal(await status(task.taskId), "cancelled");
    assert.equal(state.balance.available, 5000);
    assert.deepEqual(
      eventsUntil(await engine.get(task.taskId), clock.now()).map((event) => event.type ?? event.status),
      ["created", "cancelled", "hold_released"],
    );
  });

  it("L3: a refund leads to state 8 after any end, with the charge returned, and only once", async () => {
    const done = await engine.create(order("a hill"));
    const failed = await engine.create(order("a hill [fail]"));
    const stuck = await engine.create(order("a hill [stuck]"));
    const cancelled = await engine.create(order("a lake"));
    const code = (wanted: string) => (error: unknown) => error instanceof HttpError && error.code === wanted;
    await assert.rejects(engine.refund(done.task.taskId, "early"), code("task_not_refundable"));
    await engine.cancel(cancelled.task.taskId, "");
    await clock.advance(15 * 60_000);
    await state.flushed();
    const { spent } = state.balance;
    assert.ok(spent > 0);
    for (const { task } of [failed, stuck, cancelled]) await engine.refund(task.taskId, "");
    assert.equal(state.balance.spent, spent, "nothing was charged for these");
    const { end, refund } = await engine.refund(done.task.taskId, "bad picture");
    assert.equal(end?.state, "succeeded");
    assert.deepEqual(refund, { at: clock.now(), reason: "bad picture", amount: spent });
    assert.deepEqual(state.balance, { deposited: 5000, available: 5000, held: 0, spent: 0 });
    await assert.rejects(engine.refund(done.task.taskId, "again"), code("task_not_refundable"));
    await stop();
    await start();
    for (const { task } of [done, failed, stuck, cancelled]) assert.equal(await status(task.taskId), "refunded");
    const [last] = eventsUntil(await engine.get(done.task.taskId), clock.now()).slice(-1);
    assert.deepEqual([last!.status, last!.message], ["refunded", "Refunded: bad picture. The charge is returned."]);
    assert.deepEqual(state.balance, { deposited: 5000, available: 5000, held: 0, spent: 0 });
  });

  it("L3: one hold per idempotency key, also when identical creates arrive at once", async () => {
    const asked = order("a hill", { idempotencyKey: "k" });
    const made = await Promise.all(Array.from({ length: 20 }, () => engine.create(asked)));
    assert.equal(new Set(made.map(({ task }) => task.holdId)).size, 1);
    assert.equal(made.filter(({ replayed }) => !replayed).length, 1);
    assert.equal(state.balance.held, 200);
    const other = engine.create({ ...asked, fingerprint: "another" });
    await assert.rejects(other, (error: unknown) => error instanceof HttpError && error.status === 409);
  });

  it("L3: a key is free again after 24 hours", async () => {
    const asked = order("a hill", { idempotencyKey: "k" });
    const first = await engine.create(asked);
    await clock.advance(24 * 3_600_000 - 1);
    assert.equal((await engine.create(asked)).task.taskId, first.task.taskId);
    await clock.advance(1);
    assert.notEqual((await engine.create(asked)).task.taskId, first.task.taskId);
  });

  it("L3: without enough money there is no task and no hold", async () => {
    for (let made = 0; made < 25; made += 1) await engine.create(order(`hill ${made}`));
    const broke = engine.create(order("one more"));
    await assert.rejects(broke, (error: unknown) => error instanceof HttpError && error.status === 402);
    assert.equal(state.openHolds, 25);
    assert.deepEqual(state.balance, { deposited: 5000, available: 0, held: 5000, spent: 0 });
  });

  it("L3: after a restart running tasks go on, and what came due meanwhile ended at its own time", async () => {
    const done = await engine.create(order("a hill"));
    const later = await engine.create(order("a sea", { type: "video" }));
    await stop();
    await clock.advance(30_000);
    await start();
    const account = await engine.get(done.task.taskId);
    assert.equal(account.end?.at, done.task.plan.endsAt);
    assert.equal(await status(later.task.taskId), "processing");
    await clock.advance(60_000);
    assert.equal(await status(later.task.taskId), "succeeded");
    assert.equal(state.openHolds, 0);
  });
});

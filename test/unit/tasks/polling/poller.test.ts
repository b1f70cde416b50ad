/** Polling on a moved clock: the pace, the limits, the later look, and clocks that jump. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { acceptedOf } from "../../../../src/domain/task/phase";
import type { RemoteTask } from "../../../../src/domain/task/task";
import { failurePause, pollInterval, requestedPause } from "../../../../src/tasks/polling/pollSchedule";
import { home, makeRemote, until } from "../../../support/builders";
import { minute, PollerBench, second } from "./pollerBench";

describe("TaskPoller", () => {
  let t: PollerBench;
  beforeEach(async () => {
    t = await PollerBench.open();
  });
  afterEach(() => t.close());

  it("T4: reads every 2 s for 20 s, every 3 s to 2 min, then every 5 s", async () => {
    const start = t.clock.now();
    await t.add();
    await t.clock.advance(4 * minute);
    for (const [index, gap] of t.gaps.entries()) {
      const age = t.reads[index]!.at - start;
      const expected = age < 20 * second ? 2 : age < 2 * minute ? 3 : 5;
      assert.equal(gap, expected * second, `at ${age} ms`);
    }
    assert.ok(t.reads.length > 60);
  });

  for (const [state, rawStatus] of [
    ["succeeded", "4"],
    ["failed", "5"],
    ["cancelled", "6"],
    ["expired", "7"],
  ] as const) {
    it(`T4 (finding 12): stops when a task has ${state}, with one later look for a refund`, async () => {
      await t.add();
      t.answer = () => makeRemote({ state, rawStatus });
      await t.firstRead(state);
      await t.clock.advance(5 * minute);
      assert.deepEqual(t.gaps, [minute]);
    });
  }

  it("T10 (finding N5): the events are read at an end without success, and at the later look while they show no release", async () => {
    await t.add();
    t.answer = () => makeRemote({ state: "failed", rawStatus: "5" });
    await t.firstRead("failed");
    await t.clock.advance(second);
    await until(() => t.eventReads.length === 1);
    await t.clock.advance(2 * minute);
    await until(() => acceptedOf(t.board.listed.get(t.intentId("t1")))?.lookedAt !== undefined);
    await t.board.flush();
    await t.clock.advance(second);
    await until(() => t.eventReads.length === 2);
    await t.clock.advance(5 * minute);
    assert.deepEqual([t.reads.length, t.eventReads.length], [2, 2]);
  });

  it("T10 (finding N5): the events of a success are not read", async () => {
    await t.add();
    t.answer = () => makeRemote({ state: "succeeded", rawStatus: "4" });
    await t.firstRead("succeeded");
    await t.clock.advance(5 * minute);
    assert.equal(t.eventReads.length, 0);
  });

  it("T4: stops when a task was refunded, for good", async () => {
    await t.add();
    t.answer = () => makeRemote({ state: "refunded", rawStatus: "8" });
    await t.firstRead("refunded");
    await t.clock.advance(5 * minute);
    assert.equal(t.reads.length, 1);
  });

  it("T4 (finding 12): the later look survives a restart, and is not made twice", async () => {
    await t.add();
    t.answer = () => makeRemote({ state: "failed", rawStatus: "5" });
    await t.firstRead("failed");
    const end = t.reads[0]!.at;
    await t.restart();
    await t.clock.advance(5 * minute);
    assert.deepEqual(
      t.reads.slice(1).map(({ at }) => at - end),
      [minute],
    );
    await t.board.flush();
    await t.restart();
    await t.clock.advance(24 * 60 * minute);
    assert.equal(t.reads.length, 2);
  });

  it("T4 (finding 12): a later look that fails is made again, and finds the refund", async () => {
    await t.add();
    t.answer = () => makeRemote({ state: "failed", rawStatus: "5" });
    await t.firstRead("failed");
    t.answer = () => ({ kind: "unreachable", message: "no route" });
    await t.clock.advance(3 * minute);
    t.answer = () => makeRemote({ state: "refunded", rawStatus: "8" });
    await t.clock.advance(3 * minute);
    const submission = t.board.listed.get(t.intentId("t1"))?.submission;
    assert.equal(submission?.state === "accepted" && submission.remote.state, "refunded");
  });

  it("T4 (finding 4): the wall clock set back or ahead changes nothing, for running and for new tasks", async () => {
    for (const [turn, shift] of [-60 * minute, 60 * minute, 48 * 60 * minute].entries()) {
      await t.add(`o${turn}`);
      await t.clock.advance(10 * second);
      t.clock.setWall(shift);
      await t.add(`n${turn}`);
      t.reads.length = 0;
      await t.clock.advance(10 * second);
      const times = (id: string) => t.reads.filter((read) => read.id === id).length;
      assert.ok(times(`o${turn}`) >= 3 && times(`n${turn}`) >= 3, JSON.stringify(t.reads));
    }
  });

  it("T4 (finding 11): refresh, focus, a change of key: no task is read within 2 s of its last read", async () => {
    await t.add("t1");
    await t.add("t2");
    for (let turn = 0; turn < 200; turn += 1) {
      if (turn % 3 === 0) t.poller.refresh();
      if (turn % 7 === 0) t.look(false);
      if (turn % 7 === 1) t.look(true);
      if (turn % 11 === 0) t.connections.current.set({ ...t.connections.current.current });
      await t.clock.advance(100);
    }
    for (const id of ["t1", "t2"]) {
      const times = t.reads.filter((read) => read.id === id).map(({ at }) => at);
      assert.ok(times.length >= 9);
      for (const [index, at] of times.slice(1).entries()) assert.ok(at - times[index]! >= 2 * second);
    }
  });

  it("T4 (finding 11): events, and reads that others ask for, are inside the same budget and keep the floor", async () => {
    for (let n = 0; n < 10; n += 1) await t.add(`t${n}`);
    await t.clock.advance(2500);
    const gateway = await t.poller.connections.find(home);
    const asked = Array.from({ length: 20 }, (_, n) => [
      gateway.listTaskEvents(`t${n}`, { limit: 50, offset: 0 }),
      gateway.getTask(`t${n % 10}`),
    ]).flat();
    await t.clock.advance(20 * second);
    await Promise.all(asked);
    const all = [...t.reads, ...t.eventReads];
    for (const { at } of all) {
      const within = all.filter((read) => read.at >= at && read.at < at + second);
      assert.ok(within.length <= 4, `${within.length} requests within a second`);
    }
    for (let n = 0; n < 10; n += 1) {
      const times = t.reads.filter(({ id }) => id === `t${n}`).map(({ at }) => at);
      for (const [index, at] of times.slice(1).entries()) assert.ok(at - times[index]! >= 2 * second);
    }
    assert.equal(t.eventReads.length, 20);
  });

  it("T4: after the machine has slept everything is read again, spread over time", async () => {
    for (let n = 0; n < 20; n += 1) await t.add(`t${n}`);
    t.look(false);
    await t.clock.advance(20 * minute);
    t.reads.length = 0;
    t.clock.sleep(8 * 60 * minute);
    await t.clock.advance(30 * second);
    const first = t.reads[0]!.at;
    assert.equal(new Set(t.reads.filter(({ at }) => at < first + 6 * second).map(({ id }) => id)).size, 20);
    for (const { at } of t.reads)
      assert.ok(t.reads.filter((read) => read.at >= at && read.at < at + second).length <= 4);
  });

  it("T4: an unknown status keeps being polled, slowly", async () => {
    await t.add();
    t.answer = () => makeRemote({ state: "unknown", rawStatus: "9" });
    await t.firstRead("unknown");
    await t.clock.advance(2 * minute);
    assert.ok(t.gaps.slice(1).every((gap) => gap === 10 * second));
    assert.ok(t.reads.length > 8);
  });

  it("T4: no more than four reads a second and four at once, and no row starves", async () => {
    for (let n = 0; n < 40; n += 1) await t.add(`t${n}`);
    await t.clock.advance(30 * second);
    for (const { at } of t.reads) {
      const within = t.reads.filter((read) => read.at >= at && read.at < at + second);
      assert.ok(within.length <= 4, `${within.length} reads within a second`);
    }
    assert.equal(new Set(t.reads.map(({ id }) => id)).size, 40);
  });

  it("T4: one read in flight a task, however long it takes", async () => {
    await t.add();
    const { promise, resolve } = Promise.withResolvers<RemoteTask>();
    t.answer = () => promise;
    await t.clock.advance(minute);
    assert.equal(t.reads.length, 1);
    resolve(makeRemote({ state: "succeeded" }));
  });

  it("T9, T10: a read that began before the end was learnt by a cancel opens no hold again", async () => {
    await t.add();
    const slow = Promise.withResolvers<RemoteTask>();
    t.answer = () => slow.promise;
    await t.clock.advance(3 * second);
    await until(() => t.reads.length === 1);
    const id = t.intentId("t1");
    const remote = makeRemote({ state: "cancelled", rawStatus: "6" });
    await t.clock.advance(second);
    await t.board.applyThenWrite({ type: "task-read", id, at: t.clock.now(), remote });
    const states: unknown[] = [];
    t.board.onDidChange(() => states.push(acceptedOf(t.board.listed.get(id))?.remote.state));
    slow.resolve(makeRemote({ state: "processing", rawStatus: "3" }));
    await t.clock.advance(0);
    await t.board.flush();
    assert.deepEqual(states, []);
    t.answer = () => remote;
    await t.clock.advance(2 * minute);
    await until(() => acceptedOf(t.board.listed.get(id))?.lookedAt !== undefined);
    assert.equal(t.reads.length, 2, "the later look");
  });

  it("T4: unfocused it reads every 10 s; focus catches up at once", async () => {
    await t.add();
    t.look(false);
    await t.clock.advance(2 * minute);
    const slow = t.gaps.slice(1);
    assert.ok(
      slow.every((gap) => gap === 10 * second),
      String(slow),
    );
    const before = t.reads.length;
    t.look(true);
    await t.clock.advance(second);
    assert.equal(t.reads.length, before + 1);
  });
});

describe("pollSchedule", () => {
  it("T4: the pace while someone looks stays inside the service's 2 to 5 s, whatever the jitter", () => {
    const pace = fc.record({
      age: fc.integer({ min: 0, max: 24 * 60 * minute }),
      random: fc.float({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(pace, ({ age, random }) => {
        const wait = pollInterval({ state: "processing", age, random });
        assert.ok(wait >= 2 * second && wait <= 5 * second);
      }),
    );
  });

  it("T4 (finding 10): pauses are bounded: what a service asks for between 1 s and a day, what it doesn't up to 1 min", () => {
    assert.equal(requestedPause(0, 1), second);
    assert.equal(requestedPause(10 * 60 * minute, 1), 10 * 60 * minute);
    assert.equal(requestedPause(72 * 60 * minute, 1), 24 * 60 * minute);
    assert.deepEqual(
      [1, 2, 3, 4, 5, 9].map((times) => requestedPause(undefined, times) / second),
      [5, 10, 20, 40, 60, 60],
    );
    assert.deepEqual(
      [1, 2, 6, 40].map((times) => failurePause(times, 1) / second),
      [2, 4, 60, 60],
    );
    assert.equal(failurePause(9, 0), 2 * second);
  });
});

/** Polling on a moved clock: what an error changes and what it doesn't, and the pauses that a service asks for. */
import assert from "node:assert/strict";
import { AppFailure } from "../../../../src/domain/errors/appError";
import type { RemoteTask } from "../../../../src/domain/task/task";
import { home, makeIntent, makeRemote } from "../../../support/builders";
import { minute, PollerBench, second } from "./pollerBench";

describe("TaskPoller, when reads fail", () => {
  let t: PollerBench;
  beforeEach(async () => {
    t = await PollerBench.open();
  });
  afterEach(() => t.close());

  it("T4 (finding 10): a pause of hours is obeyed to the end, also after a restart of the window", async () => {
    await t.add();
    t.answer = () => ({ kind: "rate-limited", message: "slow down", retryAfterMs: 5 * 60 * minute });
    await t.clock.advance(3 * second);
    assert.deepEqual([t.reads.length], [1]);
    t.answer = () => makeRemote();
    await t.clock.advance(minute);
    await t.restart();
    await t.clock.advance(5 * 60 * minute - 2 * minute);
    assert.deepEqual([t.reads.length], [1]);
    assert.ok(t.poller.status.current.pausedUntil);
    await t.clock.advance(2 * minute);
    assert.ok(t.reads.length > 10);
    assert.equal(t.poller.status.current.pausedUntil, undefined);
  });

  it("T4 (finding 10): a 503 with Retry-After pauses as well, and rows are stale meanwhile", async () => {
    await t.add();
    t.answer = () => ({ kind: "unavailable", message: "busy", status: 503, retryAfterMs: 20 * second });
    await t.clock.advance(3 * second);
    t.answer = () => makeRemote();
    await t.clock.advance(18 * second);
    assert.deepEqual([t.reads.length], [1]);
    assert.ok(t.isStale("t1") && t.poller.status.current.pausedUntil);
    await t.clock.advance(5 * second);
    assert.ok(t.reads.length > 1 && !t.isStale("t1"));
  });

  it("T4 (finding 10): the success of a read that began before it does not clear a pause", async () => {
    await t.add("slow");
    await t.add("limited");
    const slow = Promise.withResolvers<RemoteTask>();
    t.answer = (id) =>
      id === "slow" ? slow.promise : { kind: "rate-limited", message: "slow down", retryAfterMs: 10 * second };
    await t.clock.advance(3 * second);
    assert.deepEqual([t.reads.length], [2]);
    t.answer = () => makeRemote();
    slow.resolve(makeRemote());
    await t.clock.advance(9 * second);
    assert.deepEqual([t.reads.length], [2]);
    await t.clock.advance(3 * second);
    assert.ok(t.reads.length > 2);
  });

  it("T4 (finding 10): a pause that a create was asked for holds the reads, and the creates after it", async () => {
    await t.add();
    const gateway = await t.poller.connections.find(home);
    await assert.rejects(gateway.createTask("{}"), AppFailure);
    const free = t.poller.paces.of(home).forPauseEnd();
    let isFree = false;
    void free.then(() => (isFree = true));
    await t.clock.advance(59 * second);
    assert.deepEqual([t.reads.length, isFree], [0, false]);
    await t.clock.advance(5 * second);
    assert.ok(t.reads.length > 0 && isFree);
  });

  it("T4: until when the gateway has paused is said while a task waits to be sent, also where none runs", async () => {
    const until = (): number | undefined => t.poller.status.current.pausedUntil;
    const gateway = await t.poller.connections.find(home);
    await assert.rejects(gateway.createTask("{}"), AppFailure);
    await t.clock.advance(second);
    assert.equal(until(), undefined, "nothing waits for its end");
    const intent = makeIntent({ id: t.intentId("waiting") });
    await t.board.writeThenApply({ type: "task-intended", intent });
    await t.clock.advance(second);
    assert.ok((until() ?? 0) > t.clock.now() + 50 * second);
    await t.board.writeThenApply({ type: "task-sending", id: intent.id, at: t.clock.now() });
    await t.clock.advance(second);
    assert.equal(until(), undefined);
  });

  it("T4: whoever waits for a pause of hours is told at once that nothing was sent", async () => {
    await t.add();
    t.answer = () => ({ kind: "rate-limited", message: "slow down", retryAfterMs: 60 * minute });
    await t.clock.advance(3 * second);
    const isUnsent = (failure: unknown): boolean =>
      failure instanceof AppFailure && failure.error.kind === "rate-limited" && failure.error.notSent === true;
    await assert.rejects(t.poller.paces.of(home).forPauseEnd(), isUnsent);
    const gateway = await t.poller.connections.find(home);
    await assert.rejects(gateway.listTaskEvents("t1", { limit: 50, offset: 0 }), isUnsent);
  });

  it("T4 (finding 13): a refused key makes all rows of the account stale at once, and says so", async () => {
    for (let n = 0; n < 100; n += 1) await t.add(`t${n}`);
    t.answer = () => ({ kind: "unauthorized", message: "no such key", status: 401 });
    await t.clock.advance(4 * second);
    assert.ok(t.reads.length <= 4, `${t.reads.length} reads with a refused key`);
    for (let n = 0; n < 100; n += 1) assert.ok(t.isStale(`t${n}`));
    assert.equal(t.poller.status.current.refused?.error.kind, "unauthorized");
    t.answer = () => makeRemote();
    // The same key is set again: a new object with the same content.
    t.connections.current.set({ ...t.connections.current.current });
    await t.clock.advance(second);
    assert.equal(t.poller.status.current.refused, undefined);
    await t.clock.advance(40 * second);
    for (let n = 0; n < 100; n += 1) assert.ok(!t.isStale(`t${n}`));
  });

  it("T4 (finding 13): a gateway that is down makes all rows stale, and one read at a time looks whether it is back", async () => {
    for (let n = 0; n < 400; n += 1) await t.add(`t${n}`);
    t.answer = () => ({ kind: "unreachable", message: "no route" });
    await t.clock.advance(4 * second);
    for (let n = 0; n < 400; n += 1) assert.ok(t.isStale(`t${n}`));
    await t.clock.advance(10 * minute);
    assert.ok(t.reads.length < 30, `${t.reads.length} reads`);
    t.answer = () => makeRemote();
    await t.clock.advance(2 * minute);
    const fresh = [...t.board.listed.values()].filter(
      ({ submission }) => submission.state === "accepted" && !submission.stale,
    );
    assert.ok(fresh.length > 200, `${fresh.length} rows are fresh`);
  });

  it("T4: a task that alone can't be read is read less often, and holds no other up", async () => {
    await t.add("lost");
    await t.add("mine");
    t.answer = (id) => (id === "lost" ? { kind: "not-found", message: "none", status: 404 } : makeRemote());
    await t.clock.advance(5 * minute);
    assert.ok(t.reads.filter(({ id }) => id === "lost").length < 15);
    assert.ok(t.reads.filter(({ id }) => id === "mine").length > 60);
    assert.ok(t.isStale("lost") && !t.isStale("mine"));
  });

  it("T4, F4 (finding 13): reads that change nothing fire nothing; the oldest of many rows is known", async () => {
    for (let n = 0; n < 400; n += 1) await t.add(`t${n}`);
    let fired = 0;
    const listening = t.board.onDidChange(() => (fired += 1));
    await t.clock.advance(3 * minute);
    listening.dispose();
    assert.equal(fired, 0);
    // Four a second, so each of 400 every 100 s.
    assert.ok(t.reads.length > 690 && t.reads.length <= 720, `${t.reads.length} reads in three minutes`);
    const { oldestRead } = t.poller.status.current;
    assert.ok(oldestRead && t.clock.now() - oldestRead > 80 * second && t.clock.now() - oldestRead < 104 * second);
  });

  it("T4: once no task runs, nothing is said of one that another window has not read for long", async () => {
    await t.add();
    t.lease.other = { accounts: [], oldestRead: t.clock.now() };
    await t.clock.advance(3 * minute);
    assert.ok(t.poller.status.current.oldestRead);
    const remote = makeRemote({ state: "failed", rawStatus: "5" });
    await t.board.applyThenWrite({ type: "task-read", id: t.intentId("t1"), at: t.clock.now(), remote });
    await t.clock.advance(minute);
    assert.equal(t.poller.status.current.oldestRead, undefined);
  });

  it("T4: a failed read leaves the state, marks the row, backs off and recovers", async () => {
    await t.add();
    await t.clock.advance(2 * second);
    t.answer = () => ({ kind: "unreachable", message: "no route" });
    await t.clock.advance(minute);
    const submission = t.board.listed.get(t.intentId("t1"))?.submission;
    assert.equal(submission?.state === "accepted" && submission.remote.state, "created");
    assert.ok(submission?.state === "accepted" && submission.stale);
    assert.ok(t.poller.status.current.offlineSince);
    assert.ok(t.reads.length < 12, "it backs off");
    t.answer = () => makeRemote();
    await t.clock.advance(2 * minute);
    assert.equal(t.poller.status.current.offlineSince, undefined);
  });

  it("T4, T6: where the gateway is gone, an ended task that is on the list says so, and one that was cleared does not", async () => {
    const ended = makeRemote({ state: "succeeded", rawStatus: "4" });
    for (const id of ["listed", "cleared"]) {
      await t.add(id);
      await t.board.applyThenWrite({ type: "task-read", id: t.intentId(id), at: t.clock.now(), remote: ended });
    }
    t.answer = () => ({ kind: "unreachable", message: "no route" });
    const clear = (id: string): Promise<boolean> =>
      t.board.writeThenApply({ type: "task-removed", id: t.intentId(id), at: t.clock.now() });
    await clear("cleared");
    await t.clock.advance(2 * minute);
    assert.ok(
      t.reads.some(({ id }) => id === "cleared"),
      "it is read once more",
    );
    assert.ok(t.poller.status.current.offlineSince);
    await clear("listed");
    await t.clock.advance(minute);
    assert.equal(t.poller.status.current.offlineSince, undefined);
  });

  it("T4: 429 with Retry-After pauses every read of the account until then", async () => {
    await t.add("t1");
    await t.add("t2");
    t.answer = () => ({ kind: "rate-limited", message: "slow down", retryAfterMs: 30 * second });
    await t.clock.advance(3 * second);
    const limited = t.reads.length;
    const until = t.poller.status.current.pausedUntil;
    assert.ok(until !== undefined && until >= t.clock.now() + 25 * second);
    t.answer = () => makeRemote();
    t.poller.refresh();
    await t.clock.advance(until - t.clock.now() - 1);
    assert.equal(t.reads.length, limited, "not even a refresh t.reads earlier");
    await t.clock.advance(3 * second);
    assert.ok(t.reads.length > limited);
    assert.equal(t.poller.status.current.pausedUntil, undefined);
  });

  it("C2: a task of another account does not hold up those of this one", async () => {
    await t.add("foreign", "another-account");
    await t.add("mine");
    await t.clock.advance(minute);
    assert.ok(t.reads.filter(({ id }) => id === "mine").length > 15);
    assert.ok(t.reads.every(({ id }) => id === "mine"));
  });
});

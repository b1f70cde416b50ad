/** Polling on a moved clock: the pace, the limits, what an error changes and what it doesn't. */
import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { Emitter } from "../../../src/base/event";
import { type GatewayError, GatewayFailure } from "../../../src/domain/errors";
import type { RemoteTask, TaskState } from "../../../src/domain/task";
import type { TaskBoard } from "../../../src/tasks/board";
import { TaskPoller } from "../../../src/tasks/poller";
import { failurePause, pollInterval, rateLimitPause } from "../../../src/tasks/pollSchedule";
import {
  connectTo,
  home,
  keptLog,
  makeCreated,
  makeGateway,
  makeIntent,
  makeRemote,
  until,
} from "../../support/builders";
import { createMovedClock, type MovedClock } from "../../support/movedClock";
import { openBoard } from "../../support/taskBoards";
import { createTemporaryFolder, type TemporaryFolder } from "../../support/temporaryFolder";

const second = 1000;
const minute = 60 * second;

describe("TaskPoller", () => {
  let folder: TemporaryFolder;
  let board: TaskBoard;
  let clock: MovedClock;
  let poller: TaskPoller;
  let running: Promise<void>;
  let reads: { readonly id: string; readonly at: number }[];
  let answer: (id: string) => RemoteTask | GatewayError | Promise<RemoteTask>;
  let focus: Emitter<boolean>;

  beforeEach(async () => {
    folder = await createTemporaryFolder();
    board = await openBoard(join(folder.path, "tasks.db"));
    clock = createMovedClock();
    reads = [];
    focus = new Emitter();
    // Nothing new, so nothing is written: a write takes real time, and this clock does not wait for it.
    answer = () => makeRemote();
    const gateway = makeGateway({
      getTask: async (id) => {
        reads.push({ id, at: clock.now() });
        const told = await answer(id);
        if ("kind" in told) throw new GatewayFailure(told);
        return told;
      },
    });
    poller = new TaskPoller({
      board,
      connections: connectTo(gateway),
      attention: { focused: true, onDidChange: focus.event },
      clock,
      random: () => 0.5,
      log: keptLog(),
    });
    running = poller.run();
  });
  afterEach(async () => {
    poller.dispose();
    await running;
    await board.close();
    await folder.remove();
  });

  /** The id of the intent whose task has this id at the gateway. */
  const intentId = (taskId: string): string =>
    `00000000-0000-4000-8000-${Buffer.from(taskId).toString("hex").padStart(12, "0").slice(-12)}`;
  const add = async (taskId = "t1", account = home.account): Promise<void> => {
    const id = intentId(taskId);
    await board.record({ type: "task-intended", intent: makeIntent({ id, home: { ...home, account } }) });
    await board.record({ type: "task-accepted", id, at: clock.now(), created: makeCreated({ taskId }) });
  };
  /** Moves to the first read and waits until what it told is written. */
  const firstRead = async (state: TaskState): Promise<void> => {
    await clock.advance(3 * second);
    await until(() => {
      const submission = board.tasks.get(intentId("t1"))?.submission;
      return submission?.state === "accepted" && submission.remote.state === state;
    });
    await board.flush();
    await clock.advance(0);
  };
  const gaps = (): number[] => reads.slice(1).map(({ at }, index) => at - reads[index]!.at);

  it("T4: reads every 2 s for 20 s, every 3 s to 2 min, then every 5 s", async () => {
    const start = clock.now();
    await add();
    await clock.advance(4 * minute);
    for (const [index, gap] of gaps().entries()) {
      const age = reads[index]!.at - start;
      const expected = age < 20 * second ? 2 : age < 2 * minute ? 3 : 5;
      assert.equal(gap, expected * second, `at ${age} ms`);
    }
    assert.ok(reads.length > 60);
  });

  it("T4: stops at a final state, with one later look after a failure", async () => {
    await add();
    answer = () => makeRemote({ state: "failed", rawStatus: "5" });
    await firstRead("failed");
    await clock.advance(5 * minute);
    assert.equal(reads.length, 2);
    assert.ok(gaps()[0]! >= minute);
  });

  it("T4: stops at a success, with no later look", async () => {
    await add();
    answer = () => makeRemote({ state: "succeeded", rawStatus: "4" });
    await firstRead("succeeded");
    await clock.advance(5 * minute);
    assert.equal(reads.length, 1);
  });

  it("T4: an unknown status keeps being polled, slowly", async () => {
    await add();
    answer = () => makeRemote({ state: "unknown", rawStatus: "9" });
    await firstRead("unknown");
    await clock.advance(2 * minute);
    assert.ok(
      gaps()
        .slice(1)
        .every((gap) => gap === 10 * second),
    );
    assert.ok(reads.length > 8);
  });

  it("T4: no more than four reads a second and four at once, and no row starves", async () => {
    for (let n = 0; n < 40; n += 1) await add(`t${n}`);
    await clock.advance(30 * second);
    for (const { at } of reads) {
      const within = reads.filter((read) => read.at >= at && read.at < at + second);
      assert.ok(within.length <= 4, `${within.length} reads within a second`);
    }
    assert.equal(new Set(reads.map(({ id }) => id)).size, 40);
  });

  it("T4: one read in flight a task, however long it takes", async () => {
    await add();
    const { promise, resolve } = Promise.withResolvers<RemoteTask>();
    answer = () => promise;
    await clock.advance(minute);
    assert.equal(reads.length, 1);
    resolve(makeRemote({ state: "succeeded" }));
  });

  it("T4: a failed read leaves the state, marks the row, backs off and recovers", async () => {
    await add();
    await clock.advance(2 * second);
    answer = () => ({ kind: "unreachable", message: "no route" });
    await clock.advance(minute);
    const submission = board.tasks.get(intentId("t1"))?.submission;
    assert.equal(submission?.state === "accepted" && submission.remote.state, "created");
    assert.ok(submission?.state === "accepted" && submission.stale);
    assert.ok(poller.status.current.offlineSince);
    assert.ok(reads.length < 12, "it backs off");
    answer = () => makeRemote();
    await clock.advance(2 * minute);
    assert.equal(poller.status.current.offlineSince, undefined);
  });

  it("T4: 429 with Retry-After pauses every read of the account until then", async () => {
    await add("t1");
    await add("t2");
    answer = () => ({ kind: "rate-limited", message: "slow down", retryAfterMs: 30 * second });
    await clock.advance(3 * second);
    const limited = reads.length;
    const until = poller.status.current.pausedUntil;
    assert.ok(until !== undefined && until >= clock.now() + 25 * second);
    answer = () => makeRemote();
    poller.refresh();
    await clock.advance(until - clock.now() - 1);
    assert.equal(reads.length, limited, "not even a refresh reads earlier");
    await clock.advance(3 * second);
    assert.ok(reads.length > limited);
    assert.equal(poller.status.current.pausedUntil, undefined);
  });

  it("C2: a task of another account does not hold up those of this one", async () => {
    await add("foreign", "another-account");
    await add("mine");
    await clock.advance(minute);
    assert.ok(reads.filter(({ id }) => id === "mine").length > 15);
    assert.ok(reads.every(({ id }) => id === "mine"));
  });

  it("T4: unfocused it reads every 10 s; focus catches up at once", async () => {
    await add();
    focus.fire(false);
    await clock.advance(2 * minute);
    const slow = gaps().slice(1);
    assert.ok(
      slow.every((gap) => gap === 10 * second),
      String(slow),
    );
    const before = reads.length;
    focus.fire(true);
    await clock.advance(second);
    assert.equal(reads.length, before + 1);
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

  it("T4: pauses are bounded: what a service asks for between 1 s and 2 min, what it doesn't up to 1 min", () => {
    assert.equal(rateLimitPause(0, 1), second);
    assert.equal(rateLimitPause(10 * 60 * minute, 1), 2 * minute);
    assert.deepEqual(
      [1, 2, 3, 4, 5, 9].map((times) => rateLimitPause(undefined, times) / second),
      [5, 10, 20, 40, 60, 60],
    );
    assert.deepEqual(
      [1, 2, 6, 40].map((times) => failurePause(times, 1) / second),
      [2, 4, 60, 60],
    );
    assert.equal(failurePause(9, 0), 2 * second);
  });
});

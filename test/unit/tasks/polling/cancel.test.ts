/** What becomes of a cancel, by what the service says and a read after it. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { AppFailure, type AppError } from "../../../../src/domain/errors/appError";
import type { Gateway } from "../../../../src/domain/ports";
import type { AcceptedSubmission, RemoteTask, TaskIntent } from "../../../../src/domain/task/task";
import type { TaskBoard } from "../../../../src/tasks/board/board";
import { TaskCancels } from "../../../../src/tasks/polling/cancel";
import {
  cancelDescription,
  cancelList,
  cancelSentence,
  cancelSummary,
  nameTask,
} from "../../../../src/tasks/view/cancelWords";
import { createTimes } from "../../../../src/domain/words/timeFormats";
import {
  accepted,
  connectTo,
  makeCreated,
  makeGateway,
  makeIntent,
  makeRemote,
  makeTask,
} from "../../../support/builders";
import { createMovedClock, type MovedClock } from "../../../support/movedClock";
import { openBoard } from "../../../support/taskBoards";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";

const { id } = makeIntent();
const running = makeRemote({ state: "processing", rawStatus: "3" });
const conflict: AppError = { kind: "conflict", status: 409, message: "not now" };
const lost: AppError = { kind: "timed-out", message: "no answer" };

describe("TaskCancels", () => {
  const times = createTimes("en", 0);
  let folder: TemporaryFolder;
  let clock: MovedClock;
  let board: TaskBoard;
  let sent: string[];
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    clock = createMovedClock();
    board = await openBoard(join(folder.path, "tasks.db"), { clock });
    sent = [];
    await board.writeThenApply({ type: "task-intended", intent: makeIntent() });
    await board.writeThenApply({ type: "task-sending", id, at: clock.now() });
    await board.writeThenApply({
      type: "task-accepted",
      id,
      at: clock.now(),
      created: makeCreated({ remote: running }),
    });
  });
  afterEach(async () => {
    await board.close();
    await folder.remove();
  });

  /** `reads`: what each read says, the last one again and again. */
  const gatewayOf = (cancel: () => RemoteTask | undefined, ...reads: readonly (RemoteTask | AppError)[]): Gateway => {
    const left = [...reads];
    return makeGateway({
      cancelTask: async () => {
        sent.push("cancel");
        await Promise.resolve();
        return cancel();
      },
      getTask: async () => {
        sent.push("read");
        await Promise.resolve();
        const next = (left.length > 1 ? left.shift() : left[0])!;
        if ("kind" in next) throw new AppFailure(next);
        return next;
      },
    });
  };
  const fail = (error: AppError) => (): never => {
    throw new AppFailure(error);
  };
  const cancels = (gateway: Gateway): TaskCancels => new TaskCancels({ board, connections: connectTo(gateway), clock });
  const outcome = async (gateway: Gateway) => {
    const cancelling = cancels(gateway).cancel(id, "wrong prompt");
    for (let turn = 0; turn < 4; turn += 1) await clock.advance(1_000);
    return cancelling;
  };
  const row = () => {
    const { submission } = board.listed.get(id)!;
    assert.ok(submission.state === "accepted");
    return submission;
  };

  it("T9, T10: Cancelled says that nothing is charged only where a release was seen, else what the row says of the money", () => {
    const event = { id: "e", type: "released", state: "cancelled", rawStatus: "6", message: "" } as const;
    const sentence = (change: Partial<AcceptedSubmission>, intent: Partial<TaskIntent> = {}): string => {
      const submission = accepted({ state: "cancelled" }, { holdId: "h", ...change });
      return cancelSentence({ task: makeTask({ intent, submission }), outcome: { state: "confirmed" } }, times);
    };
    const home = { origin: "local", baseUrl: "http://127.0.0.1:1/v1", account: "a" };
    const nothing = "Cancelled; nothing is charged.";
    assert.equal(sentence({ events: [event] }), nothing);
    assert.equal(sentence({ remote: makeRemote({ state: "refunded" }) }), nothing);
    assert.equal(sentence({}, { home }), nothing);
    assert.equal(sentence({}), "Cancelled. Checking: not seen given back yet.");
    assert.equal(
      sentence({ events: [event], others: [{ taskId: "task-2", at: 0 }] }),
      "Cancelled. Check in the gateway's console: it made more than one task, or reserved more than once.",
    );
    const madeLater = makeRemote({ state: "refunded", createdAt: 600_000 });
    assert.equal(
      sentence({ at: 600_000, lostAt: 1, remote: madeLater }),
      "Cancelled. Check in the gateway's console: the first request may have made a second task.",
    );
  });

  it("T9: a response that carries the end is proof enough", async () => {
    const gateway = gatewayOf(() => makeRemote({ state: "cancelled", rawStatus: "6" }));
    assert.deepEqual(await outcome(gateway), { state: "confirmed" });
    assert.deepEqual(sent, ["cancel"]);
    assert.equal(row().cancel?.state, "confirmed");
  });

  it("T9 (finding 16): a conflict on a task that a read shows running is a refusal, and it goes on", async () => {
    assert.deepEqual(await outcome(gatewayOf(fail(conflict), running)), {
      state: "refused",
      error: conflict,
      isSeenRunning: true,
    });
    assert.deepEqual(sent, ["cancel", "read"]);
    assert.equal(row().cancel?.state, "refused");
    assert.equal(row().remote.state, "processing");
  });

  it("T9: a conflict on a task that a read shows finished means that it finished first, and a success is charged", async () => {
    const done = makeRemote({ state: "succeeded", rawStatus: "4" });
    const told = await outcome(gatewayOf(fail(conflict), done));
    assert.deepEqual(told, { state: "too-late", ended: "succeeded" });
    assert.match(
      cancelSentence({ task: makeTask(), outcome: told }, times),
      /finished before the cancel arrived, so it is charged/,
    );
    const home = { origin: "local", baseUrl: "http://127.0.0.1:1/v1", account: "a" };
    const free = makeTask({ intent: { home } });
    assert.equal(
      cancelSentence({ task: free, outcome: told }, times),
      "It had finished before the cancel arrived. It was free.",
    );
    assert.equal(row().cancel?.state, "too-late");
  });

  it("T9: a conflict that no read explains stays open until a read does", async () => {
    assert.equal((await outcome(gatewayOf(fail(conflict), lost))).state, "failed");
    assert.equal(row().cancel?.state, "requested");
    await board.applyThenWrite({ type: "task-read", id, at: clock.now(), remote: makeRemote({ state: "failed" }) });
    assert.equal(row().cancel?.state, "too-late");
  });

  it("T9 (finding 16): a cancel that was taken and never acted on is not told as finished before", async () => {
    assert.deepEqual(await outcome(gatewayOf(() => undefined, running)), { state: "open" });
    await board.applyThenWrite({ type: "task-read", id, at: clock.now(), remote: makeRemote({ state: "succeeded" }) });
    assert.equal(row().cancel?.state, "no-effect");
  });

  it("T9, R3 (finding 16): a cancel that was cut by a kill is decided by a read after the restart", async () => {
    void cancels(makeGateway({ cancelTask: () => new Promise(() => undefined) })).cancel(id, "wrong prompt");
    await clock.advance(0);
    await board.close();
    board = await openBoard(join(folder.path, "tasks.db"), { clock });
    assert.equal(row().cancel?.state, "requested");
    await clock.advance(120_000);
    await board.applyThenWrite({ type: "task-read", id, at: clock.now(), remote: running });
    assert.equal(row().cancel?.state, "no-effect", "not requested for good");
    await board.applyThenWrite({ type: "task-read", id, at: clock.now(), remote: makeRemote({ state: "cancelled" }) });
    assert.equal(row().cancel?.state, "confirmed", "a gateway may be slow");
  });

  it("T9 (finding 11): three at once, and two windows, send one request", async () => {
    const gateway = gatewayOf(() => undefined, makeRemote({ state: "cancelled", rawStatus: "6" }));
    const mine = cancels(gateway);
    const other = await openBoard(join(folder.path, "tasks.db"), { clock });
    const elsewhere = new TaskCancels({ board: other, connections: connectTo(gateway), clock });
    const all = [mine.cancel(id, "a"), mine.cancel(id, "b"), mine.cancel(id, "c"), elsewhere.cancel(id, "d")];
    for (let turn = 0; turn < 4; turn += 1) await clock.advance(1_000);
    const states = (await Promise.all(all)).map(({ state }) => state).sort();
    assert.deepEqual(sent, ["cancel", "read"]);
    assert.equal(states.filter((state) => state === "confirmed").length >= 1, true);
    assert.ok(!states.includes("failed") && !states.includes("too-late"), String(states));
    await other.close();
  });

  it("T9: nothing is sent for a task that has ended, nor again while another window's cancel is under way", async () => {
    await board.writeThenApply({
      type: "task-cancel",
      id,
      cancel: { state: "requested", reason: "", at: clock.now() },
    });
    const gateway = gatewayOf(() => undefined, running);
    assert.deepEqual(await cancels(gateway).cancel(id, "again"), { state: "open" });
    await board.applyThenWrite({ type: "task-read", id, at: clock.now(), remote: makeRemote({ state: "failed" }) });
    assert.deepEqual(await cancels(gateway).cancel(id, "again"), { state: "too-late", ended: "failed" });
    assert.deepEqual(sent, []);
  });

  it("T9: after the clock was set back by a day a cancel that was cut is asked for again, and read and decided as soon as ever", async () => {
    await board.writeThenApply({
      type: "task-cancel",
      id,
      cancel: { state: "requested", reason: "", at: clock.now() },
    });
    clock.setWall(-24 * 3_600_000);
    await board.applyThenWrite({ type: "task-read", id, at: clock.now(), remote: running });
    assert.equal(row().cancel?.state, "no-effect");
    clock.setWall(-24 * 3_600_000);
    assert.deepEqual(await outcome(gatewayOf(() => undefined, running)), { state: "open" });
    assert.deepEqual(sent, ["cancel", "read"]);
  });

  it("T9: another window's cancel that was asked for before the clock was set back by a day holds up no new one", async () => {
    await board.writeThenApply({
      type: "task-cancel",
      id,
      cancel: { state: "requested", reason: "", at: clock.now() },
    });
    clock.setWall(-24 * 3_600_000);
    assert.deepEqual(await outcome(gatewayOf(() => makeRemote({ state: "cancelled" }))), { state: "confirmed" });
    assert.deepEqual(sent, ["cancel"]);
  });

  it("T9, T10: a cancel that was never sent, because other windows kept writing the task, is not told as requested", async () => {
    board.writeThenApply = () => Promise.resolve(false);
    const told = await outcome(gatewayOf(() => undefined, running));
    assert.deepEqual(sent, []);
    assert.ok(told.state === "failed" && told.error.notSent === true);
    assert.match(
      cancelSentence({ task: makeTask(), outcome: told }, times),
      /The cancel was not sent\. The task goes on\./,
    );
  });

  it("T9, T10: an agent's cancel of a task off the list says how it ended, or that it is not known, and sends nothing", async () => {
    await board.applyThenWrite({ type: "task-read", id, at: clock.now(), remote: makeRemote({ state: "succeeded" }) });
    await board.applyThenWrite({ type: "task-removed", id, at: clock.now() });
    const unknown = makeIntent({ id: "22222222-2222-4222-8222-222222222222" });
    await board.writeThenApply({ type: "task-intended", intent: unknown });
    await board.applyThenWrite({ type: "task-outcome-unknown", id: unknown.id, at: clock.now(), error: lost });
    await board.applyThenWrite({ type: "task-removed", id: unknown.id, at: clock.now() });
    const cancelling = cancels(gatewayOf(() => undefined, running));
    assert.deepEqual(await cancelling.cancel(id, "a"), { state: "too-late", ended: "succeeded" });
    assert.deepEqual(await cancelling.cancel(unknown.id, "a"), { state: "still-unknown" });
    assert.deepEqual(sent, []);
  });

  it("T9, T4: the read after a cancel keeps the pace of the service, and takes the poller's where that came first", async () => {
    const gateway = gatewayOf(() => undefined, running);
    const cancelling = cancels(gateway).cancel(id, "wrong prompt");
    await clock.advance(1_900);
    assert.deepEqual(sent, ["cancel"], "two seconds after the last read");
    await board.applyThenWrite({ type: "task-read", id, at: clock.now(), remote: makeRemote({ state: "cancelled" }) });
    await clock.advance(200);
    assert.deepEqual(await cancelling, { state: "confirmed" });
    assert.deepEqual(sent, ["cancel"]);
  });

  it("M10, T9: a refusal that no read followed is not told as one", async () => {
    const error: AppError = { kind: "forbidden", status: 403, message: "no" };
    const told = await outcome(gatewayOf(fail(error), running));
    assert.deepEqual(told, { state: "refused", error, isSeenRunning: false });
    assert.deepEqual(sent, ["cancel"]);
    assert.match(
      cancelSentence({ task: makeTask(), outcome: told }, times),
      /^The gateway refused the cancel; the task may still be running\./,
    );
    const task = makeTask({ submission: accepted({}) });
    const outcomes = [told, { state: "no-task" }, { state: "still-unknown" }] as const;
    assert.equal(
      cancelSummary(outcomes.map((one) => ({ task, outcome: one }))),
      "1 not sent. 1 not sent again, outcome unknown. 1 refused.",
    );
  });

  it("M10, T9: a cancel that the rate limit refused is sent again, and told as refused only when it stays so", async () => {
    const limited: AppError = { kind: "rate-limited", status: 429, message: "slow down" };
    let refusals = 2;
    const twice = gatewayOf(() => {
      if (refusals-- > 0) throw new AppFailure(limited);
      return makeRemote({ state: "cancelled", rawStatus: "6" });
    });
    assert.deepEqual(await outcome(twice), { state: "confirmed" });
    assert.deepEqual(sent, ["cancel", "cancel", "cancel"]);
  });

  it("T9 (finding 16): of many that differ each is told, and the sum counts them apart", () => {
    const task = makeTask({ submission: accepted({}) });
    const cancelled = [
      { task, outcome: { state: "confirmed" } },
      { task, outcome: { state: "open" } },
      { task, outcome: { state: "refused", error: conflict, isSeenRunning: true } },
      { task, outcome: { state: "too-late", ended: "succeeded" } },
      { task, outcome: { state: "too-late", ended: "failed" } },
      { task, outcome: { state: "failed", error: lost } },
    ] as const;
    assert.equal(
      cancelSummary(cancelled),
      "1 of 6 cancelled. 1 requested. 1 refused, going on. 1 finished before and charged. 1 ended before. 1 not known or not sent.",
    );
    const list = cancelList(cancelled, times);
    assert.equal(list.match(/a lighthouse at dusk/g)?.length, 6);
    assert.match(list, /refused the cancel, and a read after it shows that the task goes on/);
  });

  it("T9, T7 (newuser M6): tasks of one prompt are told apart by their seeds, in the list that asks which to cancel and after it", () => {
    const tasks = ["seed: 7", "seed: 8"].map((variant) => makeTask({ intent: { variant } }));
    for (const words of [cancelDescription, nameTask]) {
      const [first = "", second] = tasks.map((task) => words(task, times));
      assert.match(first, /· seed: 7 ·/);
      assert.notEqual(first, second);
    }
  });
});

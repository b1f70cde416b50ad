/** A yes is bound to what it was given for: the gateway and account that were shown, and the task as it was seen. Counted is what the gateway holds. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { AppFailure } from "../../../src/domain/errors/appError";
import { isWaitingToSend } from "../../../src/domain/task/phase";
import type { Task } from "../../../src/domain/task/task";
import type { WantedTask } from "../../../src/domain/task/taskPort";
import { describeError } from "../../../src/domain/words/describeError";
import { Emitter } from "../../../src/base/event";
import type { TaskBoard } from "../../../src/tasks/board/board";
import { TaskCancels } from "../../../src/tasks/polling/cancel";
import { TaskPoller } from "../../../src/tasks/polling/poller";
import { Outbox } from "../../../src/tasks/submit/outbox";
import { describeOutcomes } from "../../../src/tasks/view/outcomes";
import { taskRow } from "../../../src/tasks/view/taskRow";
import { type AppOverGateway, openAppOverGateway } from "../../support/appOverGateway";
import { keptLog, until } from "../../support/builders";
import { waiting } from "../../support/chatSessions";
import { createMovedClock, type MovedClock } from "../../support/movedClock";
import { plainOutboxOptions } from "../../support/plainOptions";
import { openBoard } from "../../support/taskBoards";
import { TaskBench } from "./taskBench";

const wanted = { type: "async-image", model: "demo-image", prompt: "a hill" } as const;

describe("a yes over the local gateway", () => {
  let over: AppOverGateway;
  let bench: TaskBench;
  let clock: MovedClock;
  let others: { close(): Promise<void> }[];
  beforeEach(async () => {
    clock = createMovedClock();
    over = await openAppOverGateway({ clock, pollClock: clock, polls: false });
    bench = new TaskBench(over, clock);
    others = [];
  });
  afterEach(async () => {
    for (const other of others) await other.close();
    await over.close();
  });

  const creates = (): number =>
    over.gateway.requests.filter(({ method, path }) => method === "POST" && path === "/v1/tasks").length;
  /** Also of tasks that have ended since. */
  const holds = async (gateway = over.gateway): Promise<number> => {
    await gateway.flushed();
    const headers = { authorization: `Bearer ${gateway.key}` };
    const response = await fetch(`${gateway.url}/_local/ledger`, { headers });
    const { entries } = (await response.json()) as { entries: { type: string }[] };
    return entries.filter(({ type }) => type === "hold").length;
  };
  /** The next create is refused, and the account pauses. */
  const armPause = (seconds: number, route = "POST /v1/tasks"): void => {
    const value = { status: 429, headers: { "retry-after": String(seconds) } };
    over.gateway.faults.arm({ name: "http.status", route, value, times: 1 });
  };
  const task = (id: string): Task => bench.task(id);
  const rowOf = (id: string) => taskRow(task(id), clock.now(), "en");
  const refusedTask = async (): Promise<string> => {
    armPause(30);
    const id = await bench.submit();
    assert.equal(task(id).submission.state, "not-accepted");
    return id;
  };
  /** A second window on the same file, with a poller and a pace of its own. */
  const openOther = async (): Promise<{ board: TaskBoard; outbox: Outbox; cancels: TaskCancels }> => {
    const board = await openBoard(join(over.folder, ".storage", "tasks.db"), { clock });
    const log = keptLog();
    const attention = { focused: false, onDidChange: new Emitter<boolean>().event };
    const poller = new TaskPoller({ board, connections: over.connections, attention, clock, random: () => 0.5, log });
    const { connections } = poller;
    const untilUnpaused: TaskPoller["untilUnpaused"] = (...asked) => poller.untilUnpaused(...asked);
    const outbox = new Outbox({ board, connections, clock, log, ...plainOutboxOptions, untilUnpaused });
    others.push({ close: () => poller.close() }, { close: () => board.close() });
    return { board, outbox, cancels: new TaskCancels({ board, connections, clock }) };
  };
  const orderOf = async (): Promise<WantedTask> => ({ ...wanted, home: (await over.connections.ready()).home });

  describe("M1", () => {
    it("M1, C2, T3: what was shown for one gateway is not submitted to another, and the reason is one sentence", async () => {
      const paid = await openAppOverGateway({ polls: false });
      others.push(paid);
      const { home } = await over.connections.ready();
      over.baseUrl.set(paid.gateway.url);
      over.setKey(paid.gateway.key);
      await over.connections.refresh();
      const isOtherHome = (failure: unknown): boolean => {
        assert.ok(failure instanceof AppFailure);
        const { title, meaning, action } = describeError(failure.error, "submit");
        assert.equal(title, "Another gateway or another API key has been chosen meanwhile.");
        assert.match(meaning, /^Nothing was sent, so nothing is paid\./);
        assert.equal(action.id, "retry");
        return true;
      };
      await assert.rejects(over.app.outbox.prepare([wanted], home), isOtherHome);
      await assert.rejects((await over.app.openTaskPort()).submit([{ ...wanted, home }], never), isOtherHome);
      assert.deepEqual([await holds(paid.gateway), await holds(), over.app.board.listed.size], [0, 0, 0]);
    });

    it("M1, C2, A3: nor, by an agent's order or a person's, to another account of the same gateway", async () => {
      const order = await orderOf();
      over.setKey("sk-another");
      await over.connections.refresh();
      await assert.rejects(over.app.outbox.prepare([wanted], order.home), AppFailure);
      await assert.rejects((await over.app.openTaskPort()).submit([order], never), AppFailure);
      assert.deepEqual([creates(), over.app.board.listed.size], [0, 0]);
    });
  });

  describe("M2 and M3", () => {
    it("M2, T1: what is sent again shows that it waits, with Withdraw and without Remove", async () => {
      const id = await refusedTask();
      const sending = over.app.outbox.sendAgain(over.app.board.see(id));
      await until(() => isWaitingToSend(task(id)));
      assert.match(rowOf(id).description, /^waiting to be sent/);
      assert.deepEqual(
        ["withdraw", "remove", "send-again"].map((action) => rowOf(id).actions.some((offered) => offered === action)),
        [true, false, false],
      );
      await clock.advance(30_000);
      assert.deepEqual(await sending, []);
      assert.deepEqual([task(id).submission.state, await holds()], ["accepted", 1]);
    });

    it("M2, T1, T5: nor is one whose removal this window has not learnt of by the end of the pause", async () => {
      const id = await refusedTask();
      const other = await openOther();
      // Nothing is learnt from now on but by writing.
      const deaf = await openBoard(join(over.folder, ".storage", "tasks.db"), { clock });
      others.push(deaf);
      deaf.readOtherWindows = () => Promise.resolve();
      const { connections } = over;
      const pause = Promise.withResolvers<undefined>();
      const untilUnpaused = () => pause.promise;
      const options = { board: deaf, connections, clock, log: keptLog(), ...plainOutboxOptions, untilUnpaused };
      const sending = new Outbox(options).sendAgain(deaf.see(id));
      await until(() => isWaitingToSend(deaf.listed.get(id)!));
      await other.board.writeThenApply({ type: "task-removed", id, at: clock.now() });
      pause.resolve(undefined);
      await sending;
      assert.deepEqual([creates(), await holds()], [1, 0]);
    });

    it("M2, T1: a task that another window removed while it waited is neither sent nor paid", async () => {
      const id = await refusedTask();
      const other = await openOther();
      const sending = over.app.outbox.sendAgain(over.app.board.see(id));
      await until(() => isWaitingToSend(task(id)));
      await other.board.writeThenApply({ type: "task-removed", id, at: clock.now() });
      await over.app.board.readOtherWindows();
      await sending;
      await clock.advance(60_000);
      assert.deepEqual([creates(), await holds(), over.app.board.listed.size], [1, 0, 0]);
    });

    it("M2, T1: a task that was removed before the click was read is not sent", async () => {
      const id = await refusedTask();
      await clock.advance(30_000);
      const seen = over.app.board.see(id);
      await over.app.board.writeThenApply({ type: "task-removed", id, at: clock.now() });
      assert.deepEqual(await over.app.outbox.sendAgain(seen), seen);
      assert.deepEqual([creates(), await holds()], [1, 0]);
    });

    for (const first of ["this window", "the other"] as const) {
      it(`M3, T1, T5: of two windows that send again the same refusal, ${first} first, one pays, where the gateway ignores keys`, async () => {
        const id = await refusedTask();
        over.gateway.faults.arm({ name: "task.same-key", value: "new-task" });
        const other = await openOther();
        const windows = [over.app, other];
        if (first === "the other") windows.reverse();
        const [one, late] = windows.map(({ board, outbox }) => ({ outbox, seen: board.see(id) }));
        // In the late window the click waits longer than the first one's task needs to be accepted.
        const sent = one!.outbox.sendAgain(one!.seen);
        await clock.advance(30_000);
        assert.deepEqual(await sent, []);
        assert.deepEqual(await late!.outbox.sendAgain(late!.seen), late!.seen, "it is told that the task has changed");
        await clock.advance(30_000);
        assert.deepEqual([creates(), await holds()], [2, 1]);
      });
    }

    it("M3, T1, T5: of two windows that wait for the same pause one sends", async () => {
      const id = await refusedTask();
      const other = await openOther();
      const both = [over.app, other].map(({ board, outbox }) => outbox.sendAgain(board.see(id)));
      await until(() => isWaitingToSend(task(id)));
      await clock.advance(60_000);
      await Promise.all(both);
      assert.deepEqual([creates(), await holds()], [2, 1]);
    });

    it("M3, T1: an unknown outcome that another window has cleared up is not sent while this one waits", async () => {
      over.gateway.faults.arm({ name: "task.lost-202", times: 1 });
      const id = await bench.submit();
      await refusedTask();
      const other = await openOther();
      const sending = over.app.outbox.sendAgain(over.app.board.see(id));
      await until(() => isWaitingToSend(task(id)));
      assert.match(rowOf(id).description, /^outcome unknown · waiting to be sent/);
      const created = { taskId: "task-1", remote: { state: "created", rawStatus: "1" }, replayed: true } as const;
      await other.board.applyThenWrite({ type: "task-accepted", id, at: clock.now(), created });
      await over.app.board.readOtherWindows();
      await sending;
      await clock.advance(60_000);
      assert.equal(creates(), 2);
    });

    it("M3, T1: a second click, before or after the first was written, sends nothing", async () => {
      const id = await refusedTask();
      await clock.advance(30_000);
      const seen = over.app.board.see(id);
      const [changed] = await Promise.all([1, 2, 3].map(() => over.app.outbox.sendAgain(seen)));
      assert.deepEqual(changed, []);
      assert.deepEqual(await over.app.outbox.sendAgain(seen), seen);
      assert.deepEqual([creates(), await holds()], [2, 1]);
    });
  });

  describe("M4", () => {
    it("M4, T9: Cancel on rows that wait to be sent: nothing of them is sent, and nothing is asked again", async () => {
      await refusedTask();
      const sending = over.app.outbox.submit([wanted, wanted, wanted]);
      const tasks = (): Task[] => [...over.app.board.listed.values()].filter(isWaitingToSend);
      await until(() => tasks().length === 3);
      const [first, second, third] = tasks().map(({ intent }) => intent.id);
      assert.match(rowOf(first!).contextValue, /\bwaiting\b/);
      assert.doesNotMatch(rowOf(first!).contextValue, /\b(?:removable|cancelable)\b/);
      assert.deepEqual(await over.app.cancel(first!, "not needed"), { state: "no-task" });
      // Also from a window that sends nothing itself.
      const other = await openOther();
      await other.board.writeThenApply({ type: "task-waiting", id: second!, at: clock.now() });
      assert.deepEqual(await other.cancels.cancel(second!, "not needed"), { state: "no-task" });
      await over.app.board.readOtherWindows();
      await clock.advance(30_000);
      await sending;
      assert.deepEqual(
        [first, second, third].map((id) => task(id!).submission.state),
        ["not-accepted", "not-accepted", "accepted"],
      );
      assert.match(
        rowOf(first!).state,
        /^It was cancelled before it was sent\. Nothing was sent, so nothing is paid\./,
      );
      assert.deepEqual([creates(), await holds()], [2, 1]);
    });

    it("M4, A3, V6: an agent's order that waits is called back when its signal aborts: by Stop, or a client that is gone", async () => {
      await refusedTask();
      const stopped = new AbortController();
      const ordered = (await over.app.openTaskPort()).submit([await orderOf()], stopped.signal);
      await until(() => [...over.app.board.listed.values()].some(isWaitingToSend));
      stopped.abort();
      const [sent] = await ordered;
      assert.ok(sent);
      const { submission } = sent;
      assert.ok(submission.state === "not-accepted" && submission.error.code === "withdrawn");
      await assert.rejects((await over.app.openTaskPort()).submit([await orderOf()], stopped.signal), {
        name: "AbortError",
      });
      await clock.advance(60_000);
      assert.deepEqual([creates(), await holds()], [1, 0]);
    });

    it("M4, S5, A3: Stop in the chat calls back the task that waits after its yes", async () => {
      await refusedTask();
      const session = over.app.session.current;
      const turn = session.submit(`call submit_task ${JSON.stringify(wanted)}`);
      await until(() => waiting(session).length > 0);
      // The chat has holds of its own.
      const before = await holds();
      session.approvals.decide(waiting(session)[0]!.id, { allow: true });
      await until(() => [...over.app.board.listed.values()].some(isWaitingToSend));
      session.stop();
      await turn;
      await until(() => ![...over.app.board.listed.values()].some(isWaitingToSend));
      await clock.advance(60_000);
      assert.deepEqual([creates(), await holds()], [1, before]);
    });

    it("M4, A3: an agent's cancel of its own order that waits prevents the payment", async () => {
      await refusedTask();
      const ordered = (await over.app.openTaskPort()).submit([await orderOf()], never);
      await until(() => [...over.app.board.listed.values()].some(isWaitingToSend));
      const [own] = (await over.app.openTaskPort()).list().filter(isWaitingToSend);
      assert.deepEqual(await (await over.app.openTaskPort()).cancel(own!.intent.id, "wrong prompt"), {
        state: "no-task",
      });
      await ordered;
      await clock.advance(60_000);
      assert.deepEqual([creates(), await holds()], [1, 0]);
    });

    it("M4, T1: a Reconcile that waits can be called back, and the outcome stays unknown", async () => {
      over.gateway.faults.arm({ name: "task.lost-202", times: 1 });
      const id = await bench.submit();
      await refusedTask();
      const sending = over.app.outbox.sendAgain(over.app.board.see(id));
      await until(() => isWaitingToSend(task(id)));
      assert.ok(rowOf(id).actions.includes("withdraw") && !rowOf(id).actions.includes("remove"));
      assert.deepEqual(await over.app.cancel(id, "not needed"), { state: "still-unknown" });
      await sending;
      await clock.advance(60_000);
      assert.deepEqual([creates(), task(id).submission.state], [2, "outcome-unknown"]);
      assert.ok(rowOf(id).actions.includes("reconcile"));
    });

    it("M4, T9: what is being sent when it is cancelled is cancelled at the gateway once it is accepted", async () => {
      const gate = Promise.withResolvers<undefined>();
      const find = over.connections.find.bind(over.connections);
      over.connections.find = async (home) => {
        const gateway = await find(home);
        const createTask: typeof gateway.createTask = (...sent) => gate.promise.then(() => gateway.createTask(...sent));
        return { ...gateway, createTask };
      };
      const sending = over.app.outbox.submit([wanted]);
      await until(() => [...over.app.board.listed.values()][0]?.submission.state === "sending");
      const [id = ""] = over.app.board.listed.keys();
      const cancelling = over.app.cancel(id, "wrong prompt");
      gate.resolve(undefined);
      await sending;
      assert.deepEqual(await bench.during(cancelling), { state: "confirmed" });
      assert.equal(over.gateway.openHolds, 0);
    });

    it("M4, T10: the message after a batch is not about what the person called back", async () => {
      await refusedTask();
      const sending = over.app.outbox.submit([wanted]);
      await until(() => [...over.app.board.listed.values()].some(isWaitingToSend));
      const [own] = [...over.app.board.listed.values()].filter(isWaitingToSend);
      await over.app.cancel(own!.intent.id, "not needed");
      const ids = await sending;
      assert.equal(describeOutcomes(ids.map(task), undefined), undefined);
    });
  });

  describe("pauses", () => {
    it("M14, T4: Retry-After on a create holds the rest of the batch", async () => {
      // By what was under way when the first was refused.
      over.provoke("ignored-retry-after");
      armPause(20);
      const sending = over.app.outbox.submit(Array.from({ length: 7 }, () => wanted));
      await until(() => creates() === 4 && [...over.app.board.listed.values()].filter(isWaitingToSend).length === 3);
      await clock.advance(19_000);
      assert.equal(creates(), 4);
      await clock.advance(1_000);
      await sending;
      assert.deepEqual([creates(), await holds()], [7, 6]);
    });

    it("M14, T4, T5: a pause holds in another window, and in this one after a reload, where nothing is polled", async () => {
      await refusedTask();
      const other = await openOther();
      const elsewhere = other.outbox.submit([wanted]);
      await until(() => [...other.board.listed.values()].some(isWaitingToSend));
      await over.restartApp();
      const reloaded = over.app.outbox.submit([wanted]);
      await until(() => [...over.app.board.listed.values()].filter(isWaitingToSend).length > 0);
      await clock.advance(29_000);
      assert.equal(creates(), 1);
      await clock.advance(1_000);
      await Promise.all([elsewhere, reloaded]);
      assert.deepEqual([creates(), await holds()], [3, 2]);
    });

    it("M10, T9, T4: many cancels keep to slot and pause, and one that the rate limit refused is sent again", async () => {
      const ids = await over.app.outbox.submit(
        Array.from({ length: 12 }, () => ({ ...wanted, prompt: "[stuck] a hill" })),
      );
      const cancelsAt: number[] = [];
      const find = over.connections.find.bind(over.connections);
      over.connections.find = async (home) => {
        const gateway = await find(home);
        const cancelTask: typeof gateway.cancelTask = (...sent) => {
          cancelsAt.push(clock.monotonic());
          return gateway.cancelTask(...sent);
        };
        return { ...gateway, cancelTask };
      };
      armPause(10, "POST /v1/tasks/{task_id}/cancel");
      const outcomes = await bench.during(Promise.all(ids.map((id) => over.app.cancel(id, "wrong prompt"))));
      assert.deepEqual(new Set(outcomes.map(({ state }) => state)), new Set(["confirmed"]));
      assert.equal(cancelsAt.length, 13);
      for (const at of cancelsAt)
        assert.ok(cancelsAt.filter((other) => other > at - 1000 && other <= at).length <= 4, "four starts a second");
      assert.equal(over.gateway.openHolds, 0);
    });
  });
});

const never = new AbortController().signal;

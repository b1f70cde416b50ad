/** A key is replaced while tasks run and outcomes are unknown, over the local gateway: the same account goes on, and each intent has one hold. */
import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { type AppOverGateway, openAppOverGateway } from "../../support/appOverGateway";
import { keptLog } from "../../support/builders";
import { createMovedClock, type MovedClock } from "../../support/movedClock";
import { openBoard } from "../../support/taskBoards";
import { watchTasks } from "../../../src/tasks/polling/watch";
import { Outbox } from "../../../src/tasks/submit/outbox";
import { TaskBench } from "./taskBench";
import { runsOf } from "../../support/runs";
import { plainOutboxOptions } from "../../support/plainOptions";

describe("a replaced key over the local gateway", () => {
  let over: AppOverGateway;
  let bench: TaskBench;
  let clock: MovedClock;
  beforeEach(async () => {
    clock = createMovedClock();
    over = await openAppOverGateway({ clock, pollClock: clock });
    bench = new TaskBench(over, clock);
  });
  afterEach(() => over.close());

  const account = async (): Promise<string> => (await over.connections.ready()).home.account;
  /** The gateway takes another key from its next request on. */
  const rotate = (key: string): void =>
    void over.gateway.faults.arm({ name: "task.key-rotated", value: key, times: 1 });
  const setKey = async (key: string, of: string | undefined): Promise<void> => {
    await over.accounts.assign(over.gateway.url, key, of);
    over.setKey(key);
    await over.connections.refresh();
  };

  it("C2, Q-K22 (finding 7): a task whose key was revoked waits, and goes on when the account's new key is set", async () => {
    const before = await account();
    const id = await bench.running();
    rotate("sk-second");
    await bench.reaches(id, ({ stale }) => stale?.error.kind === "unauthorized");
    await setKey("sk-second", before);
    assert.equal((await bench.ends(id, "succeeded")).stale, undefined);
    assert.match(await over.app.saveResult(id), /\.png$/);
    assert.equal(await account(), before, "new tasks are the same account's");
  });

  it("C2, T1 (finding 7): an unknown outcome is reconciled under the new key of the same account: one hold", async () => {
    const before = await account();
    over.gateway.faults.arm({ name: "task.lost-202", times: 1 });
    const id = await bench.submit();
    assert.equal(bench.task(id).submission.state, "outcome-unknown");
    rotate("sk-second");
    over.provoke("asked-after-401");
    await bench.submit("refused");
    await over.app.outbox.sendAgain(over.app.board.see(id));
    assert.equal(bench.task(id).submission.state, "outcome-unknown", "the old key proves nothing");
    await setKey("sk-second", before);
    await Promise.all([1, 2, 3].map(() => over.app.outbox.sendAgain(over.app.board.see(id))));
    assert.equal(bench.accepted(id).state, "accepted");
    assert.equal(over.gateway.openHolds, 1);
  });

  it("C2, T1: under another account's key nothing of the old tasks is sent, and the row says whose key is missing", async () => {
    const before = await account();
    over.gateway.faults.arm({ name: "task.lost-202", times: 1 });
    const id = await bench.submit();
    rotate("sk-other");
    await bench.submit("refused");
    await setKey("sk-other", undefined);
    const sent = over.gateway.requests.length;
    await over.app.outbox.sendAgain(over.app.board.see(id));
    assert.equal(over.gateway.requests.length, sent);
    const { submission } = bench.task(id);
    assert.ok(submission.state === "outcome-unknown" && submission.reconcile?.state === "failed");
    assert.equal(submission.reconcile.error.code, "other-account");
    assert.ok(submission.reconcile.error.message.startsWith(before.slice(0, 6)));
  });

  it("C2, T14 (finding M19): a task that is watched by its id has one row, also when its row is from before two accounts were joined", async () => {
    const id = await bench.running();
    const { taskId } = bench.accepted(id);
    const firstKey = over.gateway.key;
    rotate("sk-second");
    over.provoke("asked-after-401");
    await bench.submit("refused");
    await setKey("sk-second", undefined);
    assert.notEqual(await account(), bench.task(id).intent.home.account);
    // The person sets the first key again, says that it is of the second one's account, and goes back to the second.
    await over.accounts.assign(over.gateway.url, firstKey, await account());
    const { board, poller } = over.app;
    const options = { board, connections: poller.connections, clock };
    assert.deepEqual(await bench.during(watchTasks(options, [taskId])), [{ taskId, state: "known", id }]);
  });

  it("C1, T1: while another gateway is chosen, a task is reconciled and read at its own", async () => {
    over.gateway.faults.arm({ name: "task.lost-202", times: 1 });
    const id = await bench.submit();
    const running = await bench.running("another hill");
    over.baseUrl.set("");
    await over.connections.refresh();
    assert.equal((await over.connections.ready()).home.origin, "local");
    await over.app.outbox.sendAgain(over.app.board.see(id));
    assert.equal(bench.accepted(id).state, "accepted");
    await bench.ends(running, "succeeded");
  });
});

describe("two windows and one intent", () => {
  it("T1, C2 (finding 7): any order of clicks, windows and keys makes one hold for each intent", async () => {
    const over = await openAppOverGateway({ polls: false });
    const file = join(over.folder, "windows.db");
    const windows = await Promise.all(
      [0, 1].map(async () => {
        const board = await openBoard(file);
        const { connections } = over;
        const clock = { now: () => Date.now(), delay: () => new Promise<never>(() => undefined) };
        return { board, outbox: new Outbox({ ...plainOutboxOptions, board, connections, clock, log: keptLog() }) };
      }),
    );
    const [first] = windows;
    const { home } = await over.connections.ready();
    const step = fc.oneof(
      fc.record({ type: fc.constant("click" as const), window: fc.nat(1), times: fc.integer({ min: 1, max: 3 }) }),
      fc.record({ type: fc.constant("key" as const), isOwn: fc.boolean() }),
    );
    let made = 0;
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
          over.gateway.faults.arm({ name: "task.lost-202", times: 1 });
          const [id = ""] = await first!.outbox.submit([
            { type: "async-image", model: "demo-image", prompt: "a hill" },
          ]);
          made += 1;
          const clickOn = ({ board, outbox }: (typeof windows)[number]) => outbox.sendAgain(board.see(id));
          const clicks: Promise<unknown>[] = [];
          for (const next of steps) {
            if (next.type === "key") over.setKey(next.isOwn ? over.gateway.key : "sk-another");
            else for (let time = 0; time < next.times; time += 1) clicks.push(clickOn(windows[next.window]!));
          }
          await Promise.all(clicks);
          over.setKey(over.gateway.key);
          await windows[1]!.board.readOtherWindows();
          for (const window of windows) await clickOn(window);
          await first!.board.readOtherWindows();
          const { submission, intent } = first!.board.listed.get(id)!;
          assert.equal(submission.state, "accepted");
          assert.equal(intent.home.account, home.account);
        }),
        { numRuns: runsOf(40), endOnFailure: true },
      );
      await over.gateway.flushed();
      const response = await fetch(`${over.gateway.url}/_local/ledger`, {
        headers: { authorization: `Bearer ${over.gateway.key}` },
      });
      const { entries } = (await response.json()) as { entries: { type: string }[] };
      assert.equal(entries.filter(({ type }) => type === "hold").length, made);
    } finally {
      for (const { board } of windows) await board.close();
      await over.close();
    }
  });
});

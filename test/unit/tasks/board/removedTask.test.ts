/** A row that was removed while its request goes on, in this window or another: its hold is never without a row (T1). */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { TaskIntent } from "../../../../src/domain/task/task";
import type { TaskBoard } from "../../../../src/tasks/board/board";
import { Outbox } from "../../../../src/tasks/submit/outbox";
import { connectTo, keptLog, makeCreated, makeGateway, makeIntent } from "../../../support/builders";
import { createMovedClock, type MovedClock } from "../../../support/movedClock";
import { openBoard } from "../../../support/taskBoards";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";
import { plainOutboxOptions } from "../../../support/plainOptions";

describe("a removed task", () => {
  let folder: TemporaryFolder;
  let file: string;
  let intent: TaskIntent;
  let windows: TaskBoard[];
  let posts: number;
  let clock: MovedClock;
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    file = join(folder.path, "tasks.db");
    intent = makeIntent();
    windows = [];
    posts = 0;
    clock = createMovedClock();
  });
  afterEach(async () => {
    for (const board of windows) await board.close();
    await folder.remove();
  });

  const openWindow = async (whileSent: () => Promise<void> = () => Promise.resolve()) => {
    const board = await openBoard(file, { clock });
    windows.push(board);
    const createTask = async () => {
      posts += 1;
      await whileSent();
      return makeCreated();
    };
    const connections = connectTo(makeGateway({ createTask }));
    const outbox = new Outbox({ ...plainOutboxOptions, board, connections, clock, log: keptLog() });
    return { board, outbox, state: () => board.listed.get(intent.id)?.submission.state };
  };
  const removed = () => ({ type: "task-removed", id: intent.id, at: 0 }) as const;

  it("T1: is a row again when another window had it accepted", async () => {
    const other = await openWindow();
    const one = await openWindow(async () => {
      await other.board.readOtherWindows();
      await other.board.writeThenApply(removed());
      assert.equal((await openWindow()).state(), undefined);
    });
    await one.board.writeThenApply({ type: "task-intended", intent });
    await one.outbox.send([intent]);
    assert.equal(one.state(), "accepted");
    await other.board.readOtherWindows();
    assert.equal(other.state(), "accepted");
    assert.equal((await openWindow()).state(), "accepted");
  });

  it("T1, T10: that a closed window left unsent reads as not sent again once it is back on the list, and can be sent", async () => {
    const closed = await openWindow();
    await closed.board.writeThenApply({ type: "task-intended", intent });
    await closed.board.close();
    const { board, outbox, state } = await openWindow();
    await board.writeThenApply(removed());
    await board.writeThenApply({ type: "task-restored", id: intent.id, at: 0 });
    assert.equal(state(), "not-accepted");
    await board.writeThenApply(removed());
    await board.applyThenWrite({ type: "task-restored", id: intent.id, at: 0 });
    assert.equal(state(), "not-accepted");
    await outbox.sendAgain(board.see(intent.id));
    assert.deepEqual([posts, state()], [1, "accepted"]);
  });

  it("T1, T5: is not sent by a window that has not learnt of the removal yet, nor by two windows at once", async () => {
    const one = await openWindow();
    await one.board.writeThenApply({ type: "task-intended", intent });
    const other = await openWindow();
    await other.board.writeThenApply(removed());
    await one.outbox.send([intent]);
    assert.equal(posts, 0);
    assert.equal(one.state(), undefined, "what the other window wrote is learnt in that moment");
    const second = makeIntent({ id: "22222222-2222-4222-8222-222222222222" });
    await one.board.writeThenApply({ type: "task-intended", intent: second });
    await other.board.readOtherWindows();
    await Promise.all([one.outbox.send([second]), other.outbox.send([second])]);
    assert.equal(posts, 1);
  });

  it("T1: stays a row when a window removed it that had not learnt of the accept", async () => {
    const one = await openWindow();
    await one.board.writeThenApply({ type: "task-intended", intent });
    const other = await openWindow();
    await one.outbox.send([intent]);
    await other.board.writeThenApply(removed());
    assert.equal((await openWindow()).state(), "accepted");
  });

  it("T1: is not sent when it was removed while Send Again was writing its start", async () => {
    const { board, outbox, state } = await openWindow();
    await board.writeThenApply({ type: "task-intended", intent });
    const error = { kind: "unreachable", message: "refused", notSent: true } as const;
    await board.writeThenApply({ type: "task-not-accepted", id: intent.id, at: 0, error });
    await Promise.all([board.writeThenApply(removed()), outbox.send([intent])]);
    assert.equal(posts, 0);
    assert.equal(state(), undefined);
    assert.equal((await openWindow()).state(), undefined);
  });

  it("T1: stays away when nothing of it goes on", async () => {
    const { board } = await openWindow();
    await board.writeThenApply({ type: "task-intended", intent });
    const error = { kind: "rejected", message: "no", status: 400 } as const;
    await board.writeThenApply({ type: "task-not-accepted", id: intent.id, at: 0, error });
    await board.writeThenApply(removed());
    assert.equal((await openWindow()).state(), undefined);
  });

  it("T1: Send Again sends nothing for a task that another window has had accepted", async () => {
    const one = await openWindow();
    await one.board.writeThenApply({ type: "task-intended", intent });
    const other = await openWindow();
    assert.equal(other.state(), "not-accepted");
    await one.outbox.send([intent]);
    await other.outbox.sendAgain(other.board.see(intent.id));
    assert.equal(other.state(), "accepted");
    assert.equal(posts, 1);
  });

  it("T1: a request that another window began reads as being sent, and as cut when nothing more comes of it", async () => {
    const one = await openWindow();
    await one.board.writeThenApply({ type: "task-intended", intent });
    const other = await openWindow();
    await one.board.writeThenApply({ type: "task-sending", id: intent.id, at: 0 });
    await other.board.readOtherWindows();
    assert.equal(other.state(), "sending");
    await clock.advance(60_000);
    assert.equal(other.state(), "outcome-unknown");
  });
});

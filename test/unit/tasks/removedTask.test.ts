/** A row that was removed while its request goes on, in this window or another: its hold is never without a row (T1). */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { TaskIntent } from "../../../src/domain/task";
import { TaskBoard } from "../../../src/tasks/board";
import { Outbox } from "../../../src/tasks/outbox";
import { connectTo, keptLog, makeCreated, makeGateway, makeIntent } from "../../support/builders";
import { createMovedClock } from "../../support/movedClock";
import { createTemporaryFolder, type TemporaryFolder } from "../../support/temporaryFolder";

describe("a removed task", () => {
  let folder: TemporaryFolder;
  let journal: string;
  let intent: TaskIntent;
  let windows: TaskBoard[];
  let posts: number;
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    journal = join(folder.path, "tasks.jsonl");
    intent = makeIntent();
    windows = [];
    posts = 0;
  });
  afterEach(async () => {
    for (const board of windows) await board.close();
    await folder.remove();
  });

  const openWindow = async () => {
    const board = await TaskBoard.open(journal);
    windows.push(board);
    const createTask = () => {
      posts += 1;
      return Promise.resolve(makeCreated());
    };
    const connections = connectTo(makeGateway({ createTask }));
    const outbox = new Outbox({ board, connections, clock: createMovedClock(), log: keptLog() });
    return { board, outbox, state: () => board.tasks.get(intent.id)?.submission.state };
  };
  const removed = () => ({ type: "task-removed", id: intent.id, at: 0 }) as const;

  it("T1: is a row again when another window had it accepted", async () => {
    const one = await openWindow();
    await one.board.record({ type: "task-intended", intent });
    const other = await openWindow();
    await other.board.record(removed());
    await one.outbox.send([intent]);
    assert.equal((await openWindow()).state(), "accepted");
  });

  it("T1: stays a row when a window removed it that had not learnt of the accept", async () => {
    const one = await openWindow();
    await one.board.record({ type: "task-intended", intent });
    const other = await openWindow();
    await one.outbox.send([intent]);
    await other.board.record(removed());
    assert.equal((await openWindow()).state(), "accepted");
  });

  it("T1: is a row again when it was removed while Send Again was writing its start", async () => {
    const { board, outbox, state } = await openWindow();
    await board.record({ type: "task-intended", intent });
    const error = { kind: "unreachable", message: "refused", notSent: true } as const;
    await board.record({ type: "task-not-accepted", id: intent.id, at: 0, error });
    await Promise.all([board.record(removed()), outbox.send([intent])]);
    assert.equal(posts, 1);
    assert.equal(state(), "accepted");
    assert.equal((await openWindow()).state(), "accepted");
  });

  it("T1: stays away when nothing of it goes on", async () => {
    const { board } = await openWindow();
    await board.record({ type: "task-intended", intent });
    const error = { kind: "rejected", message: "no", status: 400 } as const;
    await board.record({ type: "task-not-accepted", id: intent.id, at: 0, error });
    await board.record(removed());
    assert.equal((await openWindow()).state(), undefined);
  });

  it("T1: Send Again sends nothing for a task that another window has had accepted", async () => {
    const one = await openWindow();
    await one.board.record({ type: "task-intended", intent });
    const other = await openWindow();
    assert.equal(other.state(), "not-accepted");
    await one.outbox.send([intent]);
    await other.outbox.sendAgain(intent.id);
    assert.equal(other.state(), "accepted");
    assert.equal(posts, 1);
  });

  it("T1: a request that another window began is no longer told as not sent", async () => {
    const one = await openWindow();
    await one.board.record({ type: "task-intended", intent });
    const other = await openWindow();
    await one.board.record({ type: "task-sending", id: intent.id, at: 0 });
    await other.board.learn();
    assert.equal(other.state(), "outcome-unknown");
  });
});

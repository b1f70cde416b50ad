/** The board over its store: other windows' changes, a store that can't be opened or written, and many tasks. */
import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../../src/base/systemClock";
import { Database } from "../../../src/base/database/database";
import { DatabaseFailure } from "../../../src/base/database/failure";
import { GatewayFailure } from "../../../src/domain/errors";
import type { TaskRecord } from "../../../src/domain/taskRecord";
import { TaskBoard } from "../../../src/tasks/board";
import { taskMigrations } from "../../../src/tasks/store/taskRows";
import { retryUnwritten } from "../../../src/tasks/retryUnwritten";
import { storageError } from "../../../src/domain/storageError";
import { makeCreated, makeIntent, makeRemote, until } from "../../support/builders";
import { createMovedClock } from "../../support/movedClock";
import { openBoard, openStoreAt } from "../../support/taskBoards";
import { createTemporaryFolder, type TemporaryFolder } from "../../support/temporaryFolder";

const intent = makeIntent();
const { id } = intent;
const intended: TaskRecord = { type: "task-intended", intent };

describe("TaskBoard", () => {
  let folder: TemporaryFolder;
  let file: string;
  let boards: TaskBoard[];
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    file = join(folder.path, "deep", "tasks.db");
    boards = [];
  });
  afterEach(async () => {
    for (const board of boards) await board.close();
    await folder.remove();
  });

  const open = async (opening: Promise<TaskBoard> = openBoard(file)): Promise<TaskBoard> => {
    const board = await opening;
    boards.push(board);
    return board;
  };
  const isStorage = (code?: string) => (failure: unknown) =>
    failure instanceof GatewayFailure &&
    failure.error.kind === "storage" &&
    (code === undefined || failure.error.code === code);

  it("T5: what another window writes is shown within a second, and so is what it removes", async () => {
    const [one, other] = [await open(), await open()];
    const start = performance.now();
    await one.record(intended);
    await one.keep({ type: "task-accepted", id, at: 1, created: makeCreated() });
    await until(() => other.tasks.get(id)?.submission.state === "accepted");
    assert.ok(performance.now() - start < 1500, `${performance.now() - start} ms`);
    await one.keep({ type: "task-read", id, at: 2, remote: makeRemote({ state: "failed" }) });
    await one.record({ type: "task-removed", id, at: 3 });
    await until(() => !other.tasks.has(id));
  });

  it("T4: a row stays stale when another window writes of its task something that was not read now", async () => {
    const [one, other] = [await open(), await open()];
    await one.record(intended);
    await one.keep({ type: "task-accepted", id, at: 1, created: makeCreated() });
    await other.learn();
    other.observe({ type: "task-read-failed", id, at: 5, error: { kind: "unreachable", message: "no" } });
    await one.keep({ type: "task-events", id, at: 6, events: [] });
    await other.learn();
    const submission = other.tasks.get(id)?.submission;
    assert.ok(submission?.state === "accepted" && submission.events && submission.stale);
    await one.keep({ type: "task-read", id, at: 7, remote: makeRemote({ state: "processing" }) });
    await other.learn();
    const fresh = other.tasks.get(id)?.submission;
    assert.equal(fresh?.state === "accepted" && fresh.stale, undefined);
  });

  it("T1: a store that can't be opened: the board is empty, says why, refuses what must be on disk, and heals", async () => {
    await writeFile(join(folder.path, "deep"), "a file where the folder should be");
    const clock = createMovedClock();
    const board = await open(openBoard(file, { clock }));
    assert.equal(board.tasks.size, 0);
    assert.equal(board.unwritten.current?.error.kind, "storage");
    await assert.rejects(board.record(intended), isStorage("cannot-open"));
    assert.equal(board.tasks.size, 0);
    const ended = new AbortController();
    const retrying = retryUnwritten(board, clock, ended.signal);
    await rm(join(folder.path, "deep"));
    await mkdir(join(folder.path, "deep"));
    await until(() => clock.waiting === 1);
    await clock.advance(5000);
    await until(() => board.unwritten.current === undefined);
    await board.record(intended);
    assert.ok((await open()).tasks.has(id));
    ended.abort();
    await retrying;
  });

  it("V5: a host without node:sqlite has a board without tasks, and is not asked again and again", async () => {
    let opened = 0;
    const openStore = (): never => {
      opened += 1;
      throw storageError(new DatabaseFailure("missing-runtime", "no node:sqlite"));
    };
    const board = await open(TaskBoard.open({ openStore, clock: systemClock }));
    await assert.rejects(board.record(intended), isStorage("missing-runtime"));
    await board.flush();
    assert.equal(opened, 1);
    assert.equal(board.unwritten.current?.error.code, "missing-runtime");
  });

  it("T1: the file of a newer version is shown and not written, and the board says so", async () => {
    await (await open()).record(intended);
    const database = await Database.open({
      path: file,
      migrations: [...taskMigrations, () => undefined],
      clock: systemClock,
    });
    await database.close();
    const board = await open();
    assert.ok(board.tasks.has(id));
    assert.equal(board.unwritten.current?.error.code, "newer");
    await assert.rejects(board.record({ type: "task-sending", id, at: 1 }), isStorage("newer"));
  });

  it("T1: what the disk did not take of an accept is counted, shown through what other windows write, and written later", async () => {
    const { createFaultyDatabase, resultCodes } = await import("../../support/faultyDatabase");
    const disk = createFaultyDatabase({ fast: true });
    const [one, other] = [await open(openBoard(file, { disk })), await open()];
    await one.record(intended);
    disk.commits = resultCodes.full;
    await one.keep({ type: "task-accepted", id, at: 1, created: makeCreated() });
    assert.equal(one.unwritten.current?.accepted, 1);
    await other.learn();
    await other.record({ type: "task-sending", id, at: 2 });
    disk.commits = undefined;
    await one.learn();
    assert.equal(one.tasks.get(id)?.submission.state, "accepted");
    await one.flush();
    assert.equal(one.unwritten.current, undefined);
    await other.learn();
    assert.equal(other.tasks.get(id)?.submission.state, "accepted");
  });

  it("T1: a record that no row can hold keeps nothing after it from the disk, and leaves its task with an unknown outcome", async () => {
    const board = await open();
    const later = "00000000-0000-4000-8000-0000000000ff";
    await board.record(intended);
    await board.record({ type: "task-intended", intent: makeIntent({ id: later }) });
    for (const one of [id, later]) await board.record({ type: "task-sending", id: one, at: 1 });
    const unreadable = makeCreated({ taskId: 7 as unknown as string });
    await board.keep({ type: "task-accepted", id, at: 2, created: unreadable });
    await board.keep({ type: "task-accepted", id: later, at: 2, created: makeCreated() });
    assert.equal(board.unwritten.current, undefined);
    for (const one of [board, await open()]) {
      assert.equal(one.tasks.get(id)?.submission.state, "outcome-unknown");
      assert.equal(one.tasks.get(later)?.submission.state, "accepted");
    }
  });

  it("F4: of many tasks the newest are there at once, the older ones follow, in the order in which they were made", async () => {
    const store = await openStoreAt(file)();
    const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
    const count = 1000;
    await store.apply(
      Array.from({ length: count }, (_, index): TaskRecord[] => [
        { type: "task-intended", intent: makeIntent({ id: idOf(index) }) },
        {
          type: "task-accepted",
          id: idOf(index),
          at: 1,
          created: makeCreated({ remote: makeRemote({ state: index === 7 ? "created" : "succeeded" }) }),
        },
      ])
        .flat()
        .map((record) => ({ record })),
    );
    await store.close();
    const board = await open();
    assert.ok(board.tasks.size < count && board.tasks.has(idOf(7)) && board.tasks.has(idOf(count - 1)));
    await until(() => board.tasks.size === count);
    assert.deepEqual(
      [...board.tasks.keys()],
      Array.from({ length: count }, (_, index) => idOf(index)),
    );
  });
});

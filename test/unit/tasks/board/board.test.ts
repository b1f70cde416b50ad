/** The board over its store: other windows' changes, a store that can't be opened or written, and many tasks. */
import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TimeSlices } from "../../../../src/base/async/timeSlices";
import { systemClock } from "../../../../src/base/async/systemClock";
import { Database } from "../../../../src/base/database/database";
import { DatabaseFailure } from "../../../../src/base/database/failure";
import { AppFailure, storageError } from "../../../../src/domain/errors/appError";
import type { TaskRecord } from "../../../../src/domain/task/taskRecord";
import { TaskBoard, retryUnwritten } from "../../../../src/tasks/board/board";
import type { MoneyView } from "../../../../src/tasks/contract/moneyPageContract";
import { taskMigrations } from "../../../../src/tasks/store/taskRows";
import type { TaskStore } from "../../../../src/tasks/store/taskStore";
import { groupByMoney } from "../../../../src/tasks/money";
import { moneyView } from "../../../../src/tasks/host/pages/moneyPageView";
import { makeCreated, makeIntent, makeRemote, until } from "../../../support/builders";
import { createMovedClock } from "../../../support/movedClock";
import { openBoard, openStoreAt } from "../../../support/taskBoards";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";
import { plainBoardOptions } from "../../../support/plainOptions";

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
    failure instanceof AppFailure &&
    failure.error.kind === "storage" &&
    (code === undefined || failure.error.code === code);

  it("T5, T1: behind a window that was stopped in its write nothing waits twice: it is said, kept, and written once the file is free", async () => {
    const store = await openStoreAt(file)();
    let isHeld = false;
    let attempts = 0;
    let giveUp = (): void => undefined;
    const held: TaskStore = {
      ...store,
      apply: (records) => {
        if (!isHeld) return store.apply(records);
        attempts += 1;
        return new Promise((_, reject) => {
          giveUp = () => reject(new AppFailure({ kind: "storage", code: "busy", message: "The file is held." }));
        });
      },
    };
    const clock = createMovedClock();
    const board = await open(TaskBoard.open({ openStore: () => Promise.resolve(held), clock, ...plainBoardOptions }));
    await board.writeThenApply(intended);
    isHeld = true;
    const accepting = board.applyThenWrite({ type: "task-accepted", id, at: 1, created: makeCreated() });
    const reading = board.applyThenWrite({ type: "task-read", id, at: 2, remote: makeRemote({ state: "failed" }) });
    const other = makeIntent({ id: "99999999-9999-4999-8999-999999999999" });
    const intending = assert.rejects(board.writeThenApply({ type: "task-intended", intent: other }), isStorage("busy"));
    await until(() => attempts === 1);
    giveUp();
    await Promise.all([accepting, reading, intending]);
    assert.equal(attempts, 1);
    const { unwritten } = board;
    assert.deepEqual([unwritten.current?.accepted, unwritten.current?.error.code], [1, "busy"]);
    isHeld = false;
    await board.writeThenApply({ type: "task-intended", intent: other });
    assert.equal(unwritten.current, undefined);
    assert.equal(board.listed.size, 2);
  });

  it("T5: what another window writes is shown within a second, and so is what it removes", async () => {
    const clock = createMovedClock();
    const openStore = openStoreAt(file, undefined, clock);
    const [one, other] = [
      await open(),
      await open(TaskBoard.open({ openStore, clock: systemClock, ...plainBoardOptions })),
    ];
    await one.writeThenApply(intended);
    await one.applyThenWrite({ type: "task-accepted", id, at: 1, created: makeCreated() });
    await clock.advance(1000);
    await until(() => other.listed.get(id)?.submission.state === "accepted");
    await one.applyThenWrite({ type: "task-read", id, at: 2, remote: makeRemote({ state: "failed" }) });
    await one.writeThenApply({ type: "task-removed", id, at: 3 });
    await clock.advance(1000);
    await until(() => !other.listed.has(id));
  });

  it("T4: a row stays stale when another window writes of its task something that was not read now", async () => {
    const [one, other] = [await open(), await open()];
    await one.writeThenApply(intended);
    await one.applyThenWrite({ type: "task-accepted", id, at: 1, created: makeCreated() });
    await other.readOtherWindows();
    other.applyTransient({ type: "task-read-failed", id, at: 5, error: { kind: "unreachable", message: "no" } });
    await one.applyThenWrite({ type: "task-events", id, at: 6, events: [] });
    await other.readOtherWindows();
    const submission = other.listed.get(id)?.submission;
    assert.ok(submission?.state === "accepted" && submission.events && submission.stale);
    await one.applyThenWrite({ type: "task-read", id, at: 7, remote: makeRemote({ state: "processing" }) });
    await other.readOtherWindows();
    const fresh = other.listed.get(id)?.submission;
    assert.equal(fresh?.state === "accepted" && fresh.stale, undefined);
  });

  it("T1: a store that can't be opened: the board is empty, says why, refuses what must be on disk, and heals", async () => {
    await writeFile(join(folder.path, "deep"), "a file where the folder should be");
    const clock = createMovedClock();
    const board = await open(openBoard(file, { clock }));
    assert.equal(board.listed.size, 0);
    assert.equal(board.unwritten.current?.error.kind, "storage");
    await assert.rejects(board.writeThenApply(intended), isStorage("cannot-open"));
    assert.equal(board.listed.size, 0);
    const ended = new AbortController();
    const retrying = retryUnwritten(board, clock, ended.signal);
    await rm(join(folder.path, "deep"));
    await mkdir(join(folder.path, "deep"));
    await until(() => clock.waiting === 1);
    await clock.advance(5000);
    await until(() => board.unwritten.current === undefined);
    await board.writeThenApply(intended);
    assert.ok((await open()).listed.has(id));
    ended.abort();
    await retrying;
  });

  it("V5: a host without node:sqlite has a board without tasks, and is not asked again and again", async () => {
    let opened = 0;
    const openStore = (): never => {
      opened += 1;
      throw storageError(new DatabaseFailure("missing-runtime", "no node:sqlite"));
    };
    const board = await open(TaskBoard.open({ ...plainBoardOptions, openStore, clock: systemClock }));
    await assert.rejects(board.writeThenApply(intended), isStorage("missing-runtime"));
    await board.flush();
    assert.equal(opened, 1);
    assert.equal(board.unwritten.current?.error.code, "missing-runtime");
  });

  it("T1: the file of a newer version is shown and not written, and the board says so", async () => {
    await (await open()).writeThenApply(intended);
    const database = await Database.open({
      path: file,
      migrations: [...taskMigrations, () => undefined],
      clock: systemClock,
    });
    await database.close();
    const board = await open();
    assert.ok(board.listed.has(id));
    assert.equal(board.unwritten.current?.error.code, "newer");
    await assert.rejects(board.writeThenApply({ type: "task-sending", id, at: 1 }), isStorage("newer"));
  });

  it("T1: what the disk did not take of an accept is counted, shown through what other windows write, and written later", async () => {
    const { createFaultyDatabase, resultCodes } = await import("../../../support/faultyDatabase");
    const disk = createFaultyDatabase({ fast: true });
    const [one, other] = [await open(openBoard(file, { disk })), await open()];
    await one.writeThenApply(intended);
    disk.commits = resultCodes.full;
    await one.applyThenWrite({ type: "task-accepted", id, at: 1, created: makeCreated() });
    assert.equal(one.unwritten.current?.accepted, 1);
    await other.readOtherWindows();
    await other.writeThenApply({ type: "task-sending", id, at: 2 });
    disk.commits = undefined;
    await one.readOtherWindows();
    assert.equal(one.listed.get(id)?.submission.state, "accepted");
    await one.flush();
    assert.equal(one.unwritten.current, undefined);
    await other.readOtherWindows();
    assert.equal(other.listed.get(id)?.submission.state, "accepted");
  });

  it("T1: what is told to a board that was closed is written, and no store stays open for it", async () => {
    const opened: { isOpen: boolean }[] = [];
    const openStore = async (): Promise<TaskStore> => {
      const store = await openStoreAt(file)();
      const one = { isOpen: true };
      opened.push(one);
      return {
        ...store,
        apply: (records) =>
          one.isOpen
            ? store.apply(records)
            : Promise.reject(new AppFailure({ kind: "storage", code: "thread-ended", message: "It has ended." })),
        close: async () => {
          one.isOpen = false;
          await store.close();
        },
      };
    };
    const board = await open(TaskBoard.open({ openStore, clock: systemClock, ...plainBoardOptions }));
    await board.close();
    await board.applyThenWrite(intended);
    await board.flush();
    await until(() => opened.every(({ isOpen }) => !isOpen));
    assert.equal(opened.length, 2);
    assert.ok((await open()).listed.has(id));
  });

  it("T1: a record that no row can hold keeps nothing after it from the disk, and leaves its task with an unknown outcome", async () => {
    const board = await open();
    const later = "00000000-0000-4000-8000-0000000000ff";
    await board.writeThenApply(intended);
    await board.writeThenApply({ type: "task-intended", intent: makeIntent({ id: later }) });
    for (const one of [id, later]) await board.writeThenApply({ type: "task-sending", id: one, at: 1 });
    const unreadable = makeCreated({ taskId: 7 as unknown as string });
    await board.applyThenWrite({ type: "task-accepted", id, at: 2, created: unreadable });
    await board.applyThenWrite({ type: "task-accepted", id: later, at: 2, created: makeCreated() });
    assert.equal(board.unwritten.current, undefined);
    for (const one of [board, await open()]) {
      assert.equal(one.listed.get(id)?.submission.state, "outcome-unknown");
      assert.equal(one.listed.get(later)?.submission.state, "accepted");
    }
  });

  it("T10 (finding M17): a page of older tasks that could not be read is read again, and until then it is known how many are missing", async () => {
    const store = await openStoreAt(file)();
    const ids = Array.from({ length: 500 }, (_, at) => `00000000-0000-4000-8000-${String(at).padStart(12, "0")}`);
    const created = makeCreated({ remote: makeRemote({ state: "succeeded" }) });
    await store.apply(
      ids.flatMap((one) => [
        { record: { type: "task-intended", intent: makeIntent({ id: one }) } as const },
        { record: { type: "task-accepted", id: one, at: 1, created } as const },
      ]),
    );
    let pages = 0;
    const page: typeof store.page = (...asked) => {
      pages += 1;
      return pages === 2 ? Promise.reject(new AppFailure({ kind: "storage", message: "busy" })) : store.page(...asked);
    };
    const openStore = (): Promise<TaskStore> => Promise.resolve({ ...store, page });
    const board = await open(TaskBoard.open({ ...plainBoardOptions, openStore, clock: systemClock }));
    assert.deepEqual([board.all.size, board.file.current.unread, board.isWhole], [200, 300, false]);
    await until(() => pages === 2);
    const money = async (): Promise<MoneyView> => {
      const tasks = await groupByMoney([...board.all.values()], new TimeSlices());
      return moneyView(tasks, "charged", { now: 1, locale: "en", notRead: board.file.current.unread });
    };
    assert.equal((await money()).incomplete, "200 of 500 tasks are counted: the others can't be read now.");
    await board.loaded();
    assert.deepEqual([board.all.size, board.file.current.unread, board.isWhole], [500, 0, true]);
    const { tiles, rows, more, incomplete } = await money();
    assert.deepEqual(tiles[1], { group: "charged", count: 500 });
    assert.deepEqual([rows.length, more, incomplete], [200, 300, undefined]);
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
    assert.ok(board.listed.size < count && board.listed.has(idOf(7)) && board.listed.has(idOf(count - 1)));
    await until(() => board.listed.size === count);
    assert.deepEqual(
      [...board.listed.keys()],
      Array.from({ length: count }, (_, index) => idOf(index)),
    );
  });
});

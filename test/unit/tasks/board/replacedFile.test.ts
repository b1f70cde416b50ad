/** The file of tasks is damaged, swapped or deleted while windows are open: the tasks in the memory of a window are not lost. */
import assert from "node:assert/strict";
import { copyFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ageRows, readBody, taskMigrations } from "../../../../src/tasks/store/taskRows";
import { systemClock } from "../../../../src/base/async/systemClock";
import { Database } from "../../../../src/base/database/database";
import { openNative } from "../../../../src/base/database/runtime";
import { SqlConnection } from "../../../../src/base/database/sqlConnection";
import { acceptedOf } from "../../../../src/domain/task/phase";
import type { Task } from "../../../../src/domain/task/task";
import type { TaskRecord } from "../../../../src/domain/task/taskRecord";
import type { TaskBoard } from "../../../../src/tasks/board/board";
import { taskRow } from "../../../../src/tasks/view/taskRow";
import { makeCreated, makeIntent, makeRemote, until } from "../../../support/builders";
import { createFaultyDatabase } from "../../../support/faultyDatabase";
import { openBoard } from "../../../support/taskBoards";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";

const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const intended = (number: number): TaskRecord => ({
  type: "task-intended",
  intent: makeIntent({ id: idOf(number), prompt: `prompt ${number}` }),
});
const accepted = (number: number): TaskRecord => ({
  type: "task-accepted",
  id: idOf(number),
  at: 1,
  created: makeCreated({ taskId: `task-${number}` }),
});
const lost = (number: number): TaskRecord => ({
  type: "task-outcome-unknown",
  id: idOf(number),
  at: 1,
  error: { kind: "timed-out", message: "no answer" },
});

describe("a file of tasks that was replaced", () => {
  let folder: TemporaryFolder;
  let file: string;
  let boards: TaskBoard[];
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    file = join(folder.path, "tasks.db");
    boards = [];
  });
  afterEach(async () => {
    for (const board of boards) await board.close();
    await folder.remove();
  });

  const open = async (): Promise<TaskBoard> => {
    // A journal in memory would not survive that the file is replaced.
    const board = await openBoard(file, { disk: createFaultyDatabase({ unsynced: true }) });
    boards.push(board);
    return board;
  };
  const stateOf = (board: Pick<TaskBoard, "listed">, number: number): string | undefined =>
    board.listed.get(idOf(number))?.submission.state;
  /** What a window that opens now finds. */
  const onDisk = async (): Promise<ReadonlyMap<string, Task>> => {
    const board = await openBoard(file);
    await board.loaded();
    await board.close();
    return board.listed;
  };
  /** Resolves when a window that opened the file now sees so many tasks. */
  const holds = async (count: number): Promise<void> => {
    const witness = await open();
    await until(() => witness.listed.size === count);
  };
  const writeAll = async (board: TaskBoard, ...records: TaskRecord[]): Promise<void> => {
    for (const record of records) await board.applyThenWrite(record);
  };

  it("T1 (finding 9): accepted and unknown tasks that another file lacks are written into it", async () => {
    const board = await open();
    await writeAll(board, intended(1), accepted(1), intended(2), lost(2), intended(3));
    await rm(file);
    await holds(3);
    const found = await onDisk();
    assert.deepEqual(
      [1, 2].map((number) => found.get(idOf(number))?.submission.state),
      ["accepted", "outcome-unknown"],
    );
    assert.equal(board.unwritten.current, undefined);
  });

  it("M19, T1: the request of an unknown outcome is written into the new file, so that the Reconcile that is offered works", async () => {
    const board = await open();
    const body = '{"prompt":"a lighthouse"}';
    await board.writeThenApply({ type: "task-intended", intent: makeIntent({ id: idOf(1), body }) });
    await writeAll(board, lost(1));
    await rm(file);
    await holds(1);
    assert.equal(stateOf(board, 1), "outcome-unknown");
    assert.equal(await board.readBody(idOf(1)), body);
    const later = await open();
    assert.equal(await later.readBody(idOf(1)), body);
  });

  it("T1: the request follows into a new file where a window that lacks it was first to write the row", async () => {
    const board = await open();
    const body = '{"prompt":"a lighthouse"}';
    await board.writeThenApply({ type: "task-intended", intent: makeIntent({ id: idOf(1), body }) });
    await writeAll(board, lost(1));
    await copyFile(file, `${file}.new`);
    const other = new SqlConnection(openNative(`${file}.new`, { readOnly: false }));
    other.run("DELETE FROM task_body");
    await rename(`${file}.new`, file);
    await until(() => readBody(other, idOf(1)) === body);
    other.close();
    assert.equal(stateOf(board, 1), "outcome-unknown");
  });

  it("T1 (finding 9): a backup in the place of the file takes no accept back", async () => {
    const board = await open();
    await writeAll(board, intended(1));
    await copyFile(file, `${file}.old`);
    await writeAll(board, accepted(1), intended(2), accepted(2));
    await rename(`${file}.old`, file);
    await holds(2);
    assert.deepEqual(
      [1, 2].map((number) => stateOf(board, number)),
      ["accepted", "accepted"],
    );
    const found = await onDisk();
    assert.deepEqual(
      [1, 2].map((number) => found.get(idOf(number))?.submission.state),
      ["accepted", "accepted"],
    );
  });

  it("T1 (finding M5): what a window knows as sending or unknown beats an older state of the file, and a backup's word counts least", async () => {
    const board = await open();
    await writeAll(board, intended(1), intended(2), intended(3), intended(4));
    const error = { kind: "rejected", message: "no", status: 400 } as const;
    await writeAll(board, { type: "task-not-accepted", id: idOf(3), at: 1, error });
    await copyFile(file, `${file}.old`);
    const copy = await Database.open({ path: `${file}.old`, migrations: taskMigrations, clock: systemClock });
    await copy.write((c) => ageRows(c, 0));
    // As an older copy that is no backup has it.
    const state = JSON.stringify({ intent: makeIntent({ id: idOf(1) }), submission: { state: "prepared" } });
    await copy.write((c) =>
      c.run("UPDATE task SET submission = 'prepared', state = :state WHERE number = 1", { state }),
    );
    await copy.close();
    await writeAll(board, { type: "task-sending", id: idOf(1), at: 1 }, lost(2));
    await rename(`${file}.old`, file);
    const witness = await open();
    await until(() => stateOf(witness, 1) !== "not-accepted" && stateOf(witness, 4) !== "outcome-unknown");
    const states = ["sending", "outcome-unknown", "not-accepted", "prepared"];
    assert.deepEqual(
      [1, 2, 3, 4].map((number) => stateOf(board, number)),
      states,
    );
    const found = await onDisk();
    const onlyRead = ["outcome-unknown", "outcome-unknown", "not-accepted", "not-accepted"];
    assert.deepEqual(
      [1, 2, 3, 4].map((number) => found.get(idOf(number))?.submission.state),
      onlyRead,
    );
    const second = found.get(idOf(2))?.submission;
    assert.ok(second?.state === "outcome-unknown" && second.error.kind === "timed-out");
  });

  it("T1: what the window writes into an older file before it has noticed does not make it forget the accept", async () => {
    for (const replace of [rename, copyFile]) {
      const board = await open();
      await writeAll(board, intended(1));
      await copyFile(file, `${file}.old`);
      await writeAll(board, accepted(1));
      await replace(`${file}.old`, file);
      await writeAll(board, { type: "task-read", id: idOf(1), at: 2, remote: makeRemote({ state: "processing" }) });
      const found = await onDisk();
      assert.deepEqual([stateOf(board, 1), found.get(idOf(1))?.submission.state], ["accepted", "accepted"]);
      await board.close();
      await rm(file);
    }
  });

  it("T1: a backup that is copied over the file, which stays the same file, takes no accept back", async () => {
    const board = await open();
    await writeAll(board, intended(1));
    await copyFile(file, `${file}.old`);
    await writeAll(board, accepted(1), intended(2), accepted(2));
    await copyFile(`${file}.old`, file);
    await holds(2);
    assert.deepEqual(
      [1, 2].map((number) => stateOf(board, number)),
      ["accepted", "accepted"],
    );
  });

  it("T1, T5: a row that went back is an older file's, also where another window has written into that file since", async () => {
    const board = await open();
    await writeAll(board, intended(1), accepted(1), intended(2));
    const database = await Database.open({ path: file, migrations: taskMigrations, clock: systemClock });
    const state = JSON.stringify({ intent: makeIntent({ id: idOf(1) }), submission: { state: "sending" } });
    const set = "revision = 1, change = change + 100, submission = 'sending', state = :state";
    await database.write((c) => c.run(`UPDATE task SET ${set} WHERE number = 1`, { state }));
    await database.close();
    const witness = await open();
    await until(() => stateOf(witness, 1) === "accepted");
    assert.equal(stateOf(board, 1), "accepted");
  });

  it("T8, T10: an older file takes back neither the end of a task nor its result and its events", async () => {
    const board = await open();
    await writeAll(board, intended(1), accepted(1));
    await copyFile(file, `${file}.old`);
    const saved = { mimeType: "image/png", size: 3 };
    const event = { id: "e1", type: "created", state: "created", rawStatus: "1", message: "" } as const;
    await writeAll(
      board,
      { type: "task-read", id: idOf(1), at: 5, remote: makeRemote({ state: "succeeded" }) },
      { type: "task-events", id: idOf(1), at: 5, events: [event] },
      { type: "task-saved", id: idOf(1), at: 6, path: "/results/one.png", saved },
    );
    await rename(`${file}.old`, file);
    const witness = await open();
    await until(() => acceptedOf(witness.listed.get(idOf(1)))?.saved !== undefined);
    for (const one of [board, witness]) {
      const found = acceptedOf(one.listed.get(idOf(1)));
      assert.deepEqual(
        [found?.remote.state, found?.events, found?.saved?.path],
        ["succeeded", [event], "/results/one.png"],
      );
    }
  });

  it("T6 (finding M11): what was taken off the list stays off it in the file that takes the place of another", async () => {
    const board = await open();
    const created = makeCreated({ remote: makeRemote({ state: "succeeded" }) });
    await writeAll(board, intended(1), { type: "task-accepted", id: idOf(1), at: 1, created });
    await writeAll(board, { type: "task-removed", id: idOf(1), at: 2 }, intended(2));
    await rm(file);
    await holds(1);
    await until(() => board.unwritten.current === undefined);
    const later = await open();
    await later.loaded();
    assert.deepEqual([later.listed.size, later.all.size, board.listed.size], [1, 2, 1]);
  });

  it("T1 (finding 9): no step is taken of a task that the file has lost, until it is written again", async () => {
    const board = await open();
    await board.writeThenApply(intended(1));
    await rm(file);
    assert.equal(
      await board.writeThenApply({ type: "task-sending", id: idOf(1), at: 1 }, { ifUnchanged: true }),
      false,
    );
    await holds(1);
    await until(() => stateOf(board, 1) === "prepared");
    assert.equal(await board.writeThenApply({ type: "task-sending", id: idOf(1), at: 1 }, { ifUnchanged: true }), true);
  });

  it("T1 (finding 9): a damaged file is set aside while a window is open: its tasks are written again, and the board says so", async () => {
    const board = await open();
    for (let number = 1; number <= 40; number += 1) await writeAll(board, intended(number), accepted(number));
    const other = createFaultyDatabase();
    await writeFile(file, Buffer.alloc(64 * 1024, 7));
    other.close();
    await board.applyThenWrite({ type: "task-read", id: idOf(1), at: 2, remote: makeRemote({ state: "processing" }) });
    await until(() => board.file.current.replaced !== undefined);
    const { replaced } = board.file.current;
    assert.ok((await readdir(folder.path)).some((name) => replaced?.setAside.endsWith(name)));
    await holds(40);
    assert.equal(board.listed.size, 40);
  });

  it("T6 (finding 9): a state or type that a later version has written is shown as it is, and the task stays accepted", async () => {
    const first = await open();
    await writeAll(first, intended(1), accepted(1), intended(2), accepted(2), intended(3));
    const database = await Database.open({ path: file, migrations: taskMigrations, clock: systemClock });
    const change = (id: number, from: string, to: string): Promise<unknown> =>
      database.write((c) =>
        c.run("UPDATE task SET state = replace(state, :from, :to) WHERE id = :id", { id: idOf(id), from, to }),
      );
    await change(1, '"state":"created"', '"state":"paused"');
    await change(2, '"type":"video"', '"type":"hologram"');
    await change(3, '"state":"prepared"', '"state":"haunted"');
    await database.close();
    const board = await open();
    const one = board.listed.get(idOf(1))?.submission;
    assert.ok(one?.state === "accepted" && one.remote.state === "unknown" && one.taskId === "task-1");
    const two = board.listed.get(idOf(2));
    assert.ok(two);
    assert.match(taskRow(two, 0, "en").spoken, /^“hologram”, /);
    // Written on as it was.
    await board.applyThenWrite({ type: "task-read", id: idOf(2), at: 2, remote: makeRemote({ state: "processing" }) });
    assert.equal((await onDisk()).get(idOf(2))?.intent.type, "hologram");
    assert.deepEqual([stateOf(board, 3), board.file.current.unreadable], [undefined, 1]);
  });
});

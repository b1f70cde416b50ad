/** What a board shows before its store is open. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { systemClock } from "../../../../src/base/async/systemClock";
import { TaskBoard } from "../../../../src/tasks/board/board";
import { readTasksEarly } from "../../../../src/tasks/store/taskRows";
import type { TaskStore } from "../../../../src/tasks/store/taskStore";
import { makeCreated, makeIntent } from "../../../support/builders";
import { openBoard, openStoreAt } from "../../../support/taskBoards";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";

describe("readTasksEarly", () => {
  let folder: TemporaryFolder;
  let file: string;
  const intent = makeIntent();
  const { id } = intent;
  const sent = async (): Promise<void> => {
    const board = await openBoard(file);
    await board.writeThenApply({ type: "task-intended", intent });
    await board.writeThenApply({ type: "task-sending", id, at: 1 });
    await board.close();
  };
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    file = join(folder.path, "tasks.db");
  });
  afterEach(() => folder.remove());

  it("F4, T1: tasks are shown while the store still opens, and a step waits for it", async () => {
    await sent();
    const opening = Promise.withResolvers<TaskStore>();
    const board = await TaskBoard.open({
      openStore: () => opening.promise,
      readEarly: (newest) => readTasksEarly(file, newest),
      clock: systemClock,
    });
    assert.equal(board.listed.get(id)?.submission.state, "outcome-unknown");
    let isWritten = false;
    const written = board
      .writeThenApply({ type: "task-accepted", id, at: 2, created: makeCreated() })
      .then(() => (isWritten = true));
    await new Promise(setImmediate);
    assert.equal(isWritten, false);
    opening.resolve(await openStoreAt(file)());
    await written;
    assert.equal(board.listed.get(id)?.submission.state, "accepted");
    await board.close();
  });

  it("T1: tasks that were read early stay when the store can't be opened, and the reason is shown", async () => {
    await sent();
    const board = await TaskBoard.open({
      openStore: () => Promise.reject(new Error("no thread")),
      readEarly: (newest) => readTasksEarly(file, newest),
      clock: systemClock,
    });
    await assert.rejects(board.writeThenApply({ type: "task-removed", id, at: 2 }));
    assert.equal(board.listed.size, 1);
    assert.equal(board.unwritten.current?.error.kind, "storage");
    await board.close();
  });

  it("T1: nothing is read early that only the store can make sense of", async () => {
    assert.equal(readTasksEarly(file, 9), undefined, "no file");
    await sent();
    assert.equal(readTasksEarly(file, 9)?.tasks.length, 1);
    const other = new DatabaseSync(file);
    other.exec("BEGIN EXCLUSIVE");
    assert.equal(readTasksEarly(file, 9), undefined, "another window writes");
    other.exec("ROLLBACK; PRAGMA user_version = 99");
    other.close();
    assert.equal(readTasksEarly(file, 9), undefined, "a later version");
    await writeFile(file, "no database");
    assert.equal(readTasksEarly(file, 9), undefined, "damaged");
  });
});

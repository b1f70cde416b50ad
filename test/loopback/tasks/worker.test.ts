/** The task store on its own thread: the bundle that is shipped, called from here. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../../src/base/async/systemClock";
import { AppFailure } from "../../../src/domain/errors/appError";
import { TaskBoard } from "../../../src/tasks/board/board";
import { openWorkerTaskStore } from "../../../src/tasks/store/workerTaskStore";
import { makeCreated, makeIntent, makeRemote, until } from "../../support/builders";
import { openBoard } from "../../support/taskBoards";
import { createTemporaryFolder, type TemporaryFolder } from "../../support/temporaryFolder";
import { plainBoardOptions } from "../../support/plainOptions";

const program = join(import.meta.dirname, "..", "..", "..", "storage.mjs");

describe("the task store's thread", () => {
  let folder: TemporaryFolder;
  let file: string;
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    file = join(folder.path, "tasks.db");
  });
  afterEach(() => folder.remove());

  it("T1, T5: keeps tasks, tells of other windows, and is there again after a restart", async () => {
    const openStore = () => openWorkerTaskStore(program, file);
    const board = await TaskBoard.open({ ...plainBoardOptions, openStore, clock: systemClock });
    const intent = makeIntent();
    const { id } = intent;
    await board.writeThenApply({ type: "task-intended", intent });
    const other = await openBoard(file);
    await other.applyThenWrite({ type: "task-accepted", id, at: 1, created: makeCreated() });
    await until(() => board.listed.get(id)?.submission.state === "accepted");
    await board.applyThenWrite({ type: "task-read", id, at: 2, remote: makeRemote({ state: "succeeded" }) });
    const shown = board.listed.get(id);
    await board.close();
    await other.close();
    const again = await TaskBoard.open({ ...plainBoardOptions, openStore, clock: systemClock });
    assert.deepEqual(again.listed.get(id), shown);
    await again.close();
  });

  it("T1: a failure crosses as what it is, and a thread that can't start is one too", async () => {
    await writeFile(join(folder.path, "blocked"), "");
    const fails = (code: string) => (failure: unknown) =>
      failure instanceof AppFailure && failure.error.kind === "storage" && failure.error.code === code;
    await assert.rejects(openWorkerTaskStore(program, join(folder.path, "blocked", "tasks.db")), fails("cannot-open"));
    await assert.rejects(openWorkerTaskStore(join(folder.path, "no-program.js"), file), fails("thread-ended"));
    const store = await openWorkerTaskStore(program, file);
    await assert.rejects(
      store.apply([{ record: { type: "task-intended", intent: makeIntent({ id: "no such id" }) } }]),
      (failure) => failure instanceof AppFailure && failure.error.kind === "storage",
    );
    await store.close();
    await assert.rejects(store.snapshot(1), fails("thread-ended"));
  });
});

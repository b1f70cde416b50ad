/** The person's marks on a result are on disk, and each window sees those of the others (T15). */
import assert from "node:assert/strict";
import { join } from "node:path";
import { judgementOf } from "../../../../src/domain/task/judgement";
import type { TaskBoard } from "../../../../src/tasks/board/board";
import { makeCreated, makeIntent, makeRemote } from "../../../support/builders";
import { openBoard } from "../../../support/taskBoards";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";

describe("a judged result", () => {
  let folder: TemporaryFolder;
  let file: string;
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    file = join(folder.path, "tasks.db");
  });
  afterEach(async () => {
    await folder.remove();
  });

  const { id } = makeIntent();
  const judgement = (board: TaskBoard) => {
    const task = board.all.get(id);
    return task && judgementOf(task);
  };

  it("T15: two windows judge one result: both marks stay, each window shows both, and so does one that is opened later", async () => {
    const [one, other] = [await openBoard(file), await openBoard(file)];
    const remote = makeRemote({ state: "succeeded", rawStatus: "4" });
    await one.writeThenApply({ type: "task-intended", intent: makeIntent() });
    await one.writeThenApply({ type: "task-accepted", id, at: 1, created: makeCreated({ remote }) });
    await other.readOtherWindows();
    await one.applyThenWrite({ type: "task-judged", id, at: 2, rating: 4 });
    await other.applyThenWrite({ type: "task-judged", id, at: 3, choice: "kept" });
    await one.readOtherWindows();
    for (const board of [one, other]) assert.deepEqual(judgement(board), { rating: 4, choice: "kept" });
    const later = await openBoard(file);
    assert.deepEqual(judgement(later), { rating: 4, choice: "kept" });
    await Promise.all([one, other, later].map((board) => board.close()));
  });

  it("T15: a task that was taken off the list can still be judged, and stays off it", async () => {
    const board = await openBoard(file);
    const remote = makeRemote({ state: "succeeded", rawStatus: "4" });
    await board.writeThenApply({ type: "task-intended", intent: makeIntent() });
    await board.writeThenApply({ type: "task-accepted", id, at: 1, created: makeCreated({ remote }) });
    await board.writeThenApply({ type: "task-removed", id, at: 2 });
    await board.applyThenWrite({ type: "task-judged", id, at: 3, rating: 2 });
    assert.equal(board.listed.has(id), false);
    await board.close();
    const later = await openBoard(file);
    await later.loaded();
    assert.deepEqual(judgement(later), { rating: 2, choice: "none" });
    assert.equal(later.listed.has(id), false);
    await later.close();
  });
});

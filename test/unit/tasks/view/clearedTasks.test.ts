/** *Clear Finished*, its undo, and *Mark as Seen*: stored, so that every window agrees. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { TaskState } from "../../../../src/domain/task/task";
import type { TaskBoard } from "../../../../src/tasks/board/board";
import { clearTasks, restoreTasks } from "../../../../src/tasks/view/clearedTasks";
import { markSeen } from "../../../../src/tasks/view/seen";
import { needsAttention } from "../../../../src/tasks/view/taskGroups";
import { makeCreated, makeIntent, makeRemote } from "../../../support/builders";
import { openBoard } from "../../../support/taskBoards";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";

describe("cleared and seen tasks", () => {
  let folder: TemporaryFolder;
  let boards: TaskBoard[];
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    boards = [];
  });
  afterEach(async () => {
    for (const board of boards) await board.close();
    await folder.remove();
  });

  const open = async (): Promise<TaskBoard> => {
    const board = await openBoard(join(folder.path, "tasks.db"));
    boards.push(board);
    return board;
  };
  const place = async (board: TaskBoard, state: TaskState): Promise<string> => {
    const id = randomUUID();
    await board.writeThenApply({ type: "task-intended", intent: makeIntent({ id }) });
    await board.writeThenApply({ type: "task-sending", id, at: 0 });
    await board.writeThenApply({
      type: "task-accepted",
      id,
      at: 0,
      created: makeCreated({ remote: makeRemote({ state }) }),
    });
    return id;
  };
  const memory = () => {
    let ids: readonly string[] = [];
    return { read: () => ids, write: (cleared: readonly string[]) => void (ids = cleared) };
  };
  const now = (): number => 1;

  it("T6: clears what has ended and was seen, in every window; undo brings it back", async () => {
    const [one, other] = [await open(), await open()];
    const done = [await place(one, "succeeded"), await place(one, "cancelled")];
    const running = await place(one, "processing");
    const failed = await place(one, "failed");
    const ports = { board: one, memory: memory(), now };
    assert.equal(await clearTasks(ports, one.tasks.keys()), 2);
    await other.readOtherWindows();
    for (const board of [one, other]) assert.deepEqual([...board.tasks.keys()].sort(), [running, failed].sort());
    assert.equal(await restoreTasks(ports), 2);
    await other.readOtherWindows();
    for (const board of [one, other]) for (const id of done) assert.ok(board.tasks.has(id));
    assert.equal(await restoreTasks(ports), 0, "once");
  });

  it("T6: a restored task of an earlier session is there again", async () => {
    const one = await open();
    const id = await place(one, "succeeded");
    const kept = memory();
    await clearTasks({ board: one, memory: kept, now }, [id]);
    const later = await open();
    assert.equal(later.tasks.has(id), false);
    assert.equal(await restoreTasks({ board: later, memory: kept, now }), 1);
    assert.equal(later.tasks.get(id)?.intent.id, id);
  });

  it("T6 (finding 18): what was seen in one window needs no attention in another, nor after a restart", async () => {
    const [one, other] = [await open(), await open()];
    const failed = [await place(one, "failed"), await place(one, "failed")];
    await markSeen(one, one.tasks.keys(), 5);
    await other.readOtherWindows();
    for (const board of [one, other, await open()]) {
      for (const id of failed) assert.equal(needsAttention(board.tasks.get(id)!), false);
    }
  });

  it("T6: a second look changes nothing", async () => {
    const board = await open();
    const id = await place(board, "failed");
    await markSeen(board, [id], 5);
    const before = board.tasks.get(id);
    await board.writeThenApply({ type: "task-seen", id, at: 9 });
    assert.deepEqual(board.tasks.get(id), before);
  });
});

/** *Clear Finished*, its undo, and *Mark as Seen*: stored, so that every window agrees. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { TimeSlices } from "../../../../src/base/async/timeSlices";
import { Store } from "../../../../src/base/store";
import type { Task, TaskState } from "../../../../src/domain/task/task";
import type { TaskBoard } from "../../../../src/tasks/board/board";
import { aggregateUsage } from "../../../../src/tasks/usage";
import type { LeaseHolder } from "../../../../src/tasks/polling/pollLeaseKeeper";
import { ResultFetcher } from "../../../../src/tasks/results/resultFetcher";
import { clearedWords, clearTasks, restoreTasks, markSeen } from "../../../../src/tasks/view/clearedTasks";
import { groupByMoney } from "../../../../src/tasks/money";
import { needsAttention } from "../../../../src/tasks/view/taskGroups";
import { tasksToCsv } from "../../../../src/tasks/view/tasksToCsv";
import {
  accepted,
  connectTo,
  keptLog,
  makeCreated,
  makeGateway,
  makeIntent,
  makeRemote,
  makeTask,
} from "../../../support/builders";
import { createMovedClock } from "../../../support/movedClock";
import { openBoard } from "../../../support/taskBoards";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";
import { settingsWith } from "../../../support/plainOptions";

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
    const options = { board: one, memory: memory(), now };
    assert.equal((await clearTasks(options, one.listed.keys())).length, 2);
    await other.readOtherWindows();
    for (const board of [one, other]) assert.deepEqual([...board.listed.keys()].sort(), [running, failed].sort());
    assert.equal(await restoreTasks(options), 2);
    await other.readOtherWindows();
    for (const board of [one, other]) for (const id of done) assert.ok(board.listed.has(id));
    assert.equal(await restoreTasks(options), 0, "once");
  });

  it("T6: the undo of an earlier Clear brings back what it cleared, and leaves the later one its own", async () => {
    const board = await open();
    const [first, second] = [await place(board, "succeeded"), await place(board, "succeeded")];
    const options = { board, memory: memory(), now };
    await clearTasks(options, [first]);
    await clearTasks(options, [second]);
    assert.equal(await restoreTasks(options, [first]), 1);
    assert.deepEqual([...board.listed.keys()], [first]);
    assert.equal(await restoreTasks(options), 1);
    assert.ok(board.listed.has(second));
  });

  it("T10, T13 (finding M11): what was cleared counts in Money, CSV, usage and for its prompt, in every window and after a restart", async () => {
    const [one, other] = [await open(), await open()];
    await place(one, "succeeded");
    await place(one, "cancelled");
    await clearTasks({ board: one, memory: memory(), now }, one.listed.keys());
    await other.readOtherWindows();
    const later = await open();
    await later.loaded();
    for (const board of [one, other, later]) {
      assert.deepEqual([board.listed.size, board.all.size], [0, 2]);
      const { groups } = await groupByMoney([...board.all.values()], new TimeSlices(new AbortController().signal));
      assert.deepEqual([groups.get("charged")?.length, groups.get("toCheck")?.length], [1, 1]);
      const rows = (await tasksToCsv(board.all, new AbortController().signal)).trim().split("\r\n");
      assert.equal(rows.length, 3);
      const slices = new TimeSlices(new AbortController().signal);
      const { days } = await aggregateUsage(board.all.values(), { days: 7, now: 1, slices });
      assert.equal(days.at(-1)?.counts.succeeded, 1);
    }
  });

  it("T8 (finding M6): a result that is not here yet is still fetched when its row was cleared, also after a restart", async () => {
    const board = await open();
    const id = await place(board, "succeeded");
    await clearTasks({ board, memory: memory(), now }, [id]);
    const later = await open();
    await later.loaded();
    const turn = { isOurs: true, need: () => undefined, state: new Store<LeaseHolder>("ours") };
    const { promise: fetched, resolve } = Promise.withResolvers<string>();
    const fetcher = new ResultFetcher({
      ...{ board: later, connections: connectTo(makeGateway({})), clock: createMovedClock(0), log: keptLog(), turn },
      settings: settingsWith(() => ({ "results.fetchUpTo": 1 / 1024 ** 2 })),
      fetch(wanted) {
        resolve(wanted);
        return fetched;
      },
    });
    const running = fetcher.run();
    assert.equal(await fetched, id);
    fetcher.dispose();
    await running;
  });

  it("T6, T8 (finding M6): the words after a clear say where the results are", () => {
    const task = (change: Partial<Parameters<typeof accepted>[1]>, state: TaskState = "succeeded"): Task =>
      makeTask({ submission: accepted({ state }, change) });
    const saved = { path: "/a.png", mimeType: "image/png", size: 1, at: 0 };
    const tasks = [task({ saved }), task({}), task({ lookedAt: 9 }), task({}, "cancelled")];
    assert.equal(
      clearedWords(tasks, ({ submission }) => submission.state === "accepted" && submission.lookedAt === 9),
      "4 finished tasks were taken off the list. 1 result stays on disk. 1 result is not here yet and is still fetched." +
        " 1 result is not on this machine: Undo, then Open Result, fetches it.",
    );
    assert.equal(
      clearedWords([task({}, "failed")], () => false),
      "1 finished task was taken off the list.",
    );
  });

  it("T6: a restored task of an earlier session is there again", async () => {
    const one = await open();
    const id = await place(one, "succeeded");
    const kept = memory();
    await clearTasks({ board: one, memory: kept, now }, [id]);
    const later = await open();
    assert.equal(later.listed.has(id), false);
    assert.equal(await restoreTasks({ board: later, memory: kept, now }), 1);
    assert.equal(later.listed.get(id)?.intent.id, id);
  });

  it("T6 (finding 18): what was seen in one window needs no attention in another, nor after a restart", async () => {
    const [one, other] = [await open(), await open()];
    const failed = [await place(one, "failed"), await place(one, "failed")];
    await markSeen(one, one.listed.keys(), 5);
    await other.readOtherWindows();
    for (const board of [one, other, await open()]) {
      for (const id of failed) assert.equal(needsAttention(board.listed.get(id)!), false);
    }
  });

  it("T6: a second look changes nothing", async () => {
    const board = await open();
    const id = await place(board, "failed");
    await markSeen(board, [id], 5);
    const before = board.listed.get(id);
    await board.writeThenApply({ type: "task-seen", id, at: 9 });
    assert.deepEqual(board.listed.get(id), before);
  });
});

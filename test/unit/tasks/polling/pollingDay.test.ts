/** R7: a day of 200 tasks on the moved clock, or less of it: what a window holds and what the file takes does not grow with the time. */
import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { Emitter } from "../../../../src/base/event";
import type { TaskBoard } from "../../../../src/tasks/board/board";
import { Outbox } from "../../../../src/tasks/submit/outbox";
import { TaskPoller } from "../../../../src/tasks/polling/poller";
import { collectGarbage } from "../../../support/collectGarbage";
import { connectTo, makeCreated, makeGateway, makeRemote } from "../../../support/builders";
import { createMovedClock, type MovedClock } from "../../../support/movedClock";
import { openBoard } from "../../../support/taskBoards";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";
import { isFullRun, runsOf } from "../../../support/runs";
import { plainOutboxOptions } from "../../../support/plainOptions";

const minute = 60_000;
const tasks = runsOf(200, 40);
/** Two hundred a day. */
const pause = (24 * 60 * minute) / 200;

describe("a day of tasks", () => {
  let folder: TemporaryFolder;
  let clock: MovedClock;
  let board: TaskBoard;
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    clock = createMovedClock();
    board = await openBoard(join(folder.path, "tasks.db"), { clock });
  });
  afterEach(async () => {
    await board.close();
    await folder.remove();
  });

  it("R7, T4: heap, timers, handles and the file stay flat, and no task is left behind", async () => {
    // Each collection is one of all that this process has loaded.
    const collect = isFullRun ? collectGarbage : undefined;
    const ends = new Map<string, number>();
    let reads = 0;
    const gateway = makeGateway({
      createTask: () => {
        const taskId = `t${ends.size}`;
        // Each twentieth takes an hour.
        ends.set(taskId, clock.now() + (ends.size % 20 === 0 ? 60 : 2) * minute);
        return Promise.resolve(makeCreated({ taskId }));
      },
      getTask: (id) => {
        reads += 1;
        const isOver = clock.now() >= (ends.get(id) ?? 0);
        return Promise.resolve(makeRemote(isOver ? { state: "succeeded", rawStatus: "4" } : {}));
      },
    });
    const focus = new Emitter<boolean>();
    const attention = { focused: true, onDidChange: focus.event };
    const log = { debug: noLine, info: noLine, warn: noLine, error: noLine };
    const poller = new TaskPoller({ board, connections: connectTo(gateway), attention, clock, random: () => 0.5, log });
    const running = poller.run();
    const outbox = new Outbox({ ...plainOutboxOptions, board, connections: poller.connections, clock, log });
    const measure = async () => {
      collect?.();
      return {
        heap: process.memoryUsage().heapUsed,
        handles: process.getActiveResourcesInfo().length,
        waiting: clock.waiting,
        size: (await stat(join(folder.path, "tasks.db"))).size,
      };
    };
    let half: Awaited<ReturnType<typeof measure>> | undefined;
    const heaps: number[] = [];
    for (let n = 0; n < tasks; n += 1) {
      if (n === tasks / 2) half = await measure();
      if (collect && n % (tasks / 10) === tasks / 20) heaps.push((await measure()).heap);
      await outbox.submit([{ type: "video", model: "m", prompt: `a lighthouse, ${n}` }]);
      // A person looks at the window for a third of the day.
      attention.focused = n % 3 === 0;
      focus.fire(attention.focused);
      await clock.advance(pause);
    }
    await clock.advance(3 * 60 * minute);
    const end = await measure();
    poller.dispose();
    await running;
    assert.ok(half);
    for (const { submission } of board.listed.values())
      assert.ok(submission.state === "accepted" && submission.remote.state === "succeeded" && submission.lookedAt);
    assert.ok(end.handles <= half.handles, `${half.handles}, then ${end.handles} handles`);
    assert.ok(end.waiting <= half.waiting, `${half.waiting}, then ${end.waiting} timers`);
    assert.ok(end.size < 2 ** 20 && end.size < half.size * 2.2, `${half.size}, then ${end.size} bytes`);
    assert.ok(reads > 10 * tasks && reads < 300 * tasks, `${reads} reads`);
    if (!collect) return;
    // One collection frees compiled code and the next does not, which is up to 4 MB here: the middle of several looks is compared.
    const grown = median(heaps.slice(heaps.length / 2)) - median(heaps.slice(0, heaps.length / 2));
    assert.ok(grown < 2 * 2 ** 20, `the heap grew by ${grown / 2 ** 20} MB`);
  });
});

const noLine = (): void => undefined;

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

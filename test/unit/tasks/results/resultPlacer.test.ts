/** The placer where the task file can't be written. */
import assert from "node:assert/strict";
import { Emitter } from "../../../../src/base/event";
import { AppFailure } from "../../../../src/domain/errors/appError";
import type { TaskBoard } from "../../../../src/tasks/board/board";
import { ResultPlacer } from "../../../../src/tasks/results/resultPlacer";
import { accepted, keptLog, makeIntent, makeTask, savedAt } from "../../../support/builders";
import { createMovedClock } from "../../../support/movedClock";

describe("the placer of results", () => {
  it("T8, R8: on a full disk it tries again after a while, not at once", async () => {
    const intent = makeIntent({ destination: { file: "file:///project/assets/pier.png" } });
    const tasks = new Map([
      [
        intent.id,
        makeTask({
          intent,
          submission: accepted({ state: "succeeded" }, { saved: savedAt("/results/pier.png") }),
        }),
      ],
    ]);
    let writes = 0;
    const board = {
      ...{ listed: tasks, all: tasks, onDidChange: new Emitter<ReadonlySet<string>>().event },
      writeThenApply() {
        writes += 1;
        return Promise.reject(new AppFailure({ kind: "storage", code: "ENOSPC", message: "full" }));
      },
    } as unknown as TaskBoard;
    const clock = createMovedClock();
    const project = {
      holds: () => true,
      onDidChangeFolders: new Emitter<void>().event,
      makeExact: () => assert.fail("nothing is converted"),
      place: () => assert.fail("nothing is placed before it is written"),
      removeCopy: () => assert.fail("nothing is placed"),
      correctReferences: () => assert.fail("nothing is placed"),
    };
    const saveResult = (): Promise<string> => Promise.resolve("/results/pier.png");
    const placer = new ResultPlacer({ board, project, clock, log: keptLog(), saveResult });
    void placer.run();
    const settled = async (): Promise<void> => {
      for (let turn = 0; turn < 50; turn += 1) await new Promise((next) => setImmediate(next));
    };
    await settled();
    assert.equal(writes, 1);
    await clock.advance(10_000);
    await settled();
    assert.equal(writes, 2);
    await placer.close();
  });
});

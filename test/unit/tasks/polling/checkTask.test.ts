/** *Check Now* where the task ends while it is read. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { acceptedOf } from "../../../../src/domain/task/phase";
import { checkTask, type EventOptions } from "../../../../src/tasks/polling/events";
import { keptLog, makeCreated, makeIntent, makeRemote } from "../../../support/builders";
import { createMovedClock } from "../../../support/movedClock";
import { openBoard } from "../../../support/taskBoards";
import { createTemporaryFolder } from "../../../support/temporaryFolder";

it("T4, T9: a read that was under way when a cancel was confirmed does not make the task run again", async () => {
  const folder = await createTemporaryFolder();
  const clock = createMovedClock();
  const board = await openBoard(join(folder.path, "tasks.db"), { clock });
  try {
    const { id } = makeIntent();
    await board.writeThenApply({ type: "task-intended", intent: makeIntent() });
    await board.writeThenApply({ type: "task-sending", id, at: clock.now() });
    await board.writeThenApply({ type: "task-accepted", id, at: clock.now(), created: makeCreated() });
    const getTask = async (): Promise<unknown> => {
      await clock.advance(100);
      await board.applyThenWrite({
        type: "task-read",
        id,
        at: clock.now(),
        remote: makeRemote({ state: "cancelled" }),
      });
      return makeRemote({ state: "processing" });
    };
    const connections = { find: () => Promise.resolve({ getTask }) };
    await checkTask({ board, connections, clock, log: keptLog() } as unknown as EventOptions, id);
    assert.equal(acceptedOf(board.all.get(id))?.remote.state, "cancelled");
  } finally {
    await board.close();
    await folder.remove();
  }
});

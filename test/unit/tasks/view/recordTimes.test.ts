/** Times in a stored task that are no dates: a row is drawn all the same. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { systemClock } from "../../../../src/base/async/systemClock";
import { Database } from "../../../../src/base/database/database";
import { taskMigrations } from "../../../../src/tasks/store/taskRows";
import { taskRow } from "../../../../src/tasks/view/taskRow";
import { makeCreated, makeIntent, makeRemote } from "../../../support/builders";
import { openBoard } from "../../../support/taskBoards";
import { createTemporaryFolder } from "../../../support/temporaryFolder";

it("T1: a paid task keeps its row when a gateway or a hand wrote times beyond all dates", async () => {
  const folder = await createTemporaryFolder();
  const path = join(folder.path, "tasks.db");
  const intent = makeIntent();
  const remote = makeRemote({ state: "succeeded", rawStatus: "4", completedAt: 7 });
  const written = await openBoard(path);
  await written.writeThenApply({ type: "task-intended", intent });
  await written.writeThenApply({ type: "task-accepted", id: intent.id, at: 5, created: makeCreated({ remote }) });
  await written.close();
  const database = await Database.open({ path, migrations: taskMigrations, clock: systemClock });
  await database.write((connection) =>
    connection.exec(`UPDATE task SET state = json_set(state,
      '$.intent.createdAt', 1e300, '$.submission.at', -1e300, '$.submission.remote.completedAt', 1e300)`),
  );
  await database.close();
  const board = await openBoard(path);
  const task = board.listed.get(intent.id);
  assert.ok(task);
  assert.match(taskRow(task, Date.now(), "en").money, /^Charged at /);
  await board.close();
  await folder.remove();
});

/** Times in an imported journal that are no dates: a row is drawn all the same. */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { taskRow } from "../../../../src/tasks/view/taskRow";
import { makeCreated, makeIntent, makeRemote } from "../../../support/builders";
import { openBoard } from "../../../support/taskBoards";
import { createTemporaryFolder } from "../../../support/temporaryFolder";

it("T1: a paid task keeps its row when a gateway or a hand wrote times beyond all dates", async () => {
  const folder = await createTemporaryFolder();
  const path = join(folder.path, "deep", "tasks.jsonl");
  const intent = makeIntent({ createdAt: 1e300 });
  const remote = makeRemote({ state: "succeeded", rawStatus: "4", completedAt: 1e300 });
  const accepted = { type: "task-accepted", id: intent.id, at: -1e300, created: makeCreated({ remote }) };
  await mkdir(dirname(path));
  await writeFile(path, `${JSON.stringify({ type: "task-intended", intent })}\n${JSON.stringify(accepted)}\n`);
  const board = await openBoard(join(dirname(path), "tasks.db"));
  const task = board.tasks.get(intent.id);
  assert.ok(task);
  assert.match(taskRow(task, Date.now(), "en").money, /^Charged at /);
  await board.close();
  await folder.remove();
});

// Writes tasks into a database as another window would, and takes them off again: `subject.mjs place <file> <url> <key> <prompt>…`, `subject.mjs end <file>`.
import { placeTask, homeOf } from "../../test/support/placedTasks";
import { makeRemote } from "../../test/support/builders";
import { openBoard } from "../../test/support/taskBoards";

const [, , what = "", file = "", url = "", key = "", ...prompts] = process.argv;
const board = await openBoard(file);
if (what === "place") {
  // Running for so long that they are read at the pace that stays.
  const intent = { home: homeOf(url, key), createdAt: Date.now() - 5 * 60_000 };
  const remote = /** @type {const} */ ({ state: "processing", rawStatus: "3" });
  for (const prompt of prompts) await placeTask(board, { intent: { ...intent, prompt }, remote });
} else {
  const at = Date.now();
  for (const { intent } of [...board.tasks.values()]) {
    const { id } = intent;
    const remote = makeRemote({ state: "cancelled", rawStatus: "6", completedAt: at });
    // As if the later look had been taken: nothing is left to be read.
    await board.writeThenApply({ type: "task-read", id, at, remote, isRecheck: true });
    await board.writeThenApply({ type: "task-removed", id, at });
  }
}
await board.close();

/** The count of a day's tasks where rows do not follow the times: of watched tasks, of a clock that was wrong, of a file that was replaced. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { AppFailure } from "../../../../src/domain/errors/appError";
import { makeCreated, makeIntent } from "../../../support/builders";
import { openBoard } from "../../../support/taskBoards";
import { createTemporaryFolder } from "../../../support/temporaryFolder";

const noon = Date.UTC(2026, 0, 15, 12);
const day = 86_400_000;

it("T10: a task of an earlier day that gets its row today does not take today's earlier tasks out of the count", async () => {
  const folder = await createTemporaryFolder();
  const board = await openBoard(join(folder.path, "tasks.db"));
  const add = async (name: string, createdAt: number, isWatched?: true, maxTasks?: number): Promise<void> => {
    const id = `00000000-0000-4000-8000-0000000000${name}`;
    const intent = makeIntent({ id, createdAt, ...(isWatched && { isWatched }) });
    const cap = maxTasks === undefined ? undefined : { since: noon - 1000, maxTasks, newTasks: 1 };
    await board.writeThenApply({ type: "task-intended", intent }, { cap });
    await board.writeThenApply({ type: "task-accepted", id, at: noon, created: makeCreated({ taskId: name }) });
  };
  await add("01", noon);
  await add("02", noon);
  await add("03", noon - 3 * day, true);
  const isCapped = (failure: unknown): boolean =>
    failure instanceof AppFailure && failure.error.message.startsWith("2 tasks today");
  await assert.rejects(add("05", noon, undefined, 2), isCapped);
  await add("04", noon - 3 * day);
  await add("05", noon, undefined, 3);
  await board.close();
  await folder.remove();
});

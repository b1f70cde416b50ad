/** The person's marks on a result. */
import assert from "node:assert/strict";
import { type JudgementChange, judgementOf } from "../../../../src/domain/task/judgement";
import type { Task } from "../../../../src/domain/task/task";
import { reduceTask } from "../../../../src/domain/task/taskRecord";
import { taskSchema } from "../../../../src/domain/task/taskSchema";
import { accepted, makeTask } from "../../../support/builders";

const task = makeTask({ submission: accepted({ state: "succeeded", rawStatus: "4" }) });
const judge = (before: Task, change: JudgementChange): Task =>
  reduceTask(before, { type: "task-judged", id: before.intent.id, at: 1, ...change }) ?? before;

describe("the judgement of a result", () => {
  it("T15: stars and choice change each alone, and 0 and none remove them", () => {
    const rated = judge(judge(task, { rating: 4 }), { choice: "kept" });
    assert.deepEqual(judgementOf(rated), { rating: 4, choice: "kept" });
    assert.deepEqual(judgementOf(judge(rated, { rating: 0 })), { rating: 0, choice: "kept" });
    assert.deepEqual(judge(judge(rated, { rating: 0 }), { choice: "none" }), task);
  });

  it("T15: what is written is read back, and a mark of a later version counts as none", () => {
    const kept = judge(task, { rating: 5, choice: "rejected" });
    assert.deepEqual(taskSchema.parse(JSON.parse(JSON.stringify(kept))), JSON.parse(JSON.stringify(kept)));
    const later = makeTask({ submission: accepted({}, { rating: 9.5, choice: "starred" }) });
    assert.deepEqual(judgementOf(later), { rating: 0, choice: "none" });
    assert.equal(judgementOf(makeTask({ submission: accepted({}, { rating: 7 }) })).rating, 5);
  });

  it("T15: a task without a result that was never accepted has none", () => {
    const sending = makeTask();
    assert.equal(judge(sending, { rating: 3 }), sending);
    assert.deepEqual(judgementOf(sending), { rating: 0, choice: "none" });
  });
});

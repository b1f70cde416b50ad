/** The marks that a task gives to what is encoded anew of its result. */
import assert from "node:assert/strict";
import { readMarks } from "../../../../src/domain/media/marks/readMarks";
import { writeMarks } from "../../../../src/domain/media/marks/writeMarks";
import { markCopy, marksOfResult, marksOfTask } from "../../../../src/tasks/results/taskMarks";
import { accepted, makeTask, savedAt } from "../../../support/builders";
import { pngChunk, pngWith } from "../../../support/pngChunks";
import { pngOf } from "../../../support/testImages";

const body = JSON.stringify({ metadata_json: { seed: 11 } });
const taskWith = (seed?: number): ReturnType<typeof makeTask> =>
  makeTask({
    intent: { prompt: "a pier", model: "asked" },
    submission: accepted(
      { state: "succeeded", model: "served", assets: { kind: "assets", ...(seed === undefined ? {} : { seed }) } },
      { saved: savedAt("/results/pier.png") },
    ),
  });

describe("marks of a task", () => {
  it("T20: model and seed that the gateway used, else the seed that was asked for; prompt and seed can be left out", () => {
    const { task, ...others } = marksOfTask({ task: taskWith(5), body, hasPrompt: true });
    assert.ok(task);
    assert.deepEqual(others, { isGenerated: true, model: "served", prompt: "a pier", seed: 5 });
    assert.equal(marksOfTask({ task: taskWith(), body, hasPrompt: true }).seed, 11);
    assert.deepEqual(marksOfTask({ task: taskWith(5), body, hasPrompt: false }), {
      isGenerated: true,
      model: "served",
      task,
    });
  });

  it("T20: by the path of the result; without its task only that a model made it", async () => {
    const task = taskWith();
    const board = { all: new Map([[task.intent.id, task]]), readBody: () => Promise.resolve(body) };
    assert.equal((await marksOfResult(board, "/results/pier.png", true)).seed, 11);
    assert.deepEqual(await marksOfResult(board, "/results/other.png", true), { isGenerated: true });
  });

  it("T20: the same bytes stay; credentials of the original are noted, and a placeholder stays one", async () => {
    const marks = { isGenerated: true, model: "m", prompt: "a", seed: 1 } as const;
    const [copy, original] = [await pngOf(2, 2), await pngOf(4, 4)];
    assert.equal(markCopy(original, Buffer.from(original), marks), original);
    const signed = pngWith(pngChunk("caBX", Buffer.from("jumb")));
    assert.deepEqual(readMarks(markCopy(copy, signed, marks)), { ...marks, hadCredentials: true });
    assert.deepEqual(readMarks(markCopy(copy, writeMarks(original, { hadCredentials: true }), marks)), {
      ...marks,
      hadCredentials: true,
    });
    const placeholder = writeMarks(original, { isRehearsed: true, prompt: "a" });
    assert.deepEqual(readMarks(markCopy(copy, placeholder, marks)), { isRehearsed: true, model: "m" });
  });
});

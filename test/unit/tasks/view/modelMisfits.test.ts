/** A model that can't make what a prompt of a file asks for is named before anything is submitted. */
import assert from "node:assert/strict";
import type { TaskType } from "../../../../src/domain/task/task";
import { parsePrompts } from "../../../../src/tasks/prompts/parsePrompts";
import { modelMisfits } from "../../../../src/tasks/view/promptWords";

const listed: Readonly<Record<string, readonly TaskType[]>> = { painter: ["async-image"], talker: [] };
const misfitsOf = (...directives: readonly string[]): readonly [number, string][] => {
  const text = `# A\n\n<!-- sluice: ${directives.join(" ")} -->\n\na pier\n`;
  const { prompts } = parsePrompts(text);
  return modelMisfits(prompts, (model) => listed[model]).map(({ line, message }) => [line, message]);
};

describe("models of a prompt file", () => {
  it("T16: one that makes something else is named once for each prompt; one that is not listed, or fits, is not", () => {
    assert.deepEqual(misfitsOf("type=image", "model=painter"), []);
    assert.deepEqual(misfitsOf("type=video", "model=unheard-of"), []);
    assert.deepEqual(misfitsOf("model=painter"), [], "the person chooses the type");
    const [[line, message] = [0, ""], ...others] = misfitsOf("type=video", "model=painter", "seed=[1,2,3]");
    assert.deepEqual([line, others], [4, []]);
    assert.match(message, /“painter” makes image. This prompt wants type video/);
    assert.match(misfitsOf("type=video", "model=talker")[0]?.[1] ?? "", /is no model for tasks/);
  });
});

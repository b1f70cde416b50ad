/** Which variants of a prompt are still to be made: a task that there is is not paid again. */
import assert from "node:assert/strict";
import { parsePrompts } from "../../../../src/tasks/prompts/parsePrompts";
import type { Task, TaskState } from "../../../../src/domain/task/task";
import { failedVariants, missingVariants } from "../../../../src/tasks/submit/missingVariants";
import { accepted, makeTask } from "../../../support/builders";

const front = (seeds: string): string =>
  `---\ntype: image\nstyle: [ink, oil]\nseed: [${seeds}]\n---\n# A\n\na pier, {{style}}\n`;

describe("variants that are missing", () => {
  const bodies = new Map<string, string>();
  const made = (id: string, prompt: string, seed: number): Task => {
    bodies.set(id, JSON.stringify({ metadata_json: { seed } }));
    return makeTask({ intent: { id, prompt } });
  };
  const missing = async (seeds: string, ...tasks: readonly Task[]): Promise<readonly string[]> => {
    const [prompt] = parsePrompts(front(seeds)).prompts;
    assert.ok(prompt);
    const found = await missingVariants(prompt, {
      all: new Map(tasks.map((task) => [task.intent.id, task])),
      readBody: (id: string) => Promise.resolve(bodies.get(id)),
    } as unknown as Parameters<typeof missingVariants>[1]);
    return found.map(({ text, settings }) => `${text} ${settings.seed}`);
  };

  it("T1, T16: those whose text and seed a task has are not made again, whatever its order and state", async () => {
    const tasks = [made("t1", "a pier, oil", 2), made("t2", "a pier, ink", 1)];
    assert.deepEqual(await missing("1, 2", ...tasks), ["a pier, ink 2", "a pier, oil 1"]);
    assert.deepEqual(await missing("1, 3", ...tasks), ["a pier, ink 3", "a pier, oil 1", "a pier, oil 3"]);
  });

  it("T1, T16: those that failed are the ones whose tasks have all ended without success", async () => {
    const [prompt] = parsePrompts(front("1, 2")).prompts;
    assert.ok(prompt);
    const failed = async (...tasks: readonly Task[]): Promise<readonly string[]> => {
      const found = await failedVariants(prompt, {
        all: new Map(tasks.map((task) => [task.intent.id, task])),
        readBody: (id: string) => Promise.resolve(bodies.get(id)),
      } as unknown as Parameters<typeof failedVariants>[1]);
      return found.map(({ text, settings }) => `${text} ${settings.seed}`);
    };
    const ended = (id: string, words: string, seed: number, state: TaskState): Task => ({
      ...made(id, words, seed),
      submission: accepted({ state }),
    });
    const tasks = [
      ended("f1", "a pier, ink", 1, "failed"),
      ended("f2", "a pier, ink", 2, "succeeded"),
      ended("f3", "a pier, oil", 1, "expired"),
      ended("f4", "a pier, oil", 2, "processing"),
    ];
    assert.deepEqual(await failed(...tasks), ["a pier, ink 1", "a pier, oil 1"]);
    assert.deepEqual(await failed(...tasks, ended("f5", "a pier, ink", 1, "queued")), ["a pier, oil 1"]);
    assert.deepEqual(await failed(tasks[0]!), ["a pier, ink 1"], "those that were never submitted are not meant");
  });

  it("T16: a task with another seed makes none of them, and one task is one variant", async () => {
    assert.equal((await missing("1, 2", made("t3", "a pier, ink", 7))).length, 4);
    assert.equal((await missing("1, 2", made("t4", "a pier, ink", 1), made("t5", "a pier, ink", 1))).length, 3);
  });
});

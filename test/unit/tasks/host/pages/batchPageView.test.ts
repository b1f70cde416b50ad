/** What the page of a batch shows of its tasks. */
import assert from "node:assert/strict";
import { definedFields } from "../../../../../src/base/definedFields";
import type { Task } from "../../../../../src/domain/task/task";
import type { ResultOption } from "../../../../../src/tasks/contract/galleryPageContract";
import {
  batchSummary,
  differenceIn,
  differencesOf,
  variantView,
} from "../../../../../src/tasks/host/pages/batchPageView";
import { resultOptions } from "../../../../../src/tasks/host/pages/galleryPageView";
import { accepted, makeTask } from "../../../../support/builders";

describe("the batch page", () => {
  const context = { now: 0, locale: "en-US", folder: "/r", options: new Map<string, readonly ResultOption[]>() };
  const numbered = (number: number): string => `${String(number).repeat(8)}-1111-4111-8111-111111111111`;

  it("T7, T10: one line of states and one of money, without a hold that the gateway did not name", () => {
    const tasks = [
      makeTask({ submission: accepted({ state: "succeeded" }, { holdId: "h1" }) }),
      makeTask({ submission: accepted({ state: "succeeded" }, { holdId: "h2" }) }),
      makeTask({ submission: accepted({ state: "processing" }, { holdId: "h3" }) }),
      makeTask({ submission: accepted({ state: "succeeded" }) }),
    ];
    const { states, money } = batchSummary(tasks, context);
    assert.match(states, /3 of 4 succeeded · 1 of 4 processing$/);
    assert.equal(money, "2 of 4 charged · 1 of 4 reserved · 1 of 4 nothing said about the money");
    const local = { intent: { home: { origin: "local", baseUrl: "http://127.0.0.1:1/v1", account: "a" } } };
    assert.equal(batchSummary([makeTask(local), makeTask(local)], context).money, "Local · free");
  });

  it("T13 (finding N13): a variant shows where its prompt differs from the others, also behind a long common beginning", () => {
    const begin =
      "A lighthouse on the rocks above a wide bay, seen from the water in the last light of a long day, in ";
    const shown = (...prompts: readonly string[]): readonly (string | undefined)[] => {
      const tasks = prompts.map((prompt) => makeTask({ intent: { prompt } }));
      const differences = differencesOf(tasks, context.options);
      return tasks.map((task) => variantView(task, { ...context, differences }).difference);
    };
    assert.deepEqual(shown(`${begin}deep blue`, `${begin}deep red`), ["… in deep blue", "… in deep red"]);
    assert.deepEqual(shown("a pier", "a poster"), ["a pier", "a poster"]);
    assert.deepEqual(shown("the same", "the same"), [undefined, undefined]);
    assert.equal(shown(begin.trim(), `${begin}red`)[1], "… long day, in red");
    assert.equal(differenceIn(["x".repeat(60), `${"x".repeat(60)}y`]), 0);
  });

  it("T7: a variant has the seed that was reported, else the one that was asked for", () => {
    const options = new Map([[makeTask().intent.id, [{ name: "seed", value: "7" }]]]);
    const done = (assets: object): Task["submission"] =>
      accepted({ state: "succeeded", createdAt: 0, completedAt: 125_000, assets: { kind: "assets", ...assets } });
    const asked = variantView(makeTask({ submission: done({}) }), { ...context, options });
    assert.equal(asked.about, "seed 7 · 2 min 5 s");
    assert.match(variantView(makeTask({ submission: done({ seed: 9 }) }), { ...context, options }).about, /^seed 9 · /);
  });

  it("T15 (newuser L15): what is compared has the seed that the gateway reports, also where the request named none", () => {
    const made = (seed?: number): Task =>
      makeTask({
        submission: accepted({ state: "succeeded", assets: { kind: "assets", ...definedFields({ seed }) } }),
      });
    const size = { name: "size", value: "1:1" };
    assert.deepEqual(resultOptions(made(9), [size]), [size, { name: "seed", value: "9" }]);
    assert.deepEqual(resultOptions(made(9), [{ name: "seed", value: "7" }]), [{ name: "seed", value: "9" }]);
    assert.deepEqual(resultOptions(made(), [{ name: "seed", value: "7" }]), [{ name: "seed", value: "7" }]);
    assert.deepEqual(resultOptions(makeTask()), []);
  });

  it("T13: below each picture is what differs: the model and the options that are not the same for all that were read", () => {
    const tasks = [1, 2, 3].map((number) =>
      makeTask({ intent: { id: numbered(number), model: number === 3 ? "vendor/large" : "vendor/fast" } }),
    );
    const of = (size: string, steps?: string): readonly ResultOption[] => [
      { name: "size", value: size },
      { name: "style", value: "ink" },
      ...(steps === undefined ? [] : [{ name: "steps", value: steps }]),
    ];
    const options = new Map([
      [numbered(1), of("1:1", "30")],
      [numbered(2), of("16:9")],
    ]);
    const aboutAll = (): readonly string[] => {
      const differences = differencesOf(tasks, options);
      return tasks.map((task) => variantView(task, { ...context, options, differences }).about);
    };
    assert.deepEqual(aboutAll(), ["vendor/fast · size: 1:1 · steps: 30", "vendor/fast · size: 16:9", "vendor/large"]);
    options.set(numbered(2), of("1:1", "30"));
    assert.deepEqual(aboutAll(), ["vendor/fast", "vendor/fast", "vendor/large"]);
  });
});

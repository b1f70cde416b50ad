/** Each option that a prompt file may set reaches the request: one that is read and not sent is paid for without a word. */
import assert from "node:assert/strict";
import type { listedKeys } from "../../../../../src/tasks/prompts/directives";
import { type BundledProbe, bundleProbe } from "../../../../support/bundledProbe";
import type * as Probe from "../../../../support/taskOptionProbe";

/** Two values of each key, as the request has them. */
const samples: Readonly<Record<(typeof listedKeys)[number], readonly [string | number, string | number]>> = {
  model: ["model-x", "model-y"],
  size: ["1280x720", "640x480"],
  duration: [5, 8],
  seed: [7, 9],
};

describe("the options of a prompt file", () => {
  let bundled: BundledProbe<typeof Probe>;
  let probe: typeof Probe;
  before(async () => {
    bundled = await bundleProbe<typeof Probe>("test/support/taskOptionProbe.ts");
    probe = bundled.module;
  });
  after(() => bundled.remove());

  /** Fails for a key without values, so that no key is left out. */
  const eachKey = async (check: (key: string, one: unknown, other: unknown) => unknown): Promise<void> => {
    const others = ["type", "reference", "destination"];
    assert.deepEqual([...others, ...probe.listedKeys].toSorted(), probe.promptKeys.toSorted());
    for (const key of probe.listedKeys) {
      const [one, other] = samples[key] ?? assert.fail(`${key} has no values in this test`);
      await check(key, one, other);
    }
  };

  it("T1, T16: each reaches the request, of one value and of a list", () =>
    eachKey(async (key, one, other) => {
      const values = async (set: string): Promise<readonly unknown[]> =>
        (await probe.routesOf(`${key}=${set}`)).map(({ sent }) => sent[key]);
      assert.deepEqual(await values(`${one}`), [one], key);
      assert.deepEqual(await values(`[${one},${other}]`), [one, other], key);
    }));

  it("T2, T15: each comes back from the request into the form, and is sent by it again", () =>
    eachKey(async (key, one) => {
      const [route] = await probe.routesOf(`${key}=${one}`);
      assert.equal(route?.fields[key], String(one), key);
      assert.deepEqual(route.again[key], one, key);
    }));

  it("T20, T16: each changes the options that the lock knows by their hash, and stands in the words of the lens", () =>
    eachKey(async (key, one, other) => {
      const [none] = await probe.routesOf("");
      const [first] = await probe.routesOf(`${key}=${one}`);
      const [second] = await probe.routesOf(`${key}=${other}`);
      assert.equal(new Set([none?.locked, first?.locked, second?.locked]).size, 3, key);
      assert.ok(first?.lens.includes(`${one}`) && second?.lens.includes(`${other}`), `${key}: ${first?.lens}`);
    }));

  it("T16: each is completed in directives and front matter; a value that can't be read is named", () =>
    eachKey((key) => {
      for (const keys of probe.offeredKeys()) assert.ok(keys.includes(key), key);
      if (key !== "model") assert.match(probe.problemOf(key, "'a b c'"), /“a b c”/, key);
    }));

  it("A4, T1: each that a model writes next to the options of a tool call is sent as a person's", () =>
    eachKey((key, one) => {
      if (key !== "model") assert.deepEqual(probe.toolOptions(key, String(one)), { [key]: one });
    }));

  it("T20: the hashes of locks that exist stay", () => {
    const references = ["a.png", "https://x/b.png"];
    const set = { type: "video", model: "m", size: "1280x720", duration: 5, seed: 7, references };
    assert.equal(probe.lockedText(set), '["video","m","1280x720",5,7,"a.png","https://x/b.png"]');
    assert.equal(probe.lockedText({}), "[null,null,null,null,null]");
    assert.equal(probe.lockedText({ seed: 0, references: [] }), "[null,null,null,null,0]");
  });
});

/** Each option that a prompt file may set reaches the request: one that is read and not sent is paid for without a word. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Plugin } from "esbuild";
import type { listedKeys } from "../../../../../src/tasks/prompts/directives";
import { type BundledProbe, bundleProbe } from "../../../../support/bundledProbe";
import { assertCompiles, longerTables, type TableAdditions } from "../../../../support/longerTables";
import { isFullRun } from "../../../../support/runs";
import type * as Probe from "../../../../support/taskOptionProbe";

type Samples = Readonly<Record<string, readonly [string | number, string | number]>>;

/** Two values of each key, as the request has them. */
const samples = {
  model: ["model-x", "model-y"],
  size: ["1280x720", "640x480"],
  duration: [5, 8],
  seed: [7, 9],
} as const satisfies Readonly<Record<(typeof listedKeys)[number], Samples[string]>>;

/** An option that does not exist: its lines, which are all that it needs. */
const additions: TableAdditions = {
  "src/domain/task/commonOptions.ts": [
    [
      "const taskOptionTable",
      `zzoption: { read: (typed: string) => (/^zz[12]$/.test(typed) ? typed : undefined), example: "zz1",
         completed: ["zz1", "zz2"], otherNames: [], told: "zz1 or zz2" },`,
    ],
  ],
  "src/domain/words/taskOptionWords.ts": [
    [
      "const taskOptionWords",
      `zzoption: { label: () => t("zz"), about: () => t("zz"), question: () => t("zz"), value: String, problem: () => t("zz"),
         typedProblem: (typed) => t("{0} is no zz", typed), writtenProblem: (quoted) => t("{0} is no zz", quoted) },`,
    ],
    ["const optionChoiceWords", `zzoption: { value: String, another: () => t("Another zz") },`],
  ],
};

describe("the options of a prompt file", () => testOptions(samples));

describe("an option of a later version", () => {
  testOptions({ ...samples, zzoption: ["zz1", "zz2"] }, longerTables(additions));

  /** It takes long: the compiler reads the whole product again, twice. */
  const inFull = isFullRun ? it : () => undefined;

  inFull("V5: with these lines host and pages compile, so the compiler names no other place", async () => {
    const folder = await mkdtemp(join(tmpdir(), "option-"));
    try {
      await assertCompiles(additions, folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

function testOptions(values: Samples, ...plugins: readonly Plugin[]): void {
  let bundled: BundledProbe<typeof Probe>;
  let probe: typeof Probe;
  before(async () => {
    bundled = await bundleProbe<typeof Probe>("test/support/taskOptionProbe.ts", ...plugins);
    probe = bundled.module;
  });
  after(() => bundled.remove());

  /** Fails for a key without values, so that no key is left out. */
  const eachKey = async (check: (key: string, one: unknown, other: unknown) => unknown): Promise<void> => {
    const others = ["type", "reference", "destination"];
    assert.deepEqual([...others, ...probe.listedKeys].toSorted(), probe.promptKeys.toSorted());
    assert.deepEqual(Object.keys(values).toSorted(), probe.listedKeys.toSorted());
    for (const key of probe.listedKeys) {
      const [one, other] = values[key] ?? assert.fail(`${key} has no values in this test`);
      await check(key, one, other);
    }
  };

  it("T1, T16: each reaches the request, of one value and of a list", () =>
    eachKey(async (key, one, other) => {
      const sentBy = async (set: string): Promise<readonly unknown[]> =>
        (await probe.routesOf(`${key}=${set}`)).map(({ sent }) => sent[key]);
      assert.deepEqual(await sentBy(`${one}`), [one], key);
      assert.deepEqual(await sentBy(`[${one},${other}]`), [one, other], key);
    }));

  it("T2, T15: each comes back from the request into the form, and is sent by it again", () =>
    eachKey(async (key, one) => {
      const [route] = await probe.routesOf(`${key}=${one}`);
      assert.equal(route?.fields[key], String(one), key);
      assert.deepEqual(route.again[key], one, key);
    }));

  it("T15: a form that was kept before there was the option is read", () =>
    eachKey((key) => {
      if (key !== "model") assert.equal(probe.keptWithout(key), "", key);
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
}

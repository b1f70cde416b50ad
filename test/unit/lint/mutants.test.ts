/** The table of mutants stays one that can be run: each text is in its source once, each test is there, and each rule has a test of its own. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { breakRule, readMutants } from "../../../scripts/mutantTable.mjs";
import { titlesOf } from "./testTitles";

const mutants = readMutants();

/** Whether it may be the title of a run: `…` is what only the run fills in. */
function isTitle(full: string, static_: string): boolean {
  const parts = static_.split("…").map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join(".*")}$`, "s").test(full);
}

describe("the table of mutants", () => {
  it("V5: titles are read with their describes, from templates and through constants", () => {
    const source = `
      const onPosix = isWindows ? it.skip : it;
      describe("S1: a", () => {
        describe(name, () => {
          it(\`T1: \${x} b\`, () => {});
          onPosix("c", () => {}).timeout(5);
        });
      });`;
    assert.deepEqual(titlesOf(source), ["S1: a … T1: … b", "S1: a … c"]);
  });

  it("V5: each breaks its source in one place", () => {
    assert.ok(mutants.length >= 100, `${mutants.length} mutants`);
    for (const mutant of mutants) assert.notEqual(mutant.before, mutant.after, mutant.rule);
    const wrong = mutants.flatMap((mutant) => {
      try {
        breakRule(mutant);
        return [];
      } catch (error) {
        return [(error as Error).message];
      }
    });
    assert.deepEqual(wrong, []);
  });

  it("V5: each names a test that there is", () => {
    const suites = new Set(mutants.map(({ suite }) => suite));
    const titles = new Map(
      [...suites].map((suite) => [suite, existsSync(suite) ? titlesOf(readFileSync(suite, "utf8")) : []]),
    );
    const missing = mutants.filter(
      ({ suite, test }) => titles.get(suite)?.some((title) => isTitle(test, title)) !== true,
    );
    assert.deepEqual(missing, []);
  });

  it("V5: each rule is there once, and has a test of its own", () => {
    for (const field of ["rule", "test"] as const) {
      const names = mutants.map((mutant) => mutant[field]);
      assert.deepEqual(
        names.filter((name, at) => names.indexOf(name) !== at),
        [],
        field,
      );
    }
  });
});

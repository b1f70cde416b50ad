/** What is missing is found in small projects of usual frameworks, and nothing else is said to be missing. */
import assert from "node:assert/strict";
import { ListedProject } from "../../../support/missing/listedProject";
import { type Skeleton, skeletons } from "../../../support/missing/projectSkeletons";

async function missingIn({ files, assets, ignored }: Skeleton, out: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const there = Object.fromEntries(assets.filter((path) => !out.has(path)).map((path) => [path, ""]));
  return new Set((await new ListedProject({ ...files, ...there }, ignored).missing()).keys());
}

describe("references that lead nowhere", () => {
  it("T20: of 40 projects with their pictures taken out, 98 of 100 are found, and none has more than one false hint", async () => {
    assert.equal(skeletons.length, 40);
    let all = 0;
    let found = 0;
    const lost: string[] = [];
    const wrong: string[] = [];
    for (const skeleton of skeletons) {
      const { name, assets } = skeleton;
      const complete = await missingIn(skeleton, new Set());
      const empty = await missingIn(skeleton, new Set(assets));
      const extra = new Set([...complete, ...[...empty].filter((path) => !assets.includes(path))]);
      all += assets.length;
      found += assets.filter((path) => empty.has(path)).length;
      lost.push(...assets.filter((path) => !empty.has(path)).map((path) => `${name}: ${path}`));
      wrong.push(...[...extra].map((path) => `${name}: ${path}`));
      assert.ok(extra.size <= 1, `${name}: ${[...extra].join(", ")}`);
    }
    console.log(`      ${found} of ${all} found, ${wrong.length} false hints`);
    assert.ok(found >= all * 0.98, `${found} of ${all}; lost ${lost.join(", ")}; false ${wrong.join(", ")}`);
  });

  it("T20: each picture that is taken out alone is found", async () => {
    for (const skeleton of skeletons)
      for (const path of skeleton.assets)
        assert.deepEqual([...(await missingIn(skeleton, new Set([path])))], [path], `${skeleton.name}: ${path}`);
  });
});

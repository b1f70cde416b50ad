/** One setting of a git configuration: values as git reads them. Its time on hostile texts is in `test/unit/lint/linearPatterns.test.ts`. */
import assert from "node:assert/strict";
import { gitSetting } from "../../../src/base/gitSetting";
import { assertLinear } from "../../support/growth";

const valueOf = (line: string): string | undefined => gitSetting(`[core]\n\t${line}\n`, "core", "name");

describe("settings of git", () => {
  it("A4: the last value counts, without comments and quotes; a name alone means true", () => {
    assert.equal(valueOf("name = a b  # why"), "a b");
    assert.equal(valueOf("name = a;b"), "a");
    assert.equal(valueOf("name=  # nothing"), "");
    assert.equal(valueOf('name = "a # b" ; c'), "a # b");
    assert.equal(valueOf(String.raw`name = "a \"b\" \\c"`), 'a "b" \\c');
    assert.equal(valueOf("NAME"), "true");
    assert.equal(valueOf("name = 1\nname = 2"), "2");
    assert.equal(valueOf("other = 1"), undefined);
    assert.equal(gitSetting("[a] name = 1\n[b]\nname = 2", "a", "name"), "1");
  });

  it("H12, A4: many blanks are read in linear time", async () => {
    for (const [before, after] of [
      ["name = a", "b"],
      ["name = ", ""],
      ['name = "', ""],
      ["name", "b"],
      ["[", ""],
    ] as const)
      await assertLinear(4_000, (length) => {
        const line = before + " ".repeat(length) + after;
        return () => valueOf(line);
      });
  });
});

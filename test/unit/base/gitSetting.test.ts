/** One setting of a git configuration: values as git reads them. Its time on hostile texts is in `test/unit/lint/linearPatterns.test.ts`. */
import assert from "node:assert/strict";
import { gitSetting } from "../../../src/base/gitSetting";
import { startBusyTime } from "../../support/busyTime";

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

  it("H12, A4: 250 KB of blanks are read at once", () => {
    const blanks = " ".repeat(250_000);
    for (const line of [
      `name = a${blanks}b`,
      `name = ${blanks}`,
      `name = "${blanks}`,
      `name${blanks}b`,
      `[${blanks}`,
    ]) {
      const spent = startBusyTime();
      valueOf(line);
      assert.ok(spent() < 500);
    }
  });
});

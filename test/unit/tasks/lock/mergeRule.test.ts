/** The line for git in a file that others wrote, in any encoding. */
import assert from "node:assert/strict";
import { hasMergeRule, withMergeRule } from "../../../../src/tasks/lock/mergeRule";

describe("the merge rule of sluice.lock", () => {
  const rule = "sluice.lock merge=union\n";

  it("T20: is added behind the lines that are there, of which every byte stays", () => {
    for (const [before, between] of [
      [Buffer.alloc(0), ""],
      [Buffer.from("*.png binary\n"), ""],
      [Buffer.from("# caf\xe9\r\n*.png binary", "latin1"), "\n"],
      [Buffer.from("\uFEFF# 中文\n"), ""],
    ] as const) {
      const after = withMergeRule(before) ?? assert.fail("the file is changed");
      assert.deepEqual(after, Buffer.concat([before, Buffer.from(`${between}${rule}`)]));
      assert.deepEqual([hasMergeRule(before), hasMergeRule(after)], [false, true]);
    }
    assert.equal(hasMergeRule(Buffer.from("/sluice.lock -merge\n")), true);
  });

  it("T20: a file in UTF-16 is left alone", () => {
    const little = Buffer.from("\uFEFF*.png binary\n", "utf16le");
    assert.equal(withMergeRule(little), undefined);
    assert.equal(withMergeRule(Buffer.from(little).swap16()), undefined);
  });
});

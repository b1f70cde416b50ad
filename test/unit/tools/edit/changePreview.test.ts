/** The diff that a person sees is the whole change, whether it was compared line by line or not. */
import assert from "node:assert/strict";
import { applyPatch } from "diff";
import fc from "fast-check";
import type { DiffPreview } from "../../../../src/domain/chat/chat";
import { countChangedLines, createPreview } from "../../../../src/tools/edit/changePreview";
import { runsOf } from "../../../support/runs";

/** Makes the change that the preview shows. */
function apply(before: string, { hunks }: DiffPreview): string | false {
  const told = hunks.map(({ oldStart, newStart, lines }) => ({
    oldStart,
    newStart,
    oldLines: lines.filter((line) => /^[ -]/.test(line)).length,
    newLines: lines.filter((line) => /^[ +]/.test(line)).length,
    lines: [...lines],
  }));
  const names = { oldFileName: "a", newFileName: "a", oldHeader: undefined, newHeader: undefined };
  return applyPatch(before, { ...names, hunks: told }, { autoConvertLineEndings: false });
}

describe("change preview", () => {
  it("A3 (finding S3): the preview of any change leads to the text that will be written", () => {
    const text = fc
      .array(fc.constantFrom("a", "b", "c", "", "a b"), { maxLength: 20 })
      .map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(text, text, text, text, (head, old, now, tail) => {
        const [before, after] = [`${head}${old}${tail}`, `${head}${now}${tail}`];
        fc.pre(before !== after);
        assert.equal(apply(before, createPreview("a", before, after)), after);
      }),
      { numRuns: runsOf(2000) },
    );
  });

  it("A3 (finding S5): a line end that changes is seen; in a file that has the same one everywhere it is no part of a line", () => {
    const lines = (before: string, after: string): readonly string[] =>
      createPreview("a", before, after).hunks.flatMap((hunk) => [...hunk.lines]);
    assert.deepEqual(lines("one\ntwo\n", "one\r\ntwo\n"), ["-one", "+one\r", " two"]);
    assert.deepEqual(lines("one\r\ntwo\r\n", "one\r\nthree\r\n"), [" one", "-two", "+three"]);
  });

  it("A3 (finding S3): what is too much to compare is shown whole, as one piece that goes and one that comes", () => {
    const lines = (count: number, of: (index: number) => string): string =>
      Array.from({ length: count }, (_, index) => `${of(index)}\n`).join("");
    for (const end of ["", "end"]) {
      const before = `1\n2\n3\n4\n${lines(8000, (index) => `old ${index}`)}5\n6\n7\n8\n${end}`;
      const after = `1\n2\n3\n4\n${lines(8000, (index) => `new ${index}`)}5\n6\n7\n8\n${end}`;
      const preview = createPreview("a", before, after);
      assert.equal(countChangedLines(preview), 8000);
      assert.equal(preview.hunks[0]?.lines.length, 16_006);
      assert.equal(apply(before, preview), after);
    }
  });

  it("A3: two last lines without a line end are both shown without one", () => {
    const many = (word: string): string => Array.from({ length: 8000 }, (_, at) => `${word} ${at}\n`).join("");
    const [before, after] = [`${many("old")}a`, `${many("new")}b`];
    assert.equal(apply(before, createPreview("a", before, after)), after);
  });
});

/** The reader of patches: linear in any text up to the cap, as models write it that repeat themselves. */
import assert from "node:assert/strict";
import { readPatch, applyHunks } from "../../../../src/tools/edit/applyHunks";
import { TimeSlices } from "../../../../src/base/async/timeSlices";
import { assertLinear } from "../../../support/growth";

const update = "*** Begin Patch\n*** Update File: a.txt\n@@\n-a\n+b\n";
const repeated: Readonly<Record<string, (lines: number) => string>> = {
  "blank lines behind a hunk": (lines) => update + "\n".repeat(lines),
  "added lines": (lines) => `*** Begin Patch\n*** Add File: a.txt\n${"+\n".repeat(lines)}`,
  "lines of a hunk that stay": (lines) => update + " x\n".repeat(lines),
  "fences behind a hunk": (lines) => update + "```\n".repeat(lines),
  sections: (lines) =>
    `*** Begin Patch\n${Array.from({ length: lines }, (_, at) => `*** Delete File: ${at}\n`).join("")}`,
};

describe("readPatch", () => {
  for (const [what, textOf] of Object.entries(repeated))
    it(`H1 (field 12): reads ${what} in a time that grows with the text only`, async () => {
      await assertLinear(2000, (lines) => {
        const text = textOf(lines);
        return () => readPatch(text);
      });
    });

  it("A3 (field 12): what surrounds a patch is no part of it, wherever the patch ends", () => {
    const hunk = { anchors: [], old: ["a"], now: ["b"], isAtEnd: false };
    for (const end of ["", "\n\n\n", "*** End Patch\n", "*** End Patch\n```\nEOF\n", "```\n\n", "EOF"])
      assert.deepEqual(
        readPatch(update + end),
        [{ type: "update", path: "a.txt", hunks: [hunk] }],
        JSON.stringify(end),
      );
    const [part] = readPatch(`${update}\n c\n\n`);
    assert.deepEqual(part?.type === "update" && part.hunks[0], { ...hunk, old: ["a", "", "c"], now: ["b", "", "c"] });
  });

  it("A3 (field 12): a hunk of as many lines as a patch may have is made", async () => {
    const lines = 240_000;
    const [part] = readPatch(`${update}${"+\n".repeat(lines)}*** End Patch`);
    assert.ok(part?.type === "update");
    const { text } = await applyHunks("a\n", part.hunks, new TimeSlices());
    assert.equal(text, `b\n${"\n".repeat(lines)}`);
  });
});

/** The middle in which two texts differ parts no character and no line end. */
import assert from "node:assert/strict";
import * as fc from "fast-check";
import { changedMiddle } from "../../../../src/base/text/changedMiddle";

describe("the changed middle", () => {
  it("A2: half of an emoji, or of a line end, is never in it", () => {
    assert.deepEqual(changedMiddle("a🟢b", "a🔴b"), { start: 1, end: 3, text: "🔴" });
    assert.deepEqual(changedMiddle("a\u{1f7e2}b", "a\u{1fbe2}b"), { start: 1, end: 3, text: "\u{1fbe2}" });
    assert.deepEqual(changedMiddle("a\r\nb", "a\nb"), { start: 1, end: 3, text: "\n" });
    assert.deepEqual(changedMiddle("a\ud83d\n", "a🔴\n"), { start: 1, end: 3, text: "🔴\n" });
    assert.deepEqual(changedMiddle("same", "same"), { start: 4, end: 4, text: "" });
  });

  it("A2: an editor that moves ends out of pairs makes the second text of the first", () => {
    const units = fc.constantFrom("\ud83d", "\ud83e", "\udfe2", "\udd34", "🟢", "🔴", "a", "\n", "\r\n");
    const texts = fc.array(units, { maxLength: 8 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const { start, end, text } = changedMiddle(before, after);
        assert.equal(before.slice(0, start) + text + before.slice(end), after);
        for (const place of [start, end]) {
          if (place === before.length) continue;
          assert.doesNotMatch(before.slice(Math.max(0, place - 1), place), /[\ud800-\udbff]/);
          assert.notEqual(before.slice(Math.max(0, place - 1), place + 1), "\r\n");
        }
      }),
    );
  });
});

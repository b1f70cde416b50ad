/** A part of a text that is followed while a person types. */
import assert from "node:assert/strict";
import { moveRange, replaceRange, type TextRange } from "../../../../src/base/text/trackedRange";
import { seeded } from "../../../support/seeded";

describe("a tracked part of a text", () => {
  it("V7: what is typed before it moves it, what is typed behind it does not, and at its edges it stays outside", () => {
    const range = { start: 10, end: 20 };
    const moved = (start: number, removed: number, inserted: string): readonly number[] => {
      const now = moveRange(range, { start, removed, inserted });
      return [now.start, now.end];
    };
    assert.deepEqual(moved(0, 0, "abc"), [13, 23]);
    assert.deepEqual(moved(5, 5, ""), [5, 15]);
    assert.deepEqual(moved(10, 0, "abc"), [13, 23]);
    assert.deepEqual(moved(20, 0, "abc"), [10, 20]);
    assert.deepEqual(moved(25, 3, ""), [10, 20]);
    assert.deepEqual(moved(12, 3, "x"), [10, 18]);
    assert.deepEqual(moved(10, 10, "xyz"), [10, 13]);
    assert.deepEqual(moved(8, 4, "x"), [9, 17]);
    assert.deepEqual(moved(18, 4, "x"), [10, 18]);
    assert.deepEqual(moved(5, 30, "x"), [6, 6]);
  });

  it("V7: over 10,000 interleavings with typing, an accepted edit replaces the lines that were sent or nothing, and no letter of the person's is lost", () => {
    const draw = seeded(27);
    const pick = (most: number): number => draw(most + 1);
    let accepted = 0;
    for (let round = 0; round < 10_000; round += 1) {
      // Each letter is one of its own, so that each can be found again.
      let next = 0x4e00;
      const letters = (count: number): string =>
        Array.from({ length: count }, () => String.fromCharCode((next += 1))).join("");
      let text = letters(pick(40));
      let range: TextRange = { start: pick(text.length), end: 0 };
      range = { start: range.start, end: range.start + pick(text.length - range.start) };
      const sent = text.slice(range.start, range.end);
      for (let step = pick(6); step > 0; step -= 1) {
        const start = pick(text.length);
        const removed = draw(10) < 6 ? 0 : pick(Math.min(4, text.length - start));
        const inserted = letters(pick(3));
        text = replaceRange(text, { start, end: start + removed }, inserted);
        range = moveRange(range, { start, removed, inserted });
        assert.ok(range.start >= 0 && range.start <= range.end && range.end <= text.length, `round ${round}`);
      }
      const isSame = text.slice(range.start, range.end) === sent;
      // The lines are found wherever they are still whole.
      if (sent !== "") assert.equal(isSame, text.includes(sent), `round ${round}`);
      if (!isSame) continue;
      accepted += 1;
      const made = replaceRange(text, range, "NEW");
      assert.equal(made.replace("NEW", sent), text, `round ${round}`);
      for (const letter of text) if (!sent.includes(letter)) assert.ok(made.includes(letter), `round ${round}`);
    }
    assert.ok(accepted > 2000 && accepted < 9900, `${accepted} accepted`);
  });
});

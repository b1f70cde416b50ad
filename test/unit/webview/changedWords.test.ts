/** Which words of a changed line are marked, and that the comparison is bounded: counted, not timed. */
import assert from "node:assert/strict";
import { WordComparer, type WordRun } from "../../../src/webview/changedWords";
import { changeLinesOf } from "../../../src/chat/page/rows/changeLines";

const shown = (lines: readonly (readonly WordRun[] | undefined)[]): string[] =>
  lines.map((runs) => runs?.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join("") ?? "whole");
const compare = (removed: readonly string[], added: readonly string[]): readonly (string[] | undefined)[] => {
  const words = new WordComparer().compare(removed, added);
  return [words && shown(words.removed), words && shown(words.added)];
};
/** Comparisons of two words. */
function countComparisons(blocks: readonly (readonly [readonly string[], readonly string[]])[]): number {
  let count = 0;
  const comparer = new WordComparer((one, other) => {
    count += 1;
    return one === other;
  });
  for (const [removed, added] of blocks) comparer.compare(removed, added);
  return count;
}

describe("words marked in a change", () => {
  it("A3: what differs in a line is marked, whole words and the blanks between them", () => {
    assert.deepEqual(compare(["  if (hour > 18) return evening;"], ["  if (hour >= 18) return evening;"]), [
      ["  if (hour > 18) return evening;"],
      ["  if (hour >[=] 18) return evening;"],
    ]);
    assert.deepEqual(compare(["const greet = (name) => 1;"], ["const welcome = (name) => 2;"]), [
      ["const [greet] = (name) => [1];"],
      ["const [welcome] = (name) => [2];"],
    ]);
    assert.deepEqual(compare(["see the old text here, all of it"], ["see one new page here, all of it"]), [
      ["see [the old text] here, all of it"],
      ["see [one new page] here, all of it"],
    ]);
  });

  it("A3: lines are compared as a block: an added line is whole, and one that has little in common has no marks", () => {
    assert.deepEqual(compare(["const a = one(b);"], ["const a = two(b);", "return everything;"]), [
      ["const a = [one](b);"],
      ["const a = [two](b);", "whole"],
    ]);
    assert.deepEqual(compare(["export const a = 1;"], ["throw new Error(message, { cause });"]), [
      ["whole"],
      ["whole"],
    ]);
    assert.deepEqual(compare([], ["new"]), [undefined, undefined]);
  });

  it("A3: the marks are part of the lines of a diff, also past the remark about the end of the file", () => {
    const lines = changeLinesOf({
      path: "a",
      hunks: [
        {
          oldStart: 1,
          newStart: 1,
          lines: [" same", "-a = 1", "\\ No newline at end of file", "+a = 2", "\\ No newline at end of file"],
        },
      ],
    });
    assert.deepEqual(
      lines.map(({ kind, runs }) => [kind, runs && shown([runs])[0]]),
      [
        ["same", undefined],
        ["removed", "a = [1]"],
        ["note", undefined],
        ["added", "a = [2]"],
        ["note", undefined],
      ],
    );
  });

  it("A3, P2: a long line, a big block and a rewrite are not compared to their end", () => {
    const line = "word ".repeat(120);
    assert.equal(countComparisons([[[line], [`${line}more`]]]), 0);
    const many = Array.from({ length: 400 }, (_, index) => `const a${index} = ${index};`);
    assert.equal(countComparisons([[many, many.map((one) => one.replace("const", "let"))]]), 0);
    const words = (from: number): string => Array.from({ length: 80 }, (_, index) => `w${from + index}`).join(" ");
    const rewrite = [[words(0)], [words(1000)]] as const;
    assert.equal(new WordComparer().compare(...rewrite), undefined);
    assert.ok(countComparisons([rewrite]) < 320 * 60, "words times changes at most");
  });

  it("A3, P2: twice as many changes are twice as many comparisons, and a huge change stops at a limit", () => {
    const blocks = (count: number): [string[], string[]][] =>
      Array.from({ length: count }, (_, index) => [
        [`const value${index} = old(1, 2);`],
        [`let value${index} = fresh(1, 3);`],
      ]);
    const [some, twice] = [countComparisons(blocks(100)), countComparisons(blocks(200))];
    assert.ok(some > 0 && twice <= some * 2.1, `${some}, ${twice}`);
    assert.equal(countComparisons(blocks(5000)), countComparisons(blocks(10_000)));
  });
});

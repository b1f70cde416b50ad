/** Whoever marks, quotes, skips or refuses what can't be seen means the same characters. */
import assert from "node:assert/strict";
import { csvRow } from "../../../../src/base/text/csv";
import { revealHidden } from "../../../../src/base/text/revealHidden";
import { patternOf } from "../../../../src/chat/approval/commandRule";
import { listedName, unusualPathReason } from "../../../../src/tools/gate/pathNames";
import { revealAll } from "../../../../src/webview/hiddenCharacters";

/** Written on purpose in some languages: marked in what is approved, and no part of a path, but a space in a label and a command. */
const isSpace = (character: string): boolean => /\p{Zs}/u.test(character);
/** Line ends and tabs have their own rule with each user. */
const hasOwnRule = (character: string): boolean => /[\t\n\r]/.test(character);

/** Where the short ranges are: of the rest every 97th is enough. */
const whole = [
  [0, 0x3200],
  [0xfb00, 0x1_0000],
  [0x1_1080, 0x1_10d0],
  [0x1_3400, 0x1_3460],
  [0x1_6fe0, 0x1_6ff8],
  [0x1_bca0, 0x1_bca8],
  [0x1_d150, 0x1_d180],
  [0xe_0000, 0xe_0200],
] as const;

function* samples(): Generator<string> {
  for (const code of codes()) {
    const character = String.fromCodePoint(code);
    if (!hasOwnRule(character)) yield character;
  }
}

function* codes(): Generator<number> {
  for (const [from, to] of whole) for (let code = from; code < to; code++) yield code;
  for (let code = 0; code <= 0x10_ffff; code += 97) yield code;
}

describe("unseen characters", () => {
  it("A3: labels, approvals, paths, rules for commands and tables of numbers agree on every character", () => {
    const differing: string[] = [];
    for (const character of samples()) {
      const text = `a${character}b`;
      const isMarked = revealHidden(text) !== text;
      const isRefused =
        patternOf(["program", text], {
          paths: { files: [], folders: [], modules: [], writable: [], foreign: [] },
          isPlainFile: () => false,
        }) === undefined;
      const isSkipped = csvRow([`${character}=1`]).includes(`'${character}=`);
      const isShown = revealAll(text) !== text;
      const isOdd = unusualPathReason(text) === "it holds control or invisible characters";
      // A colon makes a name quoted for another reason.
      const isQuoted = character === ":" ? isOdd : listedName(text) !== text;
      const inText = isSpace(character) ? [isMarked, isRefused] : [isMarked, isRefused, isShown, isOdd, isQuoted];
      const inNames = character === " " ? [] : [isShown, isOdd, isQuoted];
      const isBegun = /[=+\-@＝＋－＠]/.test(character);
      const inTables = isSpace(character) || isBegun || /\s/u.test(character) ? [] : [isSkipped, isMarked];
      const isOne = [inText, inNames, inTables].every((group) => new Set(group).size <= 1);
      if (!isOne) differing.push((character.codePointAt(0) ?? 0).toString(16));
    }
    assert.deepEqual(differing, []);
  });
});

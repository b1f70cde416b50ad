/** The text filter of lists. */
import assert from "node:assert/strict";
import { createWordFilter, foldText } from "../../../../src/base/text/wordFilter";

const finds = (search: string, text: string): boolean => createWordFilter(search)?.(foldText(text)) ?? true;

describe("createWordFilter", () => {
  it("T6, T15: each word must occur, whatever the case, the accents and the width of letters", () => {
    assert.ok(finds("CAFE terrasse", "Une terrasse de café"));
    assert.ok(finds("café", "CAFE\u0301 at night"));
    assert.ok(finds("ångström", "angstrom"));
    assert.ok(finds("ＡＢＣ", "abc"));
    assert.ok(finds("灯塔", "黄昏的灯塔"));
    assert.ok(!finds("cafe harbour", "a café"));
  });

  it("T15: letters of scripts without accents stay what they are", () => {
    assert.ok(!finds("か", "が"));
    assert.ok(!finds("कि", "का"));
  });

  it("T15: blanks alone filter nothing", () => {
    assert.equal(createWordFilter(" \t"), undefined);
  });
});

/** The info string of a code block. */
import assert from "node:assert/strict";
import { readCodeInfo } from "../../../../../src/chat/page/markdown/tree";

describe("readCodeInfo", () => {
  it("P1: the language is the first word, and the file the one that is named in any of the usual forms", () => {
    for (const [info, language, file] of [
      ["", "", undefined],
      ["ts", "ts", undefined],
      ["ts src/app.ts", "ts", "src/app.ts"],
      ["ts:src/app.ts", "ts", "src/app.ts"],
      ['ts title="src/app.ts"', "ts", "src/app.ts"],
      ["ts {file=src/app.ts}", "ts", "src/app.ts"],
      ["ts {1,3-4} showLineNumbers", "ts", undefined],
      ["diff a note", "diff", undefined],
    ] as const) {
      const expected = file === undefined ? { language } : { language, file };
      assert.deepEqual(readCodeInfo(info), expected, info);
    }
  });
});

/** JSON as some programs write it. */
import assert from "node:assert/strict";
import * as fc from "fast-check";
import { parseLooseJson } from "../../../src/base/looseJson";
import { assertLinear } from "../../support/growth";

describe("JSON in neighbouring forms", () => {
  it("T8 (field 16b): NaN, quotes of Python, commas at the end and JSON in JSON are read; what is in a string stays", () => {
    for (const [text, value] of [
      ['{"a":NaN,"b":-Infinity,"c":"NaN, None"}', { a: null, b: null, c: "NaN, None" }],
      ["{'a': 'x \\'y\\' \"z\"', 'b': [True, False, None,],}", { a: "x 'y' \"z\"", b: [true, false, null] }],
      ["{'a': '\\xe9\\u00e9\\n'}", { a: "éé\n" }],
      ['"{\\"a\\":1}"', { a: 1 }],
      ['\uFEFF{"a":1}', { a: 1 }],
      ['"a text"', "a text"],
      ["-1", -1],
      ["null", null],
    ] as const)
      assert.deepEqual(parseLooseJson(text), value, text);
    for (const none of ["", "{", "{'a", "a page", "{a: 1}", "<html>", "[1 2]"])
      assert.equal(parseLooseJson(none), undefined, none);
  });

  it("T8: what is JSON is read as JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        if (typeof value !== "string")
          assert.deepEqual(parseLooseJson(JSON.stringify(value)), JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it("H3: hostile text is read in linear time", async () => {
    for (const piece of ["'", '"', "\\'", "a", "-", ",", " ", "NaN", "[", "'a\\", '"\\"'])
      await assertLinear(
        4096,
        (length) => {
          const text = piece.repeat(length / piece.length);
          return () => parseLooseJson(text);
        },
        piece,
      );
  });
});

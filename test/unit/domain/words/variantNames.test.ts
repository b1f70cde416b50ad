import assert from "node:assert/strict";
import { variantNames } from "../../../../src/domain/words/variantNames";

describe("variantNames", () => {
  it("T6, T16: rows and grids name a variant by its values, and a number with its name", () => {
    assert.deepEqual(variantNames("style: linocut, seed: 51611"), ["linocut", "seed 51611"]);
    assert.deepEqual(variantNames("风格: 水墨"), ["水墨"]);
    assert.deepEqual(variantNames("a note without a name"), ["a note without a name"]);
    assert.deepEqual(variantNames(undefined), []);
  });
});

/** The sizes and names of the files that a picture is converted to. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { convertedName, convertedSizes, offersDouble } from "../../../../src/domain/media/convertedPicture";

describe("sizes of converted pictures", () => {
  const original = { width: 1024, height: 683 };

  it("T17: of the width that is asked for, in the ratio of the original, and twice that for sharp displays", () => {
    assert.deepEqual(convertedSizes(original, 512, true), [
      { scale: 1, width: 512, height: 342 },
      { scale: 2, width: 1024, height: 683 },
    ]);
    assert.deepEqual(convertedSizes(original, 320, false), [{ scale: 1, width: 320, height: 213 }]);
    assert.equal(offersDouble(original, 512), true);
    assert.equal(offersDouble(original, 513), false);
  });

  it("T17: nothing is enlarged, and nothing has no pixels", () => {
    fc.assert(
      fc.property(
        fc.record({ width: fc.integer({ min: 1, max: 20_000 }), height: fc.integer({ min: 1, max: 20_000 }) }),
        fc.oneof(fc.integer({ min: -5, max: 30_000 }), fc.constant(NaN)),
        fc.boolean(),
        (size, width, isDouble) => {
          for (const made of convertedSizes(size, width, isDouble)) {
            assert.ok(made.width >= 1 && made.width <= size.width);
            assert.ok(made.height >= 1 && made.height <= size.height);
          }
        },
      ),
    );
  });

  it("T17: a file has the ending of its format, and the second one a mark", () => {
    assert.equal(convertedName("assets/hero", "image/webp", 1), "assets/hero.webp");
    assert.equal(convertedName("assets/hero", "image/jpeg", 2), "assets/hero@2x.jpg");
  });
});

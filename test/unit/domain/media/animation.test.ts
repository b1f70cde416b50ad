/** Which pictures move, by their bytes. */
import assert from "node:assert/strict";
import { isAnimated } from "../../../../src/domain/media/convertedPicture";
import { movingGif, pngOf, wholeGif, wholeWebp } from "../../../support/testImages";

describe("animated pictures", () => {
  it("T17: GIF with two frames, PNG with a control chunk, WebP with its flag, AVIF sequences", async () => {
    const still = await pngOf(4, 4);
    const moving = Buffer.concat([still.subarray(0, 33), Buffer.from("\0\0\0\x08acTL"), still.subarray(33)]);
    const flagged = Buffer.from(wholeWebp);
    flagged[20] = 2;
    assert.equal(isAnimated(still, "image/png"), false);
    assert.equal(isAnimated(moving, "image/png"), true);
    assert.equal(isAnimated(wholeGif, "image/gif"), false);
    assert.equal(isAnimated(movingGif, "image/gif"), true);
    assert.equal(isAnimated(wholeWebp, "image/webp"), false);
    assert.equal(isAnimated(flagged, "image/webp"), true);
    assert.equal(isAnimated(Buffer.from("\0\0\0\x1cftypavis\0\0\0\0avis"), "image/avif"), true);
    assert.equal(isAnimated(Buffer.from("\0\0\0\x1cftypavif\0\0\0\0mif1"), "image/avif"), false);
  });

  it("T17, R6: the words of an animation in the data of a still PNG, and files that are cut, are none", async () => {
    const still = await pngOf(4, 4);
    assert.equal(isAnimated(Buffer.concat([still, Buffer.from("acTL")]), "image/png"), false);
    for (const type of ["image/png", "image/gif", "image/webp", "image/avif", "image/bmp", undefined] as const)
      assert.equal(isAnimated(new Uint8Array(3), type), false);
  });
});

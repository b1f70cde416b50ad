/** Which pictures are too large to be shown, by what their headers declare. */
import assert from "node:assert/strict";
import * as fc from "fast-check";
import { isMadeOfBoxes, isTooManyPixels, pictureSizeOf } from "../../../../src/domain/media/pictureBounds";
import { avifOf, pngOf, wholeGif, wholeJpeg, wholeWebp, withDeclaredSize } from "../../../support/testImages";

describe("the bounds of a picture that is shown", () => {
  it("T15: the size is read from the header of each format, of AVIF that of the largest image in it", async () => {
    const files: readonly (readonly [string, Uint8Array, readonly [number, number] | undefined])[] = [
      ["PNG", await pngOf(64, 48), [64, 48]],
      ["GIF", wholeGif, [16, 9]],
      ["JPEG", wholeJpeg, [512, 256]],
      ["WebP", wholeWebp, [640, 480]],
      ["AVIF of tiles", avifOf([512, 512], [12_000, 9_000], [512, 512]), [12_000, 9_000]],
      ["AVIF without a size", avifOf(), undefined],
      ["SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), undefined],
      ["text", Buffer.from("no picture"), undefined],
      ["nothing", Buffer.alloc(0), undefined],
    ];
    for (const [name, bytes, size] of files)
      assert.deepEqual(pictureSizeOf(bytes), size && { width: size[0], height: size[1] }, name);
  });

  it("T15: an AVIF file has its size behind any other box; where the box with it is cut, nothing is said", () => {
    const [type, whole] = [avifOf().subarray(0, 24), avifOf([20_000, 20_000])];
    const filler = Buffer.alloc(100_000);
    filler.writeUInt32BE(filler.length, 0);
    filler.write("free", 4, "latin1");
    const behind = Buffer.concat([type, filler, whole.subarray(24)]);
    assert.deepEqual(pictureSizeOf(behind), { width: 20_000, height: 20_000 });
    for (const length of [behind.length - 1, 90_000]) {
      assert.equal(pictureSizeOf(behind.subarray(0, length)), undefined);
      assert.ok(isMadeOfBoxes(behind.subarray(0, length)));
    }
    const decoy = Buffer.concat([type, avifOf([8, 8]).subarray(24), whole.subarray(24)]);
    assert.deepEqual(pictureSizeOf(decoy), { width: 20_000, height: 20_000 });
  });

  it("T15: 8K is shown; 10,000 by 10,000 pixels and more are not", async () => {
    const png = await pngOf(2, 2);
    const isShown = (width: number, height: number): boolean => {
      const size = pictureSizeOf(withDeclaredSize(png, width, height));
      return size !== undefined && !isTooManyPixels(size);
    };
    assert.deepEqual(
      [isShown(7680, 4320), isShown(9999, 9999), isShown(10_000, 10_000), isShown(60_000, 60_000)],
      [true, true, false, false],
    );
  });

  it("T15, R6: any bytes are read without a throw", () => {
    const begun = fc.constantFrom("", "\0\0\0\x1cftypavif", "\0\0\0\x1cftypavifispe");
    fc.assert(
      fc.property(begun, fc.uint8Array({ maxLength: 200 }), (begin, bytes) => {
        pictureSizeOf(Buffer.concat([Buffer.from(begin, "latin1"), bytes]));
      }),
    );
  });
});

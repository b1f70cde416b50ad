/** The size of an image by its header, and files that were cut. */
import assert from "node:assert/strict";
import * as fc from "fast-check";
import { imageTypes } from "../../../../src/domain/chat/imageTypes";
import { declaredSizeOf, imageSizeOf } from "../../../../src/domain/media/imageSize";
import { pngOf, wholeGif, wholeJpeg, wholeWebp, withDeclaredSize } from "../../../support/testImages";

describe("the size of an image", () => {
  it("A12: is read from the header of each type", async () => {
    assert.deepEqual(imageSizeOf(await pngOf(640, 480), "image/png"), { width: 640, height: 480 });
    assert.deepEqual(imageSizeOf(wholeGif, "image/gif"), { width: 16, height: 9 });
    assert.deepEqual(imageSizeOf(wholeJpeg, "image/jpeg"), { width: 512, height: 256 });
    assert.deepEqual(imageSizeOf(wholeWebp, "image/webp"), { width: 640, height: 480 });
  });

  it("A12, R4: a file that was cut at any byte is none: services refuse a request for it", async () => {
    const files = [
      ["image/png", await pngOf(20, 10)],
      ["image/gif", wholeGif],
      ["image/jpeg", wholeJpeg],
      ["image/webp", wholeWebp],
    ] as const;
    for (const [type, bytes] of files)
      for (let end = 0; end < bytes.length; end += 1)
        assert.equal(imageSizeOf(bytes.subarray(0, end), type), undefined, `${type} cut at ${end}`);
  });

  it("A12, R4: an end marker in the thumbnail of a photo is not its end", () => {
    const thumbnail = Buffer.from([0xff, 0xe1, 0, 6, 0xff, 0xd9, 0, 0]);
    const photo = Buffer.concat([wholeJpeg.subarray(0, 2), thumbnail, wholeJpeg.subarray(2)]);
    assert.deepEqual(imageSizeOf(photo, "image/jpeg"), { width: 512, height: 256 });
    assert.equal(imageSizeOf(photo.subarray(0, -2), "image/jpeg"), undefined);
  });

  it("A12: a size of zero is none, and one that nobody has room for is told as it is", async () => {
    const png = await pngOf(20, 10);
    assert.equal(imageSizeOf(withDeclaredSize(png, 0, 10), "image/png"), undefined);
    const bomb = withDeclaredSize(png, 60_000, 60_000);
    assert.deepEqual(imageSizeOf(bomb, "image/png"), { width: 60_000, height: 60_000 });
  });

  it("A12, R6: any bytes are read without a throw", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(...imageTypes), (bytes, type) => {
        declaredSizeOf(bytes, type);
        imageSizeOf(bytes, type);
      }),
    );
  });
});

/** Which files can be the icon of a task's row. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findRowPicture, isRowPicture } from "../../../../src/tasks/results/thumbnail";
import { pngOf, wholeGif, wholeJpeg, wholeWebp, withDeclaredSize } from "../../../support/testImages";
import { createTemporaryFolder } from "../../../support/temporaryFolder";

describe("the picture of a row", () => {
  it("T6: is small, whole and still", async () => {
    const png = await pngOf(640, 480);
    for (const bytes of [png, wholeJpeg, wholeWebp]) assert.equal(isRowPicture(bytes), true);
    assert.equal(isRowPicture(png.subarray(0, -4)), false, "cut");
    assert.equal(isRowPicture(withDeclaredSize(png, 60_000, 60_000)), false, "more pixels than a window has room for");
    assert.equal(isRowPicture(wholeGif), false, "may be an animation");
    assert.equal(
      isRowPicture(
        Buffer.concat([png.subarray(0, 33), Buffer.from("\0\0\0\u0008acTL12345678CRC_", "latin1"), png.subarray(33)]),
      ),
      false,
      "animated",
    );
    assert.equal(isRowPicture(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>")), false, "SVG");
  });

  it("T6, R4: is the first of the files that can be it, and none where none can", async () => {
    const temporary = await createTemporaryFolder();
    try {
      const [small, video, large] = ["a.png", "a.mp4", "b.png"].map((name) => join(temporary.path, name));
      assert(small !== undefined && video !== undefined && large !== undefined);
      await writeFile(small, await pngOf(16, 9));
      await writeFile(video, "ftypmp42");
      await writeFile(large, Buffer.concat([await pngOf(16, 9), Buffer.alloc(256 * 1024)]));
      assert.equal(await findRowPicture([undefined, video, small]), small);
      assert.equal(await findRowPicture([large]), undefined);
      assert.equal(await findRowPicture([join(temporary.path, "gone.png")]), undefined);
    } finally {
      await temporary.remove();
    }
  });
});

/** The common transform of compared pictures. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { panBy, wholePicture, zoomAt, type ZoomPan } from "../../../../../src/tasks/page/gallery/comparison";

const frame = { width: 400, height: 300 };

describe("zoom and pan of compared pictures", () => {
  it("T15: what is under the pointer stays there while the picture grows", () => {
    const zoomed = zoomAt(wholePicture, 2, 100, 50, frame);
    assert.deepEqual(zoomed, { scale: 2, x: -100, y: -50 });
    // The same point of the picture: 100 from the middle before, 2 × 100 − 100 now.
    assert.equal(zoomed.scale * 100 + zoomed.x, 100);
  });

  it("T15: whatever is done, the frame stays filled and the picture is never smaller than it", () => {
    const step = fc.tuple(
      fc.double({ min: 0.2, max: 5, noNaN: true }),
      fc.integer({ min: -400, max: 400 }),
      fc.integer({ min: -300, max: 300 }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        let zoom: ZoomPan = wholePicture;
        for (const [factor, x, y] of steps) {
          zoom = panBy(zoomAt(zoom, factor, x, y, frame), y, x, frame);
          assert.ok(zoom.scale >= 1 && zoom.scale <= 16);
          assert.ok(Math.abs(zoom.x) <= ((zoom.scale - 1) * frame.width) / 2 + 1e-6);
          assert.ok(Math.abs(zoom.y) <= ((zoom.scale - 1) * frame.height) / 2 + 1e-6);
        }
      }),
    );
  });
});

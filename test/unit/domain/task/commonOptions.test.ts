/** What people and models write for size, duration and seed, and what is sent of it. */
import assert from "node:assert/strict";
import { readSeconds, parseSeed, readSize } from "../../../../src/domain/task/commonOptions";

describe("common options of a task", () => {
  it("T2, T15: a size is sent with a small x, however it was written; what is no size is none", () => {
    for (const written of ["1280x720", "1280X720", "1280×720"]) assert.equal(readSize(written), "1280x720", written);
    for (const wrong of ["", "1280", "0x720", "1280x", "16:9", "1280x720x3", "banana"])
      assert.equal(readSize(wrong), undefined, wrong);
  });

  it("T2: a duration is a number of seconds, and a seed a whole number", () => {
    assert.deepEqual(["5", "5s", "2.5 s", "0", "long"].map(readSeconds), [5, 5, 2.5, undefined, undefined]);
    assert.deepEqual(["7", "-7", "1.5", "x"].map(parseSeed), [7, -7, undefined, undefined]);
  });
});

/** How long tasks usually take, in words. */
import assert from "node:assert/strict";
import { usualTimeText } from "../../../../src/tasks/view/taskWords";

const second = 1000;

describe("taskWords", () => {
  it("T12: the words are round and never say less than there is", () => {
    const text = (p50: number, p90: number) => usualTimeText({ p50: p50 * second, p90: p90 * second, samples: 3 });
    assert.equal(text(60, 110), "Usually 1 to 2 min");
    assert.equal(text(119, 120), "Usually 2 min");
    assert.equal(text(38, 52), "Usually 40 to 55 s");
    assert.equal(text(2, 4), "Usually 2 to 4 s");
    assert.equal(text(0.2, 0.4), "Usually 1 s");
  });
});

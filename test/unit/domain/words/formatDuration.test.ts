import assert from "node:assert/strict";
import { formatDuration } from "../../../../src/domain/words/timeFormats";

describe("formatDuration", () => {
  it("P1, T13: tenths below ten seconds, then the two largest units", () => {
    const cases = [
      [0, "0 s"],
      [900, "0.9 s"],
      [4_240, "4.2 s"],
      [12_600, "13 s"],
      [59_499, "59 s"],
      [59_600, "1 min 0 s"],
      [64_900, "1 min 5 s"],
      [3_599_400, "59 min 59 s"],
      [3_600_000, "1 h 0 min"],
      [11_000_000, "3 h 3 min"],
    ] as const;
    for (const [duration, text] of cases) assert.equal(formatDuration(duration, "en"), text);
    assert.equal(formatDuration(4_240, "de"), "4,2 s");
  });
});

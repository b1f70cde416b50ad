/** R9: random interleavings of model edits, hunks that are kept and taken back, typing, saves, formatting, reloads and kills in two windows. */
import assert from "node:assert/strict";
import { ReviewRun } from "../../../support/reviewRun";
import { fewOf, firstSeed } from "../../../support/runs";

const least = 60;
const runs = fewOf(10_000, 250);

describe("review at random", () => {
  it("R9, A16: the bytes are those of the hunks that were chosen and the person's own, and nothing is lost", async function () {
    this.timeout(3_600_000);
    const totals = { kept: 0, undone: 0, killed: 0 };
    for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
      try {
        const counts = await new ReviewRun(seed).play(8 + (seed % 24));
        for (const key of ["kept", "undone", "killed"] as const) totals[key] += counts[key];
      } catch (error) {
        throw new Error(`SLUICE_SEED=${seed}`, { cause: error });
      }
    }
    assert.ok(runs < least || Object.values(totals).every((count) => count > 0), JSON.stringify(totals));
  });
});

/** R9: random interleavings of tools, a person, undo and kills over the real ledger. `SLUICE_LEDGER_RUNS` plays that many. */
import assert from "node:assert/strict";
import { LedgerRun } from "../../../support/ledgerRun";
import { firstSeed, runsOf } from "../../../support/runs";

const asked = process.env["SLUICE_LEDGER_RUNS"];
/** With fewer than the least, not all that is counted is met. */
const least = 60;
const runs = asked === undefined ? runsOf(500, least) : Number(asked);

describe("undo ledger at random", () => {
  it("R9: no word of a person is lost or overwritten, and what only tools changed goes back and forth to the byte", async function () {
    this.timeout(3_600_000);
    const totals = { undone: 0, left: 0, killed: 0, raced: 0 };
    for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
      try {
        const counts = await new LedgerRun(seed, seed % 3 !== 0).play(10 + (seed % 30));
        for (const key of ["undone", "left", "killed", "raced"] as const) totals[key] += counts[key];
      } catch (error) {
        throw new Error(`SLUICE_SEED=${seed} SLUICE_LEDGER_RUNS=1`, { cause: error });
      }
    }
    if (asked !== undefined) console.log(JSON.stringify(totals));
    if (runs >= least)
      assert.ok(
        Object.values(totals).every((count) => count > 0),
        JSON.stringify(totals),
      );
  });
});

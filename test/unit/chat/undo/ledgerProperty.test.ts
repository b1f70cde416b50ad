/** R9: random interleavings of tools, a person, undo and kills over the real ledger. `SLUICE_LEDGER_RUNS` plays that many. */
import assert from "node:assert/strict";
import { LedgerRun } from "../../../support/ledgerRun";

const asked = process.env["SLUICE_LEDGER_RUNS"];
const runs = Number(asked ?? Infinity);
const first = Number(process.env["SLUICE_SEED"] ?? 1);
/** Milliseconds, without a number of runs; on a slow machine as many as it takes to come to all of it. */
const time = 5000;

describe("undo ledger at random", () => {
  it("R9: no word of a person is lost or overwritten, and what only tools changed goes back and forth to the byte", async function () {
    this.timeout(asked === undefined ? 180_000 : 3_600_000);
    const totals = { runs: 0, undone: 0, left: 0, killed: 0, raced: 0 };
    const isAllMet = (): boolean => totals.runs > 50 && Object.values(totals).every((count) => count > 0);
    const end = Date.now() + time;
    for (let seed = first; seed < first + runs; seed += 1) {
      if (asked === undefined && Date.now() > end && isAllMet()) break;
      try {
        const counts = await new LedgerRun(seed, seed % 3 !== 0).play(10 + (seed % 30));
        for (const key of ["undone", "left", "killed", "raced"] as const) totals[key] += counts[key];
        totals.runs += 1;
      } catch (error) {
        throw new Error(`SLUICE_SEED=${seed} SLUICE_LEDGER_RUNS=1`, { cause: error });
      }
    }
    if (asked !== undefined) console.log(JSON.stringify(totals));
    if (runs > 50) assert.ok(isAllMet(), JSON.stringify(totals));
  });
});

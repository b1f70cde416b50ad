/** The kill matrix: one to three windows and the gateway, killed at every step of a task. `SLUICE_RUNS=1` is 20 runs, 50 is 1,000. */
import assert from "node:assert/strict";
import path from "node:path";
import { type KillVerdict, planRuns, runKill } from "../../support/kills/killRun";
import { createTemporaryFolder } from "../../support/temporaryFolder";
import { fewOf, firstSeed } from "../../support/runs";

const plans = planRuns(firstSeed, fewOf(20, 1));
const support = path.resolve("dist/test/support/kills");
const programs = { app: path.join(support, "appProgram.mjs"), gateway: path.join(support, "gatewayProgram.mjs") };

describe("kills at every step", () => {
  it(`T1, R3, R8: ${plans.length} seeded runs: one hold an intent, every paid task found, no false sentence about money`, async () => {
    const wrong: KillVerdict[] = [];
    const waiting = [...plans];
    const worker = async (): Promise<void> => {
      for (let plan = waiting.shift(); plan !== undefined; plan = waiting.shift()) {
        const folder = await createTemporaryFolder();
        const verdict = await runKill(plan, folder.path, programs);
        if (verdict.faults.length > 0) wrong.push(verdict);
        await folder.remove();
      }
    };
    await Promise.all([worker(), worker()]);
    assert.deepEqual(wrong, []);
  }).timeout(180_000 + plans.length * 20_000);
});

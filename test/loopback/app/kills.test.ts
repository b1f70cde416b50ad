/** The kill matrix: one to three windows and the gateway, killed at every step of a task. `npm run bench -- kills` runs 1,000. */
import assert from "node:assert/strict";
import path from "node:path";
import { type KillVerdict, planRun, runKill } from "../../support/kills/killRun";
import { createTemporaryFolder } from "../../support/temporaryFolder";

const first = Number(process.env["SLUICE_SEED"] ?? 1);
const runs = Number(process.env["SLUICE_KILLS"] ?? 60);
const support = path.resolve("dist/test/support/kills");
const programs = { app: path.join(support, "appProgram.js"), gateway: path.join(support, "gatewayProgram.js") };

describe("kills at every step", () => {
  it(`T1, R3, R8: ${runs} seeded runs: one hold an intent, every paid task found, no false sentence about money`, async () => {
    const wrong: KillVerdict[] = [];
    let next = first;
    const worker = async (): Promise<void> => {
      while (next < first + runs) {
        const seed = next++;
        const folder = await createTemporaryFolder();
        const verdict = await runKill(planRun(seed), folder.path, programs);
        if (verdict.faults.length > 0) wrong.push(verdict);
        await folder.remove();
      }
    };
    await Promise.all([worker(), worker()]);
    assert.deepEqual(wrong, []);
  }).timeout(30_000 + runs * 20_000);
});

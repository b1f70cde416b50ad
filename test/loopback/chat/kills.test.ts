/** Windows and pages that end in mid-answer, in each family. `SLUICE_RUNS=50 npm test -- loopback -g "in mid-answer"` runs 300. */
import assert from "node:assert/strict";
import path from "node:path";
import { type ChatKillVerdict, runChatKill } from "../../support/kills/chatKills";
import { runPageKills } from "../../support/kills/pageKills";
import { runTakeover } from "../../support/kills/takeovers";
import { createTemporaryFolder } from "../../support/temporaryFolder";
import { firstSeed, runsOf } from "../../support/runs";

const runs = runsOf(6);
/** In full one for each family. */
const otherRuns = runsOf(3);
const program = path.resolve("dist/test/support/kills/chatProgram.mjs");

type Run = (seed: number, folder: string, program: string) => Promise<ChatKillVerdict>;

async function runAll(count: number, run: Run): Promise<void> {
  const verdicts: ChatKillVerdict[] = [];
  let next = firstSeed;
  const worker = async (): Promise<void> => {
    while (next < firstSeed + count) {
      const seed = next++;
      const folder = await createTemporaryFolder();
      verdicts.push(await run(seed, folder.path, program));
      await folder.remove();
    }
  };
  await Promise.all([worker(), worker()]);
  assert.deepEqual(
    verdicts.filter(({ faults }) => faults.length > 0),
    [],
  );
  if (count <= 100) return;
  const most = (of: (verdict: ChatKillVerdict) => number): number => Math.max(...verdicts.map(of));
  console.log(`      at most ${most(({ lost }) => lost)} characters lost, ${most(({ took = 0 }) => took)} ms to go on`);
}

describe("kills in mid-answer", () => {
  it(`P3, P4, R3, R8: ${runs} seeded runs: nothing before the last second is lost, and the history is valid for the wire`, async () => {
    await runAll(runs, runChatKill);
  }).timeout(180_000 + runs * 20_000);

  it(`P3, P4, R8: ${otherRuns} seeded runs of two windows: the one that follows takes over from the killed one and goes on`, async () => {
    await runAll(otherRuns, runTakeover);
  }).timeout(180_000 + otherRuns * 30_000);

  it(`P3, R8: ${otherRuns} seeded runs of pages that end: the next one has all that the last one showed`, async () => {
    await runAll(otherRuns, runPageKills);
  }).timeout(180_000 + otherRuns * 20_000);
});

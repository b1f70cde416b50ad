/** Windows that are killed in mid-answer, in each family. `SLUICE_CHAT_KILLS=300 npm test -- loopback -g "in mid-answer"` runs 300. */
import assert from "node:assert/strict";
import path from "node:path";
import { type ChatKillVerdict, runChatKill } from "../../support/kills/chatKills";
import { createTemporaryFolder } from "../../support/temporaryFolder";

const first = Number(process.env["SLUICE_SEED"] ?? 1);
const runs = Number(process.env["SLUICE_CHAT_KILLS"] ?? 6);
const program = path.resolve("dist/test/support/kills/chatProgram.js");

describe("kills in mid-answer", () => {
  it(`P3, P4, R3, R8: ${runs} seeded runs: nothing before the last second is lost, and the history is valid for the wire`, async () => {
    const verdicts: ChatKillVerdict[] = [];
    let next = first;
    const worker = async (): Promise<void> => {
      while (next < first + runs) {
        const seed = next++;
        const folder = await createTemporaryFolder();
        verdicts.push(await runChatKill(seed, folder.path, program));
        await folder.remove();
      }
    };
    await Promise.all([worker(), worker()]);
    assert.deepEqual(
      verdicts.filter(({ faults }) => faults.length > 0),
      [],
    );
    if (runs > 100) console.log(`      at most ${Math.max(...verdicts.map(({ lost }) => lost))} characters lost`);
  }).timeout(30_000 + runs * 20_000);
});

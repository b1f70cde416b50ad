// The kill matrix: seeded runs of one to three windows and the gateway, killed at each step of a task while something else goes wrong too; `SLUICE_KILLS=1000` is the whole of it, beside what `npm test` does of it.
import { build } from "esbuild";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { nodeBundle } from "./subject.mjs";

const runs = Number(process.env["SLUICE_KILLS"] ?? 60);
const first = Number(process.env["SLUICE_SEED"] ?? 1);
/** Runs at the same time. */
const atOnce = 2;

/** @typedef {typeof import("../test/support/kills/killRun")} KillRuns */
/** @typedef {import("../test/support/kills/killRun").KillVerdict} KillVerdict */

/** No run loses a task, pays twice or reports a wrong state. */
export async function run() {
  const folder = await mkdtemp(path.join(tmpdir(), "bench-kills-"));
  try {
    const names = ["killRun", "appProgram", "gatewayProgram"];
    await build({
      ...nodeBundle,
      format: "cjs",
      loader: { ".mp4": "base64" },
      entryPoints: names.map((name) => path.join(import.meta.dirname, "..", "test", "support", "kills", `${name}.ts`)),
      outdir: folder,
      outExtension: { ".js": ".cjs" },
    });
    /** @type {{ default: KillRuns }} */
    const { default: kills } = await import(path.join(folder, "killRun.cjs"));
    const programs = { app: path.join(folder, "appProgram.cjs"), gateway: path.join(folder, "gatewayProgram.cjs") };
    /** @type {KillVerdict[]} */
    const verdicts = [];
    const waiting = [...kills.planRuns(first, runs)];
    const worker = async () => {
      for (let plan = waiting.shift(); plan !== undefined; plan = waiting.shift()) {
        const own = await mkdtemp(path.join(folder, "run-"));
        verdicts.push(await kills.runKill(plan, own, programs));
        await rm(own, { recursive: true, force: true });
        if (verdicts.length % 100 === 0) console.log(`  ${verdicts.length} of ${runs} runs`);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    print(verdicts);
    const faulty = verdicts.filter(({ faults }) => faults.length > 0).length;
    return [
      { what: `runs with a fault, of ${runs}`, today: verdicts.length === 0 ? NaN : faulty, limit: 0, unit: "runs" },
      { what: "runs that were not judged", today: runs - verdicts.length, limit: 0, unit: "runs" },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param {readonly KillVerdict[]} verdicts */
function print(verdicts) {
  const sum = (/** @type {(verdict: KillVerdict) => number} */ count) =>
    verdicts.reduce((total, verdict) => total + count(verdict), 0);
  console.log(
    `  ${verdicts.length} runs: ${sum(({ tasks }) => tasks)} tasks, ${sum(({ holds }) => holds)} holds, ${sum(({ unknown }) => unknown)} outcomes unknown after all`,
  );
  for (const victim of ["app", "gateway", "both"]) {
    const of = verdicts.filter((verdict) => verdict.victim === victim);
    const counts = [1, 2, 3].map((windows) => of.filter((verdict) => verdict.windows === windows).length);
    console.log(`  ${victim} killed: ${counts.join(", ")} runs with 1, 2 and 3 windows`);
  }
  for (const mishap of new Set(verdicts.map((verdict) => verdict.mishap).toSorted())) {
    const of = verdicts.filter((verdict) => verdict.mishap === mishap);
    const faulty = of.filter(({ faults }) => faults.length > 0).length;
    console.log(`  ${mishap}: ${of.length} runs, ${faulty} with a fault`);
  }
  const wrong = verdicts.filter(({ faults }) => faults.length > 0);
  console.log(`  ${wrong.length} with a fault`);
  for (const { seed, victim, step, windows, mishap, faults } of wrong)
    console.log(`  seed ${seed} (${mishap}; ${victim} at ${step}, ${windows} windows): ${faults.join("; ")}`);
}

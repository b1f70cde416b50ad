// F2: measures a turn in a real, warm window: the host's CPU from Enter to the request, and from a call of read_file to the next request, and the
// time until an answer's first byte is painted.
import { build } from "esbuild";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { testBundle } from "../scripts/bundleOptions.mjs";
import { run as runProgram } from "../scripts/processes.mjs";

const warmUps = 5;
const times = 20;
/** The limits are in milliseconds. The goal of the first is 15. */
const limits = { sent: 9, painted: 38, round: 22 };
/** @type {Partial<Record<keyof typeof limits, NonNullable<import("./verdicts.mjs").Verdict["missed"]>>>} */
const missed = {
  painted: {
    goal: 25,
    why: "22 to 31 from run to run",
  },
  round: {
    goal: 12,
    why: "11 to 21 from run to run, as quick as the machine is that day",
  },
};
const names = {
  sent: "from Enter to the request's last byte: CPU of the host",
  painted: "from an answer's first byte until it is painted",
  round: "a round with read_file: CPU of the host",
};

/** Measures the median of each. */
export async function run() {
  const { code, output } = await runProgram(process.execPath, ["esbuild.mjs", "--production"], { quiet: true });
  if (code !== 0) throw new Error(output);
  const outfile = path.resolve("dist", "test", "support", "turnTimes.mjs");
  const entryPoints = [path.join("test", "support", "turnTimes.ts")];
  await build({ ...testBundle.options, plugins: testBundle.plugins, entryPoints, outfile });
  /** @type {typeof import("../test/support/turnTimes")} */
  const subject = await import(pathToFileURL(outfile).href);
  /** @type {import("../test/support/turnTimes").TurnTimes[]} */
  const all = [];
  for await (const turn of subject.measureTurns(warmUps + times)) all.push(turn);
  const turns = all.slice(warmUps);
  console.log(`${times} turns after ${warmUps}; minimum / median / maximum in ms`);
  return /** @type {(keyof typeof limits)[]} */ (Object.keys(limits)).map((figure) => {
    const sorted = turns.map((turn) => turn[figure]).sort((one, other) => one - other);
    const median = sorted[times >> 1] ?? NaN;
    const spread = [sorted[0] ?? NaN, median, sorted.at(-1) ?? NaN].map((value) => value.toFixed(1)).join(" / ");
    console.log(`  ${names[figure].padEnd(56)}${spread}`);
    return { what: names[figure], today: median, limit: limits[figure], unit: "ms", missed: missed[figure] };
  });
}

// `npm run bench -- stream`: runs the suites of that name, `bench/<name>.bench.mjs`, or all. Each prints its figures and what they are measured
// against. The table at the end shows what they are held to.
import { readdir } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { onProjectNode } from "../scripts/setup.mjs";
import { samplePace } from "./paceSampler.mjs";
import { atPace, holds, verdictTable } from "./verdicts.mjs";

await onProjectNode(import.meta.filename);

const folder = import.meta.dirname;
const suffix = ".bench.mjs";
const all = (await readdir(folder))
  .filter((file) => file.endsWith(suffix))
  .map((file) => file.slice(0, -suffix.length));
const asked = process.argv.slice(2).filter((word) => !word.startsWith("-"));
const unknown = asked.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(", ")}. There are ${all.join(", ")}.`);
  process.exit(2);
}
/** @type {(readonly [string, readonly import("./verdicts.mjs").Verdict[]])[]} */
const suites = [];
for (const name of asked.length > 0 ? asked : all) {
  console.log(`\n${name}`);
  suites.push([name, await verdictsOf(name)]);
}
console.log(`\n${verdictTable(suites)}`);
if (!suites.every(([, verdicts]) => verdicts.length > 0 && verdicts.every(holds))) process.exitCode = 1;

/** Returns no verdicts when the suite fails, because the other suites are still measured. @param {string} name @returns {Promise<readonly import("./verdicts.mjs").Verdict[]>} */
async function verdictsOf(name) {
  try {
    /** @type {{ run(): Promise<readonly import("./verdicts.mjs").Verdict[]> }} */
    const suite = await import(pathToFileURL(path.join(folder, name + suffix)).href);
    // The pace is sampled all the time, because what else the machine has to do changes within a suite.
    const endSampling = samplePace();
    const [outcome] = await Promise.allSettled([suite.run()]);
    const pace = await endSampling();
    if (outcome.status === "rejected") throw outcome.reason;
    const verdicts = outcome.value;
    if (pace > 1.05) console.log(`\n  Limits of time × ${pace.toFixed(2)}: this machine is slower by that.`);
    return verdicts.map((verdict) => atPace(verdict, pace));
  } catch (error) {
    console.error(error);
    return [];
  }
}

// Prints what `npm test` closes with: a line for each check and suite, the slowest tests, those that failed, and the counts.
import os from "node:os";
import { say } from "./setup.mjs";

/** @typedef {import("./suites.mjs").Outcome & { name: string }} Finished */

/** The CPU time of the machine so far, in seconds: a suite's own figure lacks the processes that were ended with their window or server. */
export function machineSeconds() {
  const spent = os.cpus().map(({ times: { user, nice, sys, irq } }) => user + nice + sys + irq);
  return spent.reduce((sum, one) => sum + one, 0) / 1000;
}

/**
 * @param {readonly Finished[]} finished
 * @param {number} duration milliseconds of the whole run
 * @param {number} spent CPU seconds of the machine meanwhile
 * @returns {number} how many failed
 */
export function printSummary(finished, duration, spent) {
  const passed = finished.reduce((sum, one) => sum + one.passed, 0);
  const failed = finished.reduce((sum, one) => sum + one.failed, 0);
  if (finished.length > 1) printTable(finished);
  const slowest = finished
    .flatMap(({ name, slowest: tests }) => tests.map(({ title, ms }) => ({ name, title, ms })))
    .sort((one, other) => other.ms - one.ms)
    .slice(0, 10);
  if (finished.length > 1 && slowest.length > 0) {
    say("\nSlowest tests");
    for (const { name, title, ms } of slowest) say(`${seconds(ms / 1000)}  ${name}: ${title}`);
  }
  say(`\n${(duration / 1000).toFixed(1)} s in all; the machine spent ${spent.toFixed(0)} s of CPU meanwhile`);
  const share = process.env["SLUICE_RUNS"] ?? "0.1";
  if (Number(share) < 1 && finished.some(({ slowest: tests }) => tests.length > 0))
    say(
      `Tests that prove by mass ran in part (SLUICE_RUNS=${share} SLUICE_SEED=${process.env["SLUICE_SEED"] ?? "1"}); npm run test:all runs all.`,
    );
  const broken = finished.flatMap(({ name, broken: tests }) => tests.map((test) => `✖ ${name}: ${test}`));
  if (finished.length > 1 && broken.length > 0) console.log(`\n${broken.join("\n")}`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed;
}

/** @param {readonly Finished[]} finished */
function printTable(finished) {
  say("\nsuite        passed  failed    time      CPU");
  for (const { name, passed, failed, begun, ended, cpu } of [...finished].sort((one, other) => other.cpu - one.cpu))
    say(
      `${name.padEnd(10)} ${String(passed).padStart(8)} ${String(failed).padStart(7)} ${seconds((ended - begun) / 1000)} ${seconds(cpu)}`,
    );
}

/** @param {number} count */
function seconds(count) {
  return `${count.toFixed(1).padStart(6)} s`;
}

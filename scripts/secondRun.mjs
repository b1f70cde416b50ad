// What failed in a window is run a second time when nothing else runs: a window of VS Code beside three other suites on two cores can lose a
// key or a click. What passes then is named as unsteady at the end, with its first message: it is a defect to look for, not a failure of the run.
import { rename, rm } from "node:fs/promises";
import path from "node:path";
import { say } from "./setup.mjs";
import { escaped, runSuite } from "./suites.mjs";

/** @typedef {import("./summary.mjs").Finished} Finished */

/** Suites that drive VS Code or Chromium. The others have an injected clock or wait for no window: they get no second run. */
const inWindows = ["ui", "first", "panel", "vscode", "floor", "vsix", "tour"];

/** Failures in more top-level suites than this are no accident of one moment. */
const most = 3;

/**
 * @param {readonly Finished[]} finished
 * @returns {boolean} false where too much failed, or anything that no window can excuse
 */
export function deservesSecondRun(finished) {
  const failed = finished.filter((one) => one.failed > 0);
  const titles = failed.flatMap(({ brokenSuites }) => brokenSuites);
  // A hook of the root, a process that crashed and a handle that was leaked have no suite.
  const isWhole = failed.every(({ failed: count, broken }) => broken.length === count) && !titles.includes("");
  return failed.length > 0 && isWhole && titles.length <= most && failed.every(({ name }) => inWindows.includes(name));
}

/**
 * Runs the top-level suites that failed, whole, for a test may need the ones before it.
 * @param {Finished} first
 * @returns {Promise<Finished>} what failed is `unsteady` where all of them have passed now
 */
export async function runAgain(first) {
  const { name, brokenSuites } = first;
  say(`\n${name}: running again what failed: ${brokenSuites.join(", ")}`);
  const evidence = path.resolve("test-results", name);
  await rm(`${evidence}-first`, { recursive: true, force: true });
  await rename(evidence, `${evidence}-first`);
  const second = await runSuite(name, { grep: `^(?:${brokenSuites.map(escaped).join("|")}) ` });
  const isSteadyNow = second.failed === 0 && second.passed > 0;
  return { ...first, ...(isSteadyNow ? { failed: 0, broken: [], unsteady: first.broken } : {}) };
}

// `npm test`: sets the machine up, runs the checks and suites with a part of the tests that prove by mass, and closes with one line of counts.
// `npm test -- unit page` runs only those, `npm test -- chat` the tests of one folder of src. `npm run test:all` runs everything in full.
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { leave } from "./processes.mjs";
import { onProjectNode, say } from "./setup.mjs";
import { machineSeconds, printSummary } from "./summary.mjs";
import { alone, checks, onlyInFull, order, runCheck, runSuite, suites, windows } from "./suites.mjs";

/**
 * @typedef {import("./suites.mjs").Outcome} Outcome
 * @typedef {import("./summary.mjs").Finished} Finished
 */

await onProjectNode(import.meta.filename);

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: "boolean", default: false },
    grep: { type: "string", short: "g" },
    verbose: { type: "boolean", short: "v", default: false },
    shuffle: { type: "string" },
    times: { type: "string", default: "1" },
  },
});
const names = [...Object.keys(checks), ...Object.keys(suites)];
const { subjects = [], others = [] } = Object.groupBy(positionals, (name) => (isSubject(name) ? "subjects" : "others"));
const unknown = others.filter((name) => !names.includes(name));
if (unknown.length > 0 || subjects.length > 1) {
  if (unknown.length > 0) say(`There is no ${unknown.join(", ")}.`);
  say(`There are ${names.join(", ")}, and one folder of src.`);
  await leave(2);
}
const [subject] = subjects;
for (const [name, value] of Object.entries({ shuffle: options.shuffle, times: options.times })) {
  if (value === undefined || /^\d+$/.test(value)) continue;
  say(`--${name} takes a number.`);
  await leave(2);
}
// Read by the tests in every process (test/support/runs.ts).
if (options.all) process.env["SLUICE_RUNS"] ??= "1";
const hasDesktop = process.env["VSCODE_EXECUTABLE"] !== undefined;
const byDefault = names.filter((name) => {
  if (name === "desktop") return options.all && hasDesktop;
  return options.all || !onlyInFull.includes(name);
});
const ofSubject = order.filter((name) => name in suites && existsSync(`test/${name}/${subject}`));
const asked = new Set(others.length > 0 ? others : subject === undefined ? byDefault : ofSubject);
if ([...asked].some((name) => name in suites)) asked.add("build");
if (asked.has("vsix")) asked.add("package");
const seed = options.shuffle === undefined ? undefined : Number(options.shuffle);
if (seed !== undefined) console.log(`Shuffled: --shuffle ${seed}`);

/** @type {Finished[]} */
const finished = [];
const started = Date.now();
const spentBefore = machineSeconds();
for (let round = 1; round <= Number(options.times); round += 1) {
  if (options.times !== "1") console.log(`\nRound ${round} of ${options.times}`);
  await runAll();
}
const failures = printSummary(finished, Date.now() - started, machineSeconds() - spentBefore);
const tests = finished.filter(({ name }) => name in suites);
// A filter may leave a suite without a test, but not all suites: a mistyped title would pass.
const isAllLeftOut = options.grep !== undefined && tests.every(({ passed, failed }) => passed + failed === 0);
if (isAllLeftOut) say(`No test's title matches ${options.grep}.`);
await leave(failures > 0 || isAllLeftOut ? 1 : 0);

async function runAll() {
  const together = order.filter((name) => asked.has(name));
  // Suites that run at the same time print their lines when they have ended.
  const quiet = together.filter((name) => name in suites).length > 1;
  // Both build into `dist`. The package is first, because the suites run from the development build. Other checks read the sources only.
  const packed = asked.has("package") ? report("package", () => runCheck("package")) : undefined;
  const checked = together.filter(isCheck).map((name) => runOne(name, true, quiet));
  await packed;
  const isBuilt = !asked.has("build") || (await report("build", () => runCheck("build"))) === 0;
  const tested = together.filter((name) => !isCheck(name)).map((name) => runOne(name, isBuilt, quiet));
  await Promise.all([...checked, ...tested]);
  const shown = windows.filter((name) => asked.has(name));
  await Promise.all(shown.map((name) => runOne(name, isBuilt, shown.length > 1)));
  for (const name of alone) if (asked.has(name)) await runOne(name, isBuilt, false);
}

/**
 * A folder of src: `chat`, `tasks`, …
 * @param {string} name
 */
function isSubject(name) {
  return !names.includes(name) && /^\w+$/.test(name) && existsSync(`src/${name}`);
}

/**
 * @param {string} name
 * @returns {name is keyof typeof checks}
 */
function isCheck(name) {
  return name in checks;
}

/**
 * @param {string} name
 * @param {boolean} isBuilt
 * @param {boolean} quiet
 */
async function runOne(name, isBuilt, quiet) {
  if (isCheck(name)) {
    await report(name, () => runCheck(name));
    return;
  }
  if (!quiet) console.log(`\n${name}`);
  await report(name, async () => {
    if (!isBuilt) return failure("not run, for the build failed");
    const { grep, verbose } = options;
    return await runSuite(name, {
      quiet,
      verbose,
      ...(grep === undefined ? {} : { grep }),
      ...(seed === undefined ? {} : { shuffle: seed }),
      ...(subject === undefined ? {} : { subject }),
    });
  });
}

/**
 * @param {string} name
 * @param {() => Promise<Outcome>} work
 * @returns {Promise<number>} how many failed
 */
async function report(name, work) {
  const outcome = await work().catch((/** @type {unknown} */ error) =>
    failure(error instanceof Error ? (error.stack ?? error.message) : String(error)),
  );
  const { passed, failed, output, begun, ended } = outcome;
  if (output) console.log(`\n${output}`);
  const figures = name in suites ? `${passed} passed, ${failed} failed, ` : "";
  console.log(`${failed > 0 ? "✖" : "✔"} ${name} (${figures}${((ended - begun) / 1000).toFixed(1)} s)`);
  finished.push({ name, ...outcome });
  return failed;
}

/**
 * @param {string} output
 * @returns {Outcome}
 */
function failure(output) {
  const now = Date.now();
  return { passed: 0, failed: 1, broken: [], slowest: [], output, cpu: 0, begun: now, ended: now };
}

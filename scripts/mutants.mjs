// `npm run mutants`: breaks each rule of `test/mutants.json` in turn, in the bundle of its test only, and shows that this test fails then.
// `-- -g text` takes those with the text in their rule, file or test.
import { rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { testBundle } from "./bundleOptions.mjs";
import { breakRule, readMutants } from "./mutantTable.mjs";
import { leave } from "./processes.mjs";
import { onProjectNode, say } from "./setup.mjs";
import { Slots } from "./slots.mjs";
import { runCheck, runTest } from "./suites.mjs";

/** @typedef {import("./mutantTable.mjs").Mutant} Mutant */

/** Milliseconds until a test that hangs counts as failed: a broken rule may be one without which something never ends. */
const hangLimit = 30_000;
const folder = path.join("test-results", "mutants");

await onProjectNode(import.meta.filename);
// It is there by now.
const { build } = await import("esbuild");
const { values: options } = parseArgs({ options: { grep: { type: "string", short: "g", default: "" } } });
const asked = readMutants().filter(({ rule, file, test }) => `${rule}\n${file}\n${test}`.includes(options.grep));
if (asked.length === 0) {
  say("There is no such mutant.");
  await leave(2);
}
// Some tests start programs of `dist`; these stay sound.
const built = await runCheck("build");
if (built.failed > 0) {
  say(built.output);
  await leave(1);
}
await rm(folder, { recursive: true, force: true });
await bundle(path.join(folder, "sound"), [...new Set(asked.map(({ suite }) => suite))], []);
const slots = new Slots(os.availableParallelism());
const outcomes = await Promise.all(
  asked.map((mutant, index) =>
    slots.run(index, async () => {
      const { isKilled, why } = await judge(mutant, path.join(folder, String(index + 1)));
      say(`${isKilled ? "✔" : "✖"} ${mutant.rule}: ${why}`);
      return isKilled;
    }),
  ),
);
for (const [index, { rule, file, test }] of asked.entries())
  console.log(
    `| ${[rule, file, test, outcomes[index] ? "killed" : "NOT KILLED"].map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`,
  );
const killed = outcomes.filter((isKilled) => isKilled).length;
console.log(`${killed} of ${asked.length} mutants were killed`);
await leave(killed === asked.length ? 0 : 1);

/**
 * A mutant is killed when its test passes on the sound source, and fails on the broken one. `why`: how it failed there, or what is wrong.
 * @param {Mutant} mutant
 * @param {string} broken the folder for its bundle
 * @returns {Promise<{ isKilled: boolean, why: string }>}
 */
async function judge(mutant, broken) {
  const { suite, test: title } = mutant;
  const file = path.relative("test", suite).replace(/\.test\.ts$/, "");
  const wanted = { file, title, limit: hangLimit };
  const sound = path.join(folder, "sound");
  const before = await runTest({ ...wanted, bundles: sound, results: `${broken}-sound.json` });
  if (before.failed > 0) return alive(`its test fails on the sound source: ${before.broken.join("; ")}`);
  if (before.passed !== 1) return alive(`its test was run ${before.passed} times on the sound source ${before.output}`);
  try {
    await bundle(broken, [suite], [replaceSource(mutant)]);
  } catch (error) {
    return alive(String(error instanceof Error ? error.message : error));
  }
  const after = await runTest({ ...wanted, bundles: broken, results: `${broken}.json` });
  // A bundle that can't be loaded runs no test.
  if (after.passed + after.failed === 0) return alive(`its test did not run ${after.output}`);
  const [failure] = after.broken;
  return failure === undefined ? alive("survived") : { isKilled: true, why: failure.replace(`${title}: `, "") };
}

/** @param {string} why */
function alive(why) {
  return { isKilled: false, why };
}

/**
 * @param {string} outdir
 * @param {readonly string[]} entryPoints
 * @param {readonly import("esbuild").Plugin[]} plugins
 */
async function bundle(outdir, entryPoints, plugins) {
  await build({
    ...testBundle.options,
    logLevel: "silent",
    plugins: [...testBundle.plugins, ...plugins],
    entryPoints: [...entryPoints],
    outdir,
  });
}

/**
 * Nothing is written into the sources: the bundler gets another text of the one file.
 * @param {Mutant} mutant
 * @returns {import("esbuild").Plugin}
 */
function replaceSource(mutant) {
  const changed = path.resolve(mutant.file);
  return {
    name: "replace-source",
    setup({ onLoad, onEnd }) {
      let isUsed = false;
      onLoad({ filter: new RegExp(`${path.basename(changed, ".ts")}\\.ts$`) }, (found) => {
        if (path.resolve(found.path) !== changed) return undefined;
        isUsed = true;
        return { contents: breakRule(mutant), loader: "ts" };
      });
      onEnd(() => (isUsed ? undefined : { errors: [{ text: `${mutant.file} is no part of the bundle of its test` }] }));
    },
  };
}

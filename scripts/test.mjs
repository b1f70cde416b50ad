// `npm test`: sets the machine up, runs every check in order and closes with one line of counts. `npm test -- unit ui` runs only those.
import { mkdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { leave, run } from "./processes.mjs";
import { ensureChromium, ensureVsCodeServer, onProjectNode, say } from "./setup.mjs";
import { temporaryFolder } from "./workspace.mjs";

/** @typedef {{ passed: number, failed: number }} Counts */

await onProjectNode(import.meta.filename);

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { grep: { type: "string", short: "g" }, verbose: { type: "boolean", short: "v" } },
});

/** Checks of one answer each: the commands by what they are called. */
const checks = {
  lint: [
    ["eslint", "."],
    ["prettier", "--check", "--log-level=warn", "."],
  ],
  types: [
    ["tsc", "-p", "."],
    ["tsc", "-p", "src/webview"],
  ],
  layers: [["depcruise", "src", "--config", ".dependency-cruiser.cjs"]],
  knip: [["knip", "--no-progress"]],
  build: [["node", "esbuild.mjs"]],
};
/** mocha suites: what must be there for them, where their bundles lie if not in a folder of their name, and whether they belong to the whole. */
const suites = {
  unit: { needs: [] },
  loopback: { needs: [] },
  vscode: { needs: [ensureVsCodeServer, ensureChromium] },
  ui: { needs: [ensureVsCodeServer, ensureChromium], files: "ui/*" },
  vsix: { needs: [ensureVsCodeServer, ensureChromium] },
  tour: { needs: [ensureVsCodeServer, ensureChromium] },
  // The chat page alone, without VS Code.
  panel: { needs: [ensureChromium], files: "ui/panel/*" },
  desktop: { needs: [], onRequest: true },
};
const names = [...Object.keys(checks), ...Object.keys(suites)];
const whole = names.filter((name) => !(name in suites) || !("onRequest" in suites[/** @type {"tour"} */ (name)]));

const unknown = positionals.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  say(`There is no ${unknown.join(", ")}. There are ${names.join(", ")}.`);
  await leave(2);
}
const asked = positionals.length > 0 ? names.filter((name) => positionals.includes(name)) : whole;
/** Suites run on bundles. */
const wanted = ["build", "unit", ...names.filter((name) => name !== "build" && name !== "unit")].filter(
  (name) => asked.includes(name) || (name === "build" && asked.some((one) => one in suites)),
);

/** @type {Counts} */
const sum = { passed: 0, failed: 0 };
let built = true;
const started = Date.now();
// Lint, types, layers and knip start at once and run beside the unit tests; each is reported in its turn.
const running = new Map(
  wanted
    .filter((name) => name in checks && name !== "build")
    .map((name) => [name, check(/** @type {"lint"} */ (name))]),
);
/** Runs beside the suites in VS Code, which wait for their windows most of the time. @type {ReturnType<typeof suite> | undefined} */
let panel;
for (const name of wanted) {
  if (built && name in suites && suites[/** @type {"ui"} */ (name)].needs.length > 1 && wanted.includes("panel")) {
    // Before both begin, so that it is not installed twice at once.
    await ensureChromium();
    panel ??= suite("panel", true);
    panel.catch(() => undefined);
  }
  if (name in suites && !built) {
    await report(name, async () => ({ passed: 0, failed: 1, output: "not run, for the build failed" }));
  } else if (name === "panel" && panel) {
    await report(name, () => panel ?? suite("panel"));
  } else if (name in suites) {
    await report(name, () => suite(/** @type {keyof typeof suites} */ (name)));
  } else {
    const { failed } = await report(name, () => running.get(name) ?? check(/** @type {"build"} */ (name)));
    if (name === "build" && failed > 0) built = false;
  }
}
say(`\n${seconds(Date.now() - started)} in all`);
console.log(`${sum.passed} passed, ${sum.failed} failed`);
await leave(sum.failed > 0 ? 1 : 0);

/**
 * @param {string} name
 * @param {() => Promise<Counts & { output?: string, duration?: number }>} work
 */
async function report(name, work) {
  const start = Date.now();
  if (name in suites) console.log(`\n${name}`);
  const {
    passed,
    failed,
    output,
    duration = Date.now() - start,
  } = await work().catch((/** @type {unknown} */ error) => ({
    passed: 0,
    failed: 1,
    output: error instanceof Error ? (error.stack ?? error.message) : String(error),
    duration: Date.now() - start,
  }));
  if (output) console.log(output);
  const figures = name in suites ? `${passed} passed, ${failed} failed, ` : "";
  console.log(`${failed > 0 ? "✖" : "✔"} ${name} (${figures}${seconds(duration)})`);
  sum.passed += passed;
  sum.failed += failed;
  return { failed };
}

/**
 * @param {keyof typeof checks} name
 * @returns {Promise<Counts & { output: string, duration: number }>}
 */
async function check(name) {
  const start = Date.now();
  let wrong = "";
  for (const [tool = "", ...args] of checks[name]) {
    const [command, entry] = await program(tool);
    const { code, output } = await run(command, [...entry, ...args], { quiet: true });
    if (code !== 0) wrong += output || `${tool} ended with exit code ${code}`;
  }
  return { passed: wrong ? 0 : 1, failed: wrong ? 1 : 0, output: wrong.trimEnd(), duration: Date.now() - start };
}

/**
 * The script behind a package's command: it needs no shell, on Windows neither.
 * @param {string} tool
 * @returns {Promise<[string, string[]]>}
 */
async function program(tool) {
  if (tool === "node") return [process.execPath, []];
  /** @type {Readonly<Record<string, string>>} */
  const homes = { tsc: "typescript", depcruise: "dependency-cruiser" };
  const home = path.join("node_modules", homes[tool] ?? tool);
  /** @type {{ bin: string | Record<string, string> }} */
  const { bin } = JSON.parse(await readFile(path.join(home, "package.json"), "utf8"));
  const entry = typeof bin === "string" ? bin : bin[tool];
  if (entry === undefined) throw new Error(`${home} has no command ${tool}`);
  return [process.execPath, [path.join(home, entry)]];
}

/**
 * @param {keyof typeof suites} name
 * @param {boolean} [quiet] keeps what it prints for the result
 * @returns {Promise<Counts & { output?: string, duration?: number }>}
 */
async function suite(name, quiet = false) {
  const start = Date.now();
  for (const need of suites[name].needs) await need();
  const evidence = path.resolve("test-results", name);
  await rm(evidence, { recursive: true, force: true });
  await mkdir(evidence, { recursive: true });
  const results = path.join(evidence, "results.json");
  const environment = {
    SLUICE_TEST_RESULTS: results,
    SLUICE_TEST_SUITE: name,
    ...(options.grep === undefined ? {} : { SLUICE_TEST_GREP: options.grep }),
    ...(options.verbose ? { SLUICE_TEST_VERBOSE: "1" } : {}),
  };
  let code;
  let output = "";
  if (name === "vscode" || name === "desktop") {
    const { runInServer, runOnDesktop } = await import("./runVscodeTests.mjs");
    code = await (name === "vscode" ? runInServer({ evidence, environment }) : runOnDesktop({ environment }));
  } else {
    ({ code, output } = await mocha(name, environment, quiet));
  }
  /** @type {Counts} */
  const counts = await readFile(results, "utf8").then(JSON.parse, () => ({ passed: 0, failed: 0 }));
  const kept = quiet ? { output: output.trimEnd(), duration: Date.now() - start } : {};
  if (code !== 0 && counts.failed === 0) {
    return { ...counts, ...kept, failed: 1, output: `${output}✖ ended with exit code ${code}` };
  }
  if (counts.passed + counts.failed === 0 && options.grep === undefined) {
    return { passed: 0, failed: 1, output: "✖ no test was found" };
  }
  return { ...counts, ...kept };
}

/**
 * @param {string} name
 * @param {Readonly<Record<string, string>>} environment
 * @param {boolean} quiet
 */
async function mocha(name, environment, quiet) {
  const { files = `${name}/**/*` } = /** @type {{ files?: string }} */ (suites[/** @type {"ui"} */ (name)]);
  const args = [path.join("node_modules", "mocha", "bin", "mocha.js"), `dist/test/${files}.test.js`];
  args.push("--reporter", "./scripts/mochaReporter.cjs", "--forbid-only", "--forbid-pending");
  args.push("--timeout", name === "unit" ? "5000" : name === "loopback" ? "30000" : "120000");
  if (options.grep !== undefined) args.push("--grep", options.grep);
  // Its temporary files lie in one folder of ours, so that a suite that is interrupted leaves none behind.
  const temporary = await temporaryFolder();
  const temporaries = { TMPDIR: temporary, TEMP: temporary, TMP: temporary };
  const env = { ...process.env, ...environment, ...temporaries, NODE_OPTIONS: "--enable-source-maps" };
  return run(process.execPath, args, { env, quiet });
}

/** @param {number} milliseconds */
function seconds(milliseconds) {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

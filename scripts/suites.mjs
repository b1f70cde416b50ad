// The checks and test suites of `npm test`: what each needs, and how one of them is run.
import { mkdir, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { runMeasured } from "./processes.mjs";
import { ensureChromium, ensureFloor, ensureSandbox, ensureVsCode } from "./setup.mjs";
import { Slots } from "./slots.mjs";
import { memoryFolder, temporaryFolder } from "./workspace.mjs";

/**
 * @typedef {{ title: string, ms: number }} TimedTest
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {readonly string[]} broken title and message of each test that failed
 * @property {readonly TimedTest[]} slowest
 * @typedef {Counts & { output: string, cpu: number, begun: number, ended: number }} Outcome `output`: what it printed, where that was not
 *   printed at once; `cpu`: seconds; `begun` and `ended`: when its first process began and its last one ended, in milliseconds
 *
 * @typedef {object} SuiteOptions
 * @property {string} [grep]
 * @property {boolean} [verbose]
 * @property {number} [shuffle] the seed of the order
 * @property {string} [subject] a folder of src: only its tests
 * @property {boolean} [quiet] keeps what it prints for the outcome
 *
 * @typedef {object} Part of a suite: the bundles of one process
 * @property {string} files
 * @property {readonly string[]} ignored
 */

/**
 * Milliseconds until a test counts as hanging. Suites run at the same time, so a shorter limit would fail tests because the machine is busy. In a full
 * run one test that proves by mass may work for minutes.
 */
const hangLimit = () => (Number(process.env["SLUICE_RUNS"] ?? 0) >= 1 ? 600_000 : 180_000);

/** The package that the suite `vsix` tests. Its path is also in test/vsix. */
const packaged = { vsix: "test-results/package/sluice.vsix", record: "test-results/package/meta.json" };

/** Errors name the lines of the sources. Node's own SQLite warns that it is new. */
const nodeOptions = "--enable-source-maps --disable-warning=ExperimentalWarning";

/** oxlint's types and the compiler are written in Go: with less garbage collection they take a quarter less time, and no more memory. */
const checkEnvironment = { ...process.env, GOGC: "300" };

/** Options for rules that need types. Without these rules a directive against one of them counts as unused. */
const withTypes = ["--type-aware", "--report-unused-disable-directives", "--deny-warnings"];

/**
 * Checks again only what depends on a changed file. It runs as one checker, because several would each resolve the same types.
 * @param {string} program
 */
function typesOfChanges(program) {
  return ["--checkers", "1", "--incremental", "--tsBuildInfoFile", `node_modules/.cache/types-${program}.tsbuildinfo`];
}

/** Checks that pass or fail as a whole: their commands, by the name of the tool. */
export const checks = {
  lint: [
    ["oxlint", ...withTypes, "src"],
    ["oxlint", "--deny-warnings", "--ignore-pattern=src"],
    ["node", "scripts/checkFormat.mjs"],
  ],
  // For the tests the rules that need types are as much work again. They find promises there that nobody awaits.
  lintTests: [["oxlint", "--type-aware", "--deny-warnings", "--config=test/promises.oxlintrc.json", "test"]],
  // These run TypeScript 7, the compiler in Go. `typescript` itself stays for its API, which dependency-cruiser and the tests that read sources use.
  types: [
    ["tsc", "-p", ".", ...typesOfChanges("host")],
    ["tsc", "-p", "src/webview", ...typesOfChanges("pages")],
  ],
  layers: [["depcruise", "src", "--config", ".dependency-cruiser.cjs"]],
  knip: [["knip", "--no-progress"]],
  package: [["node", "scripts/package.mjs", "--out", packaged.vsix, "--record", packaged.record]],
  build: [["node", "esbuild.mjs"]],
};

/**
 * mocha suites: what must be installed first, which bundles they are if not those of a folder of their name, and which of them run in other
 * processes at the same time.
 * @type {Readonly<Record<string, { needs: readonly (() => Promise<unknown>)[], files?: string, apart?: readonly string[] }>>}
 */
export const suites = {
  // Tests that start processes run in a process of their own: to fork a process takes the longer the more it has loaded.
  unit: { needs: [ensureSandbox], apart: ["unit/{tools,node}/**/*", "unit/chat/**/*"] },
  loopback: { needs: [], apart: ["loopback/{gateway,localGateway}/**/*"] },
  // The whole built extension runs on a fake `vscode`, in plain Node.
  journey: { needs: [], apart: ["journey/tasks/[a-p]*"] },
  // The pages run alone in a browser, without VS Code.
  page: { needs: [ensureChromium], apart: ["page/{tasks/**/*,gateway/**/*,chat/[s-z]*}"] },
  // This is one journey through the whole product in one real window.
  smoke: { needs: [ensureVsCode, ensureChromium] },
  // mocha runs inside the extension host of the newest VS Code, and of the oldest one that is supported.
  host: { needs: [ensureVsCode, ensureChromium] },
  floor: { needs: [ensureFloor, ensureChromium] },
  // These suites test what only a real window can show: focus, native menus, drag and drop, reload, toasts, two windows.
  window: { needs: [ensureVsCode, ensureChromium], files: "window/*" },
  vsix: { needs: [ensureVsCode, ensureFloor, ensureChromium] },
  tour: { needs: [ensureVsCode, ensureChromium] },
  // Agents of other makers, from npm, work with the local gateway and the MCP server.
  clients: { needs: [] },
  start: { needs: [ensureVsCode] },
  desktop: { needs: [] },
};

/** The suites that `npm test` leaves to `npm run test:all`. `desktop` also needs a VS Code and a display. */
export const onlyInFull = [
  "lintTests",
  "package",
  "host",
  "floor",
  "window",
  "vsix",
  "tour",
  "clients",
  "start",
  "desktop",
];

/** All that can run at the same time. The longest are first, so that none is left over at the end. */
export const order = [
  "loopback",
  "page",
  "unit",
  "clients",
  "host",
  "floor",
  "smoke",
  "journey",
  "lint",
  "types",
  "lintTests",
  "layers",
  "knip",
];

/**
 * Suites in which a person clicks and types in real windows. They run after the others, at the same time: a window waits half of the time, but is slow
 * beside suites that take all that the processor has.
 */
export const windows = ["window", "tour", "vsix"];

/** Each of these runs alone at the end: `start` builds into `dist`, from which the others run, and `desktop` takes the focus of the desktop. */
export const alone = ["start", "desktop"];

/** @type {Map<() => Promise<unknown>, Promise<unknown>>} */
const installs = new Map();

/**
 * Installs once what several suites need.
 * @param {() => Promise<unknown>} need
 */
function installed(need) {
  const install = installs.get(need) ?? need();
  installs.set(need, install);
  return install;
}

/** Processes of tests and tools at once: two more than cores, because most wait for sockets, timers and other processes part of the time. */
const slots = new Slots(os.availableParallelism() + 2);

/**
 * Runs it when a slot is free, and times it from then on.
 * @template {object} T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @returns {Promise<T & { begun: number, ended: number }>}
 */
function inSlot(name, work) {
  return slots.run(order.indexOf(name), async () => {
    const begun = Date.now();
    const result = await work();
    return { ...result, begun, ended: Date.now() };
  });
}

/**
 * @param {readonly { cpu: number, begun: number, ended: number }[]} parts
 * @returns {{ cpu: number, begun: number, ended: number }}
 */
function effortOf(parts) {
  return {
    cpu: parts.reduce((sum, { cpu }) => sum + cpu, 0),
    begun: Math.min(...parts.map(({ begun }) => begun)),
    ended: Math.max(...parts.map(({ ended }) => ended)),
  };
}

/**
 * @param {keyof typeof checks} name
 * @returns {Promise<Outcome>}
 */
export async function runCheck(name) {
  let wrong = "";
  const parts = [];
  for (const [tool = "", ...args] of checks[name]) {
    const entry = await program(tool);
    const part = await inSlot(name, () => runMeasured([...entry, ...args], { env: checkEnvironment, quiet: true }));
    parts.push(part);
    if (part.code !== 0) wrong += part.output || `${tool} ended with exit code ${part.code}`;
  }
  return {
    passed: wrong ? 0 : 1,
    failed: wrong ? 1 : 0,
    broken: [],
    slowest: [],
    output: wrong.trimEnd(),
    ...effortOf(parts),
  };
}

/**
 * The script behind a package's command, which needs no shell on any platform.
 * @param {string} tool
 * @returns {Promise<string[]>} the arguments of Node
 */
async function program(tool) {
  if (tool === "node") return [];
  /** @type {Readonly<Record<string, string>>} */
  const homes = { tsc: "typescript-native", depcruise: "dependency-cruiser" };
  const home = path.join("node_modules", homes[tool] ?? tool);
  /** @type {{ bin: string | Record<string, string> }} */
  const { bin } = JSON.parse(await readFile(path.join(home, "package.json"), "utf8"));
  const entry = typeof bin === "string" ? bin : bin[tool];
  if (entry === undefined) throw new Error(`${home} has no command ${tool}`);
  return [path.join(home, entry)];
}

/**
 * @param {string} name
 * @param {SuiteOptions} options
 * @returns {Promise<Outcome>}
 */
export async function runSuite(name, options) {
  await Promise.all((suites[name]?.needs ?? []).map((need) => installed(need)));
  const evidence = path.resolve("test-results", name);
  await rm(evidence, { recursive: true, force: true });
  await mkdir(evidence, { recursive: true });
  const { subject } = options;
  const { files = `${name}/**/*`, apart = [] } =
    subject === undefined ? (suites[name] ?? {}) : { files: `${name}/${subject}/**/*` };
  // The other suites run at the same time, so each prints when it has ended.
  const parts = await Promise.all([
    runPart(name, evidence, options, { files, ignored: apart }),
    ...apart.map((others) => runPart(name, evidence, { ...options, quiet: true }, { files: others, ignored: [] })),
  ]);
  return {
    passed: parts.reduce((sum, { passed }) => sum + passed, 0),
    failed: parts.reduce((sum, { failed }) => sum + failed, 0),
    broken: parts.flatMap(({ broken }) => broken),
    slowest: parts.flatMap(({ slowest }) => slowest),
    output: parts
      .map(({ output }) => output)
      .filter((output) => output !== "")
      .join("\n"),
    ...effortOf(parts),
  };
}

/**
 * @param {string} name
 * @param {string} evidence
 * @param {SuiteOptions} options
 * @param {Part} part
 * @returns {Promise<Outcome>}
 */
async function runPart(name, evidence, options, part) {
  const { grep } = options;
  const results = path.join(evidence, `results-${part.files.replaceAll(/\W+/g, "-")}.json`);
  const environment = {
    SLUICE_TEST_RESULTS: results,
    SLUICE_TEST_SUITE: name,
    SLUICE_TEST_LIMIT: String(hangLimit()),
    ...(grep === undefined ? {} : { SLUICE_TEST_GREP: grep }),
    ...(options.shuffle === undefined ? {} : { SLUICE_TEST_SHUFFLE: String(options.shuffle) }),
    ...(options.verbose ? { SLUICE_TEST_VERBOSE: "1" } : {}),
  };
  const { code, output, ...effort } = await inSlot(name, () =>
    start(name, evidence, environment, { ...options, ...part }),
  );
  const counts = await readCounts(results);
  const isEmpty = counts.passed + counts.failed === 0 && options.grep === undefined;
  const wrong = code !== 0 ? `✖ ended with exit code ${code}` : isEmpty ? "✖ no test was found" : undefined;
  if (wrong !== undefined && counts.failed === 0) return { ...counts, ...effort, failed: 1, output: output + wrong };
  return { ...counts, ...effort, output: output.trimEnd() };
}

/**
 * @param {string} results
 * @returns {Promise<Counts>}
 */
function readCounts(results) {
  const none = { passed: 0, failed: 0, broken: [], slowest: [] };
  return readFile(results, "utf8").then(JSON.parse, () => none);
}

/**
 * @param {string} name
 * @param {string} evidence
 * @param {Readonly<Record<string, string>>} environment
 * @param {SuiteOptions & Part} options
 */
async function start(name, evidence, environment, options) {
  if (!["host", "floor", "desktop"].includes(name)) return await mocha(environment, options);
  const env = { ...process.env, ...environment };
  return await runMeasured(["scripts/runHostTests.mjs", name, evidence], { env, quiet: options.quiet ?? false });
}

/**
 * @param {Readonly<Record<string, string>>} environment
 * @param {SuiteOptions & Part} options
 */
async function mocha(environment, { grep, quiet = false, files, ignored }) {
  const args = [path.join("node_modules", "mocha", "bin", "mocha.js"), `dist/test/${files}.test.mjs`];
  args.push("--reporter", "./scripts/mochaReporter.cjs", "--require", "./scripts/mochaShuffle.cjs");
  args.push("--forbid-only", "--timeout", String(hangLimit()));
  for (const pattern of ignored) args.push("--ignore", `dist/test/${pattern}.test.mjs`);
  if (grep !== undefined) args.push("--grep", grep);
  // Temporary files of a suite lie in one folder that we remove, so that an interrupted suite leaves none behind.
  // Agents of other makers keep hundreds of megabytes in their homes.
  const isLarge = [...windows, ...alone, "clients"].includes(environment["SLUICE_TEST_SUITE"] ?? "");
  const temporary = await temporaryFolder(isLarge ? undefined : memoryFolder());
  const temporaries = { TMPDIR: temporary, TEMP: temporary, TMP: temporary };
  // The environment is as where VS Code was started from a desktop: no shell is above it.
  const ours = { ...environment, ...temporaries, NODE_OPTIONS: nodeOptions, SHLVL: "0" };
  const env = { ...withoutLanguage(process.env), ...ours };
  return await runMeasured(args, { env, quiet });
}

/**
 * Programs that tests start, and Node, write as they do where no language is set. A shell warns of a language that is not installed.
 * @param {NodeJS.ProcessEnv} environment
 * @returns {NodeJS.ProcessEnv}
 */
function withoutLanguage(environment) {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !/^(?:LANG|LANGUAGE|LC_\w+)$/.test(name)));
}

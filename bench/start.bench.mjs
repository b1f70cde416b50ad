// F5: what the start costs in a real extension host: time to load and activate, JavaScript evaluated, heap, idle CPU. The peers: an empty extension, and the same source in one bundle.
import { build } from "esbuild";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { launchBrowser } from "../scripts/browser.mjs";
import { run as runProgram } from "../scripts/processes.mjs";
import { startVsCodeServer } from "../scripts/vscodeServer.mjs";
import { sampleWorkspace, temporaryFolder } from "../scripts/workspace.mjs";

/** F5: milliseconds to load and activate. Times the CPU of an empty extension, which the host itself takes for any; a part of what one bundle takes; kilobytes. */
const limits = { activation: 30, empty: 7, tasks: 0.5, evaluated: 250 };
const windows = 7;
const idle = 5000;

/** The first command of a part loads it; these do nothing here: no row is selected, no answer is under way. */
const steps = [
  { name: "tasks", command: "sluice.task.markAllSeen" },
  { name: "tools", command: "sluice.task.copyPrompt" },
  { name: "chat", command: "sluice.chat.stop" },
];

/** @typedef {{ name: string, ms?: number, bytes?: number, heap?: number, cpu?: number }} Measured */

/** @param {string} home @param {Readonly<Record<string, unknown>>} manifest */
async function writeManifest(home, manifest) {
  await mkdir(home, { recursive: true });
  await writeFile(path.join(home, "package.json"), JSON.stringify(manifest));
}

/** The packaged product, activated only when it is asked to be. @param {string} extensionsDir */
async function installProduct(extensionsDir) {
  const manifest = JSON.parse(await readFile("package.json", "utf8"));
  const home = path.join(extensionsDir, `sluice.sluice-${manifest.version}`);
  await writeManifest(home, { ...manifest, activationEvents: [] });
  await cp("package.nls.json", path.join(home, "package.nls.json"));
  await cp("media", path.join(home, "media"), { recursive: true });
  await cp("dist", path.join(home, "dist"), {
    recursive: true,
    filter: (file) => file !== path.join("dist", "test"),
  });
  return home;
}

/** The same source as one CommonJS file without splitting: everything is evaluated at once, with the whole of undici. @param {string} home */
async function replaceByOneBundle(home) {
  const manifest = JSON.parse(await readFile(path.join(home, "package.json"), "utf8"));
  await writeManifest(home, { ...manifest, main: "./dist/extension.cjs" });
  const parts = [
    "tasks/host/mountTasks",
    "chat/host/mountChat",
    "chat/session/session",
    "tools/tools",
    "gateway/httpGateway",
  ];
  const imports = [...parts.map((part) => `./src/${part}`), "undici"];
  await build({
    stdin: {
      contents: `${imports.map((name) => `import "${name}";`).join("")} export * from "./src/extension";`,
      resolveDir: ".",
    },
    bundle: true,
    minify: true,
    platform: "node",
    format: "cjs",
    target: "node22",
    mainFields: ["module", "main"],
    external: ["vscode"],
    outfile: path.join(home, "dist", "extension.cjs"),
    logLevel: "error",
  });
}

/** Opens so many windows one after the other, each with an extension host of its own. @param {string} extensionsDir @param {string} empty */
async function openWindows(extensionsDir, empty) {
  const out = path.join(await temporaryFolder(), "measured.jsonl");
  const environment = {
    SLUICE_BENCH_START: JSON.stringify({ ids: ["bench.empty", "sluice.sluice"], out, steps, idle }),
  };
  // Without a key nothing is connected: the local gateway's process and the network are no part of the start.
  const settings = { "sluice.baseUrl": "https://gateway.invalid/v1" };
  const server = await startVsCodeServer({ environment, settings, extensionsDir });
  const browser = await launchBrowser();
  try {
    const folder = await sampleWorkspace();
    const tests = path.resolve("bench", "start", "measure.cjs");
    for (let opened = 0; opened < windows; opened += 1) {
      const page = await browser.newPage();
      /** @type {(code: number) => void} */
      let settle = () => undefined;
      const ended = new Promise((/** @type {(code: number) => void} */ resolve) => (settle = resolve));
      /** @type {unknown[]} */
      let said = [];
      await page.exposeFunction("codeAutomationLog", (/** @type {string} */ type, /** @type {unknown[]} */ args) => {
        if (type === "error") said = args;
      });
      await page.exposeFunction("codeAutomationExit", (/** @type {number} */ code) => settle(code));
      await page.goto(server.url({ folder, development: empty, tests }));
      if ((await ended) !== 0) throw new Error(`measuring failed: ${said.join(" ")}`);
      await page.close();
    }
  } finally {
    await browser.close();
    await server.stop();
  }
  const lines = (await readFile(out, "utf8")).trim().split("\n");
  return lines.map((line) => /** @type {Measured[]} */ (JSON.parse(line)));
}

/** @param {readonly (readonly Measured[])[]} rounds @param {string} name @param {"ms" | "bytes" | "heap" | "cpu"} figure */
function figures(rounds, name, figure) {
  const found = rounds.flatMap((round) => round.find((one) => one.name === name)?.[figure] ?? []).sort((a, b) => a - b);
  return { min: found[0] ?? NaN, median: found[Math.floor(found.length / 2)] ?? NaN, max: found.at(-1) ?? NaN };
}

/** @param {readonly (readonly Measured[])[]} rounds @param {string} name @param {"ms" | "bytes" | "heap" | "cpu"} figure */
function spread(rounds, name, figure) {
  const { min, median, max } = figures(rounds, name, figure);
  return [min, median, max].map((value) => value.toFixed(1)).join(" / ");
}

/** The extensions that are compared, each in a folder of its own. */
async function install() {
  const { code, output } = await runProgram(process.execPath, ["esbuild.mjs", "--production"], { quiet: true });
  if (code !== 0) throw new Error(output);
  const empty = path.join(await temporaryFolder(), "empty");
  await writeManifest(empty, {
    ...{ name: "empty", publisher: "bench", version: "0.0.1", engines: { vscode: "^1.106.0" } },
    ...{ main: "./main.js", activationEvents: [] },
  });
  await writeFile(path.join(empty, "main.js"), "exports.activate = () => undefined;\n");
  const product = await temporaryFolder();
  await installProduct(product);
  const oneBundle = await temporaryFolder();
  await replaceByOneBundle(await installProduct(oneBundle));
  return { empty, product, oneBundle };
}

export async function run() {
  const { empty, product, oneBundle } = await install();
  const load = os.loadavg()[0] ?? 0;
  const ours = await openWindows(product, empty);
  const theirs = await openWindows(oneBundle, empty);

  console.log(`start: ${windows} windows each, load average ${load.toFixed(1)} before; minimum / median / maximum`);
  row("", "sluice", "one bundle", "ratio");
  for (const step of ["activate", "tasks", "tools", "chat"]) {
    const name = `sluice.sluice ${step}`;
    for (const [figure, title] of /** @type {const} */ ([
      ["ms", "ms"],
      ["cpu", "ms CPU of the host's thread"],
    ])) {
      const ratio = figures(ours, name, figure).median / figures(theirs, name, figure).median;
      row(`${step}, ${title}`, spread(ours, name, figure), spread(theirs, name, figure), ratio.toFixed(2));
    }
    for (const [figure, title] of /** @type {const} */ ([
      ["bytes", "KB evaluated"],
      ["heap", "KB heap"],
    ])) {
      const [mine, other] = [ours, theirs].map((rounds) => (figures(rounds, name, figure).median / 1000).toFixed(0));
      row(`${step}, ${title}`, mine ?? "", other ?? "", (Number(mine) / Number(other)).toFixed(2));
    }
  }
  const [mine, other] = [ours, theirs].map((rounds) => figures(rounds, "idle", "cpu").median);
  row("idle, ms CPU a second (whole host)", (mine ?? 0).toFixed(1), (other ?? 0).toFixed(1), "");
  const both = [...ours, ...theirs];
  for (const figure of /** @type {const} */ (["ms", "cpu"]))
    row(`an empty extension, ${figure}`, spread(both, "bench.empty activate", figure), "", "");
  return judge(ours, theirs);
}

/**
 * A shared machine only ever makes it slower, so the best window counts for CPU time.
 * @param {readonly (readonly Measured[])[]} ours @param {readonly (readonly Measured[])[]} theirs
 * @returns {import("./verdicts.mjs").Verdict[]}
 */
function judge(ours, theirs) {
  const entry = "sluice.sluice activate";
  const tasks = "sluice.sluice tasks";
  const empty = (/** @type {readonly (readonly Measured[])[]} */ rounds) =>
    figures(rounds, "bench.empty activate", "cpu").min;
  const cpu = (/** @type {readonly (readonly Measured[])[]} */ rounds, /** @type {string[]} */ ...names) =>
    // Less what the host itself does for any extension.
    names.reduce((sum, name) => sum + figures(rounds, name, "cpu").min, -empty(rounds));
  const bytes = [entry, tasks].reduce((sum, name) => sum + figures(ours, name, "bytes").median, 0);
  return [
    {
      what: "load and activation, median",
      today: figures(ours, entry, "ms").median,
      limit: limits.activation,
      unit: "ms",
    },
    {
      what: "load and activation: of an empty extension's CPU",
      today: figures(ours, entry, "cpu").min / empty(ours),
      limit: limits.empty,
      unit: "×",
    },
    {
      what: "activation and tasks: of one bundle's CPU",
      today: cpu(ours, entry, tasks) / cpu(theirs, entry, tasks),
      limit: limits.tasks,
      unit: "×",
    },
    { what: "evaluated before first use", today: bytes / 1000, limit: limits.evaluated, unit: "KB" },
  ];
}

/** @param {string} name @param {string[]} cells */
function row(name, ...cells) {
  console.log(`${name.padEnd(38)}${cells.map((text) => text.padStart(26)).join("")}`);
}

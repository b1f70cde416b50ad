// F5: measures what the start costs in a real extension host: time to load and activate, JavaScript evaluated, heap, idle CPU. The peer is an empty
// extension.
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { run as runProgram } from "../scripts/processes.mjs";
import { sampleWorkspace, temporaryFolder } from "../scripts/workspace.mjs";
import { openWindows } from "./window.mjs";

/** F5 has milliseconds to load and activate, times the CPU of an empty extension, which the host itself takes for any, and kilobytes. */
const limits = { activation: 30, empty: 7, evaluated: 250 };
const windows = 7;
const idle = 5000;

/** The first command of a part loads it. These commands do nothing here, because no row is selected and no answer is under way. */
const steps = [
  { name: "tasks", command: "sluice.task.showHidden" },
  { name: "tools", command: "sluice.task.copy" },
  { name: "chat", command: "sluice.chat.stop" },
];

/** @typedef {{ name: string, ms?: number, bytes?: number, heap?: number, cpu?: number }} Measured */

/** @param {string} home @param {Readonly<Record<string, unknown>>} manifest */
async function writeManifest(home, manifest) {
  await mkdir(home, { recursive: true });
  await writeFile(path.join(home, "package.json"), JSON.stringify(manifest));
}

/** Installs the packaged product, which is activated only when it is asked to be. @param {string} extensionsDir */
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

/** Returns what each window measured. @param {string} extensionsDir @param {string} empty */
async function measure(extensionsDir, empty) {
  const out = path.join(await temporaryFolder(), "measured.jsonl");
  const environment = {
    SLUICE_BENCH_START: JSON.stringify({ ids: ["bench.empty", "sluice.sluice"], out, steps, idle }),
  };
  // Without a key nothing is connected: the local gateway's process and the network are no part of the start.
  const settings = { "sluice.baseUrl": "https://gateway.invalid/v1" };
  const tests = path.resolve("bench", "start", "measure.cjs");
  const window = { folder: await sampleWorkspace(), development: empty, tests };
  await openWindows({ environment, settings, extensionsDir }, window, windows);
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

/** Makes the extensions that are compared, each in a folder of its own. */
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
  return { empty, product };
}

export async function run() {
  const { empty, product } = await install();
  const rounds = await measure(product, empty);
  console.log(`start: ${windows} windows; minimum / median / maximum`);
  for (const step of ["activate", "tasks", "tools", "chat"])
    for (const [figure, title] of /** @type {const} */ ([
      ["ms", "ms"],
      ["cpu", "ms CPU of the host's thread"],
      ["bytes", "bytes evaluated"],
      ["heap", "bytes of heap"],
    ]))
      console.log(`  ${`${step}, ${title}`.padEnd(38)}${spread(rounds, `sluice.sluice ${step}`, figure)}`);
  console.log(`  idle, ms CPU a second (whole host)    ${spread(rounds, "idle", "cpu")}`);
  console.log(`  an empty extension, ms CPU            ${spread(rounds, "bench.empty activate", "cpu")}`);
  return judge(rounds);
}

/**
 * A shared machine only ever makes it slower, so the best window counts for CPU time.
 * @param {readonly (readonly Measured[])[]} rounds
 * @returns {import("./verdicts.mjs").Verdict[]}
 */
function judge(rounds) {
  const entry = "sluice.sluice activate";
  const ms = figures(rounds, entry, "ms").median;
  const cpu = figures(rounds, entry, "cpu").min;
  const empty = figures(rounds, "bench.empty activate", "cpu").min;
  const bytes = [entry, "sluice.sluice tasks"].reduce((sum, name) => sum + figures(rounds, name, "bytes").median, 0);
  return [
    { what: "load and activation, median", today: ms, limit: limits.activation, unit: "ms" },
    { what: "load and activation: of an empty extension's CPU", today: cpu / empty, limit: limits.empty, unit: "×" },
    { what: "evaluated before first use", today: bytes / 1000, limit: limits.evaluated, unit: "KB" },
  ];
}

// Runs in the extension host: activates the measured extensions and the empty one, uses ours for the first time, and writes what each step cost.
const { appendFileSync, existsSync, readFileSync, statSync } = require("node:fs");
const { registerHooks } = require("node:module");
const { setTimeout: delay } = require("node:timers/promises");
const { fileURLToPath } = require("node:url");
const { setFlagsFromString } = require("node:v8");
const { runInNewContext } = require("node:vm");
const vscode = require("vscode");

/** @type {{ ids: string[], out: string, steps: { name: string, command: string }[], idle: number }} */
const { ids, out, steps, idle } = JSON.parse(process.env["SLUICE_BENCH_START"] ?? "{}");
/** Only the first window counts bytes and heap, because the hook and the collections would disturb the times of the others. */
const isCounting = !existsSync(out) || readFileSync(out, "utf8") === "";

/** Bytes of JavaScript that were evaluated, by the folder of the extension. @type {Map<string, number>} */
const evaluated = new Map();
function countBytes() {
  registerHooks({
    load(url, context, next) {
      const file = url.startsWith("file:") ? fileURLToPath(url) : "";
      for (const folder of evaluated.keys())
        if (file.startsWith(folder)) evaluated.set(folder, (evaluated.get(folder) ?? 0) + statSync(file).size);
      return next(url, context);
    },
  });
}

function collect() {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}

/** Waits until the host has nothing else to do, because other extensions start too. */
async function settle() {
  for (;;) {
    const before = performance.eventLoopUtilization();
    await delay(300);
    if (performance.eventLoopUtilization(before).utilization < 0.03) return;
  }
}

/** @param {string} name @param {string} folder @param {() => PromiseLike<unknown>} work */
async function measure(name, folder, work) {
  const heap = isCounting ? collect() : 0;
  const bytes = evaluated.get(folder) ?? 0;
  await settle();
  const [begun, used] = [performance.now(), process.threadCpuUsage()];
  await work();
  const [ms, { user, system }] = [performance.now() - begun, process.threadCpuUsage(used)];
  if (!isCounting) return { name, ms, cpu: (user + system) / 1000 };
  await delay(500);
  return { name, bytes: (evaluated.get(folder) ?? 0) - bytes, heap: collect() - heap };
}

exports.run = async function run() {
  if (isCounting) countBytes();
  const results = [];
  for (const id of ids) {
    const extension = vscode.extensions.getExtension(id);
    if (!extension || extension.isActive) throw new Error(`${id} is ${extension ? "active already" : "not installed"}`);
    evaluated.set(extension.extensionPath, 0);
    results.push(await measure(`${id} activate`, extension.extensionPath, () => extension.activate()));
    if (id !== "sluice.sluice") continue;
    for (const { name, command } of steps)
      results.push(
        await measure(`${id} ${name}`, extension.extensionPath, () => vscode.commands.executeCommand(command)),
      );
  }
  if (isCounting) {
    await settle();
    const before = process.cpuUsage();
    await delay(idle);
    const { user, system } = process.cpuUsage(before);
    results.push({ name: "idle", cpu: (user + system) / 1000 / (idle / 1000) });
  }
  appendFileSync(out, `${JSON.stringify(results)}\n`);
};

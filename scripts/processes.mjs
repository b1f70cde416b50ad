// Starts child processes and ends their whole trees when this process ends, however that happens.
import { spawn, spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";

const windows = process.platform === "win32";

/** @type {Set<number>} pids of the running process groups. */
const trees = new Set();
/** @type {(() => Promise<unknown>)[]} run before this process exits, last registered first. */
const farewells = [];
let leaving = false;

/**
 * The Node binary of the `node` package (24), independent of the machine's own.
 * @returns {string}
 */
export function projectNode() {
  return path.resolve("node_modules", "node", "bin", windows ? "node.exe" : "node");
}

/**
 * The environment without the variables that npm and an outer VS Code add for their children.
 * @param {Record<string, string | undefined>} [more]
 * @returns {Record<string, string>}
 */
export function plainEnvironment(more = {}) {
  /** @type {Record<string, string>} */
  const plain = {};
  for (const [name, value] of Object.entries({ ...process.env, ...more })) {
    if (value === undefined || (/^(npm_|VSCODE_|NODE_OPTIONS$|ELECTRON_RUN_AS_NODE$)/i.test(name) && !(name in more)))
      continue;
    plain[name] = /^path$/i.test(name)
      ? value
          .split(path.delimiter)
          .filter((entry) => !/node_modules[\\/](\.bin|npm[\\/]|@npmcli[\\/])/.test(entry))
          .join(path.delimiter)
      : value;
  }
  return plain;
}

/**
 * Runs a program to its end.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, quiet?: boolean, shell?: boolean, toStderr?: boolean, meter?: (text: string) => void }} [options]
 *   `quiet` captures the output; `toStderr` sends the child's stdout to our stderr; `meter` is called with what the child writes to descriptor 3.
 * @returns {Promise<{ code: number, output: string }>} a killed child has code 1
 */
export function run(command, args, options = {}) {
  const { quiet = false, toStderr = false, meter, ...rest } = options;
  // While leaving, nothing new is started and no caller is resumed.
  if (leaving) return new Promise(() => undefined);
  return new Promise((resolve, reject) => {
    const child = startTree(command, args, {
      ...rest,
      stdio: [
        "ignore",
        quiet ? "pipe" : toStderr ? 2 : "inherit",
        quiet ? "pipe" : "inherit",
        meter ? "pipe" : "ignore",
      ],
    });
    let output = "";
    child.stdout?.setEncoding("utf8").on("data", (text) => (output += String(text)));
    child.stderr?.setEncoding("utf8").on("data", (text) => (output += String(text)));
    child.stdio[3]?.on("data", (bytes) => meter?.(String(bytes)));
    child.on("error", reject);
    child.on("close", (code) => !leaving && resolve({ code: code ?? 1, output }));
  });
}

/**
 * Runs Node with these arguments to its end, and measures it.
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, quiet?: boolean }} [options]
 * @returns {Promise<{ code: number, output: string, cpu: number }>} `cpu`: seconds of the whole tree; 0 where the system does not report it
 */
export async function runMeasured(args, options = {}) {
  let spent = "";
  const { code, output } = await run(process.execPath, [path.resolve("scripts", "cpuMeter.mjs"), ...args], {
    ...options,
    meter: (text) => (spent += text),
  });
  return { code, output, cpu: Number(spent) };
}

/**
 * Starts a program as leader of its own process group, which is ended when this process ends.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import("node:child_process").SpawnOptions} options
 */
export function startTree(command, args, options) {
  const child = spawn(command, args, { ...options, detached: !windows });
  const { pid } = child;
  if (pid !== undefined) {
    trees.add(pid);
    // The group may outlive its leader; then it stays registered, and stopTree or leave ends it.
    child.once("exit", () => members(pid, []).length === 0 && trees.delete(pid));
  }
  return child;
}

/**
 * Ends a tree with SIGTERM, then SIGKILL.
 * @param {number | undefined} pid
 * @param {number} [patience] milliseconds before SIGKILL
 */
export async function stopTree(pid, patience = 4000) {
  if (pid === undefined || !trees.has(pid)) return;
  const family = signalTree(pid, "SIGTERM");
  const deadline = Date.now() + patience;
  while (members(pid, family).length > 0 && Date.now() < deadline) await new Promise((next) => setTimeout(next, 25));
  if (members(pid, family).length > 0) signalTree(pid, "SIGKILL", family);
  trees.delete(pid);
}

/**
 * The pids of a tree that are alive: its group, and former descendants that left the group.
 * @param {number} pid
 * @param {readonly number[]} family
 */
function members(pid, family) {
  return [windows ? pid : -pid, ...family].filter(isAlive);
}

/**
 * @param {number} pid negative for a process group
 * @returns {boolean}
 */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch {
    return false;
  }
}

/** @param {number} pid a zombie holds no files or ports */
function isZombie(pid) {
  if (process.platform !== "linux" || pid < 0) return false;
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return true;
  }
}

/**
 * @param {number} pid
 * @param {"SIGTERM" | "SIGKILL"} signal
 * @param {readonly number[]} [known]
 * @returns {number[]} all descendants: terminals lead groups of their own, so the group alone is not enough.
 */
function signalTree(pid, signal, known = []) {
  if (windows) {
    spawnSync("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore" });
    return [];
  }
  const family = [...new Set([...known, ...descendants(pid)])];
  for (const one of [-pid, ...family]) {
    try {
      process.kill(one, signal);
    } catch {
      // It has exited already.
    }
  }
  return family;
}

/**
 * @param {number} ancestor
 * @returns {number[]} the children of a process, theirs, and so on
 */
export function descendants(ancestor) {
  const table = processTable();
  /** @type {number[]} */
  const found = [];
  for (const open = [ancestor]; open.length > 0;) {
    const parent = open.pop();
    for (const one of table) {
      if (one.parent === parent && !found.includes(one.pid)) {
        found.push(one.pid);
        open.push(one.pid);
      }
    }
  }
  return found;
}

/**
 * Every process with its parent. Slim Linux images have no `ps`, so /proc is read there.
 * @returns {{ pid: number, parent: number }[]}
 */
function processTable() {
  if (process.platform !== "linux") {
    const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
    return (stdout ?? "")
      .split("\n")
      .map((line) => line.trim().split(/\s+/).map(Number))
      .map(([pid = 0, parent = 0]) => ({ pid, parent }));
  }
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const status = readFileSync(`/proc/${name}/status`, "utf8");
        return [{ pid: Number(name), parent: Number(/^PPid:\s+(\d+)/m.exec(status)?.[1] ?? 0) }];
      } catch {
        return [];
      }
    });
}

/**
 * Registers a function to run before this process exits for any reason but SIGKILL.
 * @param {() => Promise<unknown>} farewell
 */
export function beforeLeaving(farewell) {
  farewells.push(farewell);
}

/**
 * Ends all started processes, then this one.
 * @param {number} code
 */
export async function leave(code) {
  if (leaving) return;
  leaving = true;
  for (const farewell of farewells.reverse()) await farewell().catch(() => undefined);
  await Promise.all([...trees].map((pid) => stopTree(pid)));
  process.exit(code);
}

/** Routes SIGINT, SIGTERM, SIGHUP and the end of a parent that re-ran this script through `leave`. */
export function leaveOnSignals() {
  process.on("SIGINT", () => void leave(130));
  process.on("SIGTERM", () => void leave(143));
  process.on("SIGHUP", () => void leave(129));
  if (process.channel) {
    process.on("disconnect", () => void leave(143));
    process.channel.unref();
  }
  // The reader of our output is gone (`npm test | head`).
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => void leave(1));
  process.on("uncaughtException", (error) => {
    if (!leaving) console.error(error);
    void leave(1);
  });
}

/** Leaves when npm ends: it ends the shell between the two, at most, and passes no signal on. */
export function leaveWithNpm() {
  if (process.env["npm_lifecycle_event"] === undefined) return;
  const shell = process.ppid;
  const starters = [shell, processTable().find(({ pid }) => pid === shell)?.parent ?? shell];
  const watch = setInterval(() => {
    if (process.ppid === shell && starters.every(isAlive)) return;
    clearInterval(watch);
    void leave(143);
  }, 300);
  watch.unref();
}

// Last resort: an exit handler can't wait, so SIGKILL at once.
process.on("exit", () => {
  for (const pid of trees) signalTree(pid, "SIGKILL");
});

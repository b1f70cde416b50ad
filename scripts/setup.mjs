// Sets a fresh machine up: dependencies, Node 24 from them, a VS Code server, Chromium. Imports only Node's own modules, because it runs before anything is installed.
import { createHash, randomUUID } from "node:crypto";
import { existsSync, lstatSync, readFileSync, rmSync, statSync } from "node:fs";
import { access, constants, cp, mkdir, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { spawn } from "node:child_process";
import { pathToFileURL } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { isAlive, leave, leaveOnSignals, projectNode, run } from "./processes.mjs";

const windows = process.platform === "win32";
const newest = "4.139.1";
/** VS Code 1.106 runs on the Node that it was made for: on Node 24 its extension host hangs at its start. */
const floor = { codeServer: "4.106.3", node: "22.23.3" };

/** Prints progress to stderr; stdout is for results. @param {string} text */
export function say(text) {
  process.stderr.write(`${text}\n`);
}

/**
 * Installs the dependencies, then runs the calling script again on the project's own Node unless it already runs on it.
 * @param {string} script the caller's `import.meta.filename`
 * @returns {Promise<void>} settles only in the process that does the work
 */
export async function onProjectNode(script) {
  process.chdir(path.join(path.dirname(script), ".."));
  leaveOnSignals();
  await ensureDependencies();
  const own = projectNode();
  if (process.execPath === own || Number(process.versions.node.split(".")[0]) >= 24) return;
  // The IPC channel closes when this process ends, also by SIGKILL. Commands that tests run find this Node, as below `npm run`.
  const child = spawn(own, [script, ...process.argv.slice(2)], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: { ...process.env, PATH: [path.dirname(own), process.env["PATH"] ?? ""].join(path.delimiter) },
  });
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    process.removeAllListeners(signal);
    process.on(signal, () => child.kill(signal));
  }
  await new Promise((_, reject) => {
    child.on("error", reject);
    child.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 143)));
  });
}

/** Runs `npm ci` when node_modules is missing or belongs to another package-lock.json. */
async function ensureDependencies() {
  const hash = createHash("sha256").update(readFileSync("package-lock.json")).digest("hex");
  const stamp = path.join("node_modules", ".sluice-installed");
  const seen = existsSync(stamp) ? readFileSync(stamp, "utf8").trim() : undefined;
  if (existsSync(projectNode()) && (seen === hash || installedByHand())) {
    if (seen !== hash) await writeFile(stamp, hash);
    return;
  }
  // `npm ci` empties the folder first. Through a link it would empty a folder that others use too.
  if (lstatSync("node_modules", { throwIfNoEntry: false })?.isSymbolicLink()) {
    await giveUp(
      "node_modules is a link to a folder that belongs to another package-lock.json. Run npm ci there, or remove the link.",
    );
  }
  say("Installing the dependencies (npm ci) …");
  rmSync(stamp, { force: true });
  await npm(["ci", "--no-audit", "--no-fund", "--loglevel=error"], ".");
  if (!existsSync(projectNode())) {
    await giveUp("npm installed no Node 24 (its install script was not run). Run: npm ci --ignore-scripts=false");
  }
  await writeFile(stamp, hash);
}

/** True when npm's record in node_modules is newer than the lockfile: `npm install` or `npm ci` was run by hand. */
function installedByHand() {
  const record = path.join("node_modules", ".package-lock.json");
  return existsSync(record) && statSync(record).mtimeMs >= statSync("package-lock.json").mtimeMs;
}

/**
 * A VS Code that tests can start.
 * @typedef {object} VsCodeInstall
 * @property {string} server the folder with `out/server-main.js`
 * @property {string} node the Node to run it with
 */

/**
 * The VS Code that the tests and `npm start` use: server and web workbench, already built, from npm.
 * @returns {Promise<VsCodeInstall>}
 */
export async function ensureVsCode() {
  return { server: await ensureCodeServer(newest), node: projectNode() };
}

/**
 * The oldest VS Code that `engines` in package.json promises.
 * @returns {Promise<VsCodeInstall>}
 */
export async function ensureFloor() {
  return { server: await ensureCodeServer(floor.codeServer), node: await ensureNode(floor.node) };
}

/** @param {string} release of code-server: 4.106 carries VS Code 1.106 */
async function ensureCodeServer(release) {
  const home = await ensureInCache(
    `code-server-${release}`,
    `VS Code (code-server ${release}, about 600 MB)`,
    async (fresh) => {
      // Its install script compiles native modules that no test needs, so nothing is run at install.
      const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
      await npm(["install", `code-server@${release}`, "--save-exact", ...quiet], fresh);
      const server = path.join(fresh, serverInPackage);
      await useRegistryOnly(server);
      await npm(["install", "--omit=dev", ...quiet], server);
    },
  );
  return path.join(home, serverInPackage);
}

const serverInPackage = path.join("node_modules", "code-server", "lib", "vscode");

/**
 * code-server 4.106 takes `@parcel/watcher` from a git address. The same version is on npm, which machines without access to GitHub reach. Its entry
 * in the shrinkwrap goes, because it leaves out the packages with the built module, without which VS Code reports no change of a file.
 * @param {string} server
 */
async function useRegistryOnly(server) {
  const name = "@parcel/watcher";
  const shrinkwrap = await readJson(path.join(server, "npm-shrinkwrap.json"));
  const locked = shrinkwrap.packages[`node_modules/${name}`];
  if (!locked?.resolved?.startsWith("git")) return;
  delete shrinkwrap.packages[`node_modules/${name}`];
  shrinkwrap.packages[""].dependencies[name] = locked.version;
  const manifest = await readJson(path.join(server, "package.json"));
  manifest.dependencies[name] = locked.version;
  await writeFile(path.join(server, "npm-shrinkwrap.json"), JSON.stringify(shrinkwrap));
  await writeFile(path.join(server, "package.json"), JSON.stringify(manifest));
}

/**
 * @param {string} file
 * @returns {Promise<any>}
 */
async function readJson(file) {
  return JSON.parse(await readFile(file, "utf8"));
}

/**
 * @param {string} version
 * @returns {Promise<string>} the program
 */
async function ensureNode(version) {
  const home = await ensureInCache(`node-${version}`, `Node ${version}`, async (fresh) => {
    await npm(["install", `node@${version}`, "--save-exact", "--no-audit", "--no-fund", "--loglevel=error"], fresh);
  });
  return path.join(home, "node_modules", "node", "bin", windows ? "node.exe" : "node");
}

/**
 * The packages that a folder's package.json and package-lock.json name, in a copy of that folder.
 * @param {string} folder
 * @param {string} what for the person who waits
 * @returns {Promise<string>} the copy, with `node_modules`
 */
export async function ensurePackages(folder, what) {
  const lock = await readFile(path.join(folder, "package-lock.json")).catch(() => undefined);
  const wanted = lock ?? (await readFile(path.join(folder, "package.json")));
  const hash = createHash("sha256").update(wanted).digest("hex").slice(0, 8);
  return await ensureInCache(`${path.basename(folder)}-${hash}`, what, async (fresh) => {
    await cp(folder, fresh, { recursive: true });
    await npm([lock ? "ci" : "install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], fresh);
    // Node looks a package up from the module that imports it.
    await writeFile(path.join(fresh, "importHere.mjs"), "export const importHere = (name) => import(name);\n");
  });
}

/**
 * Imports a package and resolves with what it exports.
 * @param {string} home as of `ensurePackages`
 * @param {string} name
 * @returns {Promise<any>}
 */
export async function importFrom(home, name) {
  const { importHere } = await import(pathToFileURL(path.join(home, "importHere.mjs")).href);
  return await importHere(name);
}

/**
 * @param {string} name of its folder in the cache
 * @param {string} what for the person who waits
 * @param {(fresh: string) => Promise<void>} install into an empty npm package
 * @returns {Promise<string>} the folder
 */
async function ensureInCache(name, what, install) {
  const cache = path.resolve(".vscode-test");
  const home = path.join(cache, name);
  const stamp = path.join(home, "complete.json");
  if (existsSync(stamp)) return home;
  say(`Installing ${what} from npm into .vscode-test …`);
  await mkdir(cache, { recursive: true });
  // An interrupted install may have left folders behind, which are removed here.
  for (const entry of await readdir(cache)) {
    if (entry.startsWith(".installing-") && !isAlive(Number(entry.split("-")[1])))
      await remove(path.join(cache, entry));
  }
  // The folder has a temporary name until it is complete.
  const fresh = path.join(cache, `.installing-${process.pid}-${randomUUID().slice(0, 8)}`);
  await mkdir(fresh);
  await writeFile(path.join(fresh, "package.json"), JSON.stringify({ private: true, allowScripts: { node: true } }));
  await install(fresh);
  await writeFile(path.join(fresh, "complete.json"), JSON.stringify({ name }));
  if (existsSync(home) && !existsSync(stamp)) await remove(home);
  // Another process may have installed the same meanwhile. Its copy is used then.
  await rename(fresh, home).catch(() => remove(fresh));
  if (!existsSync(stamp)) await giveUp(`${what} could not be put into ${home}.`);
  return home;
}

/** @param {string} folder */
const remove = (folder) => rm(folder, { recursive: true, force: true, maxRetries: 3 });

/**
 * Finds a Chromium, Chrome or Edge on this machine. Where there is none, one is installed: as root on Debian from the distribution, otherwise
 * on Linux from npm.
 * @returns {Promise<string>} the program
 */
export async function ensureChromium() {
  const found = await findChromium();
  if (found) return found;
  if (await isDebianRoot()) {
    say("Installing Chromium from the distribution (apt-get) …");
    let trouble = (await aptGet("update")).output;
    for (const name of ["chromium-headless-shell", "chromium"]) {
      const { output } = await aptGet("install", "-y", "--no-install-recommends", name);
      const installed = await findChromium();
      if (installed) return installed;
      trouble += output;
    }
    say(trouble);
  }
  if (process.platform === "linux" && process.arch === "x64") return await ensureChromiumOfNpm();
  return await giveUp(
    "The tests need a Chromium browser: install Chromium, Google Chrome or Microsoft Edge, or set CHROMIUM to the path of one.",
  );
}

/**
 * Installs a headless Chromium whose program lies in a package of npm, so that no rights on the machine are needed.
 * @returns {Promise<string>} the program
 */
async function ensureChromiumOfNpm() {
  const release = "153.0.0";
  const home = await ensureInCache(`chromium-${release}`, `Chromium ${release}`, async (fresh) => {
    const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    await npm(["install", `@sparticuz/chromium@${release}`, "--save-exact", ...quiet], fresh);
    const packed = path.join(fresh, "node_modules", "@sparticuz", "chromium", "bin");
    /** @param {string} name */
    const unpacked = async (name) => brotliDecompressSync(await readFile(path.join(packed, `${name}.br`)));
    // The package also has libraries that a slim system lacks, and those that draw without a graphics card.
    for (const name of ["al2023.tar", "swiftshader.tar"]) {
      const archive = path.join(fresh, name);
      await writeFile(archive, await unpacked(name));
      await run("tar", ["-xf", archive, "-C", fresh]);
      await remove(archive);
    }
    await writeFile(path.join(fresh, "chromium"), await unpacked("chromium"), { mode: 0o755 });
    const start = 'here=$(dirname "$0"); LD_LIBRARY_PATH="$here/lib" exec "$here/chromium" --no-sandbox "$@"';
    await remove(path.join(fresh, "node_modules"));
    await writeFile(path.join(fresh, "start"), `#!/bin/sh\n${start}\n`, { mode: 0o755 });
  });
  return path.join(home, "start");
}

/** Installs bubblewrap, the sandbox of commands on Linux, as root on Debian. Where it is missing its tests are skipped, which they report. */
export async function ensureSandbox() {
  if (process.platform !== "linux" || (await findOnPath("bwrap"))) return;
  if (await isDebianRoot()) {
    say("Installing bubblewrap from the distribution (apt-get) …");
    await aptGet("update");
    await aptGet("install", "-y", "--no-install-recommends", "bubblewrap");
  }
  if (!(await findOnPath("bwrap")))
    say("NOT PROVEN: the sandbox of commands. There is no bubblewrap (bwrap): install it.");
}

async function isDebianRoot() {
  const release = await readFile("/etc/os-release", "utf8").catch(() => "");
  return process.getuid?.() === 0 && /^ID(_LIKE)?=.*debian/m.test(release);
}

/** @type {Promise<unknown>} */
let lastAptGet = Promise.resolve();

/** Runs one command at a time: a second one fails at the lock of the first. Another program's lock is waited for. @param {readonly string[]} args */
async function aptGet(...args) {
  const answer = lastAptGet.then(() => runAptGet(args));
  lastAptGet = answer.catch(() => undefined);
  return await answer;
}

/** @param {readonly string[]} args */
async function runAptGet(args) {
  return await run("apt-get", ["-qq", "-o", "DPkg::Lock::Timeout=300", ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    quiet: true,
  });
}

/** @returns {Promise<string | undefined>} */
async function findChromium() {
  const named = process.env["CHROMIUM"];
  if (named) return (await isProgram(named)) ? named : giveUp(`CHROMIUM is set to ${named}, which is no program.`);
  // The headless shell comes first: it draws no browser around the page, which is a fifth of the work.
  const shells = ["chromium-headless-shell", "chrome-headless-shell"];
  const browsers = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "microsoft-edge",
    "chrome",
  ];
  const apps = ["Google Chrome", "Chromium", "Microsoft Edge"];
  const places = windows
    ? ["ProgramFiles", "ProgramFiles(x86)", "LocalAppData"]
        .flatMap((name) => process.env[name] ?? [])
        .flatMap((base) =>
          ["Google\\Chrome", "Chromium", "Microsoft\\Edge"].flatMap((app) => [
            path.join(base, app, "Application", "chrome.exe"),
            path.join(base, app, "Application", "msedge.exe"),
          ]),
        )
    : process.platform === "darwin"
      ? ["/Applications", path.join(os.homedir(), "Applications")].flatMap((base) =>
          apps.map((app) => path.join(base, `${app}.app`, "Contents", "MacOS", app)),
        )
      : ["/opt/google/chrome/chrome"];
  for (const name of [...shells, ...browsers]) {
    const onPath = await findOnPath(name);
    if (onPath) return onPath;
  }
  for (const place of places) if (await isProgram(place)) return place;
  return undefined;
}

/**
 * @param {string} name
 * @returns {Promise<string | undefined>} the first program of that name on the PATH
 */
export async function findOnPath(name) {
  const endings = windows ? [".exe", ".cmd"] : [""];
  for (const folder of (process.env["PATH"] ?? "").split(path.delimiter).filter(Boolean)) {
    for (const ending of endings) {
      const file = path.join(folder, name + ending);
      if (await isProgram(file)) return file;
    }
  }
  return undefined;
}

/** @param {string} file */
async function isProgram(file) {
  return access(file, windows ? constants.F_OK : constants.X_OK).then(
    () => statSync(file).isFile(),
    () => false,
  );
}

/**
 * Runs the npm that started this script, else the one on the PATH.
 * @param {readonly string[]} args
 * @param {string} cwd
 */
async function npm(args, cwd) {
  const { code } = await runNpm(args, cwd);
  if (code !== 0) await giveUp(`npm ${args[0]} failed in ${path.resolve(cwd)} (exit code ${code}).`);
}

/** Whether the registry of packages answers. */
export async function reachesNpm() {
  const { code } = await runNpm(["view", "node", "version", "--loglevel=silent"], ".");
  return code === 0;
}

/**
 * @param {readonly string[]} args
 * @param {string} cwd
 */
async function runNpm(args, cwd) {
  const cli = process.env["npm_execpath"];
  return cli && /npm-cli\.c?js$/.test(cli)
    ? await run(process.execPath, [cli, ...args], { cwd, toStderr: true })
    : await run("npm", args, { cwd, toStderr: true, shell: windows });
}

/**
 * @param {string} reason
 * @returns {Promise<never>}
 */
async function giveUp(reason) {
  say(reason);
  await leave(1);
  throw new Error(reason);
}

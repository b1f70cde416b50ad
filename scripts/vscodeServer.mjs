// Starts a real VS Code server on 127.0.0.1 with fresh data; it ends with this process. `npm start` and the tests use it.
import { createWriteStream } from "node:fs";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { plainEnvironment, run, startTree, stopTree } from "./processes.mjs";
import { ensureFloor, ensureVsCode, say } from "./setup.mjs";
import { temporaryFolder } from "./workspace.mjs";

/** Settings that turn off the welcome page, the second side bar, telemetry and updates. */
const quietSettings = {
  "workbench.startupEditor": "none",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.tips.enabled": false,
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "git.openRepositoryInParentFolders": "never",
};

/**
 * @typedef {object} ServerOptions
 * @property {Readonly<Record<string, unknown>>} [settings] User settings in addition to the quiet ones
 * @property {boolean} [floor] the oldest VS Code that is supported instead of the newest
 * @property {boolean} [trusted] false: VS Code asks before it trusts the folder (default true)
 * @property {string} [dataDir] kept afterwards; by default a temporary folder that is removed
 * @property {string} [extensionsDir] where installed extensions lie; by default an empty folder in `dataDir`
 * @property {string} [connectionToken] required of each browser; for a server that runs while a person browses elsewhere
 * @property {boolean} [driver] false: without the smoke-test driver, which hides notification toasts but is needed for an opening's `development` and `tests` (default true)
 * @property {Readonly<Record<string, string>>} [environment] additional variables for the extension host
 * @property {string} [log] a file for the server's output
 *
 * @typedef {object} Opening
 * @property {string} [folder] the workspace: a folder, a `.code-workspace` file, or the URI of a folder on no disk; by default none
 * @property {string} [development] the extension under development
 * @property {string} [tests] a module that exports `run`, to be called in the extension host
 *
 * @typedef {object} VsCodeServer
 * @property {number} port
 * @property {number} pid
 * @property {string} dataDir
 * @property {string} extensionsDir
 * @property {(opening: Opening) => string} url
 * @property {Promise<void>} ended settles when the server has exited
 * @property {() => Promise<void>} stop ends the server with all its children
 */

/**
 * Starts a server and waits until it responds.
 * @param {ServerOptions} [options]
 * @returns {Promise<VsCodeServer>}
 */
export async function startVsCodeServer(options = {}) {
  const { trusted = true, driver = true, connectionToken } = options;
  const dataDir = options.dataDir ?? (await temporaryFolder());
  const extensionsDir = options.extensionsDir ?? path.join(dataDir, "extensions");
  await mkdir(extensionsDir, { recursive: true });
  await writeSettings(path.join(dataDir, "data"), options.settings);
  const install = await (options.floor ? ensureFloor() : ensureVsCode());
  const server = startTree(
    install.node,
    [
      path.join(install.server, "out", "server-main.js"),
      "--host",
      "127.0.0.1",
      "--port",
      "0",
      ...(connectionToken === undefined ? ["--without-connection-token"] : ["--connection-token", connectionToken]),
      "--accept-server-license-terms",
      "--telemetry-level",
      "off",
      // Otherwise the extension host waits for a login shell of the machine's user, whose variables would decide what tests see.
      "--force-disable-user-env",
      ...(driver ? ["--enable-smoke-test-driver"] : []),
      ...(trusted ? ["--disable-workspace-trust"] : []),
      "--server-data-dir",
      dataDir,
      "--extensions-dir",
      extensionsDir,
    ],
    { cwd: dataDir, env: plainEnvironment(options.environment), stdio: ["ignore", "pipe", "pipe"] },
  );
  const stop = () => stopTree(server.pid);
  /** @type {Promise<void>} */
  const ended = new Promise((resolve) => server.once("exit", () => resolve()));
  try {
    const port = await listening(server, options.log);
    const origin = `http://127.0.0.1:${port}`;
    const url = (/** @type {Opening} */ opening) => address(origin, opening, connectionToken);
    await answer(url({ folder: dataDir }));
    return { port, pid: server.pid ?? 0, dataDir, extensionsDir, url, ended, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * User settings under a user data folder.
 * @param {string} userData
 * @param {Readonly<Record<string, unknown>>} [settings]
 */
export async function writeSettings(userData, settings = {}) {
  await mkdir(path.join(userData, "User"), { recursive: true });
  const text = JSON.stringify({ ...quietSettings, ...settings }, undefined, 2);
  await writeFile(path.join(userData, "User", "settings.json"), text);
  // Settings of machine scope are read from the server's own file when the window is a browser. Sluice's settings are the person's.
  await mkdir(path.join(userData, "Machine"), { recursive: true });
  const ofMachine = Object.entries({ ...quietSettings, ...settings }).filter(([id]) => !id.startsWith("sluice."));
  await writeFile(
    path.join(userData, "Machine", "settings.json"),
    JSON.stringify(Object.fromEntries(ofMachine), undefined, 2),
  );
}

/**
 * Installs a packaged extension where a server started with the same `extensionsDir` finds it.
 * @param {string} vsix
 * @param {string} extensionsDir
 * @returns {Promise<string>} the installer's output
 */
export async function installExtension(vsix, extensionsDir) {
  const install = await ensureVsCode();
  const entry = path.join(install.server, "out", "server-main.js");
  const places = ["--extensions-dir", extensionsDir, "--server-data-dir", await temporaryFolder()];
  const { code, output } = await run(
    install.node,
    [entry, "--accept-server-license-terms", "--install-extension", vsix, ...places],
    { quiet: true, env: plainEnvironment() },
  );
  if (code !== 0) throw new Error(`Installing ${vsix} failed with exit code ${code}:\n${output}`);
  return output;
}

/**
 * Installs the project's current build, for a server without the driver. Copies instead of links: the extension host maps modules to extensions
 * by real path, and VS Code may write to an installed manifest.
 * @param {string} extensionsDir of a server that was not started yet
 */
export async function installBuild(extensionsDir) {
  /** @type {{ publisher: string, name: string, version: string }} */
  const { publisher, name, version } = JSON.parse(await readFile("package.json", "utf8"));
  const home = path.join(extensionsDir, `${publisher}.${name}-${version}`);
  const tests = path.join("dist", "test");
  const texts = (await readdir(".")).filter((name) => name.startsWith("package.nls"));
  for (const part of ["package.json", ...texts, "l10n", "media", "dist"])
    await cp(part, path.join(home, part), { recursive: true, filter: (file) => file !== tests });
}

/**
 * @param {string} origin
 * @param {Opening} opening
 * @param {string | undefined} token
 */
function address(origin, opening, token) {
  const remote = (/** @type {string} */ file) =>
    `vscode-remote://${new URL(origin).host}${pathToFileURL(path.resolve(file)).pathname}`;
  const payload = [
    ...(opening.development === undefined ? [] : [["extensionDevelopmentPath", remote(opening.development)]]),
    ...(opening.tests === undefined ? [] : [["extensionTestsPath", remote(opening.tests)]]),
    ["skipWelcome", "true"],
  ];
  const url = new URL(origin);
  // VS Code expects the folder unescaped and the payload's addresses escaped.
  if (opening.folder === undefined) url.searchParams.set("ew", "true");
  else if (/^[a-z][a-z-]+:\//.test(opening.folder)) url.searchParams.set("folder", opening.folder);
  else {
    const kind = opening.folder.endsWith(".code-workspace") ? "workspace" : "folder";
    url.searchParams.set(kind, decodeURIComponent(pathToFileURL(path.resolve(opening.folder)).pathname));
  }
  url.searchParams.set("payload", JSON.stringify(payload));
  if (token !== undefined) url.searchParams.set("tkn", token);
  return url.href.replaceAll("+", "%20");
}

/**
 * @param {import("node:child_process").ChildProcess} server
 * @param {string | undefined} log
 * @returns {Promise<number>} the port that the system assigned
 */
function listening(server, log) {
  const { stdout, stderr } = server;
  if (!stdout || !stderr) throw new Error("The server has no output.");
  const file = log === undefined ? undefined : createWriteStream(log, { flags: "a" });
  /** @type {string[]} */
  const said = [];
  return new Promise((resolve, reject) => {
    const fail = (/** @type {unknown} */ why) =>
      reject(new Error(`VS Code's server did not start (${String(why)}):\n${said.join("\n")}`));
    // A busy machine may take minutes, so only the end of the server is a failure.
    const late = setTimeout(() => say(`VS Code's server has not begun to listen in 60 s:\n${said.join("\n")}`), 60_000);
    const read = (/** @type {string} */ line) => {
      file?.write(`${line}\n`);
      if (said.length < 100) said.push(line);
      const port = /agent listening on (\d+)/.exec(line)?.[1];
      if (port === undefined) return;
      clearTimeout(late);
      resolve(Number(port));
    };
    createInterface({ input: stdout }).on("line", read);
    createInterface({ input: stderr }).on("line", read);
    server.on("error", fail);
    server.on("exit", (code, signal) => {
      clearTimeout(late);
      fail(`exit ${String(code ?? signal)}`);
      file?.end();
    });
  });
}

/** @param {string} url */
async function answer(url) {
  const response = await fetch(url, { redirect: "manual" });
  await response.body?.cancel();
  if (response.status >= 400) throw new Error(`VS Code's server answered ${response.status} on its own address.`);
}

// Runs test/host in a real extension host: `host` in the server from the cache with a Chromium, `floor` in the oldest one, `desktop` in the desktop's
// VS Code. The second argument is a folder for logs and for a picture of what went wrong.
import { createWriteStream } from "node:fs";
import { cp, mkdir } from "node:fs/promises";
import path from "node:path";
import { format } from "node:util";
import { launchBrowser } from "./browser.mjs";
import { leave, leaveOnSignals } from "./processes.mjs";
import { startVsCodeServer, writeSettings } from "./vscodeServer.mjs";
import { sampleWorkspace, temporaryFolder } from "./workspace.mjs";

/** Prefix of the lines that mocha prints, among everything that the workbench logs. */
const mark = "[mocha]";
const development = path.resolve(".");
const tests = path.resolve("dist", "test", "host", "index.cjs");

/** Milliseconds after which the whole run is ended, because a host may hang. On a busy machine the tests take ten minutes. */
const limit = 1_800_000;

leaveOnSignals();
const [suite = "host", evidence = path.join("test-results", suite)] = process.argv.slice(2);
await leave(suite === "desktop" ? await runOnDesktop() : await runInServer(suite === "floor"));

/**
 * @param {boolean} floor in the oldest VS Code that is supported
 * @returns {Promise<number>} the exit code of the run
 */
async function runInServer(floor) {
  await mkdir(evidence, { recursive: true });
  const folder = await sampleWorkspace();
  // Until a page is there, nothing could be pictured.
  /** @type {(code: number) => void} */
  let settle = (code) => void leave(code);
  const late = setTimeout(() => {
    console.log(`The extension host's tests did not end within ${limit / 1000} s.`);
    settle(1);
  }, limit);
  const server = await startVsCodeServer({
    floor,
    extensionsDir: await extensionsOfOthers(),
    environment: { SLUICE_TEST_MARK: mark, SLUICE_TIMES: JSON.stringify({ speed: 20 }) },
    // The machine may have a sandbox or not. A task of the local gateway takes a second instead of fifteen.
    settings: { "sluice.sandbox": false },
    log: path.join(evidence, "server.log"),
  });
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    // The workbench logs through this function: mocha's lines are printed, everything goes to a file.
    const log = createWriteStream(path.join(evidence, "window.log"));
    await page.exposeFunction("codeAutomationLog", (/** @type {string} */ type, /** @type {unknown[]} */ args) => {
      const text = format(...args);
      log.write(`${type}: ${text}\n`);
      if (text.startsWith(mark)) console.log(text.slice(mark.length));
    });
    const ended = new Promise((/** @type {(code: number) => void} */ resolve) => (settle = resolve));
    await page.exposeFunction("codeAutomationExit", (/** @type {number} */ code) => settle(code));
    page.on("crash", () => settle(1));
    // The limit of the whole run counts here too.
    await page.goto(server.url({ folder, development, tests }), { timeout: 0 });
    const code = await ended;
    clearTimeout(late);
    if (code !== 0) {
      await page.screenshot({ path: path.join(evidence, "window.png") }).catch(() => undefined);
      await cp(path.join(server.dataDir, "data", "logs"), path.join(evidence, "logs"), { recursive: true }).catch(
        () => undefined,
      );
    }
    return code;
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** Makes a folder of installed extensions: one has language model tools, one asks for language models. */
async function extensionsOfOthers() {
  const folder = await temporaryFolder();
  for (const name of ["tool", "model"]) {
    const installed = path.join(folder, `fixture.${name}s-1.0.0`);
    await cp(path.resolve("test", "fixtures", `${name}Extension`), installed, { recursive: true });
  }
  return folder;
}

/** @returns {Promise<number>} the exit code; needs a display, and a download unless `VSCODE_EXECUTABLE` names a VS Code */
async function runOnDesktop() {
  const { runTests } = await import("@vscode/test-electron");
  const executable = process.env["VSCODE_EXECUTABLE"];
  const userData = await temporaryFolder();
  await writeSettings(userData);
  return await runTests({
    extensionDevelopmentPath: development,
    extensionTestsPath: tests,
    launchArgs: [
      await sampleWorkspace(),
      "--disable-workspace-trust",
      "--user-data-dir",
      userData,
      "--extensions-dir",
      await extensionsOfOthers(),
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    ],
    ...(executable ? { vscodeExecutablePath: executable } : {}),
  });
}

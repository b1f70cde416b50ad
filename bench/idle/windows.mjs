// Two VS Code windows of one person, each with an extension host of its own: the Sluice view and a document with prompts are shown in both.
import { readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { launchBrowser } from "../../scripts/browser.mjs";
import { descendants } from "../../scripts/processes.mjs";
import { installBuild, startVsCodeServer } from "../../scripts/vscodeServer.mjs";
import { sampleWorkspace, temporaryFolder } from "../../scripts/workspace.mjs";

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {{ readonly page: Page, readonly host: number, readonly notices: string }} Window `host`: the process of its extensions; `notices`: the path of the file that `inside.cjs` writes */

/** Nothing of VS Code's own moves, or looks for ports every few seconds. */
const settings = {
  "editor.cursorBlinking": "solid",
  "editor.minimap.enabled": false,
  "remote.autoForwardPorts": false,
};
/** Milliseconds: a busy machine takes a while. */
const patience = 180_000;

/** @param {{ baseUrl: string, key: string, prompts: readonly string[] }} options */
export async function openWindows({ baseUrl, key, prompts }) {
  const extensionsDir = await temporaryFolder();
  await installBuild(extensionsDir);
  const development = await emptyExtension();
  const folder = await sampleWorkspace();
  const document = path.join(folder, "idle.prompts.md");
  await writeFile(document, ["# Prompts\n\n", ...prompts.map((prompt) => `- ${prompt}\n`)].join(""));
  const notices = await temporaryFolder();
  const server = await startVsCodeServer({
    settings: { ...settings, "sluice.baseUrl": baseUrl },
    extensionsDir,
    environment: { SLUICE_BENCH_IDLE: JSON.stringify({ notices, document }) },
  });
  const others = descendants(process.pid);
  const browser = await launchBrowser();
  const [chromium = 0] = descendants(process.pid).filter((pid) => !others.includes(pid));
  const close = async () => {
    await browser.close();
    await server.stop();
  };
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    context.setDefaultTimeout(patience);
    // VS Code encrypts its secrets with a key from this address, and without it each page has secrets of its own.
    await context.route("**/mint-key", (route) => route.fulfill({ body: Buffer.alloc(32, "sluice") }));
    await context.exposeFunction("codeAutomationLog", () => undefined);
    await context.exposeFunction("codeAutomationExit", () => undefined);
    const url = server.url({ folder, development, tests: path.resolve("bench", "idle", "inside.cjs") });
    /** @type {Window[]} */
    const windows = [];
    for (const what of ["measured", "other"]) {
      const page = await context.newPage();
      await page.goto(url);
      if (what === "measured") {
        await page.locator("input[type=password]").fill(key);
        await page.keyboard.press("Enter");
      }
      const host = await newHost(notices, windows);
      windows.push({ page, host, notices: path.join(notices, String(host)) });
      await page.locator(".codelens-decoration").first().waitFor();
    }
    const [measured, other] = /** @type {[Window, Window]} */ (windows);
    await setFocus(other.page, false);
    const tasks = path.join(server.dataDir, "data", "User", "globalStorage", "sluice.sluice", "tasks.db");
    return { measured, other, tasks, browser: () => [chromium, ...descendants(chromium)], close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** VS Code runs `inside.cjs` only where an extension is developed. */
async function emptyExtension() {
  const folder = await temporaryFolder();
  const manifest = { name: "empty", publisher: "bench", version: "0.0.1", engines: { vscode: "^1.106.0" } };
  await writeFile(path.join(folder, "package.json"), JSON.stringify(manifest));
  return folder;
}

/** The process of the window that was opened last, once everything is shown in it. @param {string} notices @param {readonly Window[]} known @returns {Promise<number>} */
async function newHost(notices, known) {
  for (const deadline = Date.now() + patience; Date.now() < deadline; await delay(200)) {
    const pids = (await readdir(notices)).map(Number).filter((pid) => pid > 0);
    const found = pids.find((pid) => known.every(({ host }) => host !== pid));
    if (found !== undefined) return found;
  }
  throw new Error("The window did not show the Sluice view and its document.");
}

/** As when the person goes to another program and comes back; the page stays visible. @param {Page} page @param {boolean} isFocused */
export async function setFocus(page, isFocused) {
  const event = isFocused ? "focus" : "blur";
  await page.evaluate(`document.hasFocus = () => ${isFocused}; window.dispatchEvent(new Event("${event}"));`);
}

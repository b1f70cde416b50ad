// Launches this machine's Chromium, headless, for the tests that open VS Code or the chat page.
import { chromium } from "playwright-core";
import { ensureChromium } from "./setup.mjs";

/** @param {readonly string[]} more flags of Chromium @returns {Promise<import("playwright-core").Browser>} */
export async function launchBrowser(more = []) {
  return await chromium.launch({
    executablePath: await ensureChromium(),
    // processes.mjs handles signals: Playwright's handlers would exit before our servers are down. It still ends the browser at exit.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: [
      // Chromium refuses its sandbox to root.
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...more,
    ],
  });
}

// The browser that looks at VS Code in tests: this machine's Chromium, quiet and without a window.
import { chromium } from "playwright-core";
import { ensureChromium } from "./setup.mjs";

/** @returns {Promise<import("playwright-core").Browser>} */
export async function launchBrowser() {
  return await chromium.launch({
    executablePath: await ensureChromium(),
    // Signals are ours (processes.mjs): Playwright would end the process before its servers are down. At its exit it ends the browser.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: [
      // Chromium refuses its sandbox to root.
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      ...["--disable-gpu", "--disable-quic", "--no-first-run"],
      ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
    ],
  });
}

// Opens windows for a bench. The tests of VS Code's own automation run in the extension host of each.
import { launchBrowser } from "../scripts/browser.mjs";
import { startVsCodeServer } from "../scripts/vscodeServer.mjs";

/**
 * Opens so many windows one after the other, each with an extension host of its own, and waits for the end of what runs in it.
 * @param {Parameters<typeof startVsCodeServer>[0]} server
 * @param {{ folder: string, development: string, tests: string }} window
 */
export async function openWindows(server, window, windows = 1) {
  const { url, stop } = await startVsCodeServer(server);
  const browser = await launchBrowser();
  try {
    for (let opened = 0; opened < windows; opened += 1) {
      const page = await browser.newPage();
      /** @type {PromiseWithResolvers<number>} */
      const { promise: ended, resolve: end } = Promise.withResolvers();
      /** @type {unknown[]} */
      let errors = [];
      await page.exposeFunction("codeAutomationLog", (/** @type {string} */ type, /** @type {unknown[]} */ args) => {
        if (type === "error") errors = args;
      });
      await page.exposeFunction("codeAutomationExit", end);
      await page.goto(url(window));
      if ((await ended) !== 0) throw new Error(`measuring failed: ${errors.join(" ")}`);
      await page.close();
    }
  } finally {
    await browser.close();
    await stop();
  }
}

/** One Chromium for all page tests of this process, each page in a context of its own: to launch one costs as much as ten pages. */
import type { Browser } from "playwright-core";
import { launchBrowser } from "../../../scripts/browser.mjs";
import { processWide } from "../../support/processWide";

const chromium = processWide<{ browser?: Promise<Browser> }>("panelBrowser", () => ({}));

export async function panelBrowser(): Promise<Browser> {
  const running = await chromium.browser;
  if (running?.isConnected()) return running;
  return (chromium.browser = launchBrowser());
}

after("close the browser", async () => (await chromium.browser)?.close());

/**
 * One Chromium, one server and one page for all page tests of this process. Launching one costs as much as forty loads, a context of its own
 * as much as five: each test loads the page that is kept, which the next load makes empty again.
 */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { launchBrowser } from "../../../scripts/browser.mjs";
import { type PageServer, type ServedPage, startPageServer } from "./pageServer";

export interface PageOptions {
  readonly size?: { readonly width: number; readonly height: number };
  readonly motion?: "reduce" | "no-preference";
  /** What a page has from its context only: such a page is not kept. */
  readonly context?: BrowserContextOptions;
}

export interface OpenedPage {
  readonly page: Page;
  /** For a second page in one test: what a test leaves open is closed after it. */
  readonly close: () => Promise<void>;
}

interface Running {
  browser?: Promise<Browser>;
  server?: Promise<PageServer>;
  kept?: Promise<Page>;
  readonly open: Set<OpenedPage>;
}

const running: Running = { open: new Set() };

// Of the root suite: test files share this module.
afterEach("close what the test has opened", async function () {
  for (const opened of running.open) await opened.close();
  // After a failure the page may have a key that is down, or a script that runs.
  if (this.currentTest?.state === "passed" || running.kept === undefined) return;
  const page = await running.kept;
  delete running.kept;
  await page.context().close();
});
after("close the browser and the server", async () => {
  await (await running.browser)?.close();
  await (await running.server)?.close();
});

export async function browser(): Promise<Browser> {
  return await (running.browser ??= launchBrowser());
}

export async function openPage(
  served: ServedPage,
  { size = { width: 420, height: 720 }, motion = "no-preference", context }: PageOptions,
): Promise<OpenedPage> {
  const { url, forget } = (await (running.server ??= startPageServer())).serve(served);
  const isKept = context === undefined && running.open.size === 0;
  const page = isKept
    ? await (running.kept ??= newPage({}))
    : await newPage({ viewport: size, reducedMotion: motion, ...context });
  const opened = {
    page,
    async close() {
      if (!running.open.delete(opened)) return;
      forget();
      if (!isKept) {
        await page.context().close();
        return;
      }
      for (const event of ["request", "pageerror"] as const) page.removeAllListeners(event);
    },
  };
  running.open.add(opened);
  if (isKept) {
    // Outside of the page: nothing of it is under the mouse of the test before.
    await page.mouse.move(-1, -1);
    await page.emulateMedia({ reducedMotion: motion });
    const was = page.viewportSize();
    if (was?.width !== size.width || was.height !== size.height) await page.setViewportSize(size);
  }
  await page.goto(url);
  return opened;
}

async function newPage(options: BrowserContextOptions): Promise<Page> {
  const context = await (
    await browser()
  ).newContext({ permissions: ["clipboard-read", "clipboard-write"], locale: "en-US", ...options });
  return await context.newPage();
}

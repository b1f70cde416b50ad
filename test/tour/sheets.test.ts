/**
 * `SLUICE_SHEETS=1 npm run tour -- -g sheets`: contact sheets of the chat and the pages, one for each theme, width and zoom, in
 * test-results/tour/sheets. `SLUICE_SHEETS=zh-cn` draws them in that language. They are to be looked at: nothing is compared.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { config } from "@vscode/l10n";
import type { Page } from "playwright-core";
import { browser } from "../page/support/openPage";
import type { Theme } from "../page/support/pageServer";
import { PanelPage } from "../page/support/panelPage";
import { TabPage } from "../page/support/tabPage";
import type { ChatState, TabState } from "./sheetStates";

interface Variant {
  readonly name: string;
  readonly theme: Theme;
  readonly width: number;
  readonly zoom?: number;
}

const asked = process.env["SLUICE_SHEETS"];
const language = asked === "1" ? undefined : asked;
const variants: readonly Variant[] = [
  { name: "dark-300", theme: "dark", width: 300 },
  ...(language === undefined
    ? ([
        { name: "light-300", theme: "light", width: 300 },
        { name: "high-contrast-300", theme: "high-contrast", width: 300 },
        { name: "dark-170", theme: "dark", width: 170 },
        { name: "dark-450", theme: "dark", width: 450 },
        { name: "dark-900", theme: "dark", width: 900 },
        { name: "dark-450-zoom-200", theme: "dark", width: 225, zoom: 2 },
      ] as const)
    : []),
];
const height = 620;
const folder = path.resolve("test-results/tour/sheets");

interface Shot {
  readonly name: string;
  readonly png: Buffer;
}

// Pending tests are a failure: without the variable there are none.
if (asked !== undefined) describe("sheets", drawSheets);

function drawSheets(this: Mocha.Suite): void {
  this.timeout(300_000);
  let words: Readonly<Record<string, string>> | undefined;
  let chats: readonly ChatState[];
  let tabs: readonly TabState[];
  before("in the language, before the states are made", async () => {
    await mkdir(folder, { recursive: true });
    if (language !== undefined) {
      words = JSON.parse(await readFile(`l10n/bundle.l10n.${language}.json`, "utf8")) as Record<string, string>;
      config({ contents: words });
    }
    const states = await import("./sheetStates");
    chats = states.chatStates;
    tabs = await states.tabStates();
  });
  after(() => {
    config({ contents: {} });
  });

  for (const variant of variants) {
    it(`P6, V5: the sheet ${variant.name}`, async () => {
      const shots: Shot[] = [];
      for (const state of chats) shots.push(await drawChat(state, variant, words));
      for (const state of tabs) shots.push(await drawTab(state, variant, words));
      // Two sheets of each: what is drawn larger than a screen is looked at smaller than it is.
      for (let part = 0; part * 12 < shots.length; part += 1)
        await compose(
          `${language ?? "en"}-${variant.name}-${part + 1}`,
          shots.slice(part * 12, part * 12 + 12),
          variant,
        );
    });
  }
}

async function drawChat(state: ChatState, variant: Variant, words: Record<string, string> | undefined): Promise<Shot> {
  const { theme, width, zoom = 1 } = variant;
  const size = { width, height: Math.round(height / zoom) };
  const panel = await PanelPage.open({
    theme,
    size,
    context: { deviceScaleFactor: zoom },
    ...(words === undefined ? {} : { words }),
  });
  try {
    await panel.show(state.events, state.status);
    for (const message of state.posted ?? []) await panel.post(message);
    await state.act?.(panel);
    await panel.page.evaluate(
      // With an animation that the compositor draws alone, Chromium may see no idle time.
      "new Promise((resolve) => requestIdleCallback(() => requestIdleCallback(() => resolve(), { timeout: 500 }), { timeout: 500 }))",
    );
    return { name: state.name, png: await panel.page.screenshot() };
  } finally {
    await panel.close();
  }
}

async function drawTab(state: TabState, variant: Variant, words: Record<string, string> | undefined): Promise<Shot> {
  const { theme, width, zoom = 1 } = variant;
  const size = { width, height: Math.round(height / zoom) };
  const tab = await TabPage.open(state.bundle, {
    theme,
    size,
    ...(words === undefined ? {} : { words }),
  });
  try {
    await tab.show(state.snapshot);
    await tab.picturesLoaded();
    return { name: state.name, png: await tab.page.screenshot() };
  } finally {
    await tab.close();
  }
}

/** One picture of all, with their names. */
async function compose(name: string, shots: readonly Shot[], { width, zoom = 1 }: Variant): Promise<void> {
  const shown = width * zoom;
  const columns = Math.max(1, Math.min(6, Math.floor(2000 / (shown + 12))));
  const figures = shots.map(
    ({ name: title, png }) =>
      `<figure><figcaption>${title}</figcaption><img width="${shown}" src="data:image/png;base64,${png.toString("base64")}"></figure>`,
  );
  const context = await (await browser()).newContext({ viewport: { width: columns * (shown + 12) + 12, height: 800 } });
  try {
    const page: Page = await context.newPage();
    await page.setContent(
      `<style>body{margin:12px;display:grid;grid-template-columns:repeat(${columns},${shown}px);gap:12px;background:#777;font:13px sans-serif}figure{margin:0}figcaption{color:#fff}</style>${figures.join("")}`,
    );
    await page.evaluate("Promise.all([...document.images].map((one) => one.decode()))");
    await writeFile(path.join(folder, `${name}.png`), await page.screenshot({ fullPage: true }));
  } finally {
    await context.close();
  }
}

/** The pages in editor tabs in every theme: nothing that keeps someone out, nothing wider than the tab; a picture of each state is left to look at. */
import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import { launchBrowser } from "../../../scripts/browser.mjs";
import { findViolations } from "./axe";
import { type Theme, themeNames } from "./panelPage";
import { TabPage } from "./tabPage";
import { batchScenes, taskScenes, usageScene, usageTasks } from "./tabScenes";

interface TabScene {
  readonly name: string;
  readonly snapshot: unknown;
  /** What is done on the page before it is looked at. */
  readonly act?: (tab: TabPage) => Promise<void>;
}

const press =
  (selector: string, key: string) =>
  async ({ page }: TabPage): Promise<void> =>
    page.locator(selector).first().press(key);
const click =
  (name: string) =>
  async ({ page }: TabPage): Promise<void> =>
    page.getByRole("button", { name }).first().click();

async function scenesOf(bundle: "task" | "batch" | "usage"): Promise<TabScene[]> {
  const named = (scenes: Readonly<Record<string, unknown>>): TabScene[] =>
    Object.entries(scenes).map(([name, snapshot]) => ({ name, snapshot }));
  switch (bundle) {
    case "task":
      return [
        ...named(taskScenes),
        {
          name: "raw",
          snapshot: taskScenes["succeeded-picture"],
          act: async ({ page }) => page.locator("summary").click(),
        },
      ];
    case "batch":
      return [
        ...named(batchScenes),
        { name: "enlarged", snapshot: batchScenes["twelve"], act: press(".variants", " ") },
      ];
    case "usage": {
      const tasks = usageTasks(90);
      return [
        { name: "counting", snapshot: { range: 30 } },
        { name: "empty", snapshot: await usageScene([], 7) },
        { name: "7-days", snapshot: await usageScene(tasks, 7) },
        { name: "90-days", snapshot: await usageScene(tasks, 90) },
        { name: "list", snapshot: await usageScene(tasks, 30, -1), act: press("#tasks", "ArrowLeft") },
        { name: "table", snapshot: await usageScene(tasks, 30), act: click("Show as table") },
      ];
    }
  }
}

/** Looked at in each theme: what the others show has the same colours. */
const coloured = new Set([
  ...["running", "succeeded-picture", "failed", "unknown", "refused", "raw"],
  ...["twelve", "enlarged"],
  ...["90-days", "list", "table"],
]);
const pictures = process.env["PANEL_PICTURES"] ?? "test-results/panel";
/** All of axe's rules in the first theme, where the page is one column; where it is two, those on places and sizes; in the other themes, colours are all that differs. */
const widths: readonly (readonly [Theme, readonly number[]])[] = themeNames.map((theme) => [
  theme,
  theme === "dark" ? [300, 1200] : [theme === "light" ? 1200 : 500],
]);

describe("pages in editor tabs, in every theme", function () {
  this.timeout(120_000);
  let browser: Browser;
  before(async () => {
    browser = await launchBrowser();
  });
  after(async () => browser.close());

  for (const bundle of ["task", "batch", "usage"] as const) {
    for (const [theme, sizes] of widths) {
      it(`P6: ${bundle}, ${theme}, ${sizes.join(", ")} px wide: nothing keeps anyone out, nothing scrolls sideways`, async () => {
        const found: unknown[] = [];
        const tab = await TabPage.open(browser, bundle, { theme });
        try {
          for (const scene of await scenesOf(bundle)) {
            if (theme !== "dark" && !coloured.has(scene.name)) continue;
            for (const width of sizes) {
              await tab.page.setViewportSize({ width, height: 800 });
              await tab.page.reload();
              await tab.show(scene.snapshot);
              await scene.act?.(tab);
              await tab.settled();
              await tab.picturesLoaded();
              await tab.page.screenshot({
                path: `${pictures}/${bundle}-${scene.name}-${theme}-${width}.png`,
                fullPage: width !== 1200,
              });
              const wide = await tab.page.evaluate<number>(
                "document.documentElement.scrollWidth - document.documentElement.clientWidth",
              );
              if (wide > 0) found.push([scene.name, width, "scrolls sideways by", wide]);
              found.push(...(await tab.violations()).map((violation) => [scene.name, width, violation]));
              const isWide = theme === "dark" && width === 1200;
              const violations = await findViolations(
                tab.page,
                isWide ? { rules: ["target-size", "scrollable-region-focusable"] } : { onlyColours: theme !== "dark" },
              );
              for (const { id, impact, nodes } of violations) {
                if (impact !== "serious" && impact !== "critical") continue;
                found.push([scene.name, width, id, nodes.slice(0, 3).map(({ html, any }) => [html, any[0]?.message])]);
              }
            }
          }
        } finally {
          await tab.close();
        }
        assert.deepEqual(found, []);
      });
    }
  }

  it("T13: the cap on tasks a day is a line across their bars, not across the holds, and in the legend", async () => {
    const tab = await TabPage.open(browser, "usage", { theme: "light" });
    try {
      await tab.show(await usageScene(usageTasks(30), 30));
      await tab.page.locator(".legend").getByText("Cap: 15 a day").waitFor();
      assert.equal(await tab.page.locator("#tasks .limit-line").count(), 1);
      assert.equal(await tab.page.locator("#holds .limit-line").count(), 0);
    } finally {
      await tab.close();
    }
  });
});

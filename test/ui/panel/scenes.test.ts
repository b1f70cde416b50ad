/** Every scene in every theme: nothing that keeps someone out, nothing wider than the panel; a picture of each is left to look at. */
import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import { launchBrowser } from "../../../scripts/browser.mjs";
import { findViolations } from "./axe";
import { PanelPage, type Theme, themeNames } from "./panelPage";
import { panelScenes } from "./panelScenes";

const pictures = process.env["PANEL_PICTURES"] ?? "test-results/panel";
const widths: readonly (readonly [Theme, number])[] = [
  ...themeNames.map((theme) => [theme, 400] as const),
  ["dark", 220],
  ["dark", 200],
  ["light", 1200],
];
/** Where axe looks too: colours change with the theme only, sizes of targets in the narrowest panel. */
const examined = new Set([400, 200]);

describe("chat panel in every theme", function () {
  this.timeout(60_000);
  let browser: Browser;
  before(async () => {
    browser = await launchBrowser();
  });
  after(async () => browser.close());

  for (const [theme, width] of widths) {
    it(`P6: ${theme}, ${width} px wide: nothing keeps anyone out, nothing scrolls sideways`, async () => {
      const panel = await PanelPage.open(browser, { theme, size: { width, height: 720 } });
      try {
        const found: unknown[] = [];
        for (const [name, scene] of Object.entries(panelScenes)) {
          await panel.page.reload();
          await panel.show(scene.events, scene.status);
          for (const message of scene.posted ?? []) await panel.post(message);
          if (scene.opened) await panel.openAll();
          await scene.act?.(panel);
          // Code is coloured when the page has time.
          await panel.page.evaluate(
            "new Promise((resolve) => requestIdleCallback(() => requestIdleCallback(() => resolve())))",
          );
          await panel.page.screenshot({ path: `${pictures}/${name}-${theme}-${width}.png` });
          const wide = await panel.page.evaluate(
            "[document.documentElement, document.querySelector('.transcript')].map((place) => place.scrollWidth - place.clientWidth)",
          );
          const onlyColours = theme !== themeNames[0];
          const violations = examined.has(width) ? await findViolations(panel.page, { onlyColours }) : [];
          for (const { id, impact, nodes } of violations) {
            if (impact === "serious" || impact === "critical") found.push([name, id, nodes.map(({ html }) => html)]);
          }
          if (String(wide) !== "0,0") found.push([name, "scrolls sideways by", wide]);
          found.push(...(await panel.violations()).map((violation) => [name, violation]));
        }
        assert.deepEqual(found, []);
      } finally {
        await panel.close();
      }
    });
  }
});

/** Every scene in every theme: nothing that keeps someone out, nothing wider than the panel; a picture of each is left to look at. */
import assert from "node:assert/strict";
import { type AxeOptions, findViolations, seriousOnes, sizeRules } from "./axe";
import { panelBrowser } from "./panelBrowser";
import { PanelPage, type Theme, themeNames } from "./panelPage";
import { panelScenes } from "./panelScenes";

const pictures = process.env["PANEL_PICTURES"] ?? "test-results/panel";
const [first = "dark", ...others] = themeNames;

/** One load of the page for each width, and in it what it looks like in other themes and sizes, and where axe looks too. */
const loads: readonly (readonly (readonly [Theme, width: number, AxeOptions?])[])[] = [
  [[first, 400, {}], ...others.map((theme) => [theme, 400, { onlyColours: true }] as const)],
  [
    ["dark", 200, { rules: sizeRules }],
    ["dark", 220],
  ],
  [["light", 1200]],
];

describe("chat panel in every theme", function () {
  this.timeout(60_000);

  for (const [name, scene] of Object.entries(panelScenes)) {
    it(`P6: ${name}: in every theme and width nothing keeps anyone out, nothing scrolls sideways`, async () => {
      const found: unknown[] = [];
      for (const looks of loads) {
        const [[theme, width] = [first, 400]] = looks;
        const panel = await PanelPage.open(await panelBrowser(), { theme, size: { width, height: 720 } });
        try {
          await panel.show(scene.events, scene.status);
          for (const message of scene.posted ?? []) await panel.post(message);
          if (scene.opened) await panel.openAll();
          await scene.act?.(panel);
          // Code is coloured when the page has time.
          await panel.page.evaluate(
            "new Promise((resolve) => requestIdleCallback(() => requestIdleCallback(() => resolve())))",
          );
          for (const [at, [look, size, axe]] of looks.entries())
            found.push(...(await lookAt(panel, name, { look, size, axe, isLoaded: at === 0 })));
          found.push(...(await panel.violations()).map((violation) => [width, violation]));
        } finally {
          await panel.close();
        }
      }
      assert.deepEqual(found, []);
    });
  }
});

interface Look {
  readonly look: Theme;
  readonly size: number;
  readonly axe: AxeOptions | undefined;
  /** Whether the page was loaded so; otherwise it is changed. */
  readonly isLoaded: boolean;
}

async function lookAt(panel: PanelPage, name: string, { look, size, axe, isLoaded }: Look): Promise<unknown[]> {
  const { page } = panel;
  if (!isLoaded) {
    await panel.setTheme(look);
    await page.setViewportSize({ width: size, height: 720 });
  }
  await page.screenshot({ path: `${pictures}/${name}-${look}-${size}.png` });
  const wide = await page.evaluate(
    "[document.documentElement, document.querySelector('.transcript')].map((place) => place.scrollWidth - place.clientWidth)",
  );
  const violations = axe === undefined ? [] : seriousOnes(await findViolations(page, axe));
  const found: unknown[] = violations.map(({ id, nodes }) => [look, size, id, nodes.map(({ html }) => html)]);
  if (String(wide) !== "0,0") found.push([look, size, "scrolls sideways by", wide]);
  return found;
}

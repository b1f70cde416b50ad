/** Every scene in every theme: no serious violation of accessibility, nothing wider than the page; with PANEL_PICTURES=1 a picture of each is left to look at. */
import assert from "node:assert/strict";
import { type AxeOptions, findViolations, seriousOnes, sizeRules } from "../support/axe";
import { type Theme, themeNames } from "../support/pageServer";
import { PanelPage } from "../support/panelPage";
import { panelScenes } from "./panelScenes";
import { partOf } from "../../support/runs";
import { takePicture } from "../support/pictures";

const [first = "dark", ...others] = themeNames;

/** What one load of the page looks like in other themes and sizes, and what axe looks for there: after the first look all of them or a part. */
const firstLook = [first, 400, {}] as const;
const otherLooks: readonly (readonly [Theme, width: number, AxeOptions?])[] = [
  ...others.map((theme) => [theme, 400, { onlyColours: true }] as const),
  ["dark", 200, { rules: sizeRules }],
  ["dark", 220],
  ["light", 1200],
];

describe("chat panel in every theme", () => {
  for (const [index, [name, scene]] of Object.entries(panelScenes).entries()) {
    it(`P6: ${name}: in every theme and width nothing keeps anyone out, nothing scrolls sideways`, async () => {
      const found: unknown[] = [];
      const panel = await PanelPage.open({ theme: first, size: { width: 400, height: 720 } });
      try {
        await panel.show(scene.events, scene.status);
        for (const message of scene.posted ?? []) await panel.post(message);
        if (scene.opened) await panel.openAll();
        await scene.act?.(panel);
        // Code is coloured when the page has time.
        await panel.page.evaluate(
          "new Promise((resolve) => requestIdleCallback(() => requestIdleCallback(() => resolve())))",
        );
        for (const look of [firstLook, ...partOf(otherLooks, index)]) found.push(...(await lookAt(panel, name, look)));
        found.push(...(await panel.violations()));
      } finally {
        await panel.close();
      }
      assert.deepEqual(found, []);
    });
  }
});

async function lookAt(
  panel: PanelPage,
  name: string,
  [theme, width, axe]: readonly [Theme, width: number, AxeOptions?],
): Promise<unknown[]> {
  const { page } = panel;
  await panel.setTheme(theme);
  await panel.setSize({ width, height: 720 });
  await takePicture(page, `${name}-${theme}-${width}`);
  const wide = await page.evaluate(
    "[document.documentElement, document.querySelector('.transcript')].map((place) => place.scrollWidth - place.clientWidth)",
  );
  const violations = axe === undefined ? [] : seriousOnes(await findViolations(page, axe));
  const found: unknown[] = violations.map(({ id, nodes }) => [theme, width, id, nodes.map(({ html }) => html)]);
  if (String(wide) !== "0,0") found.push([theme, width, "scrolls sideways by", wide]);
  return found;
}

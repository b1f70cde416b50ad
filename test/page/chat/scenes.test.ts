/** Every scene in every theme: no serious violation of accessibility, nothing wider than the page; with PANEL_PICTURES=1 a picture of each is left to look at. */
import assert from "node:assert/strict";
import { type AxeOptions, findViolations, sizeRules } from "../support/axe";
import { type Theme, themeNames } from "../support/pageServer";
import { PanelPage } from "../support/panelPage";
import { panelScenes } from "./panelScenes";
import { isFullRun } from "../../support/runs";
import { takePicture } from "../support/pictures";

const [first = "dark", ...others] = themeNames;

/** What one load of the page looks like in other themes and sizes, and what axe looks for there: in a full run all, otherwise the first and a narrow one. */
const firstLook = [first, 400, {}] as const;
const narrow = ["dark", 200, { rules: sizeRules }] as const;
const otherLooks: readonly (readonly [Theme, width: number, AxeOptions?])[] = isFullRun
  ? [...others.map((theme) => [theme, 400, { onlyColours: true }] as const), narrow, ["dark", 220], ["light", 1200]]
  : [narrow];

describe("chat panel in every theme", () => {
  it("P6: every scene, in every theme and width: nothing keeps anyone out, nothing scrolls sideways", async () => {
    const found: unknown[] = [];
    const panel = await PanelPage.open({ theme: first, size: { width: 400, height: 720 } });
    for (const [name, scene] of Object.entries(panelScenes)) {
      await panel.showScene(scene);
      for (const look of [firstLook, ...otherLooks]) found.push(...(await lookAt(panel, name, look)));
      found.push(...(await panel.violations()).map((violation) => [name, violation]));
    }
    assert.deepEqual(found, []);
  });
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
  const violations = axe === undefined ? [] : await findViolations(page, { ...axe, onlySerious: true });
  const found: unknown[] = violations.map(({ id, nodes }) => [name, theme, width, id, nodes.map(({ html }) => html)]);
  if (String(wide) !== "0,0") found.push([name, theme, width, "scrolls sideways by", wide]);
  return found;
}

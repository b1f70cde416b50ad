/** Looks at the scenes of a page in an editor tab: no serious violation of accessibility, nothing wider than the tab. */
import { isFullRun } from "../../support/runs";
import { type AxeOptions, findViolations, sizeRules } from "./axe";
import type { Theme } from "./pageServer";
import { takePicture } from "./pictures";
import { type TabBundle, TabPage, type TabScene } from "./tabPage";

/** The theme, the widths and what axe looks for there: all of its rules where the page is one column, and what depends on sizes where it is two; in the other themes only colours differ. The others come in a full run. */
const firstLook = ["dark", 300, {}] as const;
const otherLooks: readonly (readonly [Theme, width: number, AxeOptions])[] = [
  ["dark", 1200, { rules: sizeRules }],
  ["light", 1200, { onlyColours: true }],
  ["high-contrast", 500, { onlyColours: true }],
  ["high-contrast-light", 500, { onlyColours: true }],
];

/** What is wrong with them. `coloured`: the names of those that are looked at in each theme; what the others show has the same colours. */
export async function faultsOfScenes(
  bundle: TabBundle,
  scenes: readonly TabScene[],
  coloured: ReadonlySet<string>,
): Promise<unknown[]> {
  const found: unknown[] = [];
  const tab = await TabPage.open(bundle);
  for (const scene of scenes) {
    await tab.page.setViewportSize({ width: 300, height: 800 });
    await tab.showScene(scene);
    for (const [theme, width, axe] of [firstLook, ...(isFullRun ? otherLooks : [])]) {
      if (theme !== "dark" && !coloured.has(scene.name)) continue;
      await tab.setTheme(theme);
      await tab.page.setViewportSize({ width, height: 800 });
      found.push(...(await lookAt(tab, `${bundle}-${scene.name}-${theme}-${width}`, axe)));
    }
    found.push(...(await tab.violations()).map((violation) => [scene.name, violation]));
  }
  return found;
}

async function lookAt(tab: TabPage, name: string, axe: AxeOptions): Promise<unknown[]> {
  await tab.settled();
  await tab.picturesLoaded();
  await takePicture(tab.page, name, { fullPage: !name.endsWith("-1200") });
  const wide = await tab.page.evaluate<number>(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  const found: unknown[] = wide > 0 ? [[name, "scrolls sideways by", wide]] : [];
  for (const { id, nodes } of await findViolations(tab.page, { ...axe, onlySerious: true }))
    found.push([name, id, nodes.slice(0, 3).map(({ html, any }) => [html, any[0]?.message])]);
  return found;
}

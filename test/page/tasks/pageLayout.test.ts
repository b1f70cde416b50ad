/** What the pages in editor tabs have alike: where their headings are, and how tiles share rows. */
import assert from "node:assert/strict";
import { galleryScene, galleryTasks } from "./galleryScenes";
import { type TabBundle, TabPage } from "../support/tabPage";
import { mediaFormScenes } from "./mediaFormScenes";
import { batchScenes, moneyScene, moneyTasks, usageScene, usageTasks } from "./tabScenes";

describe("the layout of pages", () => {
  it("P1 (L16): headings begin at the same edge in a wide tab, whatever the page's own width", async () => {
    const edges: [string, number | undefined][] = [];
    const [form] = Object.values(mediaFormScenes());
    const scenes: readonly (readonly [TabBundle, unknown])[] = [
      ["batch", batchScenes()["twelve"]],
      ["gallery", galleryScene(galleryTasks(6))],
      ["mediaForm", form],
      ["money", await moneyScene(Object.values(moneyTasks), "charged")],
      ["usage", await usageScene(usageTasks(6), 7)],
    ];
    for (const [bundle, snapshot] of scenes) {
      const tab = await TabPage.open(bundle);
      await tab.page.setViewportSize({ width: 1700, height: 800 });
      await tab.showScene({ name: bundle, snapshot });
      const box = await tab.page.locator("h1").first().boundingBox();
      edges.push([bundle, box?.x]);
    }
    assert.deepEqual(
      edges.filter(([, x]) => x !== edges[0]?.[1]),
      [],
    );
  });

  it("P1 (L16): four tiles are in one row or in two of two at every width", async () => {
    const tab = await TabPage.open("money");
    await tab.showScene({ name: "money", snapshot: await moneyScene(Object.values(moneyTasks), "charged") });
    for (let width = 300; width <= 1200; width += 60) {
      await tab.page.setViewportSize({ width, height: 800 });
      const rows = await tab.page.evaluate<number[]>(
        `Object.values(Object.groupBy([...document.querySelectorAll(".tiles > *")], (tile) => tile.getBoundingClientRect().top)).map((row) => row.length)`,
      );
      const count = rows.reduce((sum, length) => sum + length, 0);
      if (count === 4) assert.ok(rows.length === 1 || rows.join() === "2,2", `${width}: ${rows.join()}`);
    }
  });
});

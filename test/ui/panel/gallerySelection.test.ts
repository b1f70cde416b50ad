/** The gallery alone in a real browser: what the bar, its menu and the keys act on, and where the focus goes. */
import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import type { GalleryPageIntent } from "../../../src/protocol/galleryPageContract";
import { galleryScene, galleryTask, galleryTasks } from "./galleryScenes";
import { panelBrowser } from "./panelBrowser";
import { TabPage } from "./tabPage";

describe("the selection in the gallery's page", () => {
  let tab: TabPage;
  beforeEach(async () => {
    tab = await TabPage.open(await panelBrowser(), "gallery");
  });
  afterEach(async () => {
    const violations = await tab.violations();
    await tab.close();
    assert.deepEqual(violations, []);
  });

  const cell = (number: number): Locator => tab.page.getByRole("option", { name: new RegExp(`number ${number}:`) });
  const button = (name: string): Locator => tab.page.getByRole("button", { name, exact: true });
  const idOf = (index: number): string => galleryTask(index, undefined).intent.id;
  const sent = async (): Promise<GalleryPageIntent[]> =>
    (await tab.intents<GalleryPageIntent | { type: "view-ready" }>()).filter(
      (intent): intent is GalleryPageIntent => intent.type !== "view-ready",
    );

  it("T15: the buttons are for what is selected also while the focus is beside it; a key is for what has the focus", async () => {
    await tab.show(galleryScene(galleryTasks(6)));
    await cell(1).click();
    await tab.page.keyboard.press("ArrowRight");
    await tab.page.keyboard.press("2");
    await button("3 stars").click();
    assert.deepEqual(await sent(), [
      { type: "results-judge", tasks: [idOf(1)], rating: 2 },
      { type: "results-judge", tasks: [idOf(0)], rating: 3 },
    ]);
  });
});

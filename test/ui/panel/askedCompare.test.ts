/** The gallery alone in a real browser, asked by the host to compare results. */
import assert from "node:assert/strict";
import { galleryScene, galleryTask, galleryTasks } from "./galleryScenes";
import { panelBrowser } from "./panelBrowser";
import { TabPage } from "./tabPage";

describe("the gallery that is asked to compare", () => {
  let tab: TabPage;
  beforeEach(async () => {
    tab = await TabPage.open(await panelBrowser(), "gallery");
  });
  afterEach(() => tab.close());

  const idOf = (index: number): string => galleryTask(index, undefined).intent.id;

  it("T15: what the host asks to compare is shown once, also where a filter hides it; closing leads to the grid", async () => {
    const ids = [idOf(2), idOf(5)];
    const scene = galleryScene(galleryTasks(30), { compared: { ids } });
    await tab.show(scene);
    const dialog = tab.page.getByRole("dialog", { name: "Compare 2 results" });
    await dialog.waitFor();
    assert.deepEqual((await tab.intents()).slice(1), [{ type: "results-compare", tasks: ids }]);
    await tab.page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    // What changes later does not open it again.
    await tab.event({ total: 30, isComplete: true, rows: [], gone: [] });
    await tab.settled();
    assert.equal(await dialog.isVisible(), false);
    await tab.page.getByRole("searchbox").fill("no such result");
    await tab.event({ total: 30, isComplete: true, rows: [], gone: [], compared: { ids } });
    await dialog.waitFor();
  });
});

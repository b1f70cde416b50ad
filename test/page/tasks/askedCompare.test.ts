/** The gallery alone in a real browser, asked by the host to compare results. */
import assert from "node:assert/strict";
import { galleryScene, galleryTask, galleryTasks } from "./galleryScenes";
import { TabPage } from "../support/tabPage";

describe("the gallery that is asked to compare", () => {
  let tab: TabPage;
  beforeEach(async () => {
    tab = await TabPage.open("gallery");
  });
  afterEach(async () => {
    assert.deepEqual(await tab.violations(), []);
  });

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

  it("T15: what can be used has the focus at first; the arrow keys pan what is enlarged; Zoom Out keeps the focus; one prompt for all has no number", async () => {
    const prompt = "Poster of a pier";
    const tasks = [0, 1].map((index) => galleryTask(index, `made-${index}.png`, { prompt }));
    await tab.show(galleryScene(tasks, { compared: { ids: [idOf(0), idOf(1)] } }));
    const dialog = tab.page.getByRole("dialog", { name: "Compare 2 results" });
    await dialog.getByText("The prompts are the same.").waitFor();
    assert.equal(await dialog.locator(".prompt").innerText(), prompt);
    assert.equal(await dialog.locator("li").count(), 0);
    const focused = (): Promise<string> => tab.page.evaluate("document.activeElement.textContent.trim()");
    assert.equal(await focused(), "Zoom In");
    const transform = async (): Promise<string> => {
      await tab.settled();
      return tab.page.evaluate("document.querySelector('dialog.compare').style.getPropertyValue('--zoom')");
    };
    await tab.page.keyboard.press("ArrowRight");
    assert.equal(await transform(), "translate(0px, 0px) scale(1)");
    await tab.page.keyboard.press("+");
    await tab.page.keyboard.press("ArrowRight");
    assert.match(await transform(), /^translate\(-[\d.]+px, 0px\) scale\(1\.25\)$/);
    await tab.page.keyboard.press("ArrowDown");
    assert.match(await transform(), /^translate\(-[\d.]+px, -[\d.]+px\)/);
    await dialog.getByRole("button", { name: "Zoom Out" }).click();
    assert.equal(await transform(), "translate(0px, 0px) scale(1)");
    assert.equal(await focused(), "Zoom Out");
  });
});

/** The page of a batch alone in a real browser: what differs below each picture, marks by key, the menu of a picture, comparison. */
import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import type { BatchPageIntent } from "../../../src/tasks/contract/batchPageContract";
import { galleryScene, galleryTask } from "./galleryScenes";
import { takePicture } from "../support/pictures";
import { TabPage } from "../support/tabPage";
import { batchScenes } from "./tabScenes";

describe("the page of a batch", () => {
  let tab: TabPage;
  const batch = batchScenes()["twelve"]!;
  const idOf = (index: number): string => batch.variants[index]?.id ?? "";
  beforeEach(async () => {
    tab = await TabPage.open("batch");
  });
  afterEach(async () => {
    const violations = await tab.violations();
    assert.deepEqual(violations, []);
  });

  const cell = (index: number): Locator => tab.page.locator(".cell").nth(index);
  const sent = async (): Promise<BatchPageIntent[]> =>
    (await tab.intents<BatchPageIntent | { type: "view-ready" }>()).filter(
      (intent): intent is BatchPageIntent => intent.type !== "view-ready",
    );

  it("T13: below each picture is what differs: the end of the prompt, options, seed and time", async () => {
    await tab.show(batch);
    await cell(2).getByText("… lighthouse, variant 3").waitFor();
    await cell(2).getByText("seed 1002 · size: 1024x1024 · 43 s").waitFor();
    await cell(1).getByText("Kept ✓").waitFor();
    await cell(3).getByText("processing").waitFor();
    await cell(6).getByText("The result is at the gateway.").waitFor();
    assert.ok(((await cell(2).locator(".cell-frame").boundingBox())?.height ?? 0) > 150);
    await tab.show({ ...batch, variants: batch.variants.map(({ difference: _, ...variant }) => variant) });
    await cell(2).getByText("variant 3").waitFor({ state: "detached" });
  });

  it("T20: a rehearsed result is told from a real one at 300 pixels, by a word that is not cut, also in the gallery", async () => {
    const rehearsed = {
      ...batch,
      variants: batch.variants.map((one, index) => (index === 0 ? { ...one, isRehearsed: true as const } : one)),
    };
    const narrow = { size: { width: 300, height: 700 } };
    const own = tab;
    for (const [page, scene] of [
      ["batch", rehearsed],
      ["gallery", galleryScene([galleryTask(0, "made-0.png", { isRehearsal: true }), galleryTask(1, "made-1.png")])],
    ] as const) {
      tab = await TabPage.open(page, narrow);
      await tab.show(scene);
      const words = tab.page.locator(".cell").getByText("rehearsed", { exact: true });
      await words.waitFor();
      const [word, frame] = [await words.boundingBox(), await tab.page.locator(".cell-frame").first().boundingBox()];
      assert.ok(word && frame && word.width > 30);
      assert.ok(word.x >= frame.x && word.x + word.width <= frame.x + frame.width + 1, JSON.stringify({ word, frame }));
      await takePicture(tab.page, `${page}-rehearsed-300`);
      await tab.close();
    }
    tab = own;
  });

  it("T13, T15: the keys of the gallery mark the results, and a task without one has no marks", async () => {
    await tab.show(batch);
    await cell(0).focus();
    await tab.page.keyboard.press("3");
    await tab.page.keyboard.press("k");
    await tab.page.keyboard.press("ArrowRight");
    await tab.page.keyboard.press("k");
    await tab.page.keyboard.press("x");
    await tab.page.keyboard.press("Control+a");
    await tab.page.keyboard.press("5");
    const withResult = batch.variants.filter(({ hasResult }) => hasResult).map(({ id }) => id);
    assert.ok(withResult.length < batch.variants.length);
    assert.deepEqual(await sent(), [
      { type: "results-judge", tasks: [idOf(0)], rating: 3 },
      { type: "results-judge", tasks: [idOf(0)], choice: "kept" },
      { type: "results-judge", tasks: [idOf(1)], choice: "none" },
      { type: "results-judge", tasks: [idOf(1)], choice: "rejected" },
      { type: "results-judge", tasks: withResult, rating: 5 },
    ]);
  });

  it("T13, T15: each picture has its menu, by the pointer and by key; Escape leads back to the picture", async () => {
    await tab.show(batch);
    await cell(2).click({ button: "right" });
    const menu = tab.page.getByRole("group", { name: "More Actions…" });
    await menu.getByRole("button", { name: "Open Task" }).waitFor();
    await takePicture(tab.page, "batch-menu");
    // It is here already.
    assert.equal(await menu.getByRole("button", { name: "Get Result" }).count(), 0);
    await tab.page.keyboard.press("ArrowDown");
    assert.equal(await tab.page.evaluate("document.activeElement.textContent.trim()"), "Open Result");
    await tab.page.keyboard.press("Escape");
    await menu.waitFor({ state: "detached" });
    await tab.settled();
    assert.match(await tab.page.evaluate<string>("document.activeElement.dataset.id"), new RegExp(idOf(2)));
    await cell(0).hover();
    await cell(0).locator(".cell-more").click();
    await menu.getByRole("button", { name: "Make 4 Variants…" }).click();
    await menu.waitFor({ state: "detached" });
    await cell(2).click({ button: "right" });
    await tab.page.getByRole("heading", { level: 1 }).click();
    await menu.waitFor({ state: "detached" });
    assert.deepEqual(await sent(), [{ type: "results-act", action: "make-variants", tasks: [idOf(0)] }]);
  });

  it("T13, T15: one is enlarged, with the next by arrow key; several are compared, with what they were made with", async () => {
    await tab.show(batch);
    await cell(0).click();
    await tab.page.getByRole("button", { name: "Enlarge" }).click();
    const dialog = tab.page.getByRole("dialog");
    await dialog.getByRole("heading", { name: "Poster of a lighthouse, variant 1" }).waitFor();
    await dialog.getByText("1024x1024").waitFor();
    await dialog.locator(".pane-frame img").waitFor();
    await takePicture(tab.page, "batch-enlarged");
    await tab.page.keyboard.press("ArrowRight");
    await dialog.getByRole("heading", { name: "variant 2" }).waitFor();
    await tab.page.keyboard.press("ArrowRight");
    await tab.page.keyboard.press("ArrowRight");
    // The fourth one is not there yet.
    await dialog.getByRole("heading", { name: "variant 5" }).waitFor();
    await tab.page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await cell(1).click({ modifiers: ["Control"] });
    await tab.page.keyboard.press("c");
    await tab.page.getByRole("dialog", { name: "Compare 2 results" }).getByText("768x512").waitFor();
  });

  it("T13: a result that is fetched without a click is said to be arriving, without a button above the grid", async () => {
    const variants = batch.variants.map((one) => ({ ...one, isArriving: one.hasResult && one.file === undefined }));
    await tab.show({ ...batch, variants });
    await cell(6).getByText("arriving").waitFor();
    assert.equal(await tab.page.getByRole("button", { name: "Get Results" }).count(), 0);
  });

  it("T13: what is at the gateway only is fetched by one button", async () => {
    await tab.show(batch);
    await tab.page.getByRole("button", { name: "Get Results" }).click();
    assert.deepEqual(await sent(), [{ type: "results-get" }]);
    await tab.show(batchScenes()["none-left"]!);
    await tab.page.getByText("No task of this batch is on the list.").waitFor();
  });
});

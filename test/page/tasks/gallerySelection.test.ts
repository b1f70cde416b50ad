/** The gallery alone in a real browser: what the bar, its menu and the keys act on, and where the focus goes. */
import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import type { GalleryPageIntent } from "../../../src/tasks/contract/galleryPageContract";
import { galleryScene, galleryTask, galleryTasks } from "./galleryScenes";
import { takePicture } from "../support/pictures";
import { TabPage } from "../support/tabPage";

describe("the selection in the gallery's page", () => {
  let tab: TabPage;
  beforeEach(async () => {
    tab = await TabPage.open("gallery");
  });
  afterEach(async () => {
    const violations = await tab.violations();
    assert.deepEqual(violations, []);
  });

  const cell = (number: number): Locator => tab.page.getByRole("option", { name: new RegExp(`number ${number}:`) });
  const button = (name: string): Locator => tab.page.getByRole("button", { name, exact: true });
  const focused = (): Promise<string> =>
    tab.page.evaluate("(({ activeElement: { ariaLabel, textContent } }) => ariaLabel ?? textContent.trim())(document)");
  const reject = async (...indices: readonly number[]): Promise<void> => {
    const { rows } = galleryScene(indices.map((index) => galleryTask(index, "made-0.png")));
    const rejected = rows.map((row) => ({ ...row, choice: "rejected" }));
    await tab.event({ total: 6, isComplete: true, rows: rejected, gone: [] });
  };
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

  it("T15: what was rejected last is named in the bar, and Undo or Ctrl+Z gives each result the mark that it had", async () => {
    await tab.show(galleryScene(galleryTasks(6)));
    await cell(2).click();
    await cell(3).click({ modifiers: ["Control"] });
    // Of the two, one is kept.
    await tab.page.keyboard.press("x");
    const tasks = [idOf(1), idOf(2)];
    await reject(1, 2);
    await cell(3).waitFor({ state: "detached" });
    await tab.page.getByText("2 results: rejected", { exact: true }).last().waitFor();
    await takePicture(tab.page, "gallery-rejected");
    await button("Undo").click();
    await button("Undo").waitFor({ state: "detached" });
    const { rows } = galleryScene(galleryTasks(6).slice(1, 3));
    await tab.event({ total: 6, isComplete: true, rows, gone: [] });
    await tab.page.getByText("2 selected", { exact: true }).first().waitFor();
    // The second click of a double click meets no other button of the bar, which has changed under the mouse.
    await tab.page.mouse.down();
    await tab.page.mouse.up();
    await cell(1).click();
    await tab.page.keyboard.press("4");
    assert.equal(await button("Undo").count(), 0, "a rating is seen on its result");
    await tab.page.keyboard.press("ArrowRight");
    await tab.page.keyboard.press("Control+z");
    await tab.page.keyboard.press("Control+z");
    assert.deepEqual(await sent(), [
      { type: "results-judge", tasks, choice: "rejected" },
      { type: "results-judge", tasks: [idOf(1)], choice: "none" },
      { type: "results-judge", tasks: [idOf(2)], choice: "kept" },
      { type: "results-judge", tasks: [idOf(0)], rating: 4 },
      { type: "results-judge", tasks: [idOf(0)], rating: 0 },
    ]);
  });

  it("T15: Undo is also in the bar of the selected results, when another one was rejected", async () => {
    await tab.show(galleryScene(galleryTasks(6)));
    await cell(1).click();
    await tab.page.keyboard.press("ArrowRight");
    await tab.page.keyboard.press("x");
    await reject(1);
    await cell(2).waitFor({ state: "detached" });
    await tab.page.getByText("1 selected", { exact: true }).first().waitFor();
    await takePicture(tab.page, "gallery-rejected-beside");
    await button("Undo").click();
    const { rows } = galleryScene([galleryTask(1, "made-0.png")]);
    await tab.event({ total: 6, isComplete: true, rows, gone: [] });
    await cell(2).waitFor();
    await tab.page.getByText("1 selected", { exact: true }).first().waitFor();
    assert.deepEqual(await sent(), [
      { type: "results-judge", tasks: [idOf(1)], choice: "rejected" },
      { type: "results-judge", tasks: [idOf(1)], choice: "none" },
    ]);
  });

  it("T15: further actions are above their button, with the focus, which Escape and a choice give back", async () => {
    await tab.page.setViewportSize({ width: 1200, height: 800 });
    await tab.show(galleryScene(galleryTasks(6)));
    await cell(1).click();
    const more = button("More Actions…");
    const menu = tab.page.getByRole("group", { name: "More Actions…" });
    await more.click();
    await menu.waitFor();
    await tab.settled();
    assert.equal(await focused(), "Open Result");
    const [list, opener] = [await menu.boundingBox(), await more.boundingBox()];
    assert.ok(list && opener);
    assert.ok(Math.abs(list.x - opener.x) <= 1 && list.y + list.height <= opener.y + 1);
    await tab.page.keyboard.press("Escape");
    await menu.waitFor({ state: "detached" });
    assert.equal(await focused(), "More Actions…");
    await tab.page.keyboard.press("Enter");
    await menu.getByRole("button", { name: "Copy Path" }).click();
    await menu.waitFor({ state: "detached" });
    assert.equal(await focused(), "More Actions…");
    await more.click();
    await more.click();
    await menu.waitFor({ state: "detached" });
    await tab.page.setViewportSize({ width: 300, height: 500 });
    await more.click();
    await tab.settled();
    const narrow = await menu.boundingBox();
    assert.ok(narrow && narrow.x >= 0 && narrow.y >= 0 && narrow.x + narrow.width <= 300);
  });

  it("T15: the focus goes from the button that rejected to the next result, and in the end to what shows the rejected ones", async () => {
    await tab.show(galleryScene([0, 1].map((index) => galleryTask(index, "made-0.png"))));
    await cell(1).click();
    await button("Reject").click();
    await reject(0);
    await tab.settled();
    assert.match(await focused(), /number 2:/);
    await tab.page.keyboard.press("x");
    await reject(1);
    await tab.page.getByText("All results are rejected.").waitFor();
    assert.equal(await focused(), "Show Rejected");
    await tab.page.keyboard.press("Enter");
    await cell(2).waitFor();
    await tab.settled();
    assert.match(await focused(), /number 1:/);
  });

  it("T15: what is selected is so again when the tab is shown again", async () => {
    await tab.show(galleryScene(galleryTasks(6)));
    await cell(2).click();
    await cell(5).click({ modifiers: ["Control"] });
    await tab.settled();
    await tab.page.reload();
    await tab.show(galleryScene(galleryTasks(6)));
    await button("Reject").click();
    assert.deepEqual((await sent()).at(-1), { type: "results-judge", tasks: [idOf(1), idOf(4)], choice: "rejected" });
  });

  it("T15: in a cell that is larger than its thumbnail the picture is made of the file", async () => {
    await tab.page.setViewportSize({ width: 700, height: 800 });
    const { rows } = galleryScene([0, 1].map((index) => galleryTask(index, `made-${index}.png`)));
    const small = rows.map((row) => ({ ...row, thumbnail: "picture-1.svg" }));
    await tab.show(galleryScene([], { rows: small, total: 2 }));
    const image = cell(1).locator("img");
    assert.match((await image.getAttribute("src")) ?? "", /picture-1\.svg$/);
    await tab.page.getByRole("slider", { name: "Size of the pictures" }).fill("320");
    await cell(1).locator('img[src^="blob:"]').waitFor();
  });

  it("T15: what a variant differs by is shown and spoken before its prompt", async () => {
    await tab.show(galleryScene([galleryTask(0, "made-0.png", { variant: "style: ink" })]));
    const ink = tab.page.getByRole("option", { name: /^ink · Poster of a lighthouse, number 1: / });
    assert.equal(await ink.locator(".cell-prompt").innerText(), "ink · Poster of a lighthouse, number 1");
  });

  it("T15: Keep is as wide before and after, so that nothing beside it moves", async () => {
    await tab.show(galleryScene([0, 1].map((index) => galleryTask(index, "made-0.png"))));
    await cell(1).click();
    const before = await button("Reject").boundingBox();
    const { rows } = galleryScene([galleryTask(0, "made-0.png")]);
    await tab.event({ total: 2, isComplete: true, rows: rows.map((row) => ({ ...row, choice: "kept" })), gone: [] });
    await button("Kept ✓").waitFor();
    assert.equal((await button("Reject").boundingBox())?.x, before?.x);
  });
});

/** The form for media in the real window: opened by its command, filled, submitted to the local gateway; what is filled in is there after it was closed and after a reload. */
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import type { Frame } from "playwright-core";
import { eventually } from "../../support/eventually";
import { picksOf } from "../../support/picks";
import { openBoardOf } from "../../support/placedTasks";
import { shareLocalWindow } from "../../support/sharedWindow";
import type { VsCodeWindow } from "../../support/window";

const prompt = "a paper boat on a green canal";

describe("the form for media in the window", () => {
  let window: VsCodeWindow;
  before(async () => {
    window = await shareLocalWindow();
  });
  after(async () => {
    await window.close();
  });

  const form = (): Promise<Frame> => window.frameWith(".media-form");
  const openForm = async (): Promise<Frame> => {
    await window.runCommand("Sluice: New Media Task…");
    return form();
  };
  const batches = async (): Promise<readonly (string | undefined)[]> => {
    const board = await openBoardOf(window);
    const tasks = [...board.tasks.values()].filter(({ intent }) => intent.prompt === prompt);
    await board.close();
    return tasks.map(({ intent }) => intent.batch);
  };

  it("T1, T15: two images by a double click are two tasks of one batch, and arrive", async () => {
    const page = await openForm();
    await page.locator("#prompt:focus").waitFor();
    await page.getByLabel("Type", { exact: true }).selectOption({ label: "Image" });
    await page.getByLabel("Prompt", { exact: true }).fill(prompt);
    await page.getByLabel("Count", { exact: true }).selectOption("2");
    await page.getByLabel("Size", { exact: true }).selectOption({ index: 1 });
    await window.screenshot("media-form");
    await page.getByRole("button", { name: "Submit 2 images" }).dblclick();
    await page.getByText(/2 tasks were submitted at|2 of 2 tasks succeeded/).waitFor();
    await page.getByRole("button", { name: "Submit 2 images" }).waitFor();
    await window.treeRow("Tasks", prompt);
    await eventually("both on disk", async () => (await batches()).length === 2);
    const [one, other] = await batches();
    assert.ok(one !== undefined && one === other);
    await window.screenshot("media-form-submitted");
    await page.getByRole("button", { name: "Open Batch" }).click();
    const batch = await window.frameWith(".results-page .cell img");
    await eventually("both pictures", async () => (await batch.locator(".cell img").count()) === 2);
  });

  it("T15: results to choose from have their pictures", async () => {
    const page = await openForm();
    await page.getByRole("button", { name: "From Results…" }).click();
    const image = "getComputedStyle(document.querySelector('.quick-input-list-icon') ?? document.body).backgroundImage";
    await eventually("the picture", async () => (await window.page.evaluate<string>(image)).startsWith("url("));
    await window.screenshot("media-form-results");
    await picksOf(window).press("Escape");
    await picksOf(window).closed();
  });

  it("T15: closed and opened again, and after a reload, the form is as it was left", async () => {
    const page = await openForm();
    await page.getByLabel("Prompt", { exact: true }).fill(`${prompt}, at night`);
    await page.getByLabel("Seed", { exact: true }).fill("12");
    await window.runCommand("View: Close All Editors");
    const isAsLeft = async (frame: Frame): Promise<boolean> => {
      const names = ["Prompt", "Seed", "Count"];
      const values = names.map((name) => frame.getByLabel(name, { exact: true }).inputValue());
      return isDeepStrictEqual(await Promise.all(values), [`${prompt}, at night`, "12", "2"]);
    };
    const again = await openForm();
    await eventually("the form as it was left", () => isAsLeft(again));
    const loaded = window.page.waitForEvent("load");
    await window.runCommand("Developer: Reload Window");
    await loaded;
    const loadedForm = await form();
    await eventually("the form after the reload", () => isAsLeft(loadedForm));
  });
});

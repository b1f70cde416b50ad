/** The pages in editor tabs in every theme: no serious violation of accessibility, nothing wider than the tab; with PANEL_PICTURES=1 a picture of each state is left to look at. */
import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { galleryScene, galleryTasks } from "./galleryScenes";
import { fillInWrong, mediaFormScenes } from "./mediaFormScenes";
import { takePicture } from "../support/pictures";
import { assetsScene, someAssets } from "../../support/projectAssets";
import { faultsOfScenes } from "../support/tabLooks";
import { convertScene, type TabBundle, TabPage, type TabScene } from "../support/tabPage";
import { batchScenes, moneyFindings, moneyScene, moneyTasks, taskScenes, usageScene, usageTasks } from "./tabScenes";

const press =
  (selector: string, key: string) =>
  async ({ page }: TabPage): Promise<void> =>
    page.locator(selector).first().press(key);
const click =
  (name: string) =>
  async ({ page }: TabPage): Promise<void> =>
    page.getByRole("button", { name }).first().click();

async function scenesOf(bundle: Exclude<TabBundle, "localGateway">): Promise<TabScene[]> {
  const named = (scenes: Readonly<Record<string, unknown>>): TabScene[] =>
    Object.entries(scenes).map(([name, snapshot]) => ({ name, snapshot }));
  switch (bundle) {
    case "task":
      return [
        ...named(taskScenes()),
        {
          name: "raw",
          snapshot: taskScenes()["succeeded-picture"],
          act: async ({ page }) => page.locator("summary").click(),
        },
      ];
    case "batch":
      return [
        ...named(batchScenes()),
        {
          name: "enlarged",
          snapshot: batchScenes()["twelve"],
          act: async ({ page }) => {
            await page.locator(".cell").first().click();
            await page.keyboard.press("c");
            await page.getByRole("dialog").waitFor();
          },
        },
        {
          name: "menu",
          snapshot: batchScenes()["twelve"],
          act: async ({ page }) => page.locator(".cell").first().click({ button: "right" }),
        },
      ];
    case "money": {
      const tasks = [...usageTasks(6), ...Object.values(moneyTasks)];
      return [
        { name: "reading", snapshot: { group: "reserved" } },
        { name: "empty", snapshot: await moneyScene([], "reserved") },
        { name: "charged", snapshot: await moneyScene(tasks, "charged") },
        {
          name: "to-check",
          snapshot: await moneyScene(tasks, "toCheck"),
          act: async ({ page }) => page.locator("summary").first().click(),
        },
        { name: "checking", snapshot: { ...(await moneyScene(tasks, "toCheck")), checking: { done: 2, of: 6 } } },
        { name: "reserved", snapshot: await moneyScene(tasks, "reserved") },
        { name: "findings", snapshot: { ...(await moneyScene(tasks, "charged")), findings: moneyFindings() } },
      ];
    }
    case "usage": {
      const tasks = usageTasks(90);
      return [
        { name: "counting", snapshot: { range: 30 } },
        { name: "empty", snapshot: await usageScene([], 7) },
        { name: "7-days", snapshot: await usageScene(tasks, 7) },
        { name: "90-days", snapshot: await usageScene(tasks, 90) },
        { name: "list", snapshot: await usageScene(tasks, 30, -1), act: press("#tasks", "ArrowLeft") },
        { name: "table", snapshot: await usageScene(tasks, 7), act: click("Show as table") },
      ];
    }
    case "gallery": {
      const many = galleryScene(galleryTasks(60));
      return [
        { name: "reading", snapshot: galleryScene([], { isComplete: false }) },
        { name: "no-results", snapshot: galleryScene([]) },
        { name: "results", snapshot: many },
        {
          name: "compared",
          snapshot: many,
          act: async ({ page }) => {
            await page.getByRole("option", { name: /number 1:/ }).click();
            await page.getByRole("option", { name: /number 3:/ }).click({ modifiers: ["Control"] });
            await page.keyboard.press("c");
            await page.getByRole("dialog").waitFor();
          },
        },
        {
          name: "selected",
          snapshot: many,
          act: async (tab) => {
            await click("Filter")(tab);
            await tab.page.locator(".cell").first().press("Control+a");
            await click("More Actions…")(tab);
          },
        },
      ];
    }
    case "assets": {
      const isMade = async ({ page }: TabPage): Promise<void> =>
        page.locator(".convert-results[aria-busy=false]").waitFor();
      return [
        { name: "looking", snapshot: { subject: "assets", looking: 0 } },
        { name: "nothing", snapshot: assetsScene([]) },
        { name: "found", snapshot: assetsScene(someAssets, { isIncomplete: true }) },
        { name: "convert-reading", snapshot: convertScene("", { picture: { state: "reading" } }) },
        { name: "convert-chosen", snapshot: convertScene("made-0.png"), act: isMade },
        {
          name: "convert-made",
          snapshot: convertScene("clear.png", { saved: { files: "assets/pier.jpg, assets/pier@2x.jpg", at: 1 } }),
          act: async (tab) => {
            await tab.page.getByRole("radio", { name: "JPEG" }).check();
            await isMade(tab);
          },
        },
      ];
    }
    case "mediaForm":
      return [...named(mediaFormScenes()), { name: "wrong", snapshot: mediaFormScenes()["filled"], act: fillInWrong }];
  }
}

/** Looked at in each theme: what the others show has the same colours. */
const coloured = new Set([
  ...["running", "succeeded-picture", "failed", "unknown", "refused", "raw"],
  ...["twelve", "enlarged", "menu"],
  ...["90-days", "list", "table"],
  ...["to-check", "charged"],
  ...["results", "selected", "compared"],
  ...["convert-chosen", "convert-made", "found"],
  ...["filled", "wrong", "refused"],
]);

describe("pages in editor tabs, in every theme", () => {
  for (const bundle of ["task", "batch", "money", "usage", "gallery", "assets", "mediaForm"] as const) {
    it(`P6: ${bundle}, in every theme and width: nothing keeps anyone out, nothing scrolls sideways`, async () => {
      assert.deepEqual(await faultsOfScenes(bundle, await scenesOf(bundle), coloured), []);
    });
  }

  it("T18: a line on what was counted asks for its evidence, and there is none where all fits", async () => {
    const tab = await TabPage.open("money");
    const plain = await moneyScene(Object.values(moneyTasks), "charged");
    await tab.show(plain);
    const button = tab.page.getByRole("button", { name: "Show Evidence" });
    assert.equal(await button.count(), 0);
    const findings = moneyFindings();
    await tab.show({ ...plain, findings });
    assert.match(
      await tab.page.locator(".finding").first().innerText(),
      /^In 14 of 14 answers .* nothing was read from the cache although the beginning was the same\./,
    );
    await button.first().click();
    assert.deepEqual((await tab.intents()).at(-1), { type: "evidence-show", finding: findings[0]?.id });
    await tab.close();
  });

  it("T7: one action is below the result, and the rest in the list that the button beside it opens", async () => {
    const tab = await TabPage.open("task", { theme: "dark" });
    const button = (name: string): Locator => tab.page.getByRole("button", { name, exact: true });
    await tab.show(taskScenes()["succeeded-picture"]);
    await button("Save to assets/").waitFor();
    assert.equal(await button("Duplicate with Changes…").count(), 0);
    await button("More Actions…").click();
    await button("Duplicate with Changes…").waitFor();
    await tab.page.locator(".more-actions button:focus").waitFor();
    await tab.page.keyboard.press("ArrowDown");
    await takePicture(tab.page, "task-more-actions");
    await button("Insert Link").press("Escape");
    await button("Duplicate with Changes…").waitFor({ state: "detached" });
    await tab.page.locator(".more:focus").waitFor();
    await tab.show(taskScenes()["failed"]);
    await button("Try Again…").waitFor();
    await tab.show(taskScenes()["running"]);
    await button("Cancel…").focus();
    await tab.show(taskScenes()["succeeded-picture"]);
    await button("Save to assets/").waitFor();
    await tab.page.locator(".more:focus").waitFor();
  });

  it("T7, T15: a picture that would take gigabytes is not loaded: the page gives the reason and opens it elsewhere", async () => {
    const tab = await TabPage.open("task", { theme: "dark" });
    await tab.show(taskScenes()["succeeded-large"]);
    await tab.page.getByText("Can't be shown: the picture is too large").waitFor();
    assert.equal(await tab.page.locator(".frame img").count(), 0);
    await tab.page.locator(".frame").getByRole("button", { name: "Open Externally" }).click();
    assert.deepEqual((await tab.intents()).at(-1), { type: "task-action", action: "open-externally" });
    await takePicture(tab.page, "task-too-large");
  });

  it("T7, R6: a picture that is damaged and one that is missing are told apart, and can be fetched again", async () => {
    const tab = await TabPage.open("task", { theme: "dark" });
    await tab.show(taskScenes()["succeeded-damaged"]);
    await tab.page.getByText("Can't be shown: the file is damaged", { exact: true }).waitFor();
    await tab.show(taskScenes()["succeeded-gone"]);
    await tab.page.getByText("Can't be shown: the file is missing or damaged", { exact: true }).waitFor();
    await tab.page.locator(".frame").getByRole("button", { name: "Get Result" }).click();
    assert.deepEqual((await tab.intents()).at(-1), { type: "task-action", action: "get-result" });
  });

  it("P6: until the first state a page shows still lines, after 150 ms, and says that it is busy", async () => {
    const tab = await TabPage.open("batch", { theme: "dark" });
    const main = tab.page.locator("#app > main");
    const waiting = (): Promise<readonly string[]> =>
      tab.page.evaluate<readonly string[]>(
        `(({ content, animationDelay, animationDuration }) => [content, animationDelay, animationDuration])(
          getComputedStyle(document.querySelector("#app > main"), "::before"))`,
      );
    await main.waitFor({ state: "attached" });
    assert.deepEqual(await waiting(), ['""', "0.15s", "0s"]);
    assert.equal(await main.getAttribute("aria-busy"), "true");
    await tab.show(batchScenes()["twelve"]!);
    assert.equal((await waiting())[0], "none");
    assert.equal(await main.getAttribute("aria-busy"), null);
  });

  it("T13: the cap on tasks a day is a line across their bars, not across the holds, and in the legend", async () => {
    const tab = await TabPage.open("usage", { theme: "light" });
    await tab.show(await usageScene(usageTasks(30), 30));
    await tab.page.locator(".legend").getByText("Cap: 15 a day").waitFor();
    assert.equal(await tab.page.locator("#tasks .limit-line").count(), 1);
    assert.equal(await tab.page.locator("#holds .limit-line").count(), 0);
  });

  it("T13: in high contrast, where all buttons have one background, a ring marks the section that is shown", async () => {
    for (const theme of ["high-contrast", "high-contrast-light"] as const) {
      const tab = await TabPage.open("usage", { theme });
      await tab.show(await usageScene(usageTasks(3), 30));
      await tab.page.locator(".sections").waitFor();
      const rings = await tab.page.evaluate(
        "[...document.querySelectorAll('.sections .button')].map((one) => getComputedStyle(one).boxShadow !== 'none')",
      );
      assert.deepEqual(rings, [false, true], theme);
    }
  });
});

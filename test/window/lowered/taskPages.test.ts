/** The pages of a task, a batch and the usage in the real window: opened from the tree and the palette, and found again after a reload. */
import assert from "node:assert/strict";
import type { Frame } from "playwright-core";
import { eventually } from "../../support/eventually";
import { modelStep, picksOf, selectionStep, typeStep } from "../../support/picks";
import { chooseInMenu } from "../../support/rowMenu";
import { shareLocalWindow } from "../../support/sharedWindow";
import type { VsCodeWindow } from "../../support/window";

describe("the pages of tasks in the window", () => {
  let window: VsCodeWindow;
  before("open VS Code on the local gateway", async () => {
    window = await shareLocalWindow();
  });
  after(async () => {
    await window.close();
  });

  const tab = (name: string | RegExp) => window.page.locator(".tabs-container").getByRole("tab", { name });
  const shows = async (selector: string, text: string | RegExp): Promise<Frame> => {
    const frame = await window.frameWith(selector);
    await frame.locator(selector).filter({ hasText: text }).first().waitFor();
    return frame;
  };

  const countSentence = /Tasks since .+: \d+,/;
  const openTask = (): Promise<void> => chooseInMenu(window, () => window.treeRow("Tasks", "lighthouse"), "Open Task");

  it("T7, T13: each page opens, follows its task, and is there again after a reload", async () => {
    await window.showContainer("Sluice");
    const chat = await window.frameWith("textarea");
    await chat.getByText("demo-chat").filter({ visible: true }).first().waitFor();
    await window.openFile("hero.prompts.md");
    await window.selectText("lighthouse");
    await window.runCommand("Sluice: Submit Selection as Task…");
    const picks = picksOf(window);
    await picks.step(typeStep);
    await window.pick(/^Image/);
    await picks.through(modelStep, selectionStep);
    // A row that moves to another group takes its open menu with it.
    await window.treeRow("Tasks", "Finished today");
    await openTask();
    const page = await shows(".task-page .chip", "succeeded");
    assert.equal(await page.locator("h1").innerText(), "lighthouse");
    // The result is fetched here if it was not yet; the button goes when it comes unasked.
    const get = page.getByRole("button", { name: "Get Result" });
    const picture = page.locator(".frame img[alt=lighthouse]");
    await get.or(picture).first().waitFor();
    if (await get.isVisible()) await get.click({ timeout: 5_000 }).catch(() => undefined);
    await picture.waitFor();
    // It is transparent until it has loaded.
    await page.locator(".frame img:not(.waiting-media)").waitFor();
    await page.locator(".timeline li").filter({ hasText: "created" }).first().waitFor();
    await window.screenshot("task-page");
    await page.getByRole("button", { name: "Save to assets/" }).click();
    await page.getByRole("button", { name: "Saved ✓ Show" }).waitFor();
    await window.screenshot("task-page-saved");
    await page.getByRole("button", { name: "More Actions…" }).click();
    await window.screenshot("task-page-more");
    // Finding N12.
    await page.getByRole("button", { name: "Use as Reference for a New Task…" }).click();
    await picks.step(typeStep);
    await picks.press("Escape");
    await picks.closed();
    await page.getByRole("button", { name: "More Actions…" }).click();
    await page.getByRole("button", { name: "Make Video of This…" }).click();
    // Type and prompt are known: the model is asked for.
    await picks.through(modelStep);
    await picks.step(selectionStep);
    await window
      .quickInput()
      .locator(".monaco-list-row")
      .filter({ hasText: /\.(png|jpg|webp) \(/ })
      .waitFor();
    await picks.press("Escape");
    await picks.closed();
    await page.locator("summary").click();
    await page.getByRole("button", { name: "Copy as curl" }).click();
    const command = /^curl 'http:.*\/tasks' \\\n {2}-H "Authorization: Bearer \$SLUICE_API_KEY"/;
    await eventually("the copied command", async () =>
      command.test(await window.page.evaluate<string>("navigator.clipboard.readText()")),
    );

    await window.runCommand("Sluice: Show Usage");
    const usage = await shows(".usage-page", countSentence);
    await usage.getByRole("button", { name: "7 days" }).click();
    await usage.locator("#tasks").press("Enter");
    await usage.locator(".day-list li").filter({ hasText: "lighthouse" }).first().waitFor();
    await window.screenshot("usage-page");
    // What other tests have taken off the list counts, too.
    const counted = countSentence.exec(await usage.locator(".usage-page").innerText())?.[0] ?? countSentence;

    // VS Code's own command: it writes down which editors are open before it reloads.
    const loaded = window.page.waitForEvent("load");
    await window.runCommand("Developer: Reload Window");
    await loaded;
    await tab(/Usage/).waitFor();
    const again = await shows(".usage-page", counted);
    await again.locator('[aria-pressed="true"]').filter({ hasText: "7 days" }).waitFor();
    // Its tab was not shown since the reload, so nothing has filled it yet.
    await openTask();
    await shows(".task-page .chip", "succeeded");
    await tab(/lighthouse/)
      .nth(1)
      .waitFor({ state: "detached" });
    assert.equal(await tab(/lighthouse/).count(), 1);
  });
});

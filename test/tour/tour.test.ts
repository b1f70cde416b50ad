/** `npm run tour`: through the real window as a person would go, with a picture at each stop in test-results/tour/. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Frame } from "playwright-core";
import { allow } from "../support/approvalBar";
import { askInChat } from "../support/askInChat";
import { eventually } from "../support/eventually";
import { picksOf } from "../support/picks";
import { pressInRow } from "../support/rowMenu";
import { setSideBarWidth } from "../support/sideBar";
import { openWindow, type VsCodeWindow } from "../support/window";

const prompt = "A paper lantern on black water, seen from above, soft light.";

/** What an answer wrote so far. A row of a table that has just begun is a paragraph for a moment, so items of lists count too. */
const paragraphs = ".row.answer :is(p, li)";

describe("the tour", () => {
  let window: VsCodeWindow;
  let chat: Frame;
  before(async () => {
    window = await openWindow({
      speed: 2,
      settings: { "workbench.colorTheme": "Default Dark Modern" },
    });
  });
  after(async () => {
    await window.close();
  });

  /** Until the quick pick has faded in. */
  const settled = async (): Promise<void> => {
    // As text: this TypeScript project has no types of the DOM. A spinner never ends and is not waited for.
    await window.page.evaluate(`Promise.allSettled(document.getAnimations()
      .filter((animation) => animation.effect?.getComputedTiming().iterations !== Infinity)
      .map((animation) => animation.finished))`);
  };
  const ask = (text: string): Promise<void> => askInChat(chat, text);
  const answered = async (): Promise<void> => {
    await chat.getByRole("button", { name: "Stop" }).waitFor({ state: "hidden" });
  };

  it("V4: the empty views", async () => {
    await window.showContainer("Sluice");
    // As a person would who reads code in the chat.
    await setSideBarWidth(window, 410);
    chat = await window.frameWith("textarea");
    await chat.getByText("Demo model: works").first().waitFor();
    await window.screenshot("01-empty");
  });

  it("T2: submits a selection", async () => {
    await window.openFile("hero.prompts.md");
    await window.selectText(prompt);
    window.begin("sluice.task.submitSelection");
    await window.pick(/^Image/);
    const picks = picksOf(window);
    await window.quickInput().getByText("demo-image").first().waitFor();
    await window.screenshot("02-submit-model");
    await picks.press("Enter");
    await window.quickInput().getByText("Edit Prompt").waitFor();
    await window.screenshot("03-submit-confirm");
    await picks.press("Enter");
  });

  it("T4, T6: watches the task and its events", async () => {
    const row = await window.treeRow("Tasks", "A paper lantern");
    await window.screenshot("04-task-running");
    await row.locator(".monaco-tl-twistie").click();
    await window.treeRow("Tasks", /succeeded/);
    await window.treeRow("Tasks", "Finished today");
    await window.screenshot("05-task-finished");
  });

  it("T8: opens the result", async () => {
    const row = await window.treeRow("Tasks", "A paper lantern");
    await pressInRow(row, "Open Result");
    await window.page.getByRole("tab", { name: /a-paper-lantern.*\.png/ }).waitFor();
    await window.page.locator("iframe.webview").first().waitFor();
    await window.frameWith("img");
    await window.screenshot("06-result");
  });

  it("T9: cancels a running task with a reason", async () => {
    window.begin("sluice.task.submitSelection");
    await window.pick("Video");
    await window.pick("demo-video");
    await window.quickInput().getByText("Nothing is typed yet.").waitFor();
    await window.quickInput().locator("input").first().fill("[slow] A cathedral of glass, slow pan");
    await window.pick("Submit");
    const row = await window.treeRow("Tasks", "A cathedral");
    await pressInRow(row, "Cancel…");
    await window.quickInput().getByText("No longer needed").waitFor();
    await settled();
    await window.screenshot("07-cancel-reason");
    await window.pick("Wrong prompt");
    await window.page
      .locator(".monaco-list-row", { hasText: "A cathedral" })
      .locator("[class*=codicon-circle-slash]")
      .waitFor();
    await window.screenshot("08-cancelled");
  });

  it("A2: the model reads a file", async () => {
    await window.openFile("src/greeting.ts");
    await ask("Read src/greeting.ts and explain it");
    await chat.locator(".tool-title", { hasText: "Read greeting.ts" }).first().waitFor();
    await answered();
    await window.screenshot("09-chat-read");
  });

  it("A3: the model edits a file after approval", async () => {
    await ask("Replace `hour > 18` with `hour >= 18` in src/greeting.ts");
    await chat.locator(".approval-yes").waitFor();
    await window.screenshot("10-chat-approval");
    await chat.getByRole("button", { name: /Open Diff/ }).click();
    await window.page.getByRole("tab", { name: /proposed by the model/ }).waitFor();
    await window.page.locator(".monaco-diff-editor .line-insert, .monaco-diff-editor .char-insert").first().waitFor();
    await window.screenshot("11-chat-diff");
    const file = path.join(window.workspace, "src", "greeting.ts");
    assert.match(await readFile(file, "utf8"), /hour > 18/);
    await allow(chat);
    await answered();
    assert.match(await readFile(file, "utf8"), /hour >= 18/);
    await window.page.getByRole("tab", { name: /proposed by the model/ }).waitFor({ state: "detached" });
    await window.screenshot("12-chat-edited");
  });

  it("S5: stops a long answer", async () => {
    await window.run("sluice.chat.new");
    await chat.getByText("Write an overview").waitFor();
    await ask("Write a long answer with Markdown");
    await chat.locator(paragraphs).nth(5).waitFor();
    await window.screenshot("13-chat-streaming");
    await chat.getByRole("button", { name: "Stop" }).click();
    await answered();
    await window.screenshot("14-chat-stopped");
  });

  it("P3: the panel comes back where it was", async () => {
    const before = await chat.locator(paragraphs).count();
    assert.ok(before >= 3);
    await window.showContainer("Explorer");
    await window.showContainer("Sluice");
    chat = await window.frameWith("textarea");
    await chat.locator(paragraphs).first().waitFor();
    await eventually("all of it", async () => (await chat.locator(paragraphs).count()) === before);
    await window.screenshot("15-chat-back");
  });
});

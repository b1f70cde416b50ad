/** A turn that goes on without its page: the status bar counts it, and a notification says when it asks or has answered; and readers (A13). */
import assert from "node:assert/strict";
import type { Frame } from "playwright-core";
import { askInChat } from "../../support/askInChat";
import { eventually } from "../../support/eventually";
import { picksOf } from "../../support/picks";
import { shareLocalWindow } from "../../support/sharedWindow";
import type { VsCodeWindow } from "../../support/window";
import { beginChat } from "../../support/newChat";

/** Its turn runs until it is stopped, at a question. */
const asking = 'Go on.\n\n```calls\nwrite_file {"path": "notes.md", "content": "a"}\n```';

describe("chats in the background", () => {
  let window: VsCodeWindow;
  let chat: Frame;
  before(async () => {
    window = await shareLocalWindow();
    chat = await window.frameWith("textarea");
  });
  after(() => window.close());

  const status = () => window.page.locator(".part.statusbar").getByRole("button", { name: /works? in the background/ });

  it("A13, T11: Continue in Background leaves the page to a new chat; the chat that asks is counted, told and shown again by the status bar", async () => {
    await askInChat(chat, "Write 500 paragraphs");
    await chat.getByRole("button", { name: "Stop" }).waitFor();
    assert.equal(await status().count(), 0, "a chat in view is not counted");
    await window.runCommand("Sluice: Continue in Background");
    await chat.getByRole("list", { name: "Recent chats" }).waitFor();
    await status().waitFor();
    await window.screenshot("background-chat");
    await status().click();
    await status().waitFor({ state: "detached" });
    // The chat that works is shown. Its prompt may be far above the view by now.
    await chat.getByRole("button", { name: "Stop" }).click();
    await chat.getByText("Stopped.").last().waitFor();
  });

  it("A13, T11: a chat that comes to a question while its view is hidden says so, and Show leads to it; one that has answered likewise", async () => {
    await beginChat(window);
    await askInChat(chat, asking);
    await chat.locator(".approval").waitFor();
    await window.showContainer("Explorer");
    await status().waitFor();
    assert.match((await status().getAttribute("aria-label")) ?? "", /1 waits for you/);
    await status().click();
    // The page of the view is loaded again.
    chat = await window.frameWith(".approval");
    await chat.getByRole("button", { name: "Don't Allow" }).click();
    await chat.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
    await askInChat(chat, "Write 200 paragraphs");
    await chat.getByRole("button", { name: "Stop" }).waitFor();
    await window.showContainer("Explorer");
    await status().waitFor();
    await status().waitFor({ state: "detached" });
    await window.runCommand("Notifications: Show Notifications");
    const answered = window.page.locator(".notifications-center .notification-list-item", { hasText: "has answered" });
    await window.screenshot("background-answered");
    await answered.getByRole("button", { name: "Show", exact: true }).click();
    await window.page.locator(".part.sidebar .composite.title").filter({ hasText: "Sluice" }).waitFor();
    await window.runCommand("Notifications: Clear All Notifications");
  });

  it("A13: a reader's answer is one row, with what it took, and opens to what it did", async () => {
    await window.showContainer("Sluice");
    chat = await beginChat(window);
    await askInChat(chat, "Explore: find lantern, then read hero.prompts.md");
    const row = chat.locator(".tool-done").filter({ hasText: "Explore:" });
    await row.waitFor();
    await eventually("the row says what it took", async () => /2 calls · [\d,]+ tokens/.test(await row.innerText()));
    await row.locator("summary").click();
    await eventually("both steps", async () => (await row.locator(".tool-steps > li").count()) === 2);
    await window.screenshot("reader");
  });

  it("A13: Choose Model lists effort and mode below the models, and returns from them", async () => {
    await window.runCommand("Sluice: Choose Model");
    const quick = window.quickInput();
    await window.pick("Thinking Effort…");
    await window.pick("high effort");
    await quick.getByText("Mode…").waitFor();
    await window.screenshot("choose-model");
    await picksOf(window).press("Escape");
    await chat.locator("button.model").getByText("high", { exact: true }).waitFor();
  });
});

/** Modes, a question, a plan and its document in the real window (A13). */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Frame, Locator } from "playwright-core";
import { allow } from "../../support/approvalBar";
import { askInChat } from "../../support/askInChat";
import { eventually } from "../../support/eventually";
import { type Picks, picksOf } from "../../support/picks";
import { shareLocalWindow } from "../../support/sharedWindow";
import type { VsCodeWindow } from "../../support/window";
import { beginChat } from "../../support/newChat";

const greeting = "src/greeting.ts";
const replace = `replace \`hour > 18\` with \`hour >= 18\` in ${greeting}`;

describe("modes in a window", () => {
  let window: VsCodeWindow;
  let chat: Frame;
  let picks: Picks;
  const button = (name: string): Locator => chat.getByRole("button", { name, exact: true });
  const composer = (): Locator => chat.getByRole("textbox", { name: "Prompt" });
  const takeMode = async (mode: string): Promise<void> => {
    await chat.locator(".mode").click();
    await window.quickInput().getByText("Reads, then writes a plan that you edit and start").waitFor();
    await window.screenshot("modes-2-pick");
    await picks.type(mode);
    await picks.press("Enter");
    await chat.locator(".mode", { hasText: mode }).waitFor();
    // Before the focus is back it would close the next list.
    await window.quickInput().waitFor({ state: "hidden" });
    await chat.locator("textarea:focus").waitFor();
  };
  const text = (): Promise<string> => readFile(path.join(window.workspace, greeting), "utf8");
  before(async () => {
    window = await shareLocalWindow();
    picks = picksOf(window);
    await window.showContainer("Sluice");
    chat = await beginChat(window);
  });
  after(async () => {
    await window.runCommand("Sluice: New Chat");
    await window.close();
  });

  it("A13: Shift+Tab goes through the modes, Choose Mode… lists them; in Ask a change is not made, and the message says Ask", async () => {
    const before = await text();
    await composer().click();
    await composer().press("Shift+Tab");
    await chat.locator(".mode", { hasText: "Ask" }).waitFor();
    await askInChat(chat, replace);
    await chat.getByText("none of the declared tools fits", { exact: false }).waitFor();
    await chat.getByText("Ask mode", { exact: true }).waitFor();
    await window.screenshot("modes-1-ask");
    assert.equal(await text(), before);
    await takeMode("Plan");
  });

  it("A13: a plan is opened as a document, edited, kept without a save, and started: the chat works in Agent by what it says now", async () => {
    await askInChat(chat, `Plan: ${replace}, then read ${greeting}`);
    await button("Edit Plan").click();
    await window.page.getByText("Start This Step").first().waitFor();
    await window.screenshot("modes-3-plan");
    const editor = window.page.locator(".editor-instance .view-lines").last();
    await editor.click();
    await window.page.keyboard.press("Control+End");
    await window.page.keyboard.type("\n\nAnd nothing else.");
    await chat.locator(".plan-card", { hasText: "And nothing else." }).waitFor();
    await window.screenshot("modes-4-edited");
    await button("Start").click();
    await chat.locator(".mode", { hasText: "Agent" }).waitFor();
    await allow(chat);
    await eventually("the edit", async () => (await text()).includes("hour >= 18"));
    await chat.locator(".message", { hasText: "And nothing else." }).waitFor();
    await window.screenshot("modes-5-started");
    // The next test's lenses are those of its own plan.
    await window.runCommand("View: Close All Editors");
  });

  it("A13: Comment… quotes a step in the composer in Plan mode; Start This Step has the model carry out that step alone", async () => {
    await beginChat(window);
    await takeMode("Plan");
    await askInChat(chat, `Plan: read ${greeting}, then list the files in src`);
    await button("Edit Plan").click();
    const lens = (name: string): Locator =>
      window.page.locator(".editor-group-container.active .codelens-decoration a").getByText(name, { exact: true });
    // The first one is about the whole plan.
    await lens("Comment…").nth(2).click();
    await window.quickInput().locator("input").fill("only those in TypeScript");
    await window.quickInput().locator("input").press("Enter");
    await eventually("the quoted step", async () =>
      /^> 2\. .*\n\nonly those in TypeScript\s+$/.test(await composer().inputValue()),
    );
    await window.screenshot("modes-6-comment");
    await composer().fill("");
    await lens("Start This Step").nth(1).click();
    const message = chat.locator(".message", { hasText: "Carry out this step of the plan, and no other one" });
    await message.waitFor();
    assert.doesNotMatch(await message.innerText(), /greeting/);
    await chat.locator(".mode", { hasText: "Agent" }).waitFor();
    await window.screenshot("modes-7-step");
    await window.runCommand("View: Close All Editors");
  });

  it("A13: the plan of the work is one line above the composer that opens, and is checked off by hand", async () => {
    await beginChat(window);
    await askInChat(chat, `Plan: read ${greeting}, then list the files in src`);
    await chat.locator(".plan-line", { hasText: "2 of 2" }).waitFor();
    await chat.locator(".plan-line").click();
    await chat.locator(".plan-step").first().getByRole("checkbox").click();
    await chat.locator(".plan-line", { hasText: "1 of 2" }).waitFor();
    await window.screenshot("modes-8-plan-row");
  });

  it("A13: a question waits above the composer and in the badge, and a number key answers it", async () => {
    await askInChat(chat, "Ask me which colour: red, blue or green");
    await chat.locator(".question-bar").waitFor();
    await window.screenshot("modes-9-question");
    await eventually("the answer", async () => {
      if ((await chat.locator(".question-bar").count()) === 0) return true;
      await chat.locator(".transcript").press("2");
      return false;
    });
    await chat.locator(".code", { hasText: "The person chose: blue" }).waitFor();
    await window.screenshot("modes-10-answered");
  });
});

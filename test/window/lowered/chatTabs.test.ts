/** Chats in editor tabs of a real window: two with live turns, commands and keys that mean the right one, a reload, and the way back. */
import assert from "node:assert/strict";
import type { Frame, Locator } from "playwright-core";
import { askInChat } from "../../support/askInChat";
import { eventually } from "../../support/eventually";
import { shareLocalWindow } from "../../support/sharedWindow";
import type { VsCodeWindow } from "../../support/window";
import { beginChat } from "../../support/newChat";

/** Their turns wait for an approval, so they run until they are stopped. */
const lanterns = 'Replace "Lanterns" with "Boats" in hero.prompts.md';
const lanternsTab = /^Replace "Lanterns"/;
const replacing = 'Replace "no people" with "one boat" in hero.prompts.md';
const replacingTab = /^Replace "no people"/;

describe("chats in editor tabs", () => {
  let window: VsCodeWindow;
  before(async () => {
    window = await shareLocalWindow();
  });
  after(async () => {
    await window.close();
  });
  const tab = (name: string | RegExp): Locator => window.page.locator(".tabs-container").getByRole("tab", { name });
  /** The page that shows the text; the side bar's is hidden behind the explorer. */
  const pageWith = async (text: string): Promise<Frame> => {
    const frame = await window.frameWith(`.message :text-is("${text.replaceAll('"', '\\"')}")`);
    await frame.locator("textarea").first().waitFor();
    return frame;
  };

  it("P1: two tabs have a turn each at the same time, and their titles", async () => {
    await window.showContainer("Sluice");
    await beginChat(window);
    await window.showContainer("Explorer");
    await window.runCommand("Sluice: Open Chat in Editor");
    await tab("New Chat").waitFor();
    await askInChat(await window.frameWith("textarea"), replacing);
    await (await pageWith(replacing)).getByRole("button", { name: "Allow", exact: true }).waitFor();
    await tab(replacingTab).waitFor();
    await window.runCommand("Sluice: Open Chat in Editor");
    await tab("New Chat").waitFor();
    await askInChat(await window.frameWith(".empty-title"), lanterns);
    await (await pageWith(lanterns)).getByRole("button", { name: "Allow", exact: true }).waitFor();
    await tab(lanternsTab).waitFor();
    await window.screenshot("chat-tabs");
  });

  it("P1: a command means the tab that was used last, and the view from the view's own title", async () => {
    await window.showContainer("Sluice");
    const view = await window.view("Chat");
    await view.locator(".pane-header").hover();
    await view.getByRole("button", { name: /New Chat/ }).click();
    // The command ends with the focus in the view; until then it would show the view again.
    await (await window.frameWith(".empty-title")).locator("textarea:focus").waitFor();
    await window.showContainer("Explorer");
    await pageWith(replacing);
    await tab(lanternsTab).click();
    await pageWith(lanterns);
    await window.runCommand("Sluice: New Chat");
    await tab("New Chat").waitFor();
    assert.equal(await tab(replacingTab).count(), 1);
  });

  it("P1: a tab's chat goes into the side bar, with what was written and not sent", async () => {
    await tab(replacingTab).click();
    const frame = await pageWith(replacing);
    await frame.getByRole("textbox", { name: "Prompt" }).fill("a text that nobody has sent");
    await window.runCommand("Sluice: Move Chat into Side Bar");
    await tab(replacingTab).waitFor({ state: "detached" });
    // Its page has the same text, and goes a moment after the tab.
    await eventually("the page of the tab is gone", () => frame.isDetached());
    const view = await pageWith(replacing);
    await view.getByRole("button", { name: "Continue" }).waitFor();
    const prompt = view.getByRole("textbox", { name: "Prompt" });
    await view.locator("textarea:focus").waitFor();
    // It comes after the chat.
    await eventually("the draft", async () => (await prompt.inputValue()) === "a text that nobody has sent");
    await prompt.fill("");
    await window.runCommand("Sluice: New Chat");
  });
});

/** A window that is loaded again with Sluice's views closed: running tasks are polled without a click, and the chat is where it was. */
import assert from "node:assert/strict";
import { askInChat } from "../../support/askInChat";
import { shareLocalWindow } from "../../support/sharedWindow";
import type { VsCodeWindow } from "../../support/window";
import { beginChat } from "../../support/newChat";

describe("after a reload", () => {
  let window: VsCodeWindow;
  before(async () => {
    window = await shareLocalWindow();
  });
  after(async () => {
    await window.close();
  });

  it("P3, P4: the chat is where it was, says that it was cut, is found by what a tool returned, and is one of the last in an empty chat", async () => {
    await window.showContainer("Sluice");
    const chat = await window.frameWith("textarea");
    await chat.getByText("gave back").waitFor();
    await chat.getByRole("button", { name: "Continue" }).waitFor();
    await beginChat(window);
    await chat.getByText("gave back").waitFor({ state: "detached" });
    await window.runCommand("Sluice: Chat History…");
    const box = window.quickInput().locator("input").first();
    await box.fill("lanterns");
    // Before anything is found.
    await box.press("Enter");
    await chat.getByText("gave back").waitFor();
    const highlighted = (): Promise<string> =>
      chat.evaluate("[...(CSS.highlights.get('found-current') ?? [])].join().toLowerCase()");
    await becomes(highlighted, "lanterns");
    const find = chat.getByRole("textbox", { name: "Find in chat" });
    await chat.locator("textarea").first().press("ControlOrMeta+f");
    await find.fill("lighthouse");
    await chat.getByText(/^\d+ of \d+$/).waitFor();
    await becomes(highlighted, "lighthouse");
    assert.equal(await window.page.locator(".find-widget.visible").count(), 0, "the editor has got the key too");
    await window.screenshot("found");
    await find.press("Escape");
    await window.runCommand("Sluice: New Chat");
    await chat.getByRole("list", { name: "Recent chats" }).waitFor();
    await window.screenshot("recent-chats");
    await chat.getByRole("button", { name: "Read hero.prompts.md" }).click();
    await chat.getByText("gave back").waitFor();
    await window.runCommand("Sluice: Find in Chat");
    await find.press("Escape");
    await beginChat(window);
    await askInChat(chat, "Write 400 paragraphs");
    await chat.getByRole("button", { name: "Stop" }).waitFor();
    await chat.getByRole("textbox", { name: "Prompt" }).press("Control+Escape");
    await chat.getByText(/^Stopped\./).waitFor();
  });
});

/** Reads until it is that, for half a minute at most. */
async function becomes(read: () => Promise<string>, wanted: string): Promise<void> {
  const end = Date.now() + 60_000;
  let value = await read();
  while (value !== wanted && Date.now() < end) value = await read();
  assert.equal(value, wanted);
}

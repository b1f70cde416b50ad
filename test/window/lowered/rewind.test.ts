/** Changes by tools in a real window: the line under the turn, the diff of several files, and Rewind to Here with its question. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { allow } from "../../support/approvalBar";
import { askInChat } from "../../support/askInChat";
import { eventually } from "../../support/eventually";
import { shareLocalWindow } from "../../support/sharedWindow";
import type { VsCodeWindow } from "../../support/window";
import { beginChat } from "../../support/newChat";

describe("changes of a chat in a window", () => {
  let window: VsCodeWindow;
  before(async () => {
    window = await shareLocalWindow();
  });
  after(async () => {
    await window.close();
  });
  const text = (): Promise<string> => readFile(path.join(window.workspace, "hero.prompts.md"), "utf8");

  it("A5: what the turn changed is shown as a diff, and goes back with the messages after a question that names both, and comes back with them", async () => {
    const before = await text();
    await window.showContainer("Sluice");
    const chat = await beginChat(window);
    await askInChat(chat, 'Replace "Lanterns" with "Boats" in hero.prompts.md');
    await allow(chat);
    await chat.getByRole("button", { name: "1 file changed", exact: true }).click();
    assert.equal(await text(), before.replace("Lanterns", "Boats"));
    await window.page
      .locator(".tabs-container")
      .getByRole("tab", { name: /^Changes by Sluice/ })
      .waitFor();
    await window.page.locator(".multiDiffEntry .line-insert, .multiDiffEntry .char-insert").first().waitFor();
    await window.screenshot("changes-by-sluice");
    // While the answer runs, a rewind is refused.
    await chat.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
    const rewind = chat.getByRole("button", { name: "Rewind to Here" });
    await rewind.focus();
    await rewind.press("Enter");
    const dialog = window.page.locator(".monaco-dialog-box");
    await dialog.waitFor();
    assert.match(await dialog.innerText(), /Takes back 2 messages\. Undoes the change of 1 file\./);
    await window.screenshot("rewind");
    await dialog.getByRole("button", { name: "Rewind", exact: true }).click();
    await chat.locator(".empty-title").waitFor();
    assert.equal(await text(), before);
    await chat.getByText("Rewound. 1 file restored.").waitFor();
    const composer = chat.getByRole("textbox", { name: "Prompt" });
    await eventually("the message to be edited", async () =>
      (await composer.inputValue()).startsWith('Replace "Lanterns"'),
    );
    await chat.getByRole("button", { name: "Undo", exact: true }).click();
    await chat.getByText("The rewind was undone.").waitFor();
    assert.equal(await text(), before.replace("Lanterns", "Boats"));
    await chat.getByRole("button", { name: "Redo", exact: true }).click();
    await chat.getByText("Rewound. 1 file restored.").waitFor();
    assert.equal(await text(), before);
  });
});

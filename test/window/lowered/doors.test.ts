/** The doors into the chat from elsewhere in the window: light bulb, explorer, terminal, source control, and keys. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Frame, Locator } from "playwright-core";
import { focusedYes, workingAllow } from "../../support/approvalBar";
import { askInChat } from "../../support/askInChat";
import { eventually } from "../../support/eventually";
import { inMenu, pressEntry } from "../../support/rowMenu";
import { shareLocalWindow } from "../../support/sharedWindow";
import type { VsCodeWindow } from "../../support/window";
import { beginChat } from "../../support/newChat";

describe("doors into the chat", () => {
  let window: VsCodeWindow;
  let chat: Frame;
  before("open VS Code on the local gateway", async () => {
    window = await shareLocalWindow();
    chat = await beginChat(window);
    await mkdir(path.join(window.workspace, "parts"), { recursive: true });
    await writeFile(path.join(window.workspace, "parts", "broken.json"), '{\n  "lamp": ,\n  "light": true\n}\n');
  });
  after(async () => {
    await window.runCommand("Terminal: Kill All Terminals").catch(() => undefined);
    // A new chat would take over what waits in the composer.
    await window.showContainer("Sluice");
    chat = await window.frameWith("textarea");
    await chat.locator("textarea").first().fill("");
    for (const label of ["parts/", "README.md"]) await chat.getByRole("button", { name: `Remove ${label}` }).click();
    await window.close();
  });
  /** With a picture of the open menu. By key: a press of the mouse right after a menu has opened is ignored. */
  const chooseInMenu = async (of: Locator, label: string, picture?: string): Promise<void> => {
    const item = window.page.locator(".monaco-menu .action-item").filter({ hasText: label });
    const choose = async (): Promise<void> => {
      await item.hover({ timeout: 5_000 });
      if (picture !== undefined) await window.screenshot(picture);
      await pressEntry(window.page, label);
    };
    await inMenu(window, () => of.click({ button: "right", timeout: 20_000 }), choose);
    await item.waitFor({ state: "detached" });
  };
  /** The text of the composer, once it has those words. */
  const draft = (words: string): Promise<string> =>
    chat
      .locator("textarea")
      .first()
      .evaluate(
        (box: { readonly value: string }, wanted) =>
          new Promise<string>((resolve) => {
            const look = (): void => {
              if (box.value.includes(wanted)) resolve(box.value);
              else setTimeout(look, 20);
            };
            look();
          }),
        words,
      );

  it("V4, P6 (findings 19, 40): one key goes to the chat, two allow what waits, one stops an answer", async () => {
    await window.runCommand("File: Focus on Files Explorer");
    await window.openFile("hero.prompts.md");
    await window.page.keyboard.press("Shift+Alt+L");
    chat = await window.frameWith("textarea");
    await chat.locator("textarea:focus").waitFor();
    await beginChat(window);
    await askInChat(chat, '```calls\nrun_command {"command": "echo allowed"}\n```');
    const bar = chat.locator(".approval-bar");
    await bar.locator(workingAllow).waitFor();
    await window.page.keyboard.press("Control+Shift+A");
    await chat.locator(focusedYes).waitFor();
    await window.page.keyboard.press("Enter");
    await bar.waitFor({ state: "detached" });
    await chat.locator(".row.answer .footer").last().waitFor();
    await chat.locator("textarea:focus").waitFor();
    await askInChat(chat, "Write 400 paragraphs");
    const stop = chat.getByRole("button", { name: "Stop" });
    await stop.waitFor();
    await window.page.keyboard.press("Control+Escape");
    await stop.waitFor({ state: "hidden" });
  });

  it("V7: Fix in the light bulb sends the code and its problem, and the prompt is in the chat", async () => {
    await window.runCommand("File: Focus on Files Explorer");
    for (const name of ["parts", "broken.json"])
      await window.page.locator(".explorer-folders-view").getByRole("treeitem", { name }).first().click();
    const editor = window.page.locator(".editor-group-container.active .monaco-editor").first();
    await editor.locator(".squiggly-error").first().waitFor();
    await editor.locator(".view-line").nth(1).click();
    await window.page.keyboard.press("End");
    await window.page.keyboard.press("Control+.");
    const actions = window.page.locator(".action-widget");
    await actions.getByText("Explain with Sluice").waitFor();
    await window.screenshot("doors-light-bulb");
    await actions.getByText("Fix with Sluice").click();
    chat = await window.frameWith("textarea");
    const row = chat.locator(".row.user").last();
    await row.getByText("Find what is wrong in this code and fix it.").waitFor();
    await row.getByText(/Problems in parts\/broken\.json:\d/).waitFor();
    await chat.locator(".row.answer .footer").last().waitFor();
    await window.screenshot("doors-fix-in-chat");
  });

  it("V7: Add to Chat in the explorer attaches a folder and a file", async () => {
    await window.runCommand("File: Focus on Files Explorer");
    const explorer = window.page.locator(".explorer-folders-view");
    const row = (name: string): Locator => explorer.getByRole("treeitem", { name }).first();
    await chooseInMenu(row("parts"), "Add Folder to Sluice Chat", "doors-explorer");
    chat = await window.frameWith("textarea");
    await chat.getByText("parts/", { exact: true }).first().waitFor();
    await window.runCommand("File: Focus on Files Explorer");
    await chooseInMenu(row("README.md"), "Add File to Sluice Chat");
    chat = await window.frameWith("textarea");
    await chat.getByText("README.md", { exact: true }).first().waitFor();
  });

  it("V7: the selection of a terminal comes into the composer, and the clipboard has what it had", async () => {
    await window.page.evaluate("navigator.clipboard.writeText('what was copied before')");
    await window.runCommand("Terminal: Create New Terminal");
    const terminal = window.page.locator(".terminal-wrapper.active .xterm-screen");
    await terminal.click();
    await window.page.keyboard.type("echo lamp-$((40 + 2))\n");
    await window.page.locator(".codicon-terminal-decoration-success").first().waitFor();
    await window.runCommand("Terminal: Select All");
    await chooseInMenu(terminal, "Add Terminal Selection to Sluice Chat", "doors-terminal");
    chat = await window.frameWith("textarea");
    assert.match(await draft("lamp-42"), /^From the terminal:\n```\n[^]*echo lamp-\$\(\(40 \+ 2\)\)[^]*\n```\n$/);
    await eventually("what was copied before", async () => {
      return (await window.page.evaluate("navigator.clipboard.readText()")) === "what was copied before";
    });
    await window.screenshot("doors-terminal-in-chat");
  });

  it("V7: source control has the button, and the model writes the message into the box", async () => {
    for (const args of [["init"], ["add", "README.md", "parts"]]) execFileSync("git", args, { cwd: window.workspace });
    await window.showContainer("Source Control");
    const scm = window.page.locator(".scm-view");
    const box = scm.locator(".scm-editor .view-lines").first();
    await box.waitFor();
    await scm.getByText("Staged Changes").first().waitFor();
    await scm.locator(".scm-provider, .scm-editor").first().hover();
    const button = window.page.getByRole("button", { name: "Generate Commit Message with Sluice" }).first();
    await button.waitFor();
    await window.screenshot("doors-source-control");
    // By one event: each status of git draws the view again, also between a mouse button's down and up.
    await button.dispatchEvent("click");
    await box.getByText(/Change\s\S+\sand\s1\smore/).waitFor();
    await window.screenshot("doors-commit-message");
  });
});

/** What a new user presses first, in one fresh profile: a folder that is not trusted yet and then is, and a window without a folder. */
import assert from "node:assert/strict";
import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Locator } from "playwright-core";
import { temporaryFolder } from "../../../../scripts/workspace.mjs";
import { eventually } from "../../../support/eventually";
import { picksOf, promptStep, modelStep, typeStep } from "../../../support/picks";
import { removeTasks } from "../../../support/sharedWindow";
import { askParticipant, openVsCodeChat } from "../../../support/vsCodeChat";
import { openWindow, type VsCodeWindow } from "../../../support/window";

describe("the first minute", () => {
  /** On a folder that each test fills or empties, in Restricted Mode. */
  let first: VsCodeWindow;
  before("open VS Code on a folder that nobody has trusted", async () => {
    const settings = { "files.autoSave": "off" };
    first = await openWindow({ workspace: await temporaryFolder(), trusted: false, settings });
  });
  after(() => first.close());

  const empty = async (): Promise<void> => {
    for (const name of await readdir(first.workspace))
      await rm(path.join(first.workspace, name), { recursive: true, force: true });
  };
  const fill = (): Promise<void> => cp(path.join("media", "sample"), first.workspace, { recursive: true });

  const openSample = async (window: VsCodeWindow): Promise<void> => {
    const isShown = (await window.activityIcon("Sluice").getAttribute("aria-selected")) === "true";
    await window.showContainer("Sluice");
    // VS Code gives the focus to the chat of the opened container once its page has loaded, also when an editor has it by then.
    const chat = await window.frameWith("textarea");
    if (!isShown) await eventually("the focus in the chat", () => chat.evaluate<boolean>("document.hasFocus()"));
    await (await window.view("Tasks")).getByText("Open Sample Prompts").click();
    await window.page.locator(".monaco-editor .view-line").getByText("Pictures for the harbour website").waitFor();
  };
  const tab = (window: VsCodeWindow, name: string): Locator => window.page.getByRole("tab", { name });
  /** Without what was written into the sample. */
  const closeSample = async (window: VsCodeWindow): Promise<void> => {
    await window.runCommand("View: Revert and Close Editor");
    await tab(window, "hero.prompts.md").waitFor({ state: "detached" });
  };
  /** Of the extension itself. */
  const original = path.join("media", "sample", "hero.prompts.md");

  /** The sample opens as a document of its own, and what is written into it stays in it. */
  const assertNewSample = async (window: VsCodeWindow, picture: string): Promise<void> => {
    const before = await readFile(original, "utf8");
    await openSample(window);
    const { page } = window;
    assert.equal(await tab(window, "hero.prompts.md").count(), 1);
    assert.doesNotMatch(await page.locator(".breadcrumbs-control").innerText(), /media/);
    await page.locator("#status\\.editor\\.mode").getByText("Markdown").waitFor();
    await page.locator(".monaco-editor .view-line").first().click();
    await page.keyboard.type("mine ");
    await page.locator(".monaco-editor .view-line").getByText("mine").waitFor();
    await window.screenshot(picture);
    // Once more: the same document with what was written into it.
    await window.runCommand("Sluice: Open Sample Prompts");
    await page.locator(".monaco-editor .view-line").getByText("mine").waitFor();
    assert.equal(await tab(window, "hero.prompts.md").count(), 1);
    assert.equal(await readFile(original, "utf8"), before);
    await closeSample(window);
  };

  /** The sample opens, the chat says where it is and answers without tools, and a task can be submitted. */
  const assertUsable = async (window: VsCodeWindow, where: string): Promise<void> => {
    await openSample(window);
    await window.showContainer("Sluice");
    const chat = await window.frameWith("textarea");
    const isRestricted = chat.getByText(/Restricted Mode/).first();
    if (window === first) {
      await isRestricted.waitFor();
      await chat.getByRole("button", { name: "Manage Trust" }).waitFor();
      await chat.getByText("In Restricted Mode it gets no tools").waitFor();
    } else {
      await chat.getByText("No folder is open").waitFor();
      await chat.getByRole("button", { name: "Open Folder" }).waitFor();
      assert.equal(await isRestricted.count(), 0);
    }
    await window.screenshot(`empty-${where}`);
    await chat.locator(".suggestion").first().click();
    await chat.locator(".row.answer .footer").first().waitFor();
    // Neither has files that a tool could work on.
    assert.equal(await chat.locator(".tool").count(), 0);
    const picks = picksOf(window);
    await (await window.view("Tasks")).getByRole("button", { name: "New Task", exact: true }).click();
    await picks.through(typeStep, modelStep);
    await picks.step(promptStep);
    await picks.typePrompt("a harbour in fog");
    await picks.press("Enter");
    await window.treeRow("Tasks", "a harbour in fog");
    await window.screenshot(`first-${where}`);
    await window.runCommand("Sluice: New Chat");
    // The line that opens the sample is there while there is no task.
    await removeTasks(window);
    await closeSample(window);
  };

  it("V4, A4 (finding 22): in Restricted Mode, the sample opens, the chat answers and a task can be submitted", async () => {
    await fill();
    await assertUsable(first, "in-Restricted-Mode");
  });

  describe("in a folder that is trusted", () => {
    before("trust it", async () => {
      await first.showContainer("Sluice");
      const chat = await first.frameWith("textarea");
      await chat.getByRole("button", { name: "Manage Trust" }).click();
      await first.page.locator(".workspace-trust-editor").getByRole("button", { name: "Trust", exact: true }).click();
      await chat
        .getByText(/Restricted Mode/)
        .first()
        .waitFor({ state: "hidden" });
      await first.runCommand("View: Close All Editors");
    });

    it("V5 (finding N9): what is suggested is what a trusted workspace can do", async () => {
      const chat = await first.frameWith("textarea");
      await chat.locator(".suggestion").filter({ hasText: "Write an overview into OVERVIEW.md" }).waitFor();
      assert.equal(await chat.locator(".suggestion").filter({ hasText: "Draw a lighthouse" }).count(), 0);
      await first.screenshot("empty-trusted");
    });

    it("T6 (finding 20): the sample that lies in the workspace is opened, not the extension's own", async () => {
      await fill();
      const copy = path.join(first.workspace, "hero.prompts.md");
      await writeFile(copy, `${await readFile(copy, "utf8")}\nof this workspace\n`);
      await openSample(first);
      await first.page.locator(".monaco-editor .view-line").getByText("of this workspace").waitFor();
      assert.equal(await tab(first, "hero.prompts.md").count(), 1);
      await closeSample(first);
    });

    it("T6 (finding 20): the sample is a new document, the extension's file stays as it is: a folder without it", async () => {
      await empty();
      await assertNewSample(first, "sample-empty-folder");
    });

    it("V4 (finding 22): the settings page opens without an error", async () => {
      await first.page.setViewportSize({ width: 1280, height: 2600 });
      await first.runCommand("Preferences: Open Settings (UI)");
      await first.page.locator(".settings-editor .search-container .view-lines").click();
      await first.page.keyboard.insertText("@ext:sluice.sluice");
      await first.page.locator(".settings-editor").getByText("Console Url").first().waitFor();
      await first.screenshot("settings");
      const messages = first.page.locator(".setting-item-validation-message").filter({ visible: true });
      assert.deepEqual(await messages.allInnerTexts(), []);
      await first.page.setViewportSize({ width: 1280, height: 800 });
      await first.runCommand("View: Close All Editors");
    });
  });

  describe("without a folder", () => {
    let window: VsCodeWindow;
    before("open a second window", async () => {
      window = await first.openSecond("none");
    });

    it("T6 (finding 20): the sample is a new document, the extension's file stays as it is: none", async () => {
      await assertNewSample(window, "sample-no-folder");
    });

    it("V4, A4 (finding 22): without a folder, the sample opens, the chat answers and a task can be submitted", async () => {
      await assertUsable(window, "without-a-folder");
    });

    it("V3 (finding N1): @sluice answers the first question of a window where Sluice was opened; later windows have its models from the start", async () => {
      await window.showContainer("Sluice");
      await window.frameWith("textarea");
      assert.match(await askParticipant(window, "@sluice What is here?"), /I am the demonstrator/);

      await window.showContainer("Explorer");
      await window.reload();
      await (await openVsCodeChat(window)).getByText("demo-chat").waitFor();
      await window.screenshot("participant-after-reload");
    });
  });
});

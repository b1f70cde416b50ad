/** What a new user presses first, in one fresh profile: a folder that is not trusted yet and then is, and a window without a folder. */
import assert from "node:assert/strict";
import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Locator } from "playwright-core";
import { temporaryFolder } from "../../../../scripts/workspace.mjs";
import { eventually } from "../../../support/eventually";
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
  });
});

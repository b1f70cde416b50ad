/** Workspaces of other kinds in a real window: several folders, a document that was never saved, and a folder that is on no disk. */
import assert from "node:assert/strict";
import { cp, mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Frame, Locator } from "playwright-core";
import { sampleWorkspace, temporaryFolder } from "../../../../scripts/workspace.mjs";
import { askInChat } from "../../../support/askInChat";
import { eventually } from "../../../support/eventually";
import { beginChat } from "../../../support/newChat";
import { modelStep, type Picks, picksOf, selectionStep, typeStep } from "../../../support/picks";
import { openWindow, type VsCodeWindow } from "../../../support/window";

const destinationStep = "Path in the workspace";

const playing = (title: string, ...calls: readonly string[]): string =>
  `${title}\n\n\`\`\`calls\n${calls.join("\n\n")}\n\`\`\``;

/** Names of the files, none where there is no such folder. */
const filesIn = async (folder: string): Promise<readonly string[]> => (await readdir(folder).catch(() => [])).sort();

describe("workspaces of other kinds", () => {
  let window: VsCodeWindow;
  let picks: Picks;
  let chat: Frame;
  /** The first folder is the sample. */
  let site: string;
  let shop: string;

  before("open a workspace of several folders", async () => {
    site = await sampleWorkspace();
    shop = path.join(path.dirname(site), "shop");
    await mkdir(path.join(shop, "src"), { recursive: true });
    await writeFile(path.join(shop, "README.md"), "# Shop\n");
    await writeFile(path.join(shop, "teapot.md"), "# Teapot\n\nA blue teapot on linen\n");
    await writeFile(path.join(shop, "src", "cart.ts"), "export const cart = [];\n");
    await mkdir(path.join(path.dirname(site), "old", "shop"), { recursive: true });
    await writeFile(path.join(path.dirname(site), "old", "shop", "lamp.md"), "# An old lamp\n");
    const workspace = path.join(path.dirname(site), "town.code-workspace");
    const folders = [{ path: "sample", name: "site" }, { path: "shop" }, { path: "old/shop" }];
    await writeFile(workspace, JSON.stringify({ folders }));
    // Which of two windows announces the end of a task depends on which is quicker.
    const settings = {
      "sluice.localGateway.speed": 20,
      "sluice.notifications": "none",
      "files.autoSave": "off",
    };
    const extensionsDir = await temporaryFolder();
    await cp("test/fixtures/virtualFolder", path.join(extensionsDir, "fixture.virtual-folder-1.0.0"), {
      recursive: true,
    });
    window = await openWindow({ workspace, settings, extensionsDir });
    await enter();
  });
  after(() => window.close());

  const enter = async (): Promise<void> => {
    picks = picksOf(window);
    await window.showContainer("Sluice");
    chat = await window.frameWith("textarea");
    await chat.getByText("demo-chat").filter({ visible: true }).first().waitFor();
  };
  /** VS Code's test driver hides toasts; the bell has a dot while there is any, for a moment also one of VS Code's own start. */
  const hasNoNotification = (): Promise<void> => window.page.locator("#status\\.notifications .codicon-bell").waitFor();
  /** As the only file there: it is linked to a whole part beside it, which goes a moment later. */
  const lands = (result: string, folder: string): Promise<void> =>
    eventually(`${result} alone`, async () => (await filesIn(folder)).join() === result);
  /** When its turn has ended. */
  const answer = async (): Promise<string> => {
    await chat.locator(".row.answer .footer").first().waitFor();
    return chat.locator(".transcript").innerText();
  };
  /** Submits the selected text with the destination that is proposed. */
  const submit = async (text: string, name: string): Promise<void> => {
    await window.selectText(text);
    await window.runCommand("Sluice: Submit Selection as Task…");
    await picks.step(typeStep);
    await window.pick(/^Image/);
    await picks.through(modelStep);
    await picks.step(selectionStep);
    await window.pick("Destination");
    await picks.step(destinationStep);
    await window.screenshot(`rooms-${name}-destination`);
    await picks.press("Enter");
    await picks.step(selectionStep);
    await window.screenshot(`rooms-${name}-review`);
    await picks.through(selectionStep);
  };

  it("V4, A2: a path without a folder's name leads to the only folder that has it, else the model is told the names", async () => {
    chat = await beginChat(window);
    await askInChat(chat, playing("Look.", 'read_file {"path": "src/cart.ts"}', 'read_file {"path": "README.md"}'));
    await chat.getByTitle("shop/src/cart.ts").first().waitFor();
    await eventually("both results", async () => {
      const said = await answer();
      return (
        said.includes("export const cart") &&
        said.includes("There are site/README.md and shop/README.md. Begin the path with")
      );
    });
    await window.screenshot("rooms-folders-read");
  });

  it("V4, C4: a file of two folders of one name is attached from its own", async () => {
    chat = await beginChat(window);
    await window.openFile("lamp.md");
    await window.runCommand("Sluice: Add File to Sluice Chat");
    await chat.getByText("shop (2)/lamp.md").first().waitFor();
    await askInChat(chat, "What does it say?");
    await answer();
    await window.screenshot("rooms-folders-attached");
    await eventually("the file's size", async () => (await answer()).includes("shop (2)/lamp.md\n14 characters"));
  });

  it("V4, T2: text of a document that was never saved is submitted; the result lands in the first folder, the document stays", async () => {
    await window.runCommand("File: New Untitled Text File");
    // Until then the editor is the one before.
    await window.page.locator(".editor-group-container.active .tab.active").getByText("Untitled-1").waitFor();
    const editor = window.page.locator(".editor-group-container.active .monaco-editor").first();
    await editor.click();
    await window.page.keyboard.insertText("Things to draw\nA kite over the pier\n");
    await editor.locator(".view-line").getByText("A kite over the pier").waitFor();
    await submit("A kite over the pier", "untitled");
    await lands("a-kite-over-the-pier.png", path.join(site, "assets"));
    await window.treeRow("Tasks", "A kite over the pier");
    await window.screenshot("rooms-untitled");
    assert.deepEqual(await filesIn(path.join(shop, "assets")), ["a-blue-teapot-on-linen.png"]);
    await window.page.locator(".tab.active.dirty").getByText("Untitled-1").waitFor();
    assert.deepEqual(
      (await editor.locator(".view-line").allInnerTexts()).map((line) => line.replaceAll("\u00a0", " ").trim()),
      ["Things to draw", "A kite over the pier", ""],
    );
    await hasNoNotification();
  });

  it("V4, T2: from a file on no disk a selection goes into the chat, and a task's result lands beside it", async () => {
    await window.showContainer("Explorer");
    const file = (name: string): Locator =>
      window.page.locator(".explorer-folders-view").getByText(name, { exact: true });
    await file("notes.md").dblclick();
    const editor = window.page.locator(".editor-group-container.active .monaco-editor").first();
    await editor.locator(".view-line").getByText("A red buoy in grey water").click();
    await submit("A red buoy in grey water", "virtual");
    await window.page.locator(".codelens-decoration").getByText("Open Result").waitFor();
    await file("assets").click();
    await file("a-red-buoy-in-grey-water.png").waitFor();
    await window.screenshot("rooms-virtual-result");
    await window.selectText("grey water");
    await window.runCommand("Sluice: Add Selection to Sluice Chat");
    chat = await window.frameWith("textarea");
    await eventually("the quote", async () =>
      /notes\.md:\d[^]*grey water/.test(await chat.locator("textarea").inputValue()),
    );
    await window.runCommand("Sluice: Add File to Sluice Chat");
    await chat.getByText("The tools for files don't work in harbour").nth(1).waitFor();
    await window.screenshot("rooms-virtual-attached");
    await hasNoNotification();
  });
});

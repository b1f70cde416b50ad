/** Results in the real window: fetched without a click, saved into the workspace, inserted into a document. */
import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Locator } from "playwright-core";
import { eventually } from "../../support/eventually";
import { chooseInMenu, pressInRow } from "../../support/rowMenu";
import { shareLocalWindow } from "../../support/sharedWindow";
import type { VsCodeWindow } from "../../support/window";

describe("results in the window", () => {
  let window: VsCodeWindow;
  const prompt = "A paper lantern on black water";
  before("open VS Code on the local gateway", async () => {
    window = await shareLocalWindow();
    await writeFile(path.join(window.workspace, "page.md"), "# Page\n\nhere\n");
    await window.showContainer("Sluice");
    await (await window.frameWith("textarea")).getByText("demo-chat").filter({ visible: true }).first().waitFor();
  });
  after(async () => {
    await window.close();
  });

  /** Those that are whole. */
  const filesIn = async (folder: string): Promise<readonly string[]> =>
    (await readdir(folder).catch(() => [])).filter((name) => !name.startsWith(".") && !name.endsWith(".tmp")).sort();
  const row = (): Promise<Locator> => window.treeRow("Tasks", prompt);
  const choose = (menu: string, label: string): Promise<void> => chooseInMenu(window, row, menu, label);

  it("T8 (findings 6, 18): a result is here without a click, with thumbnail and sidecar", async () => {
    const results = path.join(window.server.dataDir, "data", "User", "globalStorage", "sluice.sluice", "results");
    const before = await filesIn(results);
    // In the window that they share, a task of a test before may end meanwhile.
    const added = async (): Promise<readonly string[]> =>
      (await filesIn(results)).filter((name) => !before.includes(name) && name.startsWith("a-paper-lantern"));
    await window.openFile("hero.prompts.md");
    await window.selectText(prompt);
    await window.runCommand("Sluice: Submit Selection as Task…");
    await window.pick(/^Image/);
    await window.pick("demo-image");
    await window.pick("Submit");
    await window.treeRow("Tasks", "Finished today");
    await eventually("the result is fetched", async () => (await added()).length === 3);
    const [sidecar = "", picture = "", thumbnail = ""] = await added();
    assert.match(sidecar, /^a-paper-lantern-on-black-water-[0-9a-f]{16}\.json$/);
    assert.equal(picture, sidecar.replace(".json", ".png"));
    assert.equal(thumbnail, sidecar.replace(".json", ".thumbnail.png"));
    const icon = (await row()).locator(".custom-view-tree-node-item-icon");
    await eventually("the thumbnail is the icon of the row", async () =>
      ((await icon.getAttribute("style")) ?? "").includes(thumbnail),
    );
  });

  it("T8 (finding 18): Save into Workspace on the row; once more makes no second file", async () => {
    const assets = path.join(window.workspace, "assets");
    const before = await filesIn(assets);
    await (await row()).hover();
    await window.screenshot("result-row");
    await pressInRow(await row(), "Save into Workspace");
    await window.page.locator(".statusbar").getByText("Saved as assets/a-paper-lantern-on-black-water.png").waitFor();
    await window.screenshot("result-saved");
    await pressInRow(await row(), "Save into Workspace");
    await eventually("the file", async () => (await filesIn(assets)).length === before.length + 1);
    assert.ok((await filesIn(assets)).includes("a-paper-lantern-on-black-water.png"));
  });

  it("T8 (finding 18): Insert Link writes the reference at the cursor, and uses the file that is there", async () => {
    await window.openFile("page.md");
    await window.selectText("here");
    await choose("Save", "Insert Link");
    const editor = window.page.locator(".editor-group-container.active .monaco-editor").first();
    await editor.getByText("![A paper lantern on black water").first().waitFor();
    await window.screenshot("result-inserted");
    await window.runCommand("File: Save");
    // Read once: VS Code saves it after a delay, too, and it is empty for a moment then.
    let text = "";
    await eventually("the reference", async () =>
      (text = await readFile(path.join(window.workspace, "page.md"), "utf8")).includes("!["),
    );
    const [reference = ""] = /!\[.*\)/.exec(text) ?? [];
    assert.match(reference, /^!\[A paper lantern on black water.*\]\(assets\/a-paper-lantern-on-black-water\.png\)$/);
    assert.equal(text.split("![").length, 2, text);
    const copies = (await filesIn(path.join(window.workspace, "assets"))).filter((name) => name.includes("lantern"));
    assert.deepEqual(copies, ["a-paper-lantern-on-black-water.png"]);
  });
});

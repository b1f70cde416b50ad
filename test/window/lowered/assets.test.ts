/** Assets in the real window: a result is converted and saved beside itself with the size for sharp displays, and the page of assets has what is used, too large, unused and gone. */
import assert from "node:assert/strict";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { imageSizeOf } from "../../../src/domain/media/imageSize";
import { pictureTypeOf } from "../../../src/domain/media/pictureTypes";
import { eventually } from "../../support/eventually";
import { openBoardOf, placeTask } from "../../support/placedTasks";
import { shareLocalWindow } from "../../support/sharedWindow";
import { pngOf } from "../../support/testImages";
import type { VsCodeWindow } from "../../support/window";

describe("assets in the window", () => {
  let window: VsCodeWindow;
  const inProject = (name: string): string => path.join(window.workspace, "art", name);

  before("place two results in the project", async () => {
    window = await shareLocalWindow();
    const folder = path.join(window.server.dataDir, "data", "User", "globalStorage", "sluice.sluice", "results");
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await mkdir(path.join(window.workspace, "art"), { recursive: true });
    const board = await openBoardOf(window);
    for (const [name, prompt] of [
      ["mole.png", 'A "mole" in the fog'],
      ["buoy.png", "A buoy at noon"],
    ] as const) {
      const picture = await pngOf(1024, 683, name === "mole.png" ? [40, 120, 200] : [200, 120, 40]);
      const savedAs = path.join(folder, name);
      await writeFile(savedAs, picture);
      await writeFile(inProject(name), picture);
      const remote = { state: "succeeded", rawStatus: "4", completedAt: Date.now() } as const;
      const id = await placeTask(board, { intent: { prompt, type: "async-image" }, remote, savedAs });
      const file = pathToFileURL(inProject(name)).href;
      await board.applyThenWrite({ type: "task-placing", id, placement: { state: "placed", file, at: Date.now() } });
    }
    await board.close();
    await window.treeRow("Tasks", "buoy");
  });
  after(async () => {
    await rm(path.join(window.workspace, "art"), { recursive: true, force: true });
    await window.close();
  });

  const pictureIn = async (name: string): Promise<readonly [string | undefined, unknown]> => {
    const bytes = await readFile(inProject(name));
    const type = pictureTypeOf(bytes, "prompt");
    return [type, type && imageSizeOf(bytes, type)];
  };

  it("T17: a result is converted from the gallery: WebP at 1× and 2× beside the file in the project, and its markup is copied", async () => {
    await window.runCommand("Sluice: Open Gallery");
    const gallery = await window.frameWith(".gallery-page .cell");
    await gallery.getByRole("option", { name: /mole/ }).click();
    await gallery.getByRole("button", { name: "More Actions…" }).click();
    await gallery.getByRole("button", { name: "Convert and Save…" }).click();
    const page = await window.frameWith(".convert-page .convert-results");
    await page.getByRole("spinbutton", { name: "Width" }).fill("320");
    await page.getByRole("spinbutton", { name: "Width" }).press("Tab");
    await page.getByRole("checkbox", { name: /Also at 2×/ }).check();
    const file = page.getByRole("textbox", { name: "File in the workspace" });
    await eventually("the proposed file", async () => (await file.inputValue()) === "art/mole");
    await page.getByText("mole@2x.webp").waitFor();
    await page.getByText("640 × 427").waitFor();
    await window.screenshot("convert");
    // Twice: what is there already is not asked about.
    await page.getByRole("button", { name: "Save", exact: true }).dblclick();
    await page.locator(".convert-saved").getByText("Saved as art/mole.webp, art/mole@2x.webp").waitFor();
    await window.screenshot("convert-saved");
    assert.deepEqual(await pictureIn("mole.webp"), ["image/webp", { width: 320, height: 213 }]);
    assert.deepEqual(await pictureIn("mole@2x.webp"), ["image/webp", { width: 640, height: 427 }]);
    await page.getByRole("button", { name: "Copy Markup" }).click();
    await eventually(
      "the markup",
      async () =>
        (await window.page.evaluate<string>("navigator.clipboard.readText()")) ===
        '<img src="art/mole.webp" srcset="art/mole.webp 1x, art/mole@2x.webp 2x" width="320" height="213" alt="A &quot;mole&quot; in the fog" />',
    );
  });

  it("T17: another file of that name is replaced after a yes only", async () => {
    const page = await window.frameWith(".convert-page .convert-results");
    await page.getByRole("checkbox", { name: /Also at 2×/ }).uncheck();
    await page.getByRole("spinbutton", { name: "Width" }).fill("200");
    await page.getByRole("spinbutton", { name: "Width" }).press("Tab");
    const before = await readFile(inProject("mole.webp"));
    const dialog = window.page.locator(".monaco-dialog-box").filter({ hasText: "Replace art/mole.webp?" });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.locator(".convert-page button[type=submit][aria-disabled=false]").waitFor();
    assert.deepEqual(await readFile(inProject("mole.webp")), before);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await dialog.getByRole("button", { name: "Replace" }).click();
    // While it is replaced it may be gone or cut.
    await eventually("the smaller file", async () => {
      const picture = await pictureIn("mole.webp").catch(() => undefined);
      return isDeepStrictEqual(picture, ["image/webp", { width: 200, height: 133 }]);
    });
  });

  it("T17: the page of assets has what is used, what is larger than needed, what is not used; a place opens; what is gone is brought back; a conversion begins with the width that is shown", async () => {
    const html = '<h1>Pier</h1>\n<img src="art/mole.png" width="320">\n<img src="art/mole.webp">\n';
    await writeFile(path.join(window.workspace, "pier.html"), html);
    await window.runCommand("View: Close All Editors");
    await window.runCommand("Sluice: Open Assets");
    const page = await window.frameWith(".assets-page .asset");
    const group = (name: string): ReturnType<typeof page.getByRole> => page.getByRole("region", { name });
    await group("Larger than needed").getByText("art/mole.png").waitFor();
    await group("Larger than needed").getByText("Shown 320 pixels wide at most, and has 1,024.").waitFor();
    await group("Used").getByText("art/mole.webp").waitFor();
    await group("Not used").getByText("art/buoy.png").waitFor();
    await group("Not used").getByText("art/mole@2x.webp").waitFor();
    await window.screenshot("assets");

    await rm(inProject("mole.png"));
    await page.getByRole("button", { name: "Look Again" }).click();
    await group("Missing").getByText("art/mole.png").waitFor();
    await group("Missing").getByRole("button", { name: "Restore" }).click();
    await group("Larger than needed").getByText("art/mole.png").waitFor();
    assert.deepEqual(await pictureIn("mole.png"), ["image/png", { width: 1024, height: 683 }]);

    await group("Larger than needed").getByRole("button", { name: "pier.html:2" }).click();
    await window.page.locator(".monaco-editor .view-lines").getByText("art/mole.png").first().waitFor();

    await window.runCommand("Sluice: Open Assets");
    const again = await window.frameWith(".assets-page .asset");
    const large = again.getByRole("region", { name: "Larger than needed" });
    await large.getByRole("button", { name: "Convert and Save…" }).click();
    const convert = await window.frameWith(".convert-page .convert-results");
    const width = convert.getByRole("spinbutton", { name: "Width" });
    await eventually("the shown width", async () => (await width.inputValue()) === "320");
    await rm(path.join(window.workspace, "pier.html"));
  });

  it("T17: a missing file that was forgotten by mistake is listed again by Undo", async () => {
    const document = path.join(window.workspace, "buoy.html");
    await writeFile(document, '<img src="art/buoy.png">\n');
    await rm(inProject("buoy.png"));
    await window.runCommand("Sluice: Open Assets");
    const assets = await window.frameWith(".assets-page .asset");
    const missing = assets.getByRole("region", { name: "Missing" });
    await assets.getByRole("button", { name: "Look Again" }).click();
    await missing.getByText("art/buoy.png").waitFor();
    await missing.getByRole("button", { name: "Forget" }).click();
    await missing.getByText("art/buoy.png").waitFor({ state: "detached" });
    await window.runCommand("Notifications: Show Notifications");
    const notification = window.page
      .locator(".notifications-center .notification-list-item")
      .filter({ hasText: "art/buoy.png is no longer listed among the assets." });
    await window.screenshot("assets-forgotten");
    await notification.getByRole("button", { name: "Undo" }).click();
    await missing.getByText("art/buoy.png").waitFor();
    await rm(document);
  });
});

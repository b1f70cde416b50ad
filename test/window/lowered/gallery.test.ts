/** The gallery in the real window: opened from the menu of the Tasks view, narrowed, rated by key; the rating is there after a reload, and in the database for every window. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Frame } from "playwright-core";
import { judgementOf } from "../../../src/domain/task/judgement";
import { eventually } from "../../support/eventually";
import { openBoardOf, placeTask } from "../../support/placedTasks";
import { inMenu } from "../../support/rowMenu";
import { shareLocalWindow } from "../../support/sharedWindow";
import { pngOf } from "../../support/testImages";
import type { VsCodeWindow } from "../../support/window";

const subjects = ["a harbour crane", "a ferry in the fog", "a gull over the pier"];

describe("the gallery in the window", () => {
  let window: VsCodeWindow;
  const ids: string[] = [];

  before("place three results on this machine", async () => {
    window = await shareLocalWindow();
    const folder = path.join(window.server.dataDir, "data", "User", "globalStorage", "sluice.sluice", "results");
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const board = await openBoardOf(window);
    for (const [index, prompt] of subjects.entries()) {
      const savedAs = path.join(folder, `gallery-${index}.png`);
      await writeFile(savedAs, await pngOf(320, 200 + index * 60, [40 + index * 80, 120, 200 - index * 60]));
      const remote = { state: "succeeded", rawStatus: "4", completedAt: Date.now() } as const;
      ids.push(await placeTask(board, { intent: { prompt, type: "async-image" }, remote, savedAs }));
    }
    await board.close();
    await window.treeRow("Tasks", "gull");
  });
  after(async () => {
    await window.close();
  });

  const gallery = (): Promise<Frame> => window.frameWith(".gallery-page .cell");
  const rating = async (id: string | undefined): Promise<number> => {
    const board = await openBoardOf(window);
    const task = id === undefined ? undefined : board.all.tasks.get(id);
    await board.close();
    return task === undefined ? NaN : judgementOf(task).rating;
  };

  it("T15: opens from the menu of the Tasks view, searches, rates by key, and shows the rating after a reload", async () => {
    const tasks = await window.view("Tasks");
    const open = async (): Promise<void> => {
      await tasks.locator(".pane-header").hover();
      await tasks.getByRole("button", { name: /More Actions/ }).click({ timeout: 20_000 });
    };
    await inMenu(window, open, async () => {
      const entry = window.page.locator(".monaco-menu").getByText("Open Gallery", { exact: true });
      // VS Code ignores a click on a menu that has only just opened.
      await entry.hover({ timeout: 5_000 });
      await entry.click({ delay: 200, timeout: 5_000 });
    });
    const page = await gallery();
    await page.getByRole("option", { name: /gull/ }).locator("img").waitFor();
    await window.screenshot("gallery");
    await page.getByRole("searchbox").fill("FERRY");
    const ferry = page.getByRole("option", { name: /ferry/ });
    await page.getByRole("option", { name: /gull/ }).waitFor({ state: "detached" });
    await ferry.click();
    await window.screenshot("gallery-selected");
    await ferry.press("4");
    await page.getByRole("option", { name: /ferry.*4 stars/ }).waitFor();
    await eventually("the rating on disk", async () => (await rating(ids[1])) === 4);

    const loaded = window.page.waitForEvent("load");
    await window.runCommand("Developer: Reload Window");
    await loaded;
    const again = await gallery();
    await again.getByRole("option", { name: /ferry.*4 stars/ }).waitFor();
    await eventually("what was searched", async () => (await again.getByRole("searchbox").inputValue()) === "FERRY");
  });

  it("T15: what another window marks is shown, Enter opens the task, and an action runs the command of the Tasks view", async () => {
    const page = await gallery();
    await page.getByRole("searchbox").fill("");
    const board = await openBoardOf(window);
    await board.applyThenWrite({ type: "task-judged", id: ids[2] ?? "", at: Date.now(), choice: "kept" });
    await board.close();
    const gull = page.getByRole("option", { name: /gull.*kept/ });
    await gull.waitFor();
    await gull.click();
    await page.getByRole("button", { name: "More Actions…" }).click();
    await page.getByRole("button", { name: "Copy Path" }).click();
    await eventually("the copied path", async () =>
      (await window.page.evaluate<string>("navigator.clipboard.readText()")).endsWith("gallery-2.png"),
    );
    for (const other of [/ferry/, /harbour/])
      await page.getByRole("option", { name: other }).click({ modifiers: ["Control"] });
    await page.getByText("3 selected", { exact: true }).first().waitFor();
    await page.getByRole("button", { name: "More Actions…" }).click();
    await page.getByRole("button", { name: "Copy Path" }).click();
    await eventually("the paths of all three, one a line", async () =>
      /gallery-\d\.png\n[^\n]*gallery-\d\.png\n[^\n]*gallery-\d\.png$/.test(
        await window.page.evaluate<string>("navigator.clipboard.readText()"),
      ),
    );
    await gull.press("Enter");
    await (await window.frameWith(".task-page h1")).getByRole("heading", { name: subjects[2] ?? "" }).waitFor();
  });

  it("T15: a result that is dragged into Markdown, with Shift, becomes its picture, saved in the project also after an undo", async () => {
    await writeFile(path.join(window.workspace, "notes.md"), "");
    await window.openFile("notes.md");
    const editor = window.page.locator(".editor-group-container .monaco-editor").first();
    await window.runCommand("View: Move Editor into Right Group");
    await window.runCommand("Sluice: Open Gallery");
    const page = await gallery();
    const cell = page.getByRole("option", { name: /harbour/ });
    // Once it rests there: the editor that was moved has changed the width of the page.
    await cell.locator("img").waitFor();
    await cell.locator(".cell-prompt").hover();
    const from = await cell.locator(".cell-prompt").boundingBox();
    const to = await editor.boundingBox();
    assert.ok(from && to);
    const { mouse, keyboard } = window.page;
    await mouse.move(from.x + 20, from.y + 8);
    await mouse.down();
    await keyboard.down("Shift");
    await mouse.move(to.x + 60, to.y + 30, { steps: 8 });
    await mouse.move(to.x + 64, to.y + 32, { steps: 4 });
    await window.screenshot("gallery-drag");
    await mouse.up();
    await keyboard.up("Shift");
    await window.page.locator(".view-lines").getByText("a harbour crane").first().waitFor();
    await window.screenshot("gallery-dropped");
    const saved = path.join(window.workspace, "assets", "a-harbour-crane.png");
    await eventually("the file in the project", () => existsSync(saved));
    await window.page.locator(".view-lines").getByText("assets/a-harbour-crane.png").first().waitFor();
    await window.page.locator(".monaco-editor.focused").first().waitFor();
    await keyboard.press("Control+z");
    await window.page.locator(".view-lines").getByText("a harbour crane").first().waitFor({ state: "detached" });
    assert.ok(existsSync(saved));
  });
});

/** The gallery in the real window: opened from the menu of the Tasks view, narrowed, rated by key; the rating is there after a reload, and in the database for every window. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Frame } from "playwright-core";
import { eventually } from "../../support/eventually";
import { openBoardOf, placeTask } from "../../support/placedTasks";
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
});

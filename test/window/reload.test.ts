/** *Reload Window*: what VS Code brings back, and what goes on without a click. */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Frame } from "playwright-core";
import { judgementOf } from "../../src/domain/task/judgement";
import { askInChat } from "../support/askInChat";
import { eventually } from "../support/eventually";
import { modelStep, selectionStep, typeStep } from "../support/picks";
import { openBoardOf, placeTask } from "../support/placedTasks";
import { acceptSteps } from "../support/steps";
import { pngOf } from "../support/testImages";
import { openWindow, type VsCodeWindow } from "../support/window";

/** Its turn waits for an approval, so it runs until it is stopped or cut. */
const waiting = 'Go on.\n\n```calls\nrun_command {"command": "echo never", "outside": true}\n```';
const inSideBar = 'Replace "no people" with "one boat" in hero.prompts.md';

describe("after a reload", () => {
  let window: VsCodeWindow;
  let ferry: string;
  before("open VS Code on the local gateway, with two results on this machine", async () => {
    window = await openWindow({ speed: 10 });
    await window.showContainer("Sluice");
    await (await window.frameWith("textarea")).getByText("demo-chat").filter({ visible: true }).first().waitFor();
    const folder = path.join(window.server.dataDir, "data", "User", "globalStorage", "sluice.sluice", "results");
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const board = await openBoardOf(window);
    const place = async (prompt: string): Promise<string> => {
      const savedAs = path.join(folder, `${prompt.replaceAll(" ", "-")}.png`);
      await writeFile(savedAs, await pngOf(320, 200, [40, 120, 200]));
      const remote = { state: "succeeded", rawStatus: "4", completedAt: Date.now() } as const;
      return await placeTask(board, { intent: { prompt, type: "async-image" }, remote, savedAs });
    };
    ferry = await place("a ferry in the fog");
    await place("a gull over the pier");
    await board.close();
  });
  after(() => window.close());

  const rating = async (): Promise<number | undefined> => {
    const board = await openBoardOf(window);
    const task = board.all.get(ferry);
    await board.close();
    return task === undefined ? undefined : judgementOf(task).rating;
  };
  const formOf = async (form: Frame): Promise<readonly string[]> =>
    Promise.all(["Prompt", "Seed"].map((name) => form.getByLabel(name, { exact: true }).inputValue()));
  const activate = (tab: RegExp): Promise<void> => window.page.getByRole("tab", { name: tab }).click();

  it("F5, T4, P1, P4, T15: a running task is polled without a view, chats show that they were cut, and each page is as it was left", async () => {
    const chat = await window.frameWith("textarea");
    await askInChat(chat, "Read hero.prompts.md");
    await chat.locator(".row.answer .footer").last().waitFor();
    await askInChat(chat, waiting);
    await chat.locator(".approval").waitFor();
    await writeFile(path.join(window.workspace, "tower.md"), "[stuck] a tower in the sea\n");
    await window.openFile("tower.md");
    await window.selectText("[stuck] a tower in the sea");
    const submitted = window.run("sluice.task.submitSelection");
    await acceptSteps(window, typeStep, modelStep, selectionStep);
    await submitted;
    const status = window.page.locator(".part.statusbar").getByRole("button", { name: /Sluice: 1 task runs/ });
    await status.waitFor();

    await window.run("sluice.chat.openInEditor");
    await window.showContainer("Sluice");
    // In the title of the view it is a chat for the view, else it would be one for the tab.
    await (await window.view("Chat")).getByRole("button", { name: /^New Chat/ }).click();
    const view = await window.frameWith(".empty-title");
    await askInChat(view, inSideBar);
    await view.locator(".approval").waitFor();
    await window.showContainer("Explorer");
    await window.run("sluice.task.new");
    const form = await window.frameWith(".media-form");
    await form.getByLabel("Prompt", { exact: true }).fill("a paper boat at night");
    await form.getByLabel("Seed", { exact: true }).fill("12");
    await window.run("sluice.gallery.open");
    const gallery = await window.frameWith(".gallery-page .cell");
    await gallery.getByRole("searchbox").fill("FERRY");
    await gallery.getByRole("option", { name: /gull/ }).waitFor({ state: "detached" });
    await gallery.getByRole("option", { name: /ferry/ }).click();
    await gallery.getByRole("option", { name: /ferry/ }).press("4");
    await eventually("the rating on disk", async () => (await rating()) === 4);

    await window.reload();
    await status.waitFor();
    const again = await window.frameWith(".gallery-page .cell");
    await again.getByRole("option", { name: /ferry.*4 stars/ }).waitFor();
    await eventually("what was searched", async () => (await again.getByRole("searchbox").inputValue()) === "FERRY");
    await activate(/New Media|Media/);
    const kept = await window.frameWith(".media-form");
    await eventually("the form as it was left", async () => {
      const [prompt, seed] = await formOf(kept);
      return prompt === "a paper boat at night" && seed === "12";
    });
    await activate(/^Read hero/);
    const inTab = await window.frameWith(".row.user");
    await inTab.getByText("gave back").waitFor();
    await inTab.getByRole("button", { name: "Continue" }).waitFor();
    assert.equal(await inTab.locator(".approval").count(), 0);

    await window.showContainer("Sluice");
    await window.run("workbench.action.closeAllEditors");
    const shown = await window.frameWith(".row.user");
    await shown.locator(".row.user").getByText(inSideBar).waitFor();
    await shown.getByRole("button", { name: "Continue" }).waitFor();
  });
});

/** The steps of Submit by plain Enter, typing, click, Back and Esc, and with an Enter too many. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { modelStep, type Picks, picksOf, promptStep, selectionStep, typeStep } from "../../support/picks";
import { shareLocalWindow } from "../../support/sharedWindow";
import type { VsCodeWindow } from "../../support/window";

/** The prompt of a file; its task does not end. */
const selected = "[stuck] A paper lantern on black water";

describe("submit picks", () => {
  let window: VsCodeWindow;
  let picks: Picks;
  before("open the window", async () => {
    window = await shareLocalWindow();
    picks = picksOf(window);
    await writeFile(path.join(window.workspace, "lantern.md"), `# A lantern\n\n${selected}\n`);
  });
  after(async () => {
    await window.close();
  });

  describe("New Task", () => {
    it("T2 (finding 19): a click takes the preselected type, model and prompt", async () => {
      await window.runCommand("Sluice: New Task…");
      await picks.step(typeStep);
      await window.pick("Video");
      await picks.step(modelStep);
      await window.pick("demo-video");
      await picks.step(promptStep);
      await picks.type("[stuck] a ferry at one");
      await window.pick("[stuck] a ferry at one");
      await window.treeRow("Tasks", "[stuck] a ferry at one");
    });

    it("T2 (finding 19): what is typed is looked for in the step, and Enter takes it at once, also where it is in no list", async () => {
      await window.runCommand("Sluice: New Task…");
      await picks.step(typeStep);
      await picks.type("Styl");
      await window.quickInput().locator(".monaco-list-row").getByText("Stylized image").waitFor();
      await picks.press("Enter");
      await picks.step(modelStep);
      await picks.type("my-own-model");
      await picks.press("Enter");
      await picks.step(promptStep);
      await picks.type("[stuck] a ferry at two");
      await picks.press("Enter");
      await window.treeRow("Tasks", "[stuck] a ferry at two");
    });

    it("T2 (finding 19): Back goes one step back, and the answers stay preselected", async () => {
      await window.runCommand("Sluice: New Task…");
      await picks.step(typeStep);
      await window.pick("Video");
      await picks.step(modelStep);
      await picks.back();
      await picks.through(typeStep, modelStep);
      await picks.step(promptStep);
      await picks.back();
      await picks.through(modelStep);
      await picks.step(promptStep);
      await picks.press("Escape");
      await picks.closed();
    });

    for (const [index, name] of ["type", "model", "prompt"].entries()) {
      it(`T2 (finding 19): Esc leaves at the ${name} and submits nothing`, async () => {
        const before = await (await window.treeRows("Tasks")).count();
        await window.runCommand("Sluice: New Task…");
        await picks.through(...[typeStep, modelStep, promptStep].slice(0, index));
        await picks.step([typeStep, modelStep, promptStep][index] ?? "");
        await picks.press("Escape");
        await picks.closed();
        assert.equal(await (await window.treeRows("Tasks")).count(), before);
      });
    }

    it("T2 (finding 19): an empty prompt takes no Enter", async () => {
      await window.runCommand("Sluice: New Task…");
      await picks.through(typeStep, modelStep);
      await picks.step(promptStep);
      await picks.press("Enter");
      await window.quickInput().getByText("Nothing is typed yet.").waitFor();
      await picks.step(promptStep);
      await picks.press("Escape");
      await picks.closed();
    });
  });

  describe("Submit Selection as Task", () => {
    const submitSelection = async (): Promise<void> => {
      await window.openFile("lantern.md");
      await window.selectText(selected);
      await window.runCommand("Sluice: Submit Selection as Task…");
      await picks.step(typeStep);
    };

    it("T2 (finding 19): four Enters at each step count for that step only, and submit once", async () => {
      await submitSelection();
      await picks.pressEnter(4);
      await picks.step(modelStep);
      await picks.pressEnter(4);
      await picks.step(selectionStep);
      await window.quickInput().getByText(selected).waitFor();
      assert.equal(await picks.tasksOf(selected), 0);
      await picks.pressEnter(4);
      await window.treeRow("Tasks", selected);
      assert.equal(await picks.tasksOf(selected), 1);
    });

    it("T2 (finding 19): a double click on the model does not submit", async () => {
      const before = await picks.tasksOf(selected);
      await submitSelection();
      await picks.press("Enter");
      await picks.step(modelStep);
      await picks.doubleClickFirst();
      await picks.step(selectionStep);
      assert.equal(await picks.tasksOf(selected), before);
      await picks.press("Escape");
      await picks.closed();
    });

    it("T2 (finding 19): Enter twice on Edit does not submit what was to be edited; Back leads to the choice again", async () => {
      await submitSelection();
      await picks.press("Enter");
      await picks.through(modelStep);
      await picks.step(selectionStep);
      const edit = window.quickInput().locator(".monaco-list-row").filter({ hasText: "Edit Prompt" });
      await edit.waitFor();
      await picks.press("ArrowDown");
      await edit.and(window.page.locator(".focused")).waitFor();
      await picks.pressEnter(2);
      await picks.step(promptStep);
      await picks.hasText(selected);
      await picks.back();
      await picks.step(selectionStep);
      await picks.press("Escape");
      await picks.closed();
      assert.equal(await picks.tasksOf(selected), 1);
    });

    // The pause before the paid step is 300 ms; around its end an Esc crosses the paid step on its way to the window.
    for (const wait of [0, 150, 300, 310]) {
      it(`T2 (finding 19): Esc ${wait} ms after the step before the paid one submits nothing and shows nothing more`, async () => {
        await submitSelection();
        await picks.press("Enter");
        await picks.step(modelStep);
        await picks.pressAfter("Enter", "Escape", wait);
        await picks.closed();
        await window.runCommand("Sluice: New Task…");
        await picks.step(typeStep);
        await picks.press("Escape");
        await picks.closed();
        assert.equal(await picks.tasksOf(selected), 1);
      });
    }
  });
});

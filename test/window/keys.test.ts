/** Keys in the real window: which command gets one is decided by VS Code, from where the focus is and from the `when` clauses of package.json. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Frame, Locator } from "playwright-core";
import { focusedYes, workingAllow } from "../support/approvalBar";
import { askInChat } from "../support/askInChat";
import { eventually } from "../support/eventually";
import { titleOf } from "../support/manifestTitles";
import { beginChat } from "../support/newChat";
import { modelStep, picksOf, promptStep, selectionStep, typeStep } from "../support/picks";
import { openWindow, type VsCodeWindow } from "../support/window";

const asking = '```calls\nrun_command {"command": "echo allowed", "outside": true}\n```';
/** Their turns wait for an approval, so they run until they are stopped. */
const lanterns = 'Replace "Lanterns" with "Boats" in hero.prompts.md';
const boat = 'Replace "no people" with "one boat" in hero.prompts.md';
const selected = "[stuck] A paper lantern on black water";

describe("keys", () => {
  let window: VsCodeWindow;
  before("open VS Code on the local gateway", async () => {
    window = await openWindow({ speed: 10 });
    await window.showContainer("Sluice");
    await (await window.frameWith("textarea")).getByText("demo-chat").filter({ visible: true }).first().waitFor();
  });
  after(() => window.close());
  beforeEach(async () => {
    await window.run("workbench.action.closeAllEditors");
  });

  const press = (key: string): Promise<void> => window.page.keyboard.press(key);
  const composer = (chat: Frame): Locator => chat.getByRole("textbox", { name: "Prompt" });

  it("V4, P6 (findings 19, 40): from an editor one key goes to the chat; there two allow what waits, and one stops an answer", async () => {
    await beginChat(window);
    await window.openFile("hero.prompts.md");
    await press("Shift+Alt+L");
    const chat = await window.frameWith("textarea:focus");
    await askInChat(chat, asking);
    await chat.locator(workingAllow).waitFor();
    await press("Control+Shift+A");
    await chat.locator(focusedYes).waitFor();
    await press("Enter");
    await chat.locator(".approval-bar").waitFor({ state: "detached" });
    await chat.locator(".row.answer .footer").last().waitFor();
    await chat.locator("textarea:focus").waitFor();
    await askInChat(chat, asking);
    await chat.locator(workingAllow).waitFor();
    await composer(chat).press("Control+Escape");
    await chat.getByText("stopped", { exact: true }).waitFor();
  });

  it("P6: in a chat's tab one key stops the turn of that tab, and one goes to the question of another tab", async () => {
    await beginChat(window);
    await window.showContainer("Explorer");
    const openTab = async (prompt: string): Promise<Frame> => {
      await window.run("sluice.chat.openInEditor");
      await window.page.locator(".tab.active").filter({ hasText: "New Chat" }).waitFor();
      const tab = await window.frameWith(".empty-title");
      await askInChat(tab, prompt);
      await tab.locator(".approval").waitFor();
      return tab;
    };
    await openTab(boat);
    const second = await openTab(lanterns);
    await composer(second).press("Control+Escape");
    await second.getByText("stopped", { exact: true }).waitFor();
    await composer(second).press("Control+Shift+A");
    // A page that was hidden is a new one.
    const first = await window.frameWith(focusedYes);
    await composer(first).press("Control+Escape");
    await first.getByText("stopped", { exact: true }).waitFor();
  });

  it("P4: the key for Find searches the chat that has the focus, and not the editor as well", async () => {
    await window.openFile("hero.prompts.md");
    const chat = await beginChat(window);
    await askInChat(chat, "Read hero.prompts.md");
    await chat.locator(".row.answer .footer").last().waitFor();
    await composer(chat).press("ControlOrMeta+f");
    await chat.getByRole("textbox", { name: "Find in chat" }).fill("lighthouse");
    await chat.getByText(/^\d+ of \d+$/).waitFor();
    assert.equal(await window.page.locator(".find-widget.visible").count(), 0);
    await chat.getByRole("textbox", { name: "Find in chat" }).press("Escape");
  });

  for (const key of ["Enter", "Escape"])
    it(`A13: after a pick that a button of the composer opened, ${key} leads back to the composer`, async () => {
      const chat = await beginChat(window);
      await chat.locator(".mode").click();
      await window.quickInput().locator(".monaco-list-row.focused").waitFor();
      await picksOf(window).press(key);
      await picksOf(window).closed();
      await chat.locator("textarea:focus").waitFor();
      await window.page.keyboard.type("typed at once");
      await eventually("what was typed", async () => (await composer(chat).inputValue()) === "typed at once");
      // The next chat would take it over.
      await composer(chat).fill("");
    });

  it("T2 (finding 19): the first task is Enter, Enter, a prompt, Enter; its key is there while text is selected", async () => {
    const picks = picksOf(window);
    await writeFile(path.join(window.workspace, "lantern.md"), `# A lantern\n\n${selected}\n`);
    const begun = window.run("sluice.task.submitSelection");
    await picks.through(typeStep, modelStep);
    await picks.step(promptStep);
    await picks.typePrompt("[stuck] a ferry at noon");
    await picks.press("Enter");
    await begun;
    await window.showContainer("Sluice");
    await window.treeRow("Tasks", "[stuck] a ferry at noon");
    assert.equal(await picks.tasksOf("[stuck] a ferry at noon"), 1);

    await window.openFile("lantern.md");
    await window.selectText(selected);
    await press("Shift+Alt+T");
    await picks.step(typeStep);
    // An Enter that is held down stops before the step that is paid.
    const last = picks.stepNow(selectionStep);
    const held = picks.pressEnter(45, 33);
    const early = last.waitFor().then(() => "shown");
    assert.equal(await Promise.race([held.then(() => "released"), early]), "released");
    await last.waitFor();
    assert.equal(await picks.tasksOf(selected), 0);
    await picks.press("Escape");
    await picks.closed();
    assert.equal(await picks.tasksOf(selected), 0);
  });

  it("V4: the palette has the commands that can be used now, and no others", async () => {
    await window.showContainer("Sluice");
    await window.view("Tasks");
    // The chat gets the focus with its container, and the palette closes when it loses it.
    await (await window.frameWith("textarea")).locator("textarea:focus").waitFor();
    await window.run("workbench.action.quickOpen", ">Sluice: ");
    const rows = window.quickInput().locator(".monaco-list-row");
    const row = (command: string): Locator => rows.getByText(`Sluice: ${titleOf(command)}`, { exact: true });
    await row("sluice.task.cancelOfPrompt").or(row("sluice.chat.chooseModel")).first().waitFor();
    assert.equal(await row("sluice.chat.stop").count(), 0, "no answer is running");
    await picksOf(window).press("Escape");
    await picksOf(window).closed();
  });
});

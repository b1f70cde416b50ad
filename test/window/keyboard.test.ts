/** Journeys of a person who has the keyboard alone: each ends where it should, and before each key it can be seen where the focus is. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import path from "node:path";
import type { Frame } from "playwright-core";
import { workingAllow } from "../support/approvalBar";
import { eventually } from "../support/eventually";
import { serveOneKey } from "../support/oneKeyGateway";
import { Person } from "../support/person";
import { modelStep, picksOf, promptStep, typeStep } from "../support/picks";
import { openWindow, type VsCodeWindow } from "../support/window";

const key = "sk-canary-journey";

describe("the keyboard alone", () => {
  let window: VsCodeWindow;
  let chat: Frame;
  let person: Person;
  before("open VS Code in a fresh profile", async () => {
    window = await openWindow({ speed: 20 });
  });
  after(() => window.close());
  beforeEach("an empty chat, and the focus in the explorer", async () => {
    await window.run("workbench.action.closeAllEditors");
    await window.run("sluice.gateway.useLocal");
    await window.showContainer("Sluice");
    await window.run("sluice.chat.new");
    chat = await window.frameWith(".empty");
    await chat.getByText("demo-chat").filter({ visible: true }).first().waitFor();
    await window.showContainer("Explorer");
    await window.page.locator(".explorer-folders-view .monaco-list:focus").waitFor();
    person = new Person(window.page);
  });

  const ask = async (text: string): Promise<void> => {
    await person.press("Shift+Alt+L");
    // The page is another one when its view is shown again.
    chat = await window.frameWith("textarea");
    await person.isAt("Prompt");
    await person.enter(text);
  };
  const allow = async (): Promise<void> => {
    await chat.locator(workingAllow).waitFor();
    await person.press("Control+Shift+A");
    await person.isAt("Allow");
    await person.press("Enter");
  };

  it("P6, V5, A3, A5: a question is answered, a first edit allowed and undone", async () => {
    const isThere = (there: boolean): Promise<void> =>
      eventually(`NOTES.md: ${there}`, () => existsSync(path.join(window.workspace, "NOTES.md")) === there);
    await ask("Write an overview into NOTES.md");
    await allow();
    await isThere(true);
    await chat.locator(".row.answer .footer").last().waitFor();
    await person.isAt("Prompt");
    await person.goTo("Undo", "Shift+Tab");
    await person.press("Enter");
    await isThere(false);
    await person.isAt(/./);
    person.assertWithin({ keys: 12, texts: 1 });
  });

  it("P6, T1, T9: a task is submitted, found in its view and cancelled from the menu of its row", async () => {
    const picks = picksOf(window);
    const begun = window.run("sluice.task.submitSelection");
    await picks.through(typeStep, modelStep);
    await picks.step(promptStep);
    await picks.typePrompt("[stuck] a ferry at one");
    await picks.press("Enter");
    await begun;
    await window.showContainer("Sluice");
    const row = await window.treeRow("Tasks", "a ferry at one");
    // From then on nothing changes in it until it is cancelled.
    await row.and(window.page.getByRole("treeitem", { name: /processing/ })).waitFor();
    await window.run("sluice.tasks.focus");
    await (await window.view("Tasks")).locator(".monaco-list:focus").waitFor();
    await person.press("Home");
    await person.goTo(/a ferry at one/, "ArrowDown");
    await person.openMenu();
    await person.goTo(/^Cancel/, "ArrowDown");
    await person.press("Enter");
    await picks.step("Choose or type a reason to cancel");
    await person.press("Enter");
    await window.page.getByRole("treeitem", { name: /cancelled[^]*a ferry at one/ }).waitFor();
  });

  it("P6, C1, C2, C3: another gateway is connected, also after a wrong key", async () => {
    const gateway = await serveOneKey(key, ["first-model", "second-model"]);
    try {
      await person.press("Shift+Alt+L");
      chat = await window.frameWith("textarea");
      await person.isAt("Prompt");
      await person.goTo("Connect to a Gateway…", "Shift+Tab");
      await person.press("Enter");
      await picksOf(window).step("Choose, or type an address");
      await person.type(`${gateway.url}/v1`);
      await window.quickInput().locator(".monaco-list-row.focused").getByText(`${gateway.url}/v1`).waitFor();
      await person.press("Enter");
      await window.quickInput().locator("input[type=password]").waitFor();
      await person.enter("sk-wrong");
      await window.quickInput().getByText("The gateway did not accept the API key.").first().waitFor();
      await person.press("ControlOrMeta+a");
      await person.enter(key);
      await picksOf(window).step(modelStep);
      await window.quickInput().getByText("second-model").first().waitFor();
      await person.press("Enter");
      await picksOf(window).closed();
      await (await window.frameWith(".empty")).locator(".empty-model").getByText("first-model").waitFor();
      assert.ok(gateway.received.some(({ headers }) => headers.authorization === "Bearer sk-wrong"));
    } finally {
      await gateway.close();
    }
  });
});

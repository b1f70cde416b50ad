/** From the composer to a task and its picture in the chat, also after a reload; and a picture that the model draws, into the workspace. */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Frame, Locator } from "playwright-core";
import { askInChat } from "../../support/askInChat";
import { eventually } from "../../support/eventually";
import { beginChat } from "../../support/newChat";
import { picksOf, selectionStep, typeStep } from "../../support/picks";
import { chooseInMenu } from "../../support/rowMenu";
import { shareLocalWindow } from "../../support/sharedWindow";
import type { VsCodeWindow } from "../../support/window";

describe("tasks and pictures in the chat", () => {
  let window: VsCodeWindow;
  let chat: Frame;
  const prompt = "A weather vane above the fog";
  const composer = (): Locator => chat.getByRole("textbox", { name: "Prompt" });
  const card = (): Locator => chat.locator(".task-card");
  /** The picture is on the screen, not only its element. */
  const shown = async (picture: Locator): Promise<void> => {
    await picture.waitFor();
    await picture.evaluate((image) => (image as unknown as { decode(): Promise<void> }).decode());
  };

  before(async () => {
    window = await shareLocalWindow();
    await window.showContainer("Sluice");
    chat = await window.frameWith("textarea");
    await chat.getByText("demo-chat").filter({ visible: true }).first().waitFor();
    chat = await beginChat(window);
  });
  after(async () => {
    await window.runCommand("Sluice: New Chat");
    await window.close();
  });

  it("T1, T2: Esc in the pick loses nothing and makes no task", async () => {
    const picks = picksOf(window);
    await composer().click();
    await composer().fill(prompt);
    await window.runCommand("Sluice: Submit Prompt as Task…");
    await picks.step(typeStep);
    await picks.press("Escape");
    await picks.closed();
    assert.equal(await composer().inputValue(), prompt);
    assert.equal(await card().count(), 0);
    await eventually("the composer has the focus again", () =>
      composer().evaluate((area) => (area as unknown as { matches(selector: string): boolean }).matches(":focus")),
    );
  });

  it("P1, T1, T8: the composer's text becomes a task; the card shows its states, its money and its picture, and nothing is loaded from elsewhere", async () => {
    const foreign: string[] = [];
    window.page.on("request", (request) => {
      if (/\/assets?\//.test(request.url()) && request.url().includes("v1")) foreign.push(request.url());
    });
    await chat.getByRole("button", { name: "Submit as Task…" }).click();
    await window.pick(/^Image/);
    await window.pick("demo-image");
    await picksOf(window).step(selectionStep);
    assert.equal(await composer().inputValue(), prompt, "nothing is accepted yet");
    await window.pick("Submit");
    await card().waitFor();
    await card().getByText("succeeded").waitFor();
    await eventually("the composer is empty", async () => (await composer().inputValue()) === "");
    await card()
      .getByText(/^Charged at/)
      .waitFor();
    await shown(card().locator("img"));
    await window.screenshot("chat-task");
    assert.deepEqual(foreign, []);
    assert.equal(await card().count(), 1);
    await window.treeRow("Tasks", prompt);
  });

  it("P3, P4: after a reload the card is there with its picture", async () => {
    await window.reload();
    await window.showContainer("Sluice");
    chat = await window.frameWith("textarea");
    await card().getByText("succeeded").waitFor();
    await shown(card().locator("img"));
    await card().getByRole("button", { name: "Open Task" }).click();
    const page = await window.frameWith(".task-page");
    // It takes the focus once it is loaded, and would close a list that is open by then.
    await eventually("the focus in the page of the task", () => page.evaluate<boolean>("document.hasFocus()"));
  });

  it("T15, P3: variants and the like are made from the card", async () => {
    await card().getByRole("button", { name: "More Actions…" }).click();
    for (const name of ["Make Video of This…", "Use as Reference for a New Task…", "Same with Other Model…"])
      await window.quickInput().locator(".monaco-list-row").filter({ hasText: name }).waitFor();
    await window.screenshot("chat-task-more");
    await window.pick("Make 4 Variants…");
    await window.quickInput().locator(".monaco-list-row").filter({ hasText: "Submit 4 image tasks" }).waitFor();
    // The question has the focus: it does not go back to the chat.
    await picksOf(window).press("Escape");
    await picksOf(window).closed();
  });

  it("A6, T8: a picture that the model draws is shown and goes into the workspace and into a document", async () => {
    await window.openFile("hero.prompts.md");
    await window.selectText("lighthouse");
    await askInChat(chat, "Draw a red kite");
    const picture = chat.locator(".row.answer img");
    await shown(picture);
    await window.screenshot("chat-picture");
    await chat.getByRole("button", { name: "Save into Workspace" }).last().click();
    await window.page.locator(".statusbar").getByText("Saved as assets/draw-a-red-kite.png").waitFor();
    const [name = ""] = (await readdir(path.join(window.workspace, "assets"))).filter((one) => one.startsWith("draw"));
    const bytes = await readFile(path.join(window.workspace, "assets", name));
    assert.equal(bytes.toString("latin1", 1, 4), "PNG");
    await chat.getByRole("button", { name: "Insert Link" }).last().click();
    const editor = window.page.locator(".editor-group-container.active .monaco-editor").first();
    await editor.getByText("![Draw a red kite").first().waitFor();
    await window.runCommand("File: Revert File");
  });

  it("T6: a task that is taken off the list leaves a calm card", async () => {
    await chooseInMenu(window, () => window.treeRow("Tasks", prompt), "Remove from List");
    await card().getByText("This task is no longer on the list.").waitFor();
  });
});

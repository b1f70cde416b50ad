/** Submitting from the text that is being edited: lenses of prompt files, options, an editor for long prompts, destinations, and what comes back after Esc. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Locator } from "playwright-core";
import { modelStep, type Picks, picksOf, promptStep, selectionStep, typeStep } from "../../support/picks";
import { chooseInMenu } from "../../support/rowMenu";
import { shareLocalWindow } from "../../support/sharedWindow";
import type { VsCodeWindow } from "../../support/window";

const referenceStep = "images should the result be made from";
const metadataStep = "Choose what is sent besides the prompt";
const destinationStep = "Path in the workspace";

describe("submit from text", () => {
  let window: VsCodeWindow;
  let picks: Picks;
  const lens = (text: string | RegExp): Locator =>
    window.page.locator(".editor-group-container.active .codelens-decoration a").filter({ hasText: text });
  const editorHasFocus = (): Promise<void> =>
    window.page.locator(".editor-group-container.active .monaco-editor.focused").first().waitFor();
  const row = (text: string | RegExp): Locator =>
    window.quickInput().locator(".monaco-list-row").filter({ hasText: text }).first();

  before(async () => {
    window = await shareLocalWindow();
    picks = picksOf(window);
    await writeFile(path.join(window.workspace, "pier.png"), await readFile("media/icon.png"));
    await writeFile(path.join(window.workspace, "notes.md"), "# Notes\n\nThe pier:\n");
  });
  after(async () => {
    await window.close();
  });

  it("T2 (finding 20): the directive above a prompt gives its type; its lens submits it and then shows its state", async () => {
    await window.openFile("hero.prompts.md");
    await lens("Submit All 2").first().waitFor();
    await window.screenshot("submit-lenses");
    await lens(/^Submit$/)
      .first()
      .click();
    await picks.through(modelStep, selectionStep);
    await window.treeRow("Tasks", "A lighthouse at dusk");
    await lens(/Created|Queued|Processing|Succeeded/)
      .first()
      .waitFor();
    await window.screenshot("submit-lens-running");
    await lens("Open Result").first().waitFor({ timeout: 60_000 });
    await window.screenshot("submit-lens-succeeded");
    await lens("More Actions…").first().click();
    await window.quickInput().locator(".monaco-list-row").filter({ hasText: "Make 4 Variants…" }).waitFor();
    await picks.press("Escape");
    await picks.closed();
  });

  it("T2: Submit All lists its prompts, asks once and makes a batch of those that have no task yet", async () => {
    // The list before has given it back by then.
    await editorHasFocus();
    await window.page.keyboard.press("ControlOrMeta+End");
    await lens("Submit All 3").first().click();
    await picks.through(modelStep);
    await picks.step(selectionStep);
    await window.screenshot("submit-batch");
    await picks.rowsFrom(/Submit 3 image tasks with demo-image/);
    await picks.press("Enter");
    for (const prompt of ["A paper lantern", "An old ferry", "Fireworks mirrored"])
      await window.treeRow("Tasks", prompt);
    await lens("Submit All 3").first().waitFor({ state: "detached" });
  });

  it("T2: the type of the directive above a selected prompt is preselected, whatever was submitted last", async () => {
    await window.openFile("hero.prompts.md");
    for (const [prompt, type] of [
      ["Lanterns drift across the harbour", /^Video/],
      ["The pier with fireworks above it", /^Stylized image/],
    ] as const) {
      await window.selectText(prompt);
      await window.runCommand("Sluice: Submit Selection as Task…");
      await picks.step(typeStep);
      await window.quickInput().locator(".monaco-list-row.focused").filter({ hasText: type }).waitFor();
      await picks.press("Escape");
      await picks.closed();
    }
  });

  it("T6, T13: grouped by batch, the row of a batch opens its page", async () => {
    await window.runCommand("Sluice: Group by Batch");
    await chooseInMenu(window, () => window.treeRow("Tasks", /A paper lantern.*3 tasks/), "Open Batch");
    await window.page.locator(".tab.active").filter({ hasText: "Batch: A paper lantern" }).waitFor();
    await window.runCommand("View: Close Editor");
    await window.runCommand("Sluice: Group by State");
  });

  it("T2: what was typed comes back after Esc, and New Task goes on with it", async () => {
    await window.runCommand("Sluice: New Task…");
    await picks.through(typeStep, modelStep);
    await picks.step(promptStep);
    await picks.type("a half typed prompt");
    await picks.press("Escape");
    await picks.closed();
    await window.runCommand("Sluice: New Task…");
    await picks.step(typeStep);
    await row("Go on with what was typed").waitFor();
    await window.screenshot("submit-go-on");
    await picks.press("Enter");
    await picks.step(promptStep);
    await picks.hasText("a half typed prompt");
  });

  it("T2: reference images, metadata and destination are rows of the last step, checked and shown before sending", async () => {
    await window.pick("Options…");
    await picks.step(selectionStep);
    await window.screenshot("submit-options");
    await window.pick("Reference images");
    await picks.step(referenceStep);
    await window.screenshot("submit-references");
    await window.pick("Choose in the Workspace");
    await window.pick("pier.png");
    await window.quickInput().locator('input[placeholder*="pier.png (PNG"]').waitFor();
    await window.pick("Done");
    await picks.step(selectionStep);
    await window.pick("Metadata");
    await picks.step(metadataStep);
    await window.pick("Size");
    await picks.step("Width x height");
    await picks.type("1x");
    await row("is no size").waitFor();
    await window.screenshot("submit-size-problem");
    await window.quickInput().locator("input").fill("640x480");
    await picks.press("Enter");
    await picks.step("size 640x480");
    await window.pick("Done");
    await picks.step(selectionStep);
    await window.pick("Destination");
    await picks.step(destinationStep);
    await window.screenshot("submit-destination");
    await picks.press("Enter");
    await picks.step(selectionStep);
    await row(/pier\.png \(PNG/).waitFor();
    await window.screenshot("submit-options-chosen");
    await picks.press("Enter");
    await window.treeRow("Tasks", "a half typed prompt");
  });

  it("T2: Duplicate with Changes has everything of the task, read from the request that was sent", async () => {
    await chooseInMenu(window, () => window.treeRow("Tasks", "a half typed prompt"), "Duplicate with Changes");
    await picks.step(selectionStep);
    await row(/image-1 \(PNG/).waitFor();
    await row("size 640x480").waitFor();
    await row("assets/a-half-typed-prompt-2").waitFor();
    await window.screenshot("submit-duplicate");
  });

  it("T2: a prompt of several lines is edited in an editor and keeps its line breaks", async () => {
    await window.pick("Edit in Editor");
    await picks.closed();
    await lens("Go On with This Prompt").waitFor();
    await editorHasFocus();
    await window.page.keyboard.press("ControlOrMeta+End");
    await window.page.keyboard.press("Enter");
    await window.page.keyboard.type("on its second line");
    await window.screenshot("submit-in-editor");
    await lens("Go On with This Prompt").click();
    await picks.step(selectionStep);
    await row("a half typed prompt on its second line").waitFor();
    await row("size 640x480").waitFor();
    await picks.press("Escape");
    await picks.closed();
  });

  it("T2: in a Markdown document the reference is inserted at once, and the lens above it tells the state", async () => {
    await window.openFile("notes.md");
    await window.page.keyboard.press("ControlOrMeta+End");
    await window.runCommand("Sluice: New Task…");
    await picks.step(typeStep);
    await window.pick(/^Image/);
    await picks.through(modelStep);
    await picks.step(promptStep);
    await picks.type("[stuck] the pier at night");
    await window.pick("Options…");
    await picks.step(selectionStep);
    await window.pick("Destination");
    await picks.step(destinationStep);
    await window.screenshot("submit-destination-markdown");
    await picks.press("Enter");
    await picks.through(selectionStep);
    await window.page.locator(".view-line").filter({ hasText: "assets/stuck-the-pier-at-night.png" }).waitFor();
    await lens(/Created|Queued|Processing/)
      .first()
      .waitFor();
    await window.screenshot("submit-reference-inserted");
  });
});

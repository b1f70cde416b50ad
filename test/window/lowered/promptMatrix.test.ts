/** A matrix of variants from a prompt file in the real window: one question that shows all of them, and a lens that counts (T16). */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Locator } from "playwright-core";
import { eventually } from "../../support/eventually";
import { modelStep, type Picks, picksOf, selectionStep } from "../../support/picks";
import { chooseInMenu } from "../../support/rowMenu";
import { shareLocalWindow } from "../../support/sharedWindow";
import type { VsCodeWindow } from "../../support/window";

const name = "matrix.prompts.md";
const text = (seeds: string, style: string): string =>
  [
    "---",
    "type: image",
    `style: [${style}]`,
    `seed: [${seeds}]`,
    "size: 320x200",
    "---",
    "",
    "# Posters",
    "",
    "A harbour crane in the evening, {{style}}.",
    "",
    "A ferry without a name, {{stile}}.",
    "",
  ].join("\n");

describe("a matrix of prompts", () => {
  let window: VsCodeWindow;
  let picks: Picks;
  const lens = (title: string | RegExp): Locator =>
    window.page.locator(".editor-group-container.active .codelens-decoration a").filter({ hasText: title });
  before(async () => {
    window = await shareLocalWindow();
    picks = picksOf(window);
    await writeFile(path.join(window.workspace, name), text("1, 2", "linocut, gouache, paper cut"));
  });
  after(async () => {
    await window.runCommand("View: Close All Editors");
    await window.close();
  });

  it("T16: six variants are one question that lists each with its values, and their lens counts what has succeeded", async () => {
    await window.openFile(name);
    await lens("Submit 6 Variants").first().waitFor();
    // The one with a variable that has no value can't be submitted, and is not counted.
    assert.equal(await lens(/^Submit$/).count(), 0);
    await window.screenshot("matrix-1-lens");
    await lens("Submit 6 Variants").first().click();
    await picks.through(modelStep);
    await picks.step(selectionStep);
    await window.screenshot("matrix-2-question");
    const items = await picks.rowsFrom(/Submit 6 image tasks with demo-image/);
    assert.ok(items.some((item) => /A harbour crane in the evening, gouache\..*style: gouache, seed: 2/.test(item)));
    await picks.press("Enter");
    await lens("6 of 6 succeeded").waitFor({ timeout: 120_000 });
    await window.screenshot("matrix-3-done");
    await lens("Open Batch").click();
    await window.page.locator(".tab.active").filter({ hasText: "Batch: A harbour crane" }).waitFor();
    await window.screenshot("matrix-4-batch");
    await window.runCommand("View: Close Editor");
  });

  it("T16: a seed that is added makes only the new variants, once", async () => {
    await writeFile(path.join(window.workspace, name), text("1, 2, 3", "linocut, gouache, paper cut"));
    await lens("Submit 3 More").click();
    await picks.through(modelStep);
    await picks.step(selectionStep);
    const items = await picks.rowsFrom(/Submit 3 image tasks with demo-image/);
    assert.equal(items.filter((item) => /seed: [12]/.test(item)).length, 0);
    await picks.press("Enter");
    await lens("9 of 9 succeeded").waitFor({ timeout: 120_000 });
  });

  it("T16: Improve… shows the model's words for a prompt as a diff, and changes and submits nothing by itself", async () => {
    const file = path.join(window.workspace, name);
    const before = await readFile(file, "utf8");
    await eventually("only above what was not submitted", async () => (await lens("Improve…").count()) === 1);
    await lens("Improve…").click();
    await window.page.locator(".tab.active").filter({ hasText: "improved prompt" }).waitFor();
    await window.page.locator(".editor-group-container.active .line-insert").first().waitFor();
    await window.page.locator(".monaco-diff-editor").getByText("in soft warm light").first().waitFor();
    await window.screenshot("matrix-7-improve");
    assert.equal(await readFile(file, "utf8"), before);
    await window.runCommand("Sluice: Discard Edit");
    await window.page.locator(".tab.active").filter({ hasText: name }).waitFor();
  });

  it("T15: Make 4 Variants of a row asks once, for the same task with four seeds", async () => {
    const row = (): Promise<Locator> => window.treeRow("Tasks", /A harbour crane in the evening/);
    await chooseInMenu(window, row, "Make More", "Make 4 Variants…");
    await picks.step(selectionStep);
    await window.screenshot("matrix-6-variants");
    const items = await picks.rowsFrom(/Submit 4 image tasks with demo-image/);
    const seeds = items.flatMap((item) => /seed: (\d+)/.exec(item)?.[1] ?? []);
    assert.equal(new Set(seeds).size, 4);
    await picks.press("Enter");
    await window.runCommand("Sluice: Group by Batch");
    await window.treeRow("Tasks", /A harbour crane.*4 tasks/);
    await window.runCommand("Sluice: Group by State");
  });

  it("T1, T16: while many variants are written, none of them is offered again, and each is submitted once", async () => {
    const file = path.join(window.workspace, "many.prompts.md");
    const seeds = Array.from({ length: 60 }, (_, at) => at + 1).join(", ");
    await writeFile(file, `---\ntype: image\nsize: 64x64\nseed: [${seeds}]\n---\n# Many\n\nA buoy at sea.\n`);
    await window.openFile("many.prompts.md");
    await lens("Submit 60 Variants").first().click();
    await picks.through(modelStep);
    await picks.step(selectionStep);
    await picks.press("Enter");
    const titles = new Set<string>();
    await eventually("all of them", async () => {
      for (const title of await lens(/./).allInnerTexts()) titles.add(title);
      return (await lens("of 60 succeeded").count()) > 0;
    });
    assert.deepEqual(
      [...titles].filter((title) => title.includes("More")),
      [],
    );
    await lens("60 of 60 succeeded").waitFor({ timeout: 120_000 });
  });
});

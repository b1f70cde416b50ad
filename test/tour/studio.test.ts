/** A film of the studio: from words in a prompt file to a chosen picture in the project and a video of it, with a picture of each step and what it took. */
import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Frame, Locator } from "playwright-core";
import { eventually } from "../support/eventually";
import { Person } from "../support/person";
import { modelStep, type Picks, picksOf, selectionStep } from "../support/picks";
import { openWindow, type VsCodeWindow } from "../support/window";

const prompts = [
  "---",
  "type: image",
  "style: [linocut, gouache, paper cut]",
  "seed: [1, 2, 3, 4]",
  "size: 640x400",
  "---",
  "",
  "# Posters",
  "",
  "A harbour crane in the evening, {{style}}.",
  "",
].join("\n");

describe("the studio, from words to the picture in the project", () => {
  let window: VsCodeWindow;
  let person: Person;
  let picks: Picks;
  before(async () => {
    window = await openWindow({
      speed: 20,
      settings: { "workbench.colorTheme": "Default Dark Modern" },
    });
    await window.page.setViewportSize({ width: 1440, height: 900 });
    person = new Person(window.page);
    picks = picksOf(window);
    await writeFile(path.join(window.workspace, "posters.prompts.md"), prompts);
    await writeFile(path.join(window.workspace, "page.md"), "# The harbour\n\n");
    await window.showContainer("Sluice");
  });
  after(async () => {
    await window.close();
  });

  const lens = (title: string | RegExp): Locator =>
    window.page.locator(".editor-group-container.active .codelens-decoration a").filter({ hasText: title });
  const gallery = (): Promise<Frame> => window.frameWith(".gallery-page .cell");
  const shot = (name: string): Promise<unknown> => window.screenshot(`studio-${name}`);
  /** Files of the project that are media, wherever they are. */
  const mediaIn = async (ending: RegExp): Promise<readonly string[]> =>
    (await readdir(window.workspace, { recursive: true })).filter((name) => ending.test(name));
  const act = async (page: Frame, cell: Locator, action: string | RegExp): Promise<void> => {
    await person.click(cell);
    await person.click(page.getByRole("button", { name: "More Actions…" }));
    await person.click(page.getByRole("button", { name: action }));
  };

  it("T15, T16: twelve variants of one prompt are one question", async () => {
    await window.openFile("posters.prompts.md");
    await lens("Submit 12 Variants").waitFor();
    await shot("1-prompts");
    await person.click(lens("Submit 12 Variants"));
    await picks.step(modelStep);
    await window.quickInput().locator(".monaco-list-row").first().waitFor();
    await person.press("Enter");
    await picks.step(selectionStep);
    await shot("2-question");
    await person.press("Enter");
    await lens("12 of 12 succeeded").waitFor({ timeout: 120_000 });
    await shot("3-made");
  });

  it("T15: four of them are compared, and one is kept", async () => {
    await window.run("workbench.action.closeAllEditors");
    await window.openFile("page.md");
    const tasks = await window.view("Tasks");
    // Not a row, whose tooltip would cover the buttons.
    await tasks.locator(".pane-header").hover();
    await person.click(tasks.getByRole("button", { name: /More Actions/ }));
    const entry = window.page.locator(".monaco-menu").getByText("Open Gallery", { exact: true });
    await entry.hover();
    await person.click(entry, { delay: 200 });
    const page = await gallery();
    await page.locator(".cell img").nth(11).waitFor();
    await shot("4-gallery");
    await person.click(page.locator(".cell").first());
    await person.press("Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight", "c");
    const keep = page.getByRole("button", { name: "Keep This One" });
    await keep.nth(3).waitFor();
    await page.getByRole("dialog").locator("img").nth(3).waitFor();
    await shot("5-compared");
    await person.click(keep.nth(1));
    await person.press("Escape");
    await page.getByRole("option", { name: /kept/ }).waitFor();
    await shot("6-kept");
  });

  it("T15, T17: the kept one becomes a file of the project and its picture in a document", async () => {
    await window.run("workbench.action.moveEditorToRightGroup");
    const page = await gallery();
    await act(page, page.getByRole("option", { name: /kept/ }), "Insert Link");
    await picks.step("What the picture shows; empty if it only decorates");
    await person.press("Enter");
    await eventually("the reference in the document", async () =>
      /!\[[^]*\]\([^]*\.png\)/.test(await window.page.locator(".view-lines").first().innerText()),
    );
    assert.equal((await mediaIn(/\.png$/)).length, 1);
    await shot("7-referenced");
  });

  it("T15: a video is made of it and saved beside it", async () => {
    const page = await gallery();
    await act(page, page.getByRole("option", { name: /kept/ }), /Make Video of This/);
    await picks.step(modelStep);
    await window.quickInput().locator(".monaco-list-row").first().waitFor();
    await person.press("Enter");
    await picks.step(selectionStep);
    await shot("8-video");
    await person.press("Enter");
    const video = page.getByRole("option", { name: /video/i });
    await video.waitFor({ timeout: 120_000 });
    await act(page, video.first(), "Save into Workspace");
    await eventually("the video in the project", async () => (await mediaIn(/\.mp4$/)).length === 1);
    await shot("9-placed");
    const { clicks, keys, texts } = person.effort;
    await writeFile(
      path.resolve("test-results", "tour", "studio-effort.txt"),
      `${clicks} clicks, ${keys} keys, ${texts} texts\n`,
    );
    // With the picture before it once VS Code has saved it by itself.
    assert.match(await readFile(path.join(window.workspace, "page.md"), "utf8"), /# The harbour\n/);
    person.assertWithin({ clicks: 14, keys: 10, texts: 0 });
  });
});

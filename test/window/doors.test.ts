/** The doors into the chat from elsewhere in the real window: light bulb, explorer, terminal and source control, and a result that is dragged. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Locator } from "playwright-core";
import { eventually } from "../support/eventually";
import { titleOf } from "../support/manifestTitles";
import { chooseEntry, openContextMenu } from "../support/nativeMenu";
import { beginChat } from "../support/newChat";
import { openBoardOf, placeTask } from "../support/placedTasks";
import { pngOf } from "../support/testImages";
import { openWindow, type VsCodeWindow } from "../support/window";
import { sampleWorkspace } from "../../scripts/workspace.mjs";

describe("doors into the chat", () => {
  let window: VsCodeWindow;
  before("open VS Code on the local gateway and a repository", async () => {
    const workspace = await sampleWorkspace();
    await mkdir(path.join(workspace, "parts"), { recursive: true });
    await writeFile(path.join(workspace, "parts", "broken.json"), '{\n  "lamp": ,\n  "light": true\n}\n');
    for (const args of [
      ["-c", "init.defaultBranch=main", "init", "--quiet"],
      ["add", "README.md", "parts"],
    ])
      execFileSync("git", args, { cwd: workspace });
    window = await openWindow({ workspace, speed: 10 });
    await window.showContainer("Sluice");
    await (await window.frameWith("textarea")).getByText("demo-chat").filter({ visible: true }).first().waitFor();
  });
  after(() => window.close());
  beforeEach(async () => {
    await window.run("workbench.action.closeAllEditors");
  });

  it("V7: Fix in the light bulb sends the code and its problem as a prompt of the chat", async () => {
    await window.openFile("parts/broken.json");
    const editor = window.page.locator(".editor-group-container.active .monaco-editor").first();
    await editor.locator(".squiggly-error").first().waitFor();
    await window.selectText('"lamp": ,');
    await window.run("editor.action.quickFix");
    const actions = window.page.locator(".action-widget");
    await actions.getByText("Explain with Sluice").waitFor();
    await actions.getByText("Fix with Sluice").click();
    const chat = await window.frameWith(".row.user");
    await chat
      .locator(".row.user")
      .getByText(/Problems in parts\/broken\.json:\d/)
      .waitFor();
    await chat.locator(".row.answer .footer").last().waitFor();
  });

  it("V7: the menu of the explorer attaches a folder, and a file", async () => {
    await window.showContainer("Sluice");
    await beginChat(window);
    const explorer = window.page.locator(".explorer-folders-view");
    const row = (name: string): Locator => explorer.getByRole("treeitem", { name }).first();
    for (const [name, command, chip] of [
      ["parts", "sluice.chat.add", "parts/"],
      ["README.md", "sluice.chat.add", "README.md"],
    ] as const) {
      await window.showContainer("Explorer");
      await openContextMenu(row(name));
      await chooseEntry(window.page, titleOf(command));
      await (
        await window.frameWith(".file-chip")
      )
        .locator(".file-chip")
        .getByText(chip, { exact: true })
        .first()
        .waitFor();
    }
  });

  it("V7: the selection of a terminal comes into the composer, and the clipboard has what it had", async () => {
    await window.showContainer("Sluice");
    await beginChat(window);
    await window.page.evaluate("navigator.clipboard.writeText('what was copied before')");
    await window.run("workbench.action.terminal.new");
    await window.run("workbench.action.terminal.sendSequence", { text: "echo lamp-$((40 + 2))\r" });
    const terminal = window.page.locator(".terminal-wrapper.active .xterm-screen");
    await window.page.locator(".codicon-terminal-decoration-success").first().waitFor();
    await window.run("workbench.action.terminal.selectAll");
    await openContextMenu(terminal);
    await chooseEntry(window.page, titleOf("sluice.chat.addTerminalSelection"));
    const composer = (await window.frameWith("textarea")).locator("textarea").first();
    await eventually("the selection", async () =>
      /^From the terminal:\n```\n[^]*echo lamp-\$\(\(40 \+ 2\)\)[^]*lamp-42[^]*\n```\n$/.test(
        await composer.inputValue(),
      ),
    );
    await eventually("what was copied before", async () => {
      return (await window.page.evaluate("navigator.clipboard.readText()")) === "what was copied before";
    });
    await window.run("workbench.action.terminal.killAll");
  });

  it("V7: source control has the button, and the model writes the message into the box", async () => {
    await window.showContainer("Source Control");
    const scm = window.page.locator(".scm-view");
    await scm.getByText("Staged Changes").first().waitFor();
    await window.page
      .getByRole("button", { name: titleOf("sluice.commit.generateMessage") })
      .first()
      .click();
    await scm
      .locator(".scm-editor .view-lines")
      .first()
      .getByText(/Change\s\S+\sand\s1\smore/)
      .waitFor();
  });

  it("T15: a result that is dragged into Markdown, with Shift, becomes its picture, saved in the project also after an undo", async () => {
    const folder = path.join(window.server.dataDir, "data", "User", "globalStorage", "sluice.sluice", "results");
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const savedAs = path.join(folder, "crane.png");
    await writeFile(savedAs, await pngOf(320, 200, [40, 120, 200]));
    const board = await openBoardOf(window);
    const remote = { state: "succeeded", rawStatus: "4", completedAt: Date.now() } as const;
    await placeTask(board, { intent: { prompt: "a harbour crane", type: "async-image" }, remote, savedAs });
    await board.close();
    await writeFile(path.join(window.workspace, "notes.md"), "");
    await window.run("sluice.gallery.open");
    await window.frameWith(".gallery-page .cell");
    await window.openFile("notes.md");
    await window.run("workbench.action.moveEditorToRightGroup");
    // A page that was hidden is a new one.
    const page = await window.frameWith(".gallery-page .cell");
    const cell = page.getByRole("option", { name: /harbour/ });
    await cell.locator("img").waitFor();
    // The editor that was moved has changed the width of the page: it rests once the cell has been hovered where it is.
    await cell.locator(".cell-prompt").hover();
    const from = await cell.locator(".cell-prompt").boundingBox();
    const to = await window.page.locator(".editor-group-container.active .monaco-editor").first().boundingBox();
    assert.ok(from && to);
    const { mouse, keyboard } = window.page;
    await mouse.move(from.x + 20, from.y + 8);
    await mouse.down();
    await keyboard.down("Shift");
    await mouse.move(to.x + 60, to.y + 30, { steps: 8 });
    await mouse.move(to.x + 64, to.y + 32, { steps: 4 });
    await mouse.up();
    await keyboard.up("Shift");
    const written = (): Promise<string> =>
      window.host().evaluate(({ workspace: { textDocuments } }) => {
        return textDocuments.find(({ fileName }) => fileName.endsWith("notes.md"))?.getText() ?? "";
      }, undefined);
    const saved = path.join(window.workspace, "assets", "a-harbour-crane.png");
    await eventually("the picture in the text", async () =>
      /!\[a harbour crane.*\]\(assets\/a-harbour-crane\.png\)/.test(await written()),
    );
    await eventually("the file in the project", () => existsSync(saved));
    await window.run("undo");
    await eventually("the text as it was", async () => (await written()) === "");
    assert.ok(existsSync(saved));
  });
});

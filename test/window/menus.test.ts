/** Menus and titles of VS Code in the real window: what they offer is decided by the `when` clauses of package.json there. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Frame, Locator } from "playwright-core";
import { allow } from "../support/approvalBar";
import { askInChat } from "../support/askInChat";
import { eventually } from "../support/eventually";
import { titleOf } from "../support/manifestTitles";
import { chooseEntry, closeMenu, menuEntries, openContextMenu } from "../support/nativeMenu";
import { beginChat } from "../support/newChat";
import { openBoardOf, placeTask } from "../support/placedTasks";
import { openWindow, type VsCodeWindow } from "../support/window";

const greeting = "src/greeting.ts";

function playing(title: string, old: string, now: string): string {
  const call = `edit_file ${JSON.stringify({ path: greeting, old_text: old, new_text: now })}`;
  return `${title}\n\n\`\`\`calls\n${call}\n\`\`\``;
}

describe("menus", () => {
  let window: VsCodeWindow;
  before("open VS Code on the local gateway, with tasks that have ended", async () => {
    window = await openWindow({ speed: 10 });
    await window.showContainer("Sluice");
    await (await window.frameWith("textarea")).getByText("demo-chat").filter({ visible: true }).first().waitFor();
    const board = await openBoardOf(window);
    const ended = (prompt: string, state: "succeeded" | "failed", rawStatus: string): Promise<string> =>
      placeTask(board, { intent: { prompt }, remote: { state, rawStatus, completedAt: Date.now() } });
    await ended("a finished gull", "succeeded", "4");
    await ended("a failed train", "failed", "5");
    await board.close();
    await window.treeRow("Tasks", "a finished gull");
  });
  after(() => window.close());
  beforeEach(async () => {
    await window.run("workbench.action.closeAllEditors");
    await window.showContainer("Sluice");
  });

  const text = (): Promise<string> => readFile(path.join(window.workspace, greeting), "utf8");
  const inTitle = (command: string): Locator =>
    window.page
      .locator(".editor-group-container.active .title")
      .getByRole("button", { name: titleOf(command), exact: true });
  const isOffered = (entries: readonly string[], ...commands: readonly string[]): readonly string[] =>
    commands.filter((command) => entries.includes(titleOf(command)));

  it("T6: a row offers what its task can do, and an entry of the view's menu opens a page", async () => {
    const all = ["sluice.task.open", "sluice.task.tryAgain", "sluice.task.remove", "sluice.task.cancel"];
    await openContextMenu(await window.treeRow("Tasks", "a finished gull"));
    assert.deepEqual(isOffered(await menuEntries(window.page), ...all), ["sluice.task.open", "sluice.task.remove"]);
    await closeMenu(window.page);
    await openContextMenu(await window.treeRow("Tasks", "a failed train"));
    const entries = await menuEntries(window.page);
    assert.deepEqual(isOffered(entries, ...all), ["sluice.task.open", "sluice.task.tryAgain", "sluice.task.remove"]);
    await chooseEntry(window.page, titleOf("sluice.task.open"));
    await (await window.frameWith(".task-page")).locator("h1").getByText("a failed train").waitFor();

    await (await window.view("Tasks")).getByRole("button", { name: /More Actions/ }).click();
    await chooseEntry(window.page, titleOf("sluice.gallery.open"));
    await window.frameWith(".gallery-page");
  });

  it("A3, A5, A16 (N11): a diff stays until its question is answered, the title of a changed file takes it back, that of Changes by Sluice keeps all", async () => {
    const start = await text();
    const diff = window.page.getByRole("tab", { name: /proposed by the model/ });
    const ask = async (chat: Frame, title: string, now: string): Promise<void> => {
      await askInChat(chat, playing(title, "hour > 18", now));
      await chat.locator(".approval").waitFor();
    };
    let chat = await beginChat(window);
    await ask(chat, "Allowed.", "hour >= 18");
    await chat.getByRole("button", { name: "Open Diff" }).click();
    await diff.waitFor();
    assert.equal(await text(), start);
    await allow(chat);
    await diff.waitFor({ state: "detached" });
    await eventually("the change", async () => (await text()) === start.replace("hour > 18", "hour >= 18"));
    await chat.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
    await window.openFile(greeting);
    await inTitle("sluice.changes.keepFile").waitFor();
    await inTitle("sluice.changes.undoFile").click();
    await eventually("the file as it was", async () => (await text()) === start);
    await inTitle("sluice.changes.keepFile").waitFor({ state: "detached" });
    await window.run("workbench.action.closeAllEditors");

    chat = await beginChat(window);
    await ask(chat, "Kept.", "hour >= 20");
    await allow(chat);
    await chat.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
    await window.run("sluice.changes.show", "diff");
    await inTitle("sluice.changes.undoAll").waitFor();
    await inTitle("sluice.changes.keepAll").click();
    await inTitle("sluice.changes.undoAll").waitFor({ state: "detached" });
    assert.match(await text(), /hour >= 20/);
  });
});

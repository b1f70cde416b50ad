/** What is decided in the title of an editor: a question in its diff, the changes of a file, and those of *Changes by Sluice*. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Frame, Locator } from "playwright-core";
import { allow } from "../../support/approvalBar";
import { askInChat } from "../../support/askInChat";
import { eventually } from "../../support/eventually";
import { beginChat } from "../../support/newChat";
import { shareLocalWindow } from "../../support/sharedWindow";
import type { VsCodeWindow } from "../../support/window";

const greeting = "src/greeting.ts";

function playing(title: string, old: string, now: string): string {
  const call = `edit_file ${JSON.stringify({ path: greeting, old_text: old, new_text: now })}`;
  return `${title}\n\n\`\`\`calls\n${call}\n\`\`\``;
}

describe("the title of an editor", () => {
  let window: VsCodeWindow;
  let chat: Frame;
  let start: string;
  const text = (): Promise<string> => readFile(path.join(window.workspace, greeting), "utf8");
  const inTitle = (name: string): Locator =>
    window.page.locator(".editor-group-container.active .title").getByRole("button", { name, exact: true });
  const diff = (): Locator => window.page.getByRole("tab", { name: /proposed by the model/ });
  const answered = (): Promise<void> => chat.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
  before(async () => {
    window = await shareLocalWindow();
    start = await text();
    chat = await beginChat(window);
  });
  after(async () => {
    await window.close();
  });

  it("A3 (N11): the diff of a question has Allow and Don't Allow, which are gone when it was stopped; the diff stays", async () => {
    await askInChat(chat, playing("Stopped.", "hour > 18", "hour >= 19"));
    await chat.getByRole("button", { name: "Open Diff" }).click();
    await inTitle("Allow").waitFor();
    await inTitle("Don't Allow").waitFor();
    await window.screenshot("title-1-question");
    await chat.getByRole("button", { name: "Stop" }).click();
    await inTitle("Allow").waitFor({ state: "detached" });
    await inTitle("Don't Allow").waitFor({ state: "detached" });
    await diff().waitFor();
    assert.equal(await text(), start);
    await window.runCommand("View: Close All Editors");
  });

  it("A3 (N11): Allow in the title makes the change, and closes the diff", async () => {
    await askInChat(chat, playing("Allowed.", "hour > 18", "hour >= 18"));
    await chat.getByRole("button", { name: "Open Diff" }).click();
    await inTitle("Allow").click();
    await eventually("the change", async () => (await text()) === start.replace("hour > 18", "hour >= 18"));
    await diff().waitFor({ state: "detached" });
    await answered();
  });

  it("A5 (N11): a changed file is undone in its title", async () => {
    await window.openFile(greeting);
    await inTitle("Keep the Changes of This File").waitFor();
    await window.screenshot("title-2-file");
    await inTitle("Undo the Changes of This File").click();
    await eventually("the file as it was", async () => (await text()) === start);
    await inTitle("Keep the Changes of This File").waitFor({ state: "detached" });
    await window.runCommand("View: Close All Editors");
  });

  it("A5 (N11): Changes by Sluice are kept in its title", async () => {
    await askInChat(chat, playing("Kept.", "hour > 18", "hour >= 20"));
    await allow(chat);
    await chat.locator(".changes").getByRole("button", { name: "1 file changed" }).last().waitFor();
    // Nothing is kept while an answer runs.
    await chat.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
    await window.runCommand("Sluice: Show Changes by Sluice");
    await inTitle("Undo the Shown Changes").waitFor();
    await window.page.locator(".multiDiffEntry").first().waitFor();
    await window.screenshot("title-3-changes");
    await inTitle("Keep the Shown Changes").click();
    await inTitle("Undo the Shown Changes").waitFor({ state: "detached" });
    assert.match(await text(), /hour >= 20/);
  });
});

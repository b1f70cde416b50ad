/** An agent at work in a real window: two edits in one approval, tests that fail and are mended, one hunk undone, the turn rewound, a picture into the project. */
import assert from "node:assert/strict";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Frame, Locator } from "playwright-core";
import { allow, showRest } from "../../support/approvalBar";
import { askInChat } from "../../support/askInChat";
import { eventually } from "../../support/eventually";
import { beginChat } from "../../support/newChat";
import { picksOf } from "../../support/picks";
import { pressInRow } from "../../support/rowMenu";
import { shareLocalWindow } from "../../support/sharedWindow";
import type { VsCodeWindow } from "../../support/window";

const greeting = "src/greeting.ts";
const wrongEnd = "  // Something is wrong between noon and six.\n  return `Good morning, ${name}.`;";

function edit(file: string, old: string, now: string): string {
  return `edit_file ${JSON.stringify({ path: file, old_text: old, new_text: now })}`;
}

const playing = (title: string, ...answers: readonly (readonly string[])[]): string =>
  `${title}\n\n\`\`\`calls\n${answers.map((calls) => calls.join("\n")).join("\n\n")}\n\`\`\``;

const mending = playing(
  "Greet people in the afternoon.",
  [`read_file {"path": "${greeting}"}`, 'find_text {"text": "Good morning"}', 'read_file {"path": "src/app.ts"}'],
  [
    edit(greeting, "hour > 18", "hour >= 18"),
    edit("src/app.ts", "// Prints tonight's programme", "// Prints the greeting and tonight's programme"),
  ],
  ['run_command {"command": "npm test"}'],
  [edit(greeting, wrongEnd, "  return `Good afternoon, ${name}.`;")],
  ['run_command {"command": "npm test"}'],
);

const check = `import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
assert.match(readFileSync("${greeting}", "utf8"), /Good afternoon/);
`;

describe("an agent at work in a window", () => {
  let window: VsCodeWindow;
  let chat: Frame;
  let start: readonly string[];
  let manifest: string;
  const inWorkspace = (file: string): string => path.join(window.workspace, file);
  const text = (file: string): Promise<string> => readFile(inWorkspace(file), "utf8");
  const both = (): Promise<readonly string[]> => Promise.all([text(greeting), text("src/app.ts")]);
  const button = (name: string): Locator => chat.getByRole("button", { name, exact: true });
  /** Rows far from the view are not drawn. */
  const toTop = (): Promise<void> =>
    chat
      .locator(".transcript")
      .evaluate((element) => void ((element as unknown as { scrollTop: number }).scrollTop = 0));
  /** From the end back to the top: rows that came into view may not have been drawn before the next step. */
  const scrollDown = (): Promise<void> =>
    chat.locator(".transcript").evaluate((element) => {
      const view = element as unknown as { scrollTop: number; scrollBy(x: number, y: number): void };
      const before = view.scrollTop;
      view.scrollBy(0, 100);
      if (view.scrollTop === before) view.scrollTop = 0;
    });
  before(async () => {
    window = await shareLocalWindow();
    start = await both();
    // Not the sample's own, which need a newer Node than that of the machine.
    manifest = await text("package.json");
    await writeFile(inWorkspace("package.json"), manifest.replace("--test src/greeting.test.ts", "--test check.mjs"));
    await writeFile(inWorkspace("check.mjs"), check);
    await window.showContainer("Sluice");
    chat = await beginChat(window);
  });
  after(async () => {
    await writeFile(inWorkspace("package.json"), manifest);
    await rm(inWorkspace("check.mjs"));
    await window.runCommand("Sluice: New Chat");
    await window.close();
  });

  it("A2, A3: two edits of one answer are one question, the yes covers the next edit, which is listed before the tests run again and pass", async () => {
    await askInChat(chat, mending);
    await chat.locator(".approval").getByText("2 changes, 2 files").waitFor();
    await window.screenshot("agent-1-two-edits");
    await button("Allow for longer…").click();
    await window.screenshot("agent-2-allow-for-longer");
    assert.deepEqual(await both(), start, "nothing is changed before the yes");
    await showRest(chat);
    await chat.getByRole("button", { name: /^In this workspace/ }).click();
    await chat.locator(".approval").getByText("npm test").first().waitFor();
    await window.screenshot("agent-3-command");
    await button("Allow for longer…").click();
    await showRest(chat);
    await chat.getByRole("button", { name: /^In this session/ }).click();
    // The rule covers the tests again once the person has seen what the other rule let the model change.
    await chat.locator(".approval-after", { hasText: greeting }).waitFor();
    await allow(chat);
    await chat.locator(".changes").getByRole("button", { name: "2 files changed" }).waitFor();
    await chat.getByText("Exit code 0 after").first().waitFor();
    await window.screenshot("agent-4-finished");
    await toTop();
    await eventually("the failed call", async () => {
      await scrollDown();
      return (await chat.locator(".tool-failed", { hasText: "npm test" }).count()) > 0;
    });
    await window.screenshot("agent-4-calls");
    await button("Jump to Latest").click();
    const [now = ""] = await both();
    assert.match(now, /hour >= 18[^]*Good afternoon/);
  });

  it("A3: the name in a call's line opens the file at the first line that was changed", async () => {
    await toTop();
    await chat
      .locator(".tool-title", { hasText: "Edited" })
      .locator(".tool-file", { hasText: "greeting.ts" })
      .first()
      .click();
    await window.page.locator(".tab.active", { hasText: "greeting.ts" }).waitFor();
    // It takes the focus after its tab is there, and would get the next test's Enter.
    await window.page.locator(".editor-group-container.active .monaco-editor.focused").first().waitFor();
    await window.screenshot("agent-6-file-of-a-call");
  });

  it("A5: the turn is rewound, with what is left of its changes", async () => {
    await toTop();
    const rewind = chat.getByRole("button", { name: "Rewind to Here" });
    await rewind.focus();
    await rewind.press("Enter");
    const dialog = window.page.locator(".monaco-dialog-box");
    await dialog.waitFor();
    await window.screenshot("agent-7-rewind");
    await dialog.getByRole("button", { name: "Rewind", exact: true }).click();
    await chat.locator(".empty-title").waitFor();
    assert.deepEqual(await both(), start);
  });

  it("A3: the rules of these approvals are listed with their use, and revoked", async () => {
    await window.runCommand("Sluice: Show Approvals");
    const rows = window.quickInput().locator(".monaco-list-row");
    await rows.filter({ hasText: "used" }).first().waitFor();
    for (let left = await rows.filter({ hasText: "since" }).count(); left > 0; left -= 1) {
      await pressInRow(rows.filter({ hasText: "since" }).first(), "Revoke");
      await rows
        .filter({ hasText: "since" })
        .nth(left - 1)
        .waitFor({ state: "detached" });
    }
    await rows.getByText("No rules: each call that needs a yes is asked about").waitFor();
    await picksOf(window).press("Escape");
  });

  it("A2, T8: a picture that the model orders lands in the project", async () => {
    const order = {
      type: "async-image",
      model: "demo-image",
      prompt: "A lamp over calm water",
      save_as: "assets/lamp",
    };
    await askInChat(chat, playing("A picture for the page.", [`submit_task ${JSON.stringify(order)}`]));
    await chat
      .locator(".approval")
      .getByText(/demo-image/)
      .first()
      .waitFor();
    await window.screenshot("agent-8-order");
    await allow(chat);
    const card = chat.locator(".task-card");
    await card.getByText("succeeded").waitFor();
    await card.locator("img").waitFor();
    await card.getByText(/^Charged at /).waitFor();
    await window.showContainer("Explorer");
    await window.page.locator(".explorer-folders-view").getByText("assets").waitFor();
    await window.showContainer("Sluice");
    chat = await window.frameWith("textarea");
    await chat.locator(".task-card img").waitFor();
    await window.screenshot("agent-9-picture");
    // The card shows the download; the copy in the folder comes after it.
    const sizeOfCopy = (): Promise<number> =>
      stat(inWorkspace("assets/lamp.png")).then(
        ({ size }) => size,
        () => 0,
      );
    await eventually("the picture in the project", async () => (await sizeOfCopy()) > 100);
  });
});

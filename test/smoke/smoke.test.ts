/** One journey through the whole product in one real window: the webview's own policy and messages, VS Code's tree, picks and editors. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Frame, Locator } from "playwright-core";
import { allow } from "../support/approvalBar";
import { eventually } from "../support/eventually";
import { modelStep, selectionStep, typeStep } from "../support/picks";
import { acceptSteps } from "../support/steps";
import { openWindow, type VsCodeWindow } from "../support/window";

const file = "hero.prompts.md";
const replace = `Replace "Lanterns" with "Boats" in ${file}`;
const prompt = "A paper lantern on black water, seen from above, soft light.";

describe("the whole product", () => {
  let window: VsCodeWindow;
  before("open VS Code on the sample and the local gateway", async () => {
    window = await openWindow({
      // What VS Code itself would do in a window besides.
      speed: 50,
      settings: { "git.enabled": false, "chat.disableAIFeatures": true },
      size: { width: 1000, height: 700 },
    });
  });
  after(() => window.close());

  /** Of the task of `prompt`, when its state is that. */
  const row = (state: string): Locator =>
    window.page.getByRole("treeitem", { name: new RegExp(`\\b${state}\\b[^]*${prompt.slice(0, 20)}`, "i") });
  const openChat = async (): Promise<Frame> => {
    await window.showContainer("Sluice");
    const chat = await window.frameWith("textarea");
    await chat.getByText("demo-chat").filter({ visible: true }).first().waitFor();
    return chat;
  };
  const activeTab = (name: string): Locator => window.page.locator(".tab.active").filter({ hasText: name });

  it("V4, A3, P1, T1, T13: a prompt is answered with a change that a click allows, a selection becomes a task with a page, and both are there after a reload", async () => {
    let chat = await openChat();
    const isActive = await window
      .host()
      .evaluate(({ extensions }) => extensions.getExtension("sluice.sluice")?.isActive, undefined);
    assert.equal(isActive, true);
    await chat.getByRole("textbox", { name: "Prompt" }).click();
    await window.page.keyboard.type(replace);
    await window.page.keyboard.press("Enter");
    const onDisk = (): Promise<string> => readFile(path.join(window.workspace, file), "utf8");
    await chat.locator(".approval").waitFor();
    assert.match(await onDisk(), /Lanterns drift/, "nothing is changed before the yes");
    await allow(chat);
    await chat.locator(".row.answer .footer").last().waitFor();
    assert.match(await onDisk(), /Boats drift/);

    await window.openFile(file);
    await window.selectText(prompt);
    const submitted = window.run("sluice.task.submitSelection");
    await acceptSteps(window, typeStep, modelStep, selectionStep);
    await submitted;
    await row("succeeded").waitFor();

    // The lens above the prompt has the task's row.
    const opens = window.host().evaluate(async (api, wanted) => {
      const { commands, window: editors } = api;
      const uri = editors.activeTextEditor?.document.uri;
      const lenses = await commands.executeCommand<{ command?: { command: string; arguments?: unknown[] } }[]>(
        "vscode.executeCodeLensProvider",
        uri,
        100,
      );
      const lens = lenses.find(({ command }) => command?.command === wanted)?.command;
      if (lens === undefined) throw new Error("No lens of a task that has succeeded.");
      await commands.executeCommand("sluice.task.open", ...(lens.arguments ?? []));
    }, "sluice.task.openResult");
    await opens;
    const page = await window.frameWith(".task-page");
    await page.locator(".frame img:not(.waiting-media)").waitFor();
    await activeTab("A paper lantern").waitFor();

    await window.reload();
    await row("succeeded").waitFor();
    chat = await window.frameWith("textarea");
    await chat.locator(".row.user").getByText(replace).waitFor();
    await (await window.frameWith(".task-page")).locator(".frame img:not(.waiting-media)").waitFor();
    await eventually(
      "the task's tab is the active one",
      async () => (await activeTab("A paper lantern").count()) === 1,
    );
  });
});

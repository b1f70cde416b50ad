/** What a new user presses first, in a fresh profile: samples, settings, and windows without a folder or without trust. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { temporaryFolder } from "../../../scripts/workspace.mjs";
import { picksOf, promptStep, modelStep, typeStep } from "../../support/picks";
import { openWindow, type VsCodeWindow } from "../../support/window";
import { openWindowOnGateway } from "../../support/windowOnGateway";

describe("the first minute", () => {
  /** On the sample. Its server has a fresh profile, which the windows without a folder and on an empty one share. */
  let first: VsCodeWindow;
  let withoutFolder: VsCodeWindow | undefined;
  /** Of a test that needs another profile. */
  let own: VsCodeWindow | undefined;
  before("open VS Code on the sample", async () => {
    first = await openWindow({ settings: { "files.autoSave": "off" } });
  });
  after(() => first.close());
  afterEach(async function () {
    // A window whose test failed stays for its picture; the harness closes it in the end.
    if (this.currentTest?.state === "passed") await own?.close();
    own = undefined;
  });
  const openWithoutFolder = async (): Promise<VsCodeWindow> => (withoutFolder ??= await first.openSecond("none"));

  const openSample = async (window: VsCodeWindow): Promise<void> => {
    await window.showContainer("Sluice");
    await (await window.view("Tasks")).getByText("Open Sample Prompts").click();
    await window.page.locator(".monaco-editor .view-line").getByText("Pictures for the harbour website").waitFor();
  };
  const tab = (window: VsCodeWindow, name: string) => window.page.getByRole("tab", { name });
  /** Of the extension itself. */
  const original = path.join("media", "sample", "hero.prompts.md");

  it("T6 (finding 20): the sample that lies in the workspace is opened, not the extension's own", async () => {
    const copy = path.join(first.workspace, "hero.prompts.md");
    await writeFile(copy, `${await readFile(copy, "utf8")}\nof this workspace\n`);
    await openSample(first);
    await first.page.locator(".monaco-editor .view-line").getByText("of this workspace").waitFor();
    assert.equal(await tab(first, "hero.prompts.md").count(), 1);
  });

  for (const workspace of ["a folder without it", "none"]) {
    it(`T6 (finding 20): the sample is a new document, the extension's file stays as it is: ${workspace}`, async () => {
      const before = await readFile(original, "utf8");
      const window = await (workspace === "none" ? openWithoutFolder() : first.openSecond(await temporaryFolder()));
      await openSample(window);
      const { page } = window;
      assert.equal(await tab(window, "hero.prompts.md").count(), 1);
      assert.doesNotMatch(await page.locator(".breadcrumbs-control").innerText(), /media/);
      await page.locator("#status\\.editor\\.mode").getByText("Markdown").waitFor();
      await page.locator(".monaco-editor .view-line").first().click();
      await page.keyboard.type("mine ");
      await page.locator(".monaco-editor .view-line").getByText("mine").waitFor();
      await window.screenshot(`sample-${workspace === "none" ? "no-folder" : "empty-folder"}`);
      // Once more: the same document with what was written into it.
      await window.runCommand("Sluice: Open Sample Prompts");
      await page.locator(".monaco-editor .view-line").getByText("mine").waitFor();
      assert.equal(await tab(window, "hero.prompts.md").count(), 1);
      assert.equal(await readFile(original, "utf8"), before);
    });
  }

  it("V4 (finding 22): the settings page opens without an error", async () => {
    const window = first;
    await window.page.setViewportSize({ width: 1280, height: 2600 });
    await window.runCommand("Preferences: Open Settings (UI)");
    await window.page.locator(".settings-editor .search-container .view-lines").click();
    await window.page.keyboard.insertText("@ext:sluice.sluice");
    await window.page.locator(".settings-editor").getByText("Console Url").first().waitFor();
    await window.screenshot("settings");
    const messages = window.page.locator(".setting-item-validation-message").filter({ visible: true });
    assert.deepEqual(await messages.allInnerTexts(), []);
  });

  for (const [where, open] of [
    ["without a folder", openWithoutFolder],
    ["in Restricted Mode", async () => (own = await openWindow({ trusted: false }))],
  ] as const) {
    it(`V4, A4 (finding 22): ${where}, the sample opens, the chat answers and a task can be submitted`, async () => {
      const window = await open();
      await openSample(window);
      await window.showContainer("Sluice");
      const chat = await window.frameWith("textarea");
      const isRestricted = chat.getByText(/Restricted Mode/).first();
      if (window === own) {
        await isRestricted.waitFor();
        await chat.getByRole("button", { name: "Manage Trust" }).waitFor();
        await chat.getByText("In Restricted Mode it gets no tools").waitFor();
      } else {
        await chat.getByText("No folder is open").waitFor();
        await chat.getByRole("button", { name: "Open Folder" }).waitFor();
        assert.equal(await isRestricted.count(), 0);
      }
      await window.screenshot(`empty-${where.replaceAll(" ", "-")}`);
      await chat.locator(".suggestion").first().click();
      await chat.locator(".row.answer .footer").first().waitFor();
      // Neither has files that a tool could work on.
      assert.equal(await chat.locator(".tool").count(), 0);
      const picks = picksOf(window);
      await (await window.view("Tasks")).getByRole("button", { name: "New Task" }).click();
      for (const placeholder of [typeStep, modelStep]) {
        await picks.step(placeholder);
        await picks.press("Enter");
      }
      await picks.step(promptStep);
      await picks.type("a harbour in fog");
      await picks.press("Enter");
      await window.treeRow("Tasks", "a harbour in fog");
      await window.screenshot(`first-${where.replaceAll(" ", "-")}`);
    });
  }

  it("V4, C5 (finding 22): without a model, the chat names a gateway that is down, and once it is up says to choose one", async () => {
    const gateway = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end('{"object":"list","data":[]}');
    });
    const listen = async (port: number): Promise<number> => {
      await once(gateway.listen(port, "127.0.0.1"), "listening");
      return (gateway.address() as AddressInfo).port;
    };
    const port = await listen(0);
    await promisify(gateway.close.bind(gateway))();
    const { window, chat } = await openWindowOnGateway({ baseUrl: `http://127.0.0.1:${port}`, key: "sk-any" });
    own = window;
    await chat.locator(".suggestion").first().click();
    const card = chat.locator(".error-card");
    await card.getByText("The gateway can't be reached").waitFor();
    await card.getByText("Nothing was sent, so nothing is paid.").waitFor();
    await card.getByRole("button", { name: "Check Connection" }).waitFor();
    await window.screenshot("gateway-down");
    await listen(port);
    await chat.locator("textarea").fill("and now?");
    await chat.locator("textarea").press("Enter");
    await card.getByText("Choose a model first.").waitFor();
    await window.screenshot("no-model");
    await card.getByRole("button", { name: "Choose Model" }).click();
    await picksOf(window).step("Type the id of a model");
    gateway.closeAllConnections();
    gateway.close();
  });
});

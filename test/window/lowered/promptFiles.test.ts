/** Prompt files in a real window: in the list after `/` without a reload, sent with their text, with what they ask for left to the person. */
import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Frame } from "playwright-core";
import { askInChat } from "../../support/askInChat";
import { eventually } from "../../support/eventually";
import { shareLocalWindow } from "../../support/sharedWindow";
import type { VsCodeWindow } from "../../support/window";
import { beginChat } from "../../support/newChat";

describe("prompt files in a window", () => {
  let window: VsCodeWindow;
  let chat: Frame;
  before(async () => {
    window = await shareLocalWindow();
    chat = await beginChat(window);
  });
  after(async () => {
    // The mode is that of the chat.
    await window.runCommand("Sluice: New Chat");
    for (const folder of [".github", ".claude", ".agents"])
      await rm(path.join(window.workspace, folder), { recursive: true, force: true });
    await window.close();
  });
  const put = async (name: string, text: string): Promise<void> => {
    const file = path.join(window.workspace, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  };
  const composer = () => chat.getByRole("textbox", { name: "Prompt" });
  /** The list follows the typed text: until then it may have the option that is waited for among others. */
  const headingsAre = (...headings: readonly string[]): Promise<void> =>
    eventually(`the list has ${headings.join(", ")}`, async () =>
      isDeepStrictEqual(await chat.locator(".list-heading").allInnerTexts(), headings),
    );
  const option = (name: string) => chat.getByRole("option", { name });

  it("A9, P1: a file that is made while the list is open is in it, with its group, hint and description", async () => {
    await composer().fill("");
    await composer().pressSequentially("/");
    await option("/export").waitFor();
    await put(
      ".github/prompts/look.prompt.md",
      "---\ndescription: Looks at one file\nargument-hint: '[file]'\nmodel: demo-chat-2\nmode: ask\n---\nRead $1 and say what it does.",
    );
    await put(".claude/commands/look.md", "Look twice.");
    await put(".agents/skills/tables/SKILL.md", "---\ndescription: Makes tables\n---\nRead the file first.");
    await option("/claude:look").waitFor();
    await option("/tables").waitFor();
    await option("/look").first().scrollIntoViewIfNeeded();
    await headingsAre("Commands", "Prompts of this workspace", "Skills");
    await window.screenshot("prompt-list");
    await composer().pressSequentially("lo");
    assert.match(
      await option("/look").first().innerText(),
      /\/look\s*\[file\]\s*Looks at one file · \.github\/prompts\/look\.prompt\.md/,
    );
  });

  it("A9: what it asks for is said, and what is sent of it can be opened", async () => {
    await composer().press("Tab");
    await eventually("the chosen prompt", async () => (await composer().inputValue()) === "/look ");
    const asked = chat.locator(".asked-for");
    const both = "This prompt asks for the model demo-chat-2. It asks for the mode Ask.";
    await eventually("what it asks for", async () => (await asked.locator("span").innerText()) === both);
    await window.screenshot("prompt-asks");
    await asked.getByRole("button", { name: "Use Mode" }).click();
    await chat.getByRole("button", { name: "Mode: Ask" }).waitFor();
    await eventually(
      "only the model is left to ask for",
      async () => (await asked.locator("span").innerText()) === "This prompt asks for the model demo-chat-2.",
    );
    await askInChat(chat, "/look src/greeting.ts");
    const sent = chat.locator(".bubble details").first();
    await sent.waitFor();
    assert.equal(await chat.locator(".bubble .message").first().innerText(), "/look src/greeting.ts");
    // The answer that comes moves the message, maybe between a mouse button's down and up.
    await eventually("the text that was sent", async () => {
      if (!(await sent.evaluate(({ open }: { open: boolean }) => open))) await sent.locator("summary").click();
      return (await sent.locator("pre").innerText()) === "Read src/greeting.ts and say what it does.";
    });
    await window.screenshot("prompt-sent");
    await sent.getByRole("button", { name: "Open File" }).click();
    await window.page.locator(".tab", { hasText: "look.prompt.md" }).waitFor();
    // It takes the focus once the file is read, after its tab is there, and would close the next list.
    await window.page.locator(".editor-group-container.active .monaco-editor.focused").waitFor();
  });

  it("A9: New Prompt File makes one of the person's own, which is there at once", async () => {
    await window.runCommand("Sluice: New Prompt File…");
    await window.pick("Yours");
    await eventually("the name is asked for", async () =>
      (await window.quickInput().innerText()).includes("typed after /"),
    );
    await window.quickInput().locator("input").fill("tidy up");
    await window.quickInput().locator("input").press("Enter");
    await window.page.locator(".tab", { hasText: "tidy-up.prompt.md" }).waitFor();
    await window.page.locator(".editor-group-container.active .monaco-editor.focused").waitFor();
    await composer().fill("");
    await composer().pressSequentially("/tid");
    await option("/tidy-up").waitFor();
    await headingsAre("Your prompts");
    await composer().press("Escape");
    await composer().fill("");
  });
});

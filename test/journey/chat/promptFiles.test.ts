/** Prompt files: in the list after `/` without a reload, sent with their text, with what they ask for left to the person. */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { PromptItem } from "../../../src/chat/contract/chatPageContract";
import { modeOf } from "../../../src/domain/chat/choices";
import { type ChatPage, openChat } from "../../support/fakeVscode/chatPage";
import { closeWindows, type OpenedWindow, openWindow } from "../../support/fakeVscode/openWindow";

const look = `---
description: Looks at one file
argument-hint: '[file]'
model: demo-messages
mode: ask
---
Read $1 and say what it does.`;

describe("prompt files", () => {
  let opened: OpenedWindow;
  let chat: ChatPage;
  before(async () => {
    opened = await openWindow();
    chat = await openChat(opened.window);
  });
  after(closeWindows);

  const put = async (name: string, text: string): Promise<void> => {
    const file = path.join(opened.folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  };
  /** What the page asks for with the first `/`, and again whenever it hears of a change. */
  const listed = async (): Promise<readonly PromptItem[]> => {
    const { length } = chat.page.ofType("prompts-listed");
    chat.send({ type: "prompts-list" });
    const { prompts } = await chat.until("the list", () => chat.page.ofType("prompts-listed")[length]);
    return prompts as readonly PromptItem[];
  };
  const listedWith = async (name: string): Promise<readonly PromptItem[]> => {
    for (;;) {
      const { length } = chat.page.ofType("prompts-changed");
      const prompts = await listed();
      if (prompts.some((prompt) => prompt.name === name)) return prompts;
      await chat.until(`a change of the list for ${name}`, () => chat.page.ofType("prompts-changed").length > length);
    }
  };

  it("A9, P1: a file that is made while the list is open is in it, with its group, hint and description; what it asks for is left to the person, and what is sent of it can be opened", async () => {
    const { window } = opened;
    assert.deepEqual(await listed(), []);
    await put(".github/prompts/look.prompt.md", look);
    await put(".claude/commands/look.md", "Look twice.");
    await put(".agents/skills/tables/SKILL.md", "---\ndescription: Makes tables\n---\nRead the file first.");
    await listedWith("claude:look");
    const prompts = await listedWith("tables");
    assert.deepEqual(prompts.map(({ name, group }) => `${group} ${name}`).sort(), [
      "skill tables",
      "workspace claude:look",
      "workspace look",
    ]);
    const item = prompts.find(({ name }) => name === "look");
    assert.deepEqual(
      [item?.description, item?.hint, item?.path, item?.model, item?.canUseModel, item?.knownMode],
      ["Looks at one file", "[file]", ".github/prompts/look.prompt.md", "demo-messages", true, "ask"],
    );

    chat.send({ type: "prompt-use", name: "look", what: "mode" });
    await chat.until("the mode", () => modeOf(chat.chat) === "ask");
    assert.equal(chat.snapshot.status.model, "demo-chat");
    await put("src/greeting.ts", "export const hello = 1;\n");
    await chat.turn("/look src/greeting.ts");
    const sent = chat.entries.find((entry) => entry.type === "user");
    assert.equal(sent?.text, "/look src/greeting.ts");
    assert.equal(sent.started?.text, "Read src/greeting.ts and say what it does.");
    chat.send({ type: "prompt-open", name: "look" });
    await window.until("the file", () => window.editors.activeGroup.activeTab?.label === "look.prompt.md");
  });

  it("A9: New Prompt File makes one of the person's own, which is there at once", async () => {
    const { window, person } = opened;
    await listed();
    const making = person.palette("Sluice: New Prompt File…");
    await person.step("Where it is kept");
    await person.choose("Yours");
    await person.step("typed after /");
    await person.type("tidy up");
    await person.press("Enter");
    await making.ended();
    await window.until("the file", () => window.editors.activeGroup.activeTab?.label === "tidy-up.prompt.md");
    const prompts = await listedWith("tidy-up");
    assert.equal(prompts.find(({ name }) => name === "tidy-up")?.group, "own");
  });
});

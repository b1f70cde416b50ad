/** Writes into the chat's composer in the real window. */
import assert from "node:assert/strict";
import type { Frame } from "playwright-core";

/** Types a prompt and sends it. VS Code may give the focus back elsewhere while a quick pick closes: then it is typed again. */
export async function askInChat(chat: Frame, text: string): Promise<void> {
  const composer = chat.getByRole("textbox", { name: "Prompt" });
  for (let attempt = 0; (await composer.inputValue()) !== text; attempt += 1) {
    assert.ok(attempt < 10, "the composer does not take the prompt");
    await composer.click();
    await composer.fill(text);
  }
  await composer.press("Enter");
}

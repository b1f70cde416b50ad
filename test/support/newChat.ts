/** Another chat in the real window. */
import type { Frame } from "playwright-core";
import type { VsCodeWindow } from "./window";

/** Begins a chat in the side bar and waits for the last that the command does, the focus in the composer: until then a prompt would go to the chat before. */
export async function beginChat(window: VsCodeWindow): Promise<Frame> {
  await window.runCommand("Sluice: New Chat");
  const chat = await window.frameWith(".empty-title");
  await chat.locator("textarea:focus").waitFor();
  return chat;
}

/** Chooses the chat's model, once more where a command that ended late has closed the list by taking the focus. */
export async function chooseModel(window: VsCodeWindow, chat: Frame, model: string): Promise<void> {
  const row = window.quickInput().locator(".monaco-list-row").filter({ hasText: model }).first();
  const deadline = Date.now() + 60_000;
  for (;;) {
    await window.runCommand("Sluice: Choose Model…");
    try {
      await row.click({ timeout: 5_000 });
      break;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
  await chat.locator(".composer").getByText(model).waitFor();
}

/** Begins chats in the real window. */
import type { Frame } from "playwright-core";
import type { VsCodeWindow } from "./window";

/** Begins a chat in the side bar. The command ends with the focus in the composer of its page. */
export async function beginChat(window: VsCodeWindow): Promise<Frame> {
  await window.run("sluice.chat.new");
  const chat = await window.frameWith(".empty-title");
  await chat.locator("textarea:focus").waitFor();
  return chat;
}

/** Chooses the chat's model. */
export async function chooseModel(window: VsCodeWindow, chat: Frame, model: string): Promise<void> {
  const chosen = window.run("sluice.chat.chooseModel");
  const name = window.quickInput().locator("input").first();
  await name.fill(model);
  await window.quickInput().locator(".monaco-list-row.focused").filter({ hasText: model }).waitFor();
  await name.press("Enter");
  await chosen;
  await chat.locator(".composer").getByText(model).waitFor();
}

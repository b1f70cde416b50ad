/** VS Code's own chat in the real window. */
import type { Locator } from "playwright-core";
import type { VsCodeWindow } from "./window";

/** The input of a new chat, with the focus. */
export async function openVsCodeChat(window: VsCodeWindow): Promise<Locator> {
  await window.run("workbench.action.chat.newChat");
  const input = window.page.locator(".interactive-input-part").filter({ has: window.page.locator(".focused") });
  await input.waitFor();
  return input;
}

/** In a new chat; the answer, once its first words or the reason for none are there. */
export async function askParticipant(window: VsCodeWindow, prompt: string): Promise<string> {
  await openVsCodeChat(window);
  await window.run("workbench.action.chat.open", { query: prompt });
  const answer = window.page.locator(".interactive-response").last();
  await answer
    .getByText(/demonstrator|unavailable/)
    .first()
    .waitFor();
  return await answer.innerText();
}

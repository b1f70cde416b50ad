/** VS Code's own chat in the real window. */
import type { Locator } from "playwright-core";
import { eventually } from "./eventually";
import type { VsCodeWindow } from "./window";

/** The input of a new chat, with the focus. */
export async function openVsCodeChat(window: VsCodeWindow): Promise<Locator> {
  await window.runCommand("Chat: New Chat");
  const input = window.page.locator(".interactive-input-part").filter({ has: window.page.locator(".focused") });
  await input.waitFor();
  return input;
}

/** In a new chat; the answer, once its first words or the reason for none are there. */
export async function askParticipant(window: VsCodeWindow, prompt: string): Promise<string> {
  await openVsCodeChat(window);
  const { page } = window;
  await page.keyboard.type(prompt);
  const answer = page.locator(".interactive-response").last();
  await eventually("the question is sent", async () => {
    // The list of participants is open, or opens late, and Enter would choose in it.
    await page.keyboard.press("Escape");
    await page.keyboard.press("Enter");
    return answer.waitFor({ timeout: 5_000 }).then(
      () => true,
      () => false,
    );
  });
  await answer
    .getByText(/demonstrator|unavailable/)
    .first()
    .waitFor();
  return await answer.innerText();
}

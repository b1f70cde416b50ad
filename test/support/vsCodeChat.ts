/** VS Code's own chat in the real window. */
import type { VsCodeWindow } from "./window";

/** The answer, once its first words or the reason for none are there. */
export async function askParticipant(window: VsCodeWindow, prompt: string): Promise<string> {
  window.begin("workbench.action.chat.open", { query: prompt });
  const answer = window.page.locator(".interactive-response").last();
  await answer
    .getByText(/demonstrator|unavailable/)
    .first()
    .waitFor();
  return await answer.innerText();
}

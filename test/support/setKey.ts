/** Sets the key of the chosen gateway as a person does. */
import type { VsCodeWindow } from "./window";

export async function setKey(window: VsCodeWindow, key: string): Promise<void> {
  await window.runCommand("Sluice: Set API Key…");
  await window.quickInput().locator("input[type=password]").fill(key);
  await window.page.keyboard.press("Enter");
}

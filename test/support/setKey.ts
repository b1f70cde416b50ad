/** Sets the key of the chosen gateway as a person does. */
import type { VsCodeWindow } from "./window";

export async function setKey(window: VsCodeWindow, key: string): Promise<void> {
  const set = window.run("sluice.key.set");
  const box = window.quickInput().locator("input[type=password]");
  await box.fill(key);
  await box.press("Enter");
  await set;
}

/** Changes settings that are a person's own, of scope `application`: VS Code reads their file at its start, and then when it saves it itself. */
import type { VsCodeWindow } from "./window";

/** Replaces the user's settings and saves their file in an editor of the window. */
export async function changeUserSettings(
  window: VsCodeWindow,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { page } = window;
  await window.changeSettings(settings);
  await window.runCommand("Preferences: Open User Settings (JSON)");
  const editor = page.locator(".editor-group-container.active .monaco-editor").first();
  await editor.locator(".view-line").first().click();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.insertText("\n");
  const unsaved = page.locator(".editor-group-container.active .tab.active.dirty");
  await unsaved.waitFor();
  await page.keyboard.press("ControlOrMeta+s");
  await unsaved.waitFor({ state: "detached" });
  await window.runCommand("View: Close Editor");
}

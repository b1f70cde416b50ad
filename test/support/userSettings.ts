/** Changes settings that are a person's own, of scope `application`: VS Code reads their file at its start, and then when it saves it itself. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { eventually } from "./eventually";
import type { VsCodeWindow } from "./window";

/** Replaces the user's settings and saves their file in an editor of the window. */
export async function changeUserSettings(
  window: VsCodeWindow,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { page } = window;
  await window.changeSettings(settings);
  await window.runCommand("Preferences: Open User Settings (JSON)");
  // Until then the editor is the one before, and what is typed would go there.
  await page.locator(".editor-group-container.active .tab.active", { hasText: "settings.json" }).waitFor();
  const editor = page.locator(".editor-group-container.active .monaco-editor").first();
  await editor.locator(".view-line").first().click();
  await page.locator(".editor-group-container.active .monaco-editor.focused").first().waitFor();
  await page.keyboard.press("ControlOrMeta+End");
  // Saved by its key, or before that without one.
  await page.keyboard.insertText("\n// saved");
  await page.keyboard.press("ControlOrMeta+s");
  const file = path.join(window.server.dataDir, "data", "User", "settings.json");
  await eventually("the settings are saved", async () => (await readFile(file, "utf8")).endsWith("// saved"));
  await window.runCommand("View: Close Editor");
}

/** Commands that move the focus in a test window, awaited: a key that comes before goes elsewhere, and a late command takes the focus back. */
import type { VsCodeWindow } from "./window";

/** In the files of the explorer, which takes the place of another container. */
export async function focusExplorer(window: VsCodeWindow): Promise<void> {
  await window.runCommand("File: Focus on Files Explorer");
  await window.page.locator(".explorer-folders-view .monaco-list:focus").waitFor();
}

/** In the rows of the Tasks view, which must have some. */
export async function focusTasks(window: VsCodeWindow): Promise<void> {
  await window.runCommand("Sluice: Focus on Tasks View");
  await (await window.view("Tasks")).locator(".monaco-list:focus").waitFor();
}

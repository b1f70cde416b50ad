/**
 * Ticks what the person has done in the walkthrough. Its own conditions tick only what comes true while VS Code knows them: it reads a walkthrough with
 * its first use, and counts a condition that holds by then as one that it has seen.
 */
import type * as vscode from "vscode";
import { markStepComplete } from "./runCommand";

export type WalkthroughStep = "local" | "task" | "chat" | "connect";

/** Once on this machine: whoever clears a tick does not get it again with each window. */
export async function tickStep(
  { extension, globalState }: Pick<vscode.ExtensionContext, "extension" | "globalState">,
  step: WalkthroughStep,
): Promise<void> {
  const key = `walkthrough.${step}`;
  if (globalState.get(key) === true) return;
  await globalState.update(key, true);
  // VS Code keeps the tick, and rejects where it has not read the walkthrough yet.
  await markStepComplete(`${extension.id}#start#${step}`).catch(() => undefined);
}

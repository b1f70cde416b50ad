/** The app of the running extension, which it exports to tests only. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { ExtensionInside } from "../../src/extension";

export type { ExtensionInside };

export async function openExtension(): Promise<ExtensionInside> {
  const extension = vscode.extensions.getExtension<ExtensionInside | undefined>("sluice.sluice");
  assert.ok(extension, "sluice.sluice is not there");
  const inside = await extension.activate();
  assert.ok(inside, "the extension shows itself in test mode");
  return inside;
}

/** Checks the condition in each turn of the event loop until it holds; fails after 20 s. */
export async function eventually(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const giveUp = Date.now() + 20_000;
  while (!(await condition())) {
    if (Date.now() > giveUp) assert.fail(`${what}: not within 20 s`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

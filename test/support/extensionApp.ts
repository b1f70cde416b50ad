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

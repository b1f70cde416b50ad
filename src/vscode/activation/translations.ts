/** Reads the translation bundle that VS Code chose for its display language; none in English. */
import * as vscode from "vscode";

export async function readTranslations(bundle: vscode.Uri | undefined): Promise<string | undefined> {
  if (!bundle) return undefined;
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(bundle));
}

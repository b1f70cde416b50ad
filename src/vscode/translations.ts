/** The interface's words in the person's language, as VS Code chose the bundle; nothing in English. */
import * as vscode from "vscode";

export async function readTranslations(bundle: vscode.Uri | undefined): Promise<string | undefined> {
  if (!bundle) return undefined;
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(bundle));
}

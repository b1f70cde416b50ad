/** Loads the translation bundle that VS Code chose for its display language, before anything is shown. */
import { config } from "@vscode/l10n";
import * as vscode from "vscode";

/** Returns the bundle as JSON, for the pages; `undefined` in English, which has none. */
export async function loadTranslations(bundle: vscode.Uri | undefined): Promise<string | undefined> {
  if (!bundle) return undefined;
  const contents = new TextDecoder().decode(await vscode.workspace.fs.readFile(bundle));
  config({ contents });
  return contents;
}

/** VS Code's dialogs for files, with gated texts. */
import { homedir } from "node:os";
import * as vscode from "vscode";
import { shownLine } from "./shownText";

/** Files on this machine. Empty when the person leaves. */
export async function askForFiles(
  title: string,
  kind: string,
  endings: readonly string[],
): Promise<readonly vscode.Uri[]> {
  const filters = { [shownLine(kind)]: [...endings] };
  const options = { title: shownLine(title), canSelectMany: true, filters };
  return (await vscode.window.showOpenDialog(options)) ?? [];
}

/** A dialog for a new file, in the first workspace folder or at home. */
export async function askWhereToExport(
  title: string,
  name: string,
  filters: Readonly<Record<string, string[]>>,
): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  const defaultUri = vscode.Uri.joinPath(folder, name);
  return vscode.window.showSaveDialog({ title: shownLine(title), defaultUri, filters: { ...filters } });
}

/** VS Code itself asks before a file is replaced. `undefined` when nothing was chosen. */
export async function askWhereToSave(title: string, proposed: vscode.Uri): Promise<vscode.Uri | undefined> {
  return vscode.window.showSaveDialog({ title: shownLine(title), defaultUri: proposed });
}

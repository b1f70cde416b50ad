/** Tells files in the open folders of this window from others. */
import * as vscode from "vscode";

/** `file`: a URI. */
export function isOpenHere(file: string): boolean {
  return vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(file)) !== undefined;
}

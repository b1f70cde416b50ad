/** Which files are in the folders that this window has open. */
import * as vscode from "vscode";

/** `file`: a URI. */
export function isOpenHere(file: string): boolean {
  return vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(file)) !== undefined;
}

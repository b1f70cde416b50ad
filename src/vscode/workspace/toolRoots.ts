/** The folders of the window that tools may use: of a trusted workspace, and on a disk of this machine. */
import * as vscode from "vscode";
import type { WorkspaceRoot } from "../../domain/tools/workspace";

export function toolRoots(): readonly WorkspaceRoot[] {
  const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
  return folders.filter(({ uri }) => uri.scheme === "file").map(({ name, uri }) => ({ name, path: uri.fsPath }));
}

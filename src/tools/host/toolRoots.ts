/** The folders of the window that tools may use: of a trusted workspace, and on a disk of this machine. */
import * as vscode from "vscode";
import type { WorkspaceRoot } from "../../domain/tools/workspace";

export function toolRoots(): readonly WorkspaceRoot[] {
  return vscode.workspace.isTrusted ? diskFolders() : [];
}

/** Those on a disk of this machine, for what reads them and runs nothing. */
export function diskFolders(): readonly WorkspaceRoot[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.filter(({ uri }) => uri.scheme === "file").map(({ name, uri }) => ({ name, path: uri.fsPath }));
}

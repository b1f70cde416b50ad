/** Where the file may be that a document names: relative to it, or in a folder that web projects serve. */
import * as vscode from "vscode";

/** Folders that web projects serve at `/`. */
const served = ["", "public", "static", "src"];

/** The likeliest first. */
export function placesOf(path: string, document: vscode.Uri): readonly vscode.Uri[] {
  const roots = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  const [, fromRoot] = /^(?:[@~]?\/)(.*)$/s.exec(path) ?? [];
  if (fromRoot !== undefined)
    return roots.flatMap((root) => served.map((folder) => vscode.Uri.joinPath(root, folder, fromRoot)));
  return [vscode.Uri.joinPath(document, "..", path), ...roots.map((root) => vscode.Uri.joinPath(root, path))];
}

/** The editor that a button of a page or a command of the chat means. */
import * as vscode from "vscode";

/** The active one; while a chat in a tab has the focus, which leaves VS Code without an active one, the first that is visible. */
export function targetEditor(): vscode.TextEditor | undefined {
  const editors = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors];
  return editors.find((editor) => editor !== undefined && isOfPerson(editor.document.uri));
}

/** Not the output of a program, or one side of a diff. A folder of the workspace may have any scheme. */
function isOfPerson(uri: vscode.Uri): boolean {
  return /^(?:file|untitled|vscode-\w+)$/.test(uri.scheme) || vscode.workspace.getWorkspaceFolder(uri) !== undefined;
}

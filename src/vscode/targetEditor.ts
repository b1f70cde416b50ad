/** The editor that a button of a page or a command of the chat means. */
import * as vscode from "vscode";

/** The active one; while a chat in a tab has the focus, which leaves VS Code without an active one, the first that is visible. */
export function targetEditor(): vscode.TextEditor | undefined {
  const editors = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors];
  return editors.find(
    (editor) => editor !== undefined && /^(?:file|untitled|vscode-\w+)$/.test(editor.document.uri.scheme),
  );
}

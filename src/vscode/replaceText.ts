/** Edits of documents that VS Code makes as they are. */
import * as vscode from "vscode";
import { changedMiddle } from "../base/text/changedMiddle";

/**
 * Adds a replacement to an edit of the workspace. In the active editor VS Code makes an edit smaller, UTF-16 unit by unit, and so parts the halves of an
 * emoji that begins like the one before it. An edit with a label it makes as it is.
 */
export function addReplacement(edit: vscode.WorkspaceEdit, uri: vscode.Uri, range: vscode.Range, text: string): void {
  edit.replace(uri, range, text, { needsConfirmation: false, label: "Sluice" });
}

/**
 * Gives a document another text, unsaved. Only the part that differs is replaced, so cursors, folds and marks elsewhere stay where they are. False where
 * VS Code refuses the edit, or makes another text of it, which is taken back.
 */
export async function replaceText(document: vscode.TextDocument, after: string): Promise<boolean> {
  const before = document.getText();
  const { version } = document;
  const wanted = after.replaceAll(/\r\n|\r|\n/g, document.eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n");
  if (before === wanted) return true;
  if (!(await applyMiddle(document, wanted))) return false;
  // A higher version has something that the person typed behind the edit.
  if (document.version !== version + 1 || document.getText() === wanted) return true;
  await applyMiddle(document, before);
  return false;
}

async function applyMiddle(document: vscode.TextDocument, after: string): Promise<boolean> {
  const { start, end, text } = changedMiddle(document.getText(), after);
  const edit = new vscode.WorkspaceEdit();
  const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
  addReplacement(edit, document.uri, range, text);
  return vscode.workspace.applyEdit(edit);
}

/** For comparing a text with a document of VS Code, which has one kind of line end while a file may have several. */
export function withPlainLineEnds(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n");
}

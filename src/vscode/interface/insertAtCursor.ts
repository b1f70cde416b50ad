/** Writes the reference to a picture or video at the cursor, in the language of the document. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { markupOf, relativePath, writeReference } from "../../tasks/results/reference";
import { notifyInformation } from "./show";
import { insertionEditor } from "./targetEditor";

/** The editor that a reference goes into; the tab of a page may cover it. `undefined`, with a message to the person, where there is none. */
export function editorForReference(): vscode.TextEditor | undefined {
  const editor = insertionEditor();
  if (!editor) void notifyInformation(t("Open the document and put the cursor where the result is to be inserted."));
  return editor;
}

/** Does nothing where the document was closed meanwhile. */
export async function insertReferenceAt(chosen: vscode.TextEditor, target: vscode.Uri, alt: string): Promise<void> {
  const { document, selections, viewColumn = vscode.ViewColumn.Active } = chosen;
  if (document.isClosed) return;
  const text = referenceIn(document, target, alt);
  let editor = chosen;
  if (!vscode.window.visibleTextEditors.includes(chosen)) {
    editor = await vscode.window.showTextDocument(document, { viewColumn, selection: chosen.selection });
    editor.selections = selections;
  }
  await editor.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, text);
  });
  // Typing goes on behind what was inserted instead of replacing it.
  editor.selections = editor.selections.map(({ end }) => new vscode.Selection(end, end));
  await vscode.window.showTextDocument(document, { viewColumn });
}

/** How that document refers to the file: relative to it, in the markup of its language. */
export function referenceIn({ uri, languageId }: vscode.TextDocument, target: vscode.Uri, alt: string): string {
  const folder = vscode.workspace.getWorkspaceFolder(uri) ?? vscode.workspace.getWorkspaceFolder(target);
  const base = uri.scheme === "untitled" ? `${folder?.uri.path ?? ""}/document` : uri.path;
  const path = relativePath(base, target.path);
  const markup = markupOf(languageId);
  return markup === undefined ? path : writeReference(markup, { path, alt });
}

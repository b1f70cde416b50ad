/** Writes the reference to a picture or video at the cursor, in the language of the document. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { asOwnParagraph, markupOf, relativePath, writeReference } from "../../results/reference";
import { notifyInformation, notifyWarning } from "../../../vscode/interface/show";
import { insertionEditor } from "../../../vscode/interface/targetEditor";

/** The place for a reference, remembered because fetching its file may take minutes. */
export interface InsertPlace {
  readonly editor: vscode.TextEditor;
  /** The document and its selections when the person asked. */
  readonly version: number;
  readonly selections: readonly vscode.Selection[];
}

/** The place in the editor, which the tab of a page may cover. Shows a message and returns `undefined` where there is no editor. */
export function placeForReference(): InsertPlace | undefined {
  const editor = insertionEditor();
  if (editor) return { editor, version: editor.document.version, selections: editor.selections };
  void notifyInformation(t("Open the document and put the cursor where the result is to be inserted."));
  return undefined;
}

/** Does nothing if the document was closed meanwhile. If its text has changed, the reference goes to the present cursors and replaces nothing. */
export async function insertReferenceAt(place: InsertPlace, target: vscode.Uri, alt: string): Promise<void> {
  const { document, viewColumn = vscode.ViewColumn.Active } = place.editor;
  if (document.isClosed) return;
  const text = referenceIn(document, target, alt);
  const isSame = document.version === place.version;
  let { editor } = place;
  if (!vscode.window.visibleTextEditors.includes(editor)) {
    editor = await vscode.window.showTextDocument(document, { viewColumn });
    if (isSame) editor.selections = place.selections;
  }
  const places = isSame
    ? place.selections
    : editor.selections.map(({ active }) => new vscode.Selection(active, active));
  const isWritten = await editor.edit((edit) => {
    for (const one of places) edit.replace(one, textAt(document, one, text));
  });
  if (!isWritten) {
    void notifyWarning(t("The editor did not take the text. It may be read-only."));
    return;
  }
  // The cursor is put after the inserted text, so that typing does not replace it.
  editor.selections = editor.selections.map(({ end }) => new vscode.Selection(end, end));
  await vscode.window.showTextDocument(document, { viewColumn });
}

/** At the beginning of a Markdown line the text may need a paragraph of its own. */
function textAt(document: vscode.TextDocument, { start, end }: vscode.Range, text: string): string {
  const { languageId, eol } = document;
  const rest = document.lineAt(end.line).text.slice(end.character);
  const lineEnd = eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n";
  return start.character === 0 && markupOf(languageId) === "markdown" ? asOwnParagraph(text, rest, lineEnd) : text;
}

/** The reference to the file in the markup of the document's language, with a path relative to the document. */
export function referenceIn({ uri, languageId }: vscode.TextDocument, target: vscode.Uri, alt: string): string {
  const folder = vscode.workspace.getWorkspaceFolder(uri) ?? vscode.workspace.getWorkspaceFolder(target);
  const base = uri.scheme === "untitled" ? `${folder?.uri.path ?? ""}/document` : uri.path;
  const path = relativePath(base, target.path);
  const markup = markupOf(languageId);
  return markup === undefined ? path : writeReference(markup, { path, alt });
}

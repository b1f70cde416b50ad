/** Writes the reference to a picture or video at the cursor, in the language of the document. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { asOwnParagraph, markupOf, relativePath, writeReference } from "../../results/reference";
import { notifyInformation, notifyWarning } from "../../../vscode/interface/show";
import { insertionEditor } from "../../../vscode/interface/targetEditor";

/** Where a reference goes when its file is here, which may take minutes. */
export interface InsertPlace {
  readonly editor: vscode.TextEditor;
  /** The document and its selections when the person asked. */
  readonly version: number;
  readonly selections: readonly vscode.Selection[];
}

/** The tab of a page may cover the editor. `undefined`, with a message to the person, where there is none. */
export function placeForReference(): InsertPlace | undefined {
  const editor = insertionEditor();
  if (editor) return { editor, version: editor.document.version, selections: editor.selections };
  void notifyInformation(t("Open the document and put the cursor where the result is to be inserted."));
  return undefined;
}

/** Does nothing where the document was closed meanwhile. Where its text has changed, what is selected by then stays. */
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
  // Typing goes on behind what was inserted instead of replacing it.
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

/** How that document refers to the file: relative to it, in the markup of its language. */
export function referenceIn({ uri, languageId }: vscode.TextDocument, target: vscode.Uri, alt: string): string {
  const folder = vscode.workspace.getWorkspaceFolder(uri) ?? vscode.workspace.getWorkspaceFolder(target);
  const base = uri.scheme === "untitled" ? `${folder?.uri.path ?? ""}/document` : uri.path;
  const path = relativePath(base, target.path);
  const markup = markupOf(languageId);
  return markup === undefined ? path : writeReference(markup, { path, alt });
}

/** The reference to a result that does not exist yet, at the cursor of a Markdown or HTML document. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { retryRefused } from "../../../base/async/retryRefused";
import { mediaFacts, mediaOf } from "../../../domain/task/taskTypes";
import type { TaskIntent } from "../../../domain/task/task";
import { markupOf, relativePath, writeReference } from "../../results/reference";
import type { TaskBoard } from "../../board/board";
import { cutLabel } from "../../../domain/words/label";
import { notifyWarning } from "../../../vscode/interface/show";
import type { DraftDestination } from "../draft/taskDraft";

/** Once, as soon as the intent is on disk: without it there is nothing that will bring the file. */
export async function insertWhenWritten(
  board: TaskBoard,
  intent: TaskIntent,
  destination: DraftDestination,
  sending: Promise<void>,
): Promise<void> {
  const { promise: written, resolve } = Promise.withResolvers<undefined>();
  const registration = board.onDidChange((ids) => {
    if (ids.has(intent.id)) resolve(undefined);
  });
  await Promise.race([written, sending]);
  registration.dispose();
  if (board.tasks.has(intent.id)) await insertReference(intent, destination);
}

async function insertReference(intent: TaskIntent, { root, path, insertAt }: DraftDestination): Promise<void> {
  if (!insertAt) return;
  const document = await vscode.workspace.openTextDocument(insertAt.document);
  const kind = mediaOf(intent.type);
  // Where the type is not known, the reference gets its ending when the file is there.
  const ending = kind === undefined ? "" : (mediaFacts(kind).formats[0]?.ending ?? "");
  const file = vscode.Uri.joinPath(root, `${path}${ending}`);
  const text = writeReference(markupOf(document.languageId) ?? "markdown", {
    path: relativePath(document.uri.path, file.path),
    alt: cutLabel(intent.prompt),
    kind,
  });
  // VS Code refuses an edit of a text that the person types in at that moment.
  const isTaken = await retryRefused(() => insertAtPosition(document, insertAt.position, text));
  if (!isTaken) void notifyWarning(t("The reference could not be inserted. It is: {0}", text));
}

async function insertAtPosition(
  document: vscode.TextDocument,
  wanted: vscode.Position,
  text: string,
): Promise<boolean> {
  const position = document.validatePosition(wanted);
  // Behind a selected prompt it would be a part of the selection, which the next key replaces.
  for (const editor of vscode.window.visibleTextEditors)
    if (editor.document === document && editor.selection.end.isEqual(position))
      editor.selection = new vscode.Selection(position, position);
  const { text: line, range } = document.lineAt(position);
  // At the end of a text it is a paragraph of its own.
  const before = position.isEqual(range.end) && line.trim() !== "" ? "\n\n" : "";
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, position, before + text);
  return vscode.workspace.applyEdit(edit);
}

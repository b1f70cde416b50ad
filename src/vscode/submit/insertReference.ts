/** The reference to a result that does not exist yet, at the cursor of a Markdown or HTML document. */
import * as vscode from "vscode";
import type { TaskIntent } from "../../domain/task";
import type { TaskBoard } from "../../tasks/board";
import { cutLabel } from "../../tasks/taskRow";
import type { DraftDestination } from "./taskDraft";

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
  const ending = intent.type === "video" ? "mp4" : "png";
  const file = vscode.Uri.joinPath(root, `${path}.${ending}`);
  const relative = relativePath(document.uri, file);
  const text = referenceText(document.languageId === "html" ? "html" : "markdown", relative, cutLabel(intent.prompt));
  const position = document.validatePosition(insertAt.position);
  // Behind a selected prompt it would be a part of the selection, which the next key replaces.
  for (const editor of vscode.window.visibleTextEditors)
    if (editor.document === document && editor.selection.end.isEqual(position))
      editor.selection = new vscode.Selection(position, position);
  const { text: line, range } = document.lineAt(position);
  // At the end of a text it is a paragraph of its own.
  const before = position.isEqual(range.end) && line.trim() !== "" ? "\n\n" : "";
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, position, before + text);
  await vscode.workspace.applyEdit(edit);
}

/** Both below the same workspace folder. */
export function relativePath(from: vscode.Uri, to: vscode.Uri): string {
  const folder = from.path.split("/").slice(0, -1);
  const target = to.path.split("/");
  let common = 0;
  while (common < folder.length && folder[common] === target[common]) common += 1;
  return [...folder.slice(common).map(() => ".."), ...target.slice(common)].join("/");
}

/** `alt` is foreign text: what ends a label, a tag or an attribute is taken out or escaped. */
function referenceText(language: "markdown" | "html", path: string, alt: string): string {
  const url = path
    .split("/")
    .map((part) => (part === ".." ? part : encodeURIComponent(part)))
    .join("/");
  const isVideo = path.endsWith(".mp4");
  const attribute = alt
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
  if (language === "html")
    return isVideo ? `<video src="${url}" controls></video>` : `<img src="${url}" alt="${attribute}">`;
  const label = alt.replaceAll(/[\\[\]`<>*_]/g, "");
  return isVideo ? `[${label}](${url})` : `![${label}](${url})`;
}

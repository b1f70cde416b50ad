/** The workspace port through VS Code: unsaved text takes precedence over its file, and a change can be undone in the editor. */
import { homedir } from "node:os";
import * as vscode from "vscode";
import { ToolRefusal } from "../domain/tool";
import type { Workspace } from "../domain/workspace";
import { diskFiles } from "./diskFiles";
import { findPersonalIgnoreFile } from "./personalIgnoreFile";

export function createWorkspaceFiles(): Workspace {
  return {
    ...diskFiles,
    roots: () =>
      vscode.workspace.isTrusted
        ? (vscode.workspace.workspaceFolders ?? [])
            .filter(({ uri }) => uri.scheme === "file")
            .map(({ name, uri }) => ({ name, path: uri.fsPath }))
        : [],
    shownText(path) {
      const open = openDocument(path);
      return open?.isDirty === true ? open.getText() : undefined;
    },
    unsavedTexts: () =>
      vscode.workspace.textDocuments
        .filter(({ isDirty, uri }) => isDirty && uri.scheme === "file")
        .map((document) => [document.uri.fsPath, document.getText()]),
    write: writeText,
    personalIgnoreFile: () => findPersonalIgnoreFile(homedir(), process.env),
  };
}

async function writeText(path: string, before: string, after: string): Promise<void> {
  const document = await openForWriting(path);
  const text = document.getText();
  // VS Code normalises the line endings of a document; apart from them the text must be the one that was approved.
  const lineEnd = document.eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n";
  if (text !== withLineEnd(before, lineEnd)) {
    throw new ToolRefusal(
      "The editor reads this file in another way, for example in another encoding. It was left as it is.",
    );
  }
  // Unsaved changes of the person are not saved along with the edit.
  const mustSave = !document.isDirty;
  const edit = new vscode.WorkspaceEdit();
  const { start, end, middle } = changedMiddle(text, withLineEnd(after, lineEnd));
  const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
  edit.replace(document.uri, range, middle);
  if (!(await vscode.workspace.applyEdit(edit))) throw new ToolRefusal("VS Code did not accept the edit.");
  if (mustSave && !(await document.save()))
    throw new ToolRefusal("The edit was made in the editor but could not be saved.");
}

/** Replaces VS Code's own error, whose message holds the absolute path. */
async function openForWriting(path: string): Promise<vscode.TextDocument> {
  try {
    return await vscode.workspace.openTextDocument(vscode.Uri.file(path));
  } catch {
    throw new ToolRefusal("VS Code could not open the file as text.");
  }
}

function withLineEnd(text: string, lineEnd: string): string {
  return text.replace(/\r\n|\r|\n/g, lineEnd);
}

/** The part that differs: replacing only this keeps cursors and folds elsewhere. */
function changedMiddle(before: string, after: string): { start: number; end: number; middle: string } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let same = 0;
  while (same < shorter - start && before[before.length - 1 - same] === after[after.length - 1 - same]) same += 1;
  return { start, end: before.length - same, middle: after.slice(start, after.length - same) };
}

function openDocument(path: string): vscode.TextDocument | undefined {
  const uri = vscode.Uri.file(path).toString();
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri);
}

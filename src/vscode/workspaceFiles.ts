/** The workspace port over VS Code: open editors count as they are shown, and a change can be undone in the editor. */
import { realpath } from "node:fs/promises";
import * as vscode from "vscode";
import { ToolRefusal } from "../domain/tool";
import type { FolderEntry, Workspace } from "../domain/workspace";

export function createWorkspaceFiles(): Workspace {
  return {
    roots: () =>
      vscode.workspace.isTrusted
        ? (vscode.workspace.workspaceFolders ?? [])
            .filter(({ uri }) => uri.scheme === "file")
            .map(({ name, uri }) => ({ name, path: uri.fsPath }))
        : [],
    realPath: (path) => realpath(path),
    async list(folder) {
      const entries = await vscode.workspace.fs.readDirectory(vscode.Uri.file(folder));
      return entries.map(([name, type]) => ({ name, type: entryType(type) }));
    },
    size: async (path) => (await vscode.workspace.fs.stat(vscode.Uri.file(path))).size,
    async read(path) {
      const open = openDocument(path);
      if (open?.isDirty) return open.getText();
      return new TextDecoder().decode(await vscode.workspace.fs.readFile(vscode.Uri.file(path)));
    },
    write: writeText,
  };
}

async function writeText(path: string, text: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(path));
  // Text that the person has not saved yet stays theirs to save.
  const save = !document.isDirty;
  const edit = new vscode.WorkspaceEdit();
  const { start, end, middle } = changedMiddle(document.getText(), text);
  const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
  edit.replace(document.uri, range, middle);
  if (!(await vscode.workspace.applyEdit(edit))) throw new ToolRefusal("VS Code did not accept the edit.");
  if (save && !(await document.save()))
    throw new ToolRefusal("The edit was made in the editor but could not be saved.");
}

/** Only what differs is replaced, so that cursors and folds elsewhere stay. */
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

function entryType(type: vscode.FileType): FolderEntry["type"] {
  if (type & vscode.FileType.SymbolicLink) return "link";
  if (type & vscode.FileType.Directory) return "folder";
  return type & vscode.FileType.File ? "file" : "other";
}

/** The workspace port through VS Code: unsaved text takes precedence over its file, and a change can be undone in the editor. */
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import * as vscode from "vscode";
import { ToolRefusal } from "../../domain/tools/tool";
import type { Workspace } from "../../domain/tools/workspace";
import { diskFiles } from "../../node/diskFiles";
import { findPersonalIgnoreFile } from "../gate/personalIgnoreFile";
import { toolRoots } from "./toolRoots";

export function createWorkspaceFiles(): Workspace {
  return {
    ...diskFiles,
    roots: toolRoots,
    shownText(path) {
      const open = openDocument(path);
      return open?.isDirty === true ? open.getText() : undefined;
    },
    isUnsavedNotebook,
    unsavedTexts: () =>
      vscode.workspace.textDocuments
        .filter(({ isDirty, uri }) => isDirty && uri.scheme === "file")
        .map((document) => [document.uri.fsPath, document.getText()]),
    write: writeText,
    create: createFileIn,
    rename: renameFileIn,
    remove: removeFile,
    replace: replaceBytes,
    // The file system provider of a desktop window on this machine; a server has none.
    hasTrash: vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined,
    personalIgnoreFile: () => findPersonalIgnoreFile(homedir(), process.env),
  };
}

function isUnsavedNotebook(path: string): boolean {
  const uri = vscode.Uri.file(path).toString();
  return vscode.workspace.notebookDocuments.some((notebook) => notebook.isDirty && notebook.uri.toString() === uri);
}

async function writeText(path: string, before: string, after: string): Promise<string> {
  if (isUnsavedNotebook(path))
    throw new ToolRefusal("The notebook has unsaved changes in its editor. It was left as it is.");
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
  // The last editor that shows the file may have been closed meanwhile.
  const written = document.isClosed ? await openForWriting(path) : document;
  if (mustSave && !(await written.save()))
    throw new ToolRefusal("The edit was made in the editor but could not be saved.");
  // What a person typed while it was saved is not the edit's.
  return openDocument(path)?.isDirty === mustSave ? after : written.getText();
}

async function createFileIn(path: string, content: Uint8Array): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(vscode.Uri.file(path), { overwrite: false, ignoreIfExists: false, contents: content });
  if (!(await applyEdit(edit))) throw new ToolRefusal("VS Code did not make the file. Something may be there already.");
}

/** As an edit of the workspace: language services change the references to the file, as when a person renames it. */
async function renameFileIn(from: string, to: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.renameFile(vscode.Uri.file(from), vscode.Uri.file(to), { overwrite: false, ignoreIfExists: false });
  if (!(await applyEdit(edit)))
    throw new ToolRefusal("VS Code did not rename the file. Something may be there already.");
}

/** VS Code's own errors hold absolute paths. */
async function applyEdit(edit: vscode.WorkspaceEdit): Promise<boolean> {
  try {
    return await vscode.workspace.applyEdit(edit);
  } catch {
    return false;
  }
}

async function removeFile(path: string, content: Uint8Array): Promise<"trash" | "gone"> {
  await refuseOther(path, content);
  const uri = vscode.Uri.file(path);
  try {
    await vscode.workspace.fs.delete(uri, { useTrash: true });
    return "trash";
  } catch {
    // There is no trash, or it does not take the file.
  }
  await refuseOther(path, content);
  try {
    await vscode.workspace.fs.delete(uri, { useTrash: false });
  } catch {
    throw new ToolRefusal("VS Code could not delete the file.");
  }
  return "gone";
}

async function replaceBytes(path: string, before: Uint8Array, after: Uint8Array): Promise<void> {
  await refuseOther(path, before);
  try {
    await vscode.workspace.fs.writeFile(vscode.Uri.file(path), after);
  } catch {
    throw new ToolRefusal("VS Code could not write the file.");
  }
}

async function refuseOther(path: string, content: Uint8Array): Promise<void> {
  const file = openDocument(path)?.isDirty === true ? undefined : await readFile(path).catch(() => undefined);
  // The document may have become dirty meanwhile.
  if (file === undefined || !file.equals(content) || openDocument(path)?.isDirty === true) {
    throw new ToolRefusal("The file was changed meanwhile. It was left as it is.");
  }
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

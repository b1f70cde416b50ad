/** The workspace port through VS Code: unsaved text takes precedence over its file, and a change can be undone in the editor. */
import { Buffer } from "node:buffer";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import * as vscode from "vscode";
import { ChangeInterrupted, ToolRefusal } from "../../domain/tools/tool";
import type { NotedSaves, Workspace, WorkspaceRoot } from "../../domain/tools/workspace";
import { diskFiles } from "../../node/diskFiles";
import { replaceText } from "../../vscode/replaceText";
import { createHeld, removeHeld, removeHeldFolder, replaceHeld, withHeldPaths } from "../gate/heldFiles";
import { findPersonalIgnoreFile } from "../gate/ignoreTree";
import { SaveNotes } from "./saveNotes";

export function createWorkspaceFiles(): Workspace {
  return {
    ...diskFiles,
    roots: toolRoots,
    shownText(path) {
      const open = openDocument(path);
      return open?.isDirty === true ? open.getText() : undefined;
    },
    isUnsavedNotebook,
    noteSaves,
    unsavedTexts: () =>
      vscode.workspace.textDocuments
        .filter(({ isDirty, uri }) => isDirty && uri.scheme === "file")
        .map((document) => [document.uri.fsPath, document.getText()]),
    write: async (path, before, after) =>
      (await writeMixed(path, before, after)) ??
      (await withHeldPaths(toolRoots, [path], () => writeText(path, before, after))),
    // A new file has nothing that an editor could undo, and no language service follows it.
    create: (path, content, mode) => createHeld(toolRoots, path, content, mode),
    rename: (from, to) => withHeldPaths(toolRoots, [from, to], () => renameFileIn(from, to)),
    remove: removeFile,
    removeFolder: (path) => removeHeldFolder(toolRoots, path),
    replace: replaceBytes,
    // Only the file system provider of a desktop window on this machine has a trash; a server has none.
    hasTrash: vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined,
    personalIgnoreFile: () => findPersonalIgnoreFile(homedir(), process.env),
  };
}

function noteSaves(): NotedSaves {
  const notes = new SaveNotes();
  const listening = vscode.workspace.onWillSaveTextDocument(({ document: { uri } }) => {
    if (uri.scheme === "file") notes.note(uri.fsPath);
  });
  return { before: (path) => notes.before(path), dispose: () => void listening.dispose() };
}

function isUnsavedNotebook(path: string): boolean {
  const uri = vscode.Uri.file(path).toString();
  return vscode.workspace.notebookDocuments.some((notebook) => notebook.isDirty && notebook.uri.toString() === uri);
}

/**
 * Writes a file with several kinds of line ends. A document of VS Code has one kind: saved as a document, the file would be changed in lines that
 * nobody edits. `undefined` for a file that has one kind, that has unsaved changes, or that is not in UTF-8.
 */
async function writeMixed(path: string, before: string, after: string): Promise<string | undefined> {
  const isMixed = /\r(?!\n)/.test(before) || (before.includes("\r\n") && /(?<!\r)\n/.test(before));
  if (!isMixed || openDocument(path)?.isDirty === true || isUnsavedNotebook(path)) return undefined;
  const bytes = await readFile(path);
  const mark = bytes.subarray(0, 3).equals(byteOrderMark) ? byteOrderMark : Buffer.alloc(0);
  const known = Buffer.concat([mark, Buffer.from(before)]);
  if (!bytes.equals(known)) return undefined;
  await replaceBytes(path, known, Buffer.concat([mark, Buffer.from(after)]));
  return after;
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

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
  const typing = watchTyping(document);
  try {
    if (!(await replaceText(document, after))) throw new ToolRefusal("VS Code did not accept the edit.");
    // The last editor that shows the file may have been closed meanwhile.
    const written = document.isClosed ? await openForWriting(path) : document;
    if (mustSave && !(await written.save())) await refuseUnsavedEdit(path, text, typing.hasTyped() ? after : undefined);
    // What a person typed while it was saved is not the edit's.
    return typing.hasTyped() || openDocument(path)?.isDirty === mustSave ? after : written.getText();
  } finally {
    typing.dispose();
  }
}

/**
 * Notices whether a person types in a document. A formatter may take seconds while it is saved, and what is typed meanwhile is saved too. Of a change of
 * the document VS Code does not report who made it, but typing moves the cursor by the keyboard, which a formatter does not.
 */
function watchTyping(document: vscode.TextDocument): { hasTyped(): boolean; dispose(): void } {
  let { version } = document;
  let hasTyped = false;
  const listening = vscode.window.onDidChangeTextEditorSelection(({ textEditor, kind }) => {
    if (textEditor.document !== document || kind !== vscode.TextEditorSelectionChangeKind.Keyboard) return;
    // The arrow keys leave the text as it is.
    if (document.version !== version) hasTyped = true;
    ({ version } = document);
  });
  return { hasTyped: () => hasTyped, dispose: () => void listening.dispose() };
}

/**
 * Refuses an edit that is not saved. `save` may have returned false for one that is, because VS Code's auto save may be first. Where no editor shows the
 * file, the document is released after it, and `save` of a released one returns false. `before`: the text without the edit, which a reverted document
 * has again. `edited`: the text of the edit alone, where a person typed meanwhile.
 */
async function refuseUnsavedEdit(path: string, before: string, edited: string | undefined): Promise<void> {
  const document = await openForWriting(path);
  const left = document.getText();
  if (left === before) throw new ToolRefusal("The edit could not be saved, and is no longer in the editor.");
  // Formatters have run before the save failed, so the text may be another one than the edit's.
  if (document.isDirty)
    throw new ChangeInterrupted("The edit was made in the editor but could not be saved.", edited ?? left);
}

/** Renames by an edit of the workspace, so that language services change the references to the file, as when a person renames it. */
async function renameFileIn(from: string, to: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.renameFile(vscode.Uri.file(from), vscode.Uri.file(to), { overwrite: false, ignoreIfExists: false });
  if (!(await applyEdit(edit)))
    throw new ToolRefusal("VS Code did not rename the file. Something may be there already.");
}

/** Drops VS Code's own errors, because they hold absolute paths. */
async function applyEdit(edit: vscode.WorkspaceEdit): Promise<boolean> {
  try {
    return await vscode.workspace.applyEdit(edit);
  } catch {
    return false;
  }
}

async function removeFile(path: string, content: Uint8Array): Promise<"trash" | "gone"> {
  refuseUnsaved(path);
  return removeHeld(toolRoots, path, content, async () => {
    refuseUnsaved(path);
    await vscode.workspace.fs.delete(vscode.Uri.file(path), { useTrash: true });
  });
}

async function replaceBytes(path: string, before: Uint8Array, after: Uint8Array): Promise<void> {
  refuseUnsaved(path);
  await replaceHeld(toolRoots, path, before, after);
}

function refuseUnsaved(path: string): void {
  if (openDocument(path)?.isDirty === true)
    throw new ToolRefusal("The file was changed meanwhile. It was left as it is.");
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

function openDocument(path: string): vscode.TextDocument | undefined {
  const uri = vscode.Uri.file(path).toString();
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri);
}

/** The folders of the window that tools may use: of a trusted workspace, and on a disk of this machine. */
export function toolRoots(): readonly WorkspaceRoot[] {
  return vscode.workspace.isTrusted ? diskFolders() : [];
}

/** The folders of the window on a disk of this machine, for what reads them and runs nothing. */
export function diskFolders(): readonly WorkspaceRoot[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.filter(({ uri }) => uri.scheme === "file").map(({ name, uri }) => ({ name, path: uri.fsPath }));
}

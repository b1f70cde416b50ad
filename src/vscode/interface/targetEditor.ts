/** Finds the editor for a button of a page or a command of the chat, and gives the focus back to a page after a list. */
import * as vscode from "vscode";
import { contextKeys } from "../ids";
import { setContext } from "./runCommand";

/**
 * The active editor. While a chat in a tab has the focus, VS Code has no active editor, and the first one that is visible in a column is taken.
 * VS Code 1.106 still lists the editors inside of a diff of several files after it was closed; they have no column.
 */
export function targetEditor(): vscode.TextEditor | undefined {
  const shown = vscode.window.visibleTextEditors.filter(({ viewColumn }) => viewColumn !== undefined);
  const editors = [vscode.window.activeTextEditor, ...shown];
  return editors.find((editor) => editor !== undefined && isOfPerson(editor.document.uri));
}

/** The last editor of a person that had the focus. */
let lastEditor: vscode.TextEditor | undefined;

/** Remembers the last active editor, so that `insertionEditor` finds it after a page has hidden it. Ends when disposed. */
export function watchTargetEditor(): vscode.Disposable {
  const keep = (editor: vscode.TextEditor | undefined): void => {
    if (editor !== undefined && isOfPerson(editor.document.uri)) lastEditor = editor;
  };
  keep(vscode.window.activeTextEditor);
  return vscode.window.onDidChangeActiveTextEditor(keep);
}

/**
 * Returns the target editor, or the last active one when none is visible because a page covers it in the same column. VS Code keeps its document
 * and selections, but such an editor can't be edited. `undefined` when the document was closed, or no longer has the place of the cursor.
 */
export function insertionEditor(): vscode.TextEditor | undefined {
  const visible = targetEditor();
  if (visible !== undefined || lastEditor === undefined || lastEditor.document.isClosed) return visible;
  const { document, selections } = lastEditor;
  return selections.every((selection) => document.validateRange(selection).isEqual(selection)) ? lastEditor : undefined;
}

/** The editor with the person's selection. If it has the focus, it may also show a document of a program, such as a shown request. */
export function selectedEditor(): vscode.TextEditor | undefined {
  const active = vscode.window.activeTextEditor;
  return active?.selection.isEmpty === false ? active : targetEditor();
}

/** False for the output of a program or one side of a diff. A folder of the workspace may have any scheme. */
function isOfPerson(uri: vscode.Uri): boolean {
  return /^(?:file|untitled|vscode-\w+)$/.test(uri.scheme) || vscode.workspace.getWorkspaceFolder(uri) !== undefined;
}

// Gives the focus back after a list that a page has opened: VS Code gives it to the frame around the page, so the page gets no keys.

/**
 * `pick` resolves when the list is closed, with true when the chosen action takes the focus. Otherwise `focus` is called, unless the person or the
 * list has moved the focus to an editor meanwhile.
 */
export async function withFocusBack(pick: () => PromiseLike<unknown>, focus: () => void): Promise<void> {
  const elsewhere = new AbortController();
  const leave = (): void => elsewhere.abort();
  const listeners = [
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      if (editor) leave();
    }),
    vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
      if (kind === vscode.TextEditorSelectionChangeKind.Mouse) leave();
    }),
  ];
  try {
    if ((await pick()) === true) return;
    // After this round trip all events have arrived that the window reported before the list was closed.
    await setContext(contextKeys.roundTrip, true);
    if (!elsewhere.signal.aborted) focus();
  } finally {
    for (const listener of listeners) listener.dispose();
  }
}

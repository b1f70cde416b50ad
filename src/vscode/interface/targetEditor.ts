/** Finds the editor that a button of a page or a command of the chat means, and gives the focus back to a page after a list. */
import * as vscode from "vscode";
import { contextKeys } from "../ids";
import { setContext } from "./runCommand";

/**
 * The active one; while a chat in a tab has the focus, which leaves VS Code without an active one, the first that is visible in a column.
 * VS Code 1.106 goes on to list the editors inside of a diff of several files after that was closed; they have no column.
 */
export function targetEditor(): vscode.TextEditor | undefined {
  const shown = vscode.window.visibleTextEditors.filter(({ viewColumn }) => viewColumn !== undefined);
  const editors = [vscode.window.activeTextEditor, ...shown];
  return editors.find((editor) => editor !== undefined && isOfPerson(editor.document.uri));
}

/** The last editor of a person that had the focus. */
let lastEditor: vscode.TextEditor | undefined;

/** Until disposed, `insertionEditor` also finds an editor that a page has hidden since. */
export function watchTargetEditor(): vscode.Disposable {
  const keep = (editor: vscode.TextEditor | undefined): void => {
    if (editor !== undefined && isOfPerson(editor.document.uri)) lastEditor = editor;
  };
  keep(vscode.window.activeTextEditor);
  return vscode.window.onDidChangeActiveTextEditor(keep);
}

/**
 * Where no editor is visible, the last one, behind a page in the same column: VS Code keeps the document open with its tab, and the editor's
 * selections, but such an editor can't be edited. `undefined` where the document was closed, or has lost the place of the cursor.
 */
export function insertionEditor(): vscode.TextEditor | undefined {
  const visible = targetEditor();
  if (visible !== undefined || lastEditor === undefined || lastEditor.document.isClosed) return visible;
  const { document, selections } = lastEditor;
  return selections.every((selection) => document.validateRange(selection).isEqual(selection)) ? lastEditor : undefined;
}

/** For what a person selected: also in a document that a program wrote, such as a request that is shown, where it has the focus. */
export function selectedEditor(): vscode.TextEditor | undefined {
  const active = vscode.window.activeTextEditor;
  return active?.selection.isEmpty === false ? active : targetEditor();
}

/** Not the output of a program, or one side of a diff. A folder of the workspace may have any scheme. */
function isOfPerson(uri: vscode.Uri): boolean {
  return /^(?:file|untitled|vscode-\w+)$/.test(uri.scheme) || vscode.workspace.getWorkspaceFolder(uri) !== undefined;
}

// Gives the focus back after a list that a page has opened: VS Code gives it to the frame around the page, whose document then hears no key.

/**
 * `pick` resolves when the list is closed, with true when what was chosen takes the focus. Else `focus` is called then, unless the person has gone to
 * an editor meanwhile, or the list has led there.
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
    // What the window has reported until the list was closed has arrived then.
    await setContext(contextKeys.roundTrip, true);
    if (!elsewhere.signal.aborted) focus();
  } finally {
    for (const listener of listeners) listener.dispose();
  }
}

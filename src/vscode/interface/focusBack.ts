/** The focus after a list that a page has opened: VS Code gives it to the frame around the page, whose document then hears no key. */
import * as vscode from "vscode";
import { contextKeys } from "../ids";
import { setContext } from "./runCommand";

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

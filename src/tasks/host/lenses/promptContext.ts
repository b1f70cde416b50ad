/** Keeps the context key for *Cancel Tasks of This Prompt…*: whether the active editor holds the prompt of a running task. */
import * as vscode from "vscode";
import { systemClock } from "../../../base/async/systemClock";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import type { TaskBoard } from "../../board/board";
import type { PromptIndex } from "../../board/promptIndex";
import { contextKeys } from "../../../vscode/ids";
import { setContext } from "../../../vscode/interface/runCommand";

/** Milliseconds from the last change of document or tasks until the key is updated. */
const delay = 300;
/** Characters; a longer document is not searched, and the palette does not offer the command there. */
const maxDocumentLength = 500_000;

/**
 * The key depends on the document and not on the cursor: a right click moves the cursor and opens the menu at once,
 * before an extension could update the key.
 */
export function watchPromptContext(board: Pick<TaskBoard, "onDidChange">, running: PromptIndex): Disposable {
  const store = new DisposableStore();
  let pause: AbortController | undefined;
  let shown = false;
  const update = (): void => {
    const document = vscode.window.activeTextEditor?.document;
    const has = document !== undefined && running.size > 0 && isShort(document) && running.isIn(document.getText());
    if (has === shown) return;
    shown = has;
    void setContext(contextKeys.hasPromptTasks, has);
  };
  const schedule = (): void => {
    // While no task runs, the document is not read on each keystroke.
    if (running.size === 0 && !shown) return;
    pause?.abort();
    pause = new AbortController();
    systemClock.delay(delay, pause.signal).then(update, () => undefined);
  };
  store.add(board.onDidChange(schedule));
  store.add(vscode.window.onDidChangeActiveTextEditor(schedule));
  store.add(
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document === vscode.window.activeTextEditor?.document) schedule();
    }),
  );
  store.add({ dispose: () => pause?.abort() });
  schedule();
  return store;
}

function isShort(document: vscode.TextDocument): boolean {
  return document.offsetAt(document.lineAt(document.lineCount - 1).range.end) <= maxDocumentLength;
}

/** What is made in the folders of the workspace, as VS Code notices it. */
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../base/disposable";

/** Calls `look` with the path of each, whoever made it, and `keep` with what the person makes or saves in this window. */
export function watchMade(look: (path: string) => void, keep: (path: string) => void): Disposable {
  const mounted = new DisposableStore();
  const watcher = mounted.add(vscode.workspace.createFileSystemWatcher("**/*", false, true, true));
  mounted.add(watcher.onDidCreate(({ fsPath }) => look(fsPath)));
  mounted.add(
    vscode.workspace.onDidCreateFiles(({ files }) => {
      for (const { fsPath } of files) keep(fsPath);
    }),
  );
  mounted.add(vscode.workspace.onWillSaveTextDocument(({ document }) => keep(document.uri.fsPath)));
  return mounted;
}

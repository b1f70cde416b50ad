/** Whether the file that a result was saved as is still there, for the page of its task: a person may delete or move it. */
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../../base/disposable";

export class SavedFile implements Disposable {
  readonly #onDidChange: () => void;
  #file: string | undefined;
  #watched: DisposableStore | undefined;
  #isGone = false;

  constructor(onDidChange: () => void) {
    this.#onDidChange = onDidChange;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** `file`: its URI; `undefined` while the result is saved nowhere. */
  follow(file: string | undefined): void {
    if (file === this.#file) return;
    this.dispose();
    this.#file = file;
    if (file === undefined) return;
    const target = vscode.Uri.parse(file);
    // All names: those of the file might be read as a pattern.
    const folder = new vscode.RelativePattern(vscode.Uri.joinPath(target, ".."), "*");
    const watcher = vscode.workspace.createFileSystemWatcher(folder, false, true, false);
    const look = ({ path }: vscode.Uri): void => void (path === target.path && this.#look(target));
    this.#watched = new DisposableStore();
    this.#watched.add(watcher);
    this.#watched.add(watcher.onDidCreate(look));
    this.#watched.add(watcher.onDidDelete(look));
    void this.#look(target);
  }

  dispose(): void {
    this.#watched?.dispose();
    this.#watched = undefined;
    this.#file = undefined;
    this.#isGone = false;
  }

  async #look(target: vscode.Uri): Promise<void> {
    const file = this.#file;
    const isGone = await vscode.workspace.fs.stat(target).then(
      () => false,
      // Of one that can't be asked for, as of a folder that is not mounted, nothing is known.
      (error: unknown) => error instanceof vscode.FileSystemError && error.code === "FileNotFound",
    );
    if (file !== this.#file || isGone === this.#isGone) return;
    this.#isGone = isGone;
    this.#onDidChange();
  }
}

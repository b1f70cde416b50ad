/** Expands the Tasks view, which is a header at first, with the first task that is submitted in a workspace. Once: the person's own choice stays. */
import type * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import type { TaskBoard } from "../../board/board";
import type { TaskTree } from "./taskTree";

export interface FirstTaskOptions {
  readonly board: Pick<TaskBoard, "listed" | "onDidChange">;
  readonly tree: Pick<TaskTree, "uncover"> & {
    readonly view: Pick<TaskTree["view"], "visible" | "onDidChangeVisibility">;
  };
  /** The memory of the workspace, because VS Code too remembers for each workspace which views are expanded. */
  readonly memory: Pick<vscode.Memento, "get" | "update">;
  /** Whether the Chat view above is visible. If it is not, expanding would open the side bar. */
  readonly isChatInView: () => boolean;
}

const key = "tasks.wereExpanded";

export function expandWithFirst({ board, tree, memory, isChatInView }: FirstTaskOptions): Disposable {
  const store = new DisposableStore();
  if (memory.get(key) === true) return store;
  const known = new Set(board.listed.keys());
  const end = (): void => {
    store.dispose();
    void memory.update(key, true);
  };
  store.add(
    tree.view.onDidChangeVisibility(({ visible }) => {
      if (visible) end();
    }),
  );
  store.add(
    board.onDidChange((ids) => {
      const added = [...ids].find((id) => !known.has(id) && board.listed.has(id));
      if (added === undefined || !isChatInView()) return;
      end();
      // The row may be gone already, and then nothing is revealed.
      tree.uncover(added).catch(() => undefined);
    }),
  );
  if (tree.view.visible) end();
  return store;
}

/** The attention port: whether this window has the focus. */
import * as vscode from "vscode";
import { type DisposableStore } from "../base/disposable";
import { Emitter } from "../base/event";
import type { Attention } from "../domain/ports";

export function createAttention(store: DisposableStore): Attention {
  const changed = store.add(new Emitter<boolean>());
  let focused = vscode.window.state.focused;
  store.add(
    vscode.window.onDidChangeWindowState((state) => {
      if (state.focused === focused) return;
      focused = state.focused;
      changed.fire(focused);
    }),
  );
  return {
    get focused() {
      return focused;
    },
    onDidChange: changed.event,
  };
}

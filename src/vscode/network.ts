/** VS Code's own network settings as a live value: a changed proxy is used for the next request (C4). */
import * as vscode from "vscode";
import type { Disposable } from "../base/disposable";
import { type ReadonlyStore, Store } from "../base/store";
import { type NetworkSettings, readNetworkSettings, sameNetworkSettings } from "../domain/networkSettings";

export interface LiveNetworkSettings extends ReadonlyStore<NetworkSettings>, Disposable {}

export function createNetworkSettings(): LiveNetworkSettings {
  const read = (): NetworkSettings => {
    const section = vscode.workspace.getConfiguration("http");
    return readNetworkSettings((id) => section.get<unknown>(id));
  };
  const store = new Store(read());
  const registration = vscode.workspace.onDidChangeConfiguration((event) => {
    if (!event.affectsConfiguration("http")) return;
    const now = read();
    if (!sameNetworkSettings(now, store.current)) store.set(now);
  });
  return {
    get current() {
      return store.current;
    },
    onDidChange: store.onDidChange,
    dispose: () => void registration.dispose(),
  };
}

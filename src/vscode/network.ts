/** VS Code's `http.*` settings as a store, and the memory of the origins that only the editor's fetch reaches (C4). */
import * as vscode from "vscode";
import type { Disposable } from "../base/disposable";
import { type ReadonlyStore, Store } from "../base/store";
import {
  type NetworkSettings,
  readNetworkSettings,
  type RememberedOrigins,
  sameNetworkSettings,
} from "../domain/gateway/networkSettings";
import { readOwnSetting } from "./settings";

export interface LiveNetworkSettings extends ReadonlyStore<NetworkSettings>, Disposable {}

export function createNetworkSettings(): LiveNetworkSettings {
  const read = (): NetworkSettings => readNetworkSettings((id) => readOwnSetting("http", id));
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

const memoryKey = "editorFetch";

/** Keeps the origins in one record of the global state, which all windows share. */
export function createRememberedOrigins(memory: vscode.Memento): RememberedOrigins {
  const read = (): Readonly<Record<string, unknown>> => {
    const value: unknown = memory.get(memoryKey);
    return typeof value === "object" && value !== null ? { ...value } : {};
  };
  return {
    read(origin) {
      const since = read()[origin];
      return typeof since === "number" ? since : undefined;
    },
    write: (origin, since) => void memory.update(memoryKey, { ...read(), [origin]: since }),
    forget(origin) {
      const { [origin ?? ""]: _, ...others } = read();
      void memory.update(memoryKey, origin === undefined ? undefined : others);
    },
  };
}

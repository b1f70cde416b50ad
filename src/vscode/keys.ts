/** The API keys in VS Code's secret storage and nowhere else, one per origin (C2). */
import type * as vscode from "vscode";
import { type Disposable } from "../base/disposable";
import { Emitter, type Event } from "../base/event";

const prefix = "apiKey:";

export interface Keys extends Disposable {
  read(origin: string): Promise<string | undefined>;
  store(origin: string, key: string): Promise<void>;
  forget(origin: string): Promise<void>;
  /** Fires with the origin, also for a change in another window. */
  readonly onDidChange: Event<string>;
}

export function createKeys(secrets: vscode.SecretStorage): Keys {
  const changed = new Emitter<string>();
  const registration = secrets.onDidChange(({ key }) => {
    if (key.startsWith(prefix)) changed.fire(key.slice(prefix.length));
  });
  return {
    read: async (origin) => (await secrets.get(prefix + origin)) || undefined,
    store: async (origin, key) => secrets.store(prefix + origin, key),
    forget: async (origin) => secrets.delete(prefix + origin),
    onDidChange: changed.event,
    dispose() {
      registration.dispose();
      changed.dispose();
    },
  };
}

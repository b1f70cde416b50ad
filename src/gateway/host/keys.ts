/** Stores API keys in VS Code's secret storage and nowhere else, one per origin (C2), with the accounts of the keys. */
import type * as vscode from "vscode";
import { type Disposable } from "../../base/disposable";
import { Emitter, type Event } from "../../base/event";
import { parseJson } from "../../base/jsonValue";

const prefix = "apiKey:";
/** The accounts are in the same storage as the keys. Other windows get changes in their order, so no key arrives before its account. */
const accountsPrefix = "accounts:";

export interface Keys extends Disposable {
  read(origin: string): Promise<string | undefined>;
  store(origin: string, key: string): Promise<void>;
  forget(origin: string): Promise<void>;
  /** Fires with the origin, also for a change in another window. */
  readonly onDidChange: Event<string>;
  /** The accounts by the fingerprint of a key, without keys and names. */
  readonly accounts: {
    read(origin: string): Promise<unknown>;
    write(origin: string, memory: unknown): Promise<void>;
  };
}

export function createKeys(secrets: vscode.SecretStorage): Keys {
  const changed = new Emitter<string>();
  const registration = secrets.onDidChange(({ key }) => {
    for (const start of [prefix, accountsPrefix]) if (key.startsWith(start)) changed.fire(key.slice(start.length));
  });
  return {
    read: async (origin) => (await secrets.get(prefix + origin)) || undefined,
    async store(origin, key) {
      const isSame = (await secrets.get(prefix + origin)) === key;
      await secrets.store(prefix + origin, key);
      // VS Code fires nothing for a value that stays the same.
      if (isSame) changed.fire(origin);
    },
    forget: async (origin) => secrets.delete(prefix + origin),
    onDidChange: changed.event,
    accounts: {
      read: async (origin) => parseJson((await secrets.get(accountsPrefix + origin)) ?? ""),
      write: async (origin, memory) => secrets.store(accountsPrefix + origin, JSON.stringify(memory)),
    },
    dispose() {
      registration.dispose();
      changed.dispose();
    },
  };
}

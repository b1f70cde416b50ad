/** Keeps what outlives a window, in a folder that several windows share: settings, secrets and mementos, each a file. */
import { type FSWatcher, mkdirSync, readFileSync, renameSync, watch, writeFileSync } from "node:fs";
import path from "node:path";
import type * as vscode from "vscode";
import { ConfigurationTarget } from "./enums";
import { EventEmitter } from "./events";

type Values = Readonly<Record<string, unknown>>;

/** A file of named values. A change by another window is reported too. */
class SharedValues {
  readonly #file: string;
  readonly #changed = new EventEmitter<readonly string[]>();
  #values: Values;
  readonly onDidChange = this.#changed.event;

  constructor(file: string) {
    this.#file = file;
    this.#values = this.#read();
  }

  get values(): Values {
    return this.#values;
  }

  #read(): Values {
    try {
      return JSON.parse(readFileSync(this.#file, "utf8")) as Values;
    } catch {
      return {};
    }
  }

  write(key: string, value: unknown): void {
    // Values that another window wrote since stay.
    const { [key]: _former, ...others } = this.#read();
    const next = value === undefined ? others : { ...others, [key]: value };
    // The file is replaced in one step, so that no window reads a part.
    const draft = `${this.#file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
    writeFileSync(draft, JSON.stringify(next, null, 2));
    renameSync(draft, this.#file);
    this.#take(next, key);
  }

  refresh(): void {
    this.#take(this.#read());
  }

  #take(next: Values, written?: string): void {
    const former = this.#values;
    this.#values = next;
    const keys = new Set([...Object.keys(former), ...Object.keys(next)]);
    const changed = [...keys].filter((key) => JSON.stringify(former[key]) !== JSON.stringify(next[key]));
    if (written !== undefined && !changed.includes(written)) changed.push(written);
    if (changed.length > 0) this.#changed.fire(changed);
  }
}

export class SharedStorage {
  readonly folder: string;
  readonly #files = new Map<string, SharedValues>();
  readonly #watcher: FSWatcher;

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
    this.#watcher = watch(folder, (_event, name) => {
      if (name !== null) this.#files.get(name)?.refresh();
    }).unref();
    this.#watcher.on("error", () => undefined);
  }

  values(name: string): SharedValues {
    const file = `${name}.json`;
    let known = this.#files.get(file);
    if (!known) this.#files.set(file, (known = new SharedValues(path.join(this.folder, file))));
    return known;
  }

  dispose(): void {
    this.#watcher.close();
  }

  secrets(): vscode.SecretStorage {
    const stored = this.values("secrets");
    return {
      keys: () => Promise.resolve(Object.keys(stored.values)),
      get: (key) => {
        const value = stored.values[key];
        return Promise.resolve(typeof value === "string" ? value : undefined);
      },
      store: (key, value) => {
        stored.write(key, value);
        return Promise.resolve();
      },
      delete: (key) => {
        stored.write(key, undefined);
        return Promise.resolve();
      },
      onDidChange: (listener, self?: unknown, disposables?: vscode.Disposable[]) =>
        stored.onDidChange(
          (keys) => {
            for (const key of keys) listener.call(self, { key });
          },
          undefined,
          disposables,
        ),
    };
  }

  /** Values are copied, as over VS Code's connection. */
  memento(name: string): vscode.Memento & { setKeysForSync(keys: readonly string[]): void; synced: readonly string[] } {
    const stored = this.values(name);
    return {
      synced: [],
      keys: () => Object.keys(stored.values),
      get: <T>(key: string, fallback?: T) =>
        key in stored.values ? (structuredClone(stored.values[key]) as T) : (fallback as T),
      update: (key, value) => {
        stored.write(key, value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown));
        return Promise.resolve();
      },
      setKeysForSync(keys) {
        this.synced = keys;
      },
    };
  }
}

interface Snapshot {
  readonly get: (id: string) => unknown;
  readonly ids: () => ReadonlySet<string>;
}

/** A value, or an object of all values below that name. */
function valueIn({ get, ids }: Snapshot, id: string): unknown {
  const value = get(id);
  if (value !== undefined) return structuredClone(value);
  const below = [...ids()].filter((key) => key.startsWith(`${id}.`));
  if (below.length === 0) return undefined;
  return Object.fromEntries(below.map((key) => [key.slice(id.length + 1), get(key)]));
}

/** `workspace.getConfiguration` over the manifest's defaults, the user settings and those of the workspace. */
export class Configuration {
  readonly #defaults: ReadonlyMap<string, unknown>;
  readonly #user: SharedValues;
  readonly #workspace: SharedValues;
  readonly #changed = new EventEmitter<vscode.ConfigurationChangeEvent>();
  readonly onDidChange = this.#changed.event;

  constructor(defaults: ReadonlyMap<string, unknown>, storage: SharedStorage, workspaceName: string) {
    this.#defaults = defaults;
    this.#user = storage.values("settings");
    this.#workspace = storage.values(`settings-${workspaceName}`);
    for (const values of [this.#user, this.#workspace]) values.onDidChange((keys) => this.#tell(keys));
  }

  #tell(keys: readonly string[]): void {
    const isWithin = (id: string, section: string): boolean => id === section || id.startsWith(`${section}.`);
    this.#changed.fire({
      affectsConfiguration: (section) => keys.some((id) => isWithin(id, section) || isWithin(section, id)),
    });
  }

  set(id: string, value: unknown, target: "user" | "workspace" = "user"): void {
    (target === "user" ? this.#user : this.#workspace).write(id, value);
  }

  get(id: string): unknown {
    return this.#snapshot().get(id);
  }

  /** The values now: each of the three is replaced as a whole when it changes. */
  #snapshot(): Snapshot {
    const [user, workspace] = [this.#user.values, this.#workspace.values];
    return {
      get: (id) => workspace[id] ?? user[id] ?? this.#defaults.get(id),
      ids: () => new Set([...this.#defaults.keys(), ...Object.keys(user), ...Object.keys(workspace)]),
    };
  }

  /** The values that it reads stay as they were when it was asked for; those that it inspects are as they are now. */
  section(section?: string): vscode.WorkspaceConfiguration {
    const idOf = (key: string): string => (section === undefined || section === "" ? key : `${section}.${key}`);
    const snapshot = this.#snapshot();
    return {
      get: <T>(key: string, fallback?: T) => (valueIn(snapshot, idOf(key)) ?? fallback) as T,
      has: (key: string) => valueIn(snapshot, idOf(key)) !== undefined,
      inspect: (key: string) => {
        const id = idOf(key);
        const [defaultValue, globalValue, workspaceValue] = [
          this.#defaults.get(id),
          this.#user.values[id],
          this.#workspace.values[id],
        ].map((value) => structuredClone(value));
        return { key: id, defaultValue, globalValue, workspaceValue } as never;
      },
      update: (key: string, value: unknown, target?: vscode.ConfigurationTarget | boolean | null) => {
        if (!this.#defaults.has(idOf(key))) {
          const why = "is not a registered configuration.";
          return Promise.reject(new Error(`Unable to write to Settings because ${idOf(key)} ${why}`));
        }
        const isOfUser = target === true || target === ConfigurationTarget.Global || target === undefined;
        this.set(idOf(key), value, isOfUser ? "user" : "workspace");
        return Promise.resolve();
      },
    };
  }
}

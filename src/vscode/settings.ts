/** The `sluice.*` settings, read anew at each use. A value that its schema refuses counts as the default. */
import { posix } from "node:path";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { definedFields } from "../base/definedFields";
import { type Disposable, DisposableStore } from "../base/disposable";
import { Emitter, type Event } from "../base/event";
import { type ReadonlyStore, Store } from "../base/store";
import { settingDefaults, type SettingId } from "../domain/settingDefaults";
import { settings as ids } from "./ids";
import { readOwnSetting } from "./ownSetting";
import { fitsSchema, type SettingSchema, settingSchemas } from "./settingSchema";

export interface Settings extends Disposable {
  /** Empty for the local gateway. */
  readonly baseUrl: ReadonlyStore<string>;
  /** Where the address is set, in words. */
  baseUrlSource(): string;
  /** `sluice.models` without any check; the model catalogue reads it by its schema. */
  readonly models: { read(): unknown; readonly onDidChange: Event<void> };
  consoleUrl(): string;
  stylizedImageWord(): string;
  /** Authentication and version of the two families that have a choice. */
  chat(): {
    readonly messages: { readonly authentication: "bearer" | "x-api-key"; readonly version: string };
    readonly "generate-content": {
      readonly authentication: "bearer" | "x-goog-api-key" | "query";
      /** Missing for `auto`: the gateway is tried with both. */
      readonly version?: "v1" | "v1beta";
    };
  };
  /** Milliseconds. */
  limits(): { readonly connect: number; readonly firstByte: number; readonly silence: number };
  /** The most tasks of one day; 0 for no cap. */
  tasksPerDay(): number;
  /** The most tokens of one chat; 0 for no cap. */
  tokensPerChat(): number;
  /** Whether older messages are summarised unasked near the limit of the model's context. */
  summarizeChats(): boolean;
  /** Whether a model is asked for the title of a chat. */
  titleChats(): boolean;
  /** Bytes; 0: no result is fetched without a click. */
  fetchResultsUpTo(): number;
  /** Relative to a folder of the workspace, with slashes. */
  resultsFolder(): string;
  /** Bytes of one reference image. */
  referenceLimit(): number;
  notifications(): "all" | "attention" | "none";
  /** Whether the ids of running tasks travel by Settings Sync; and each change of that. */
  readonly syncTasks: ReadonlyStore<boolean>;
  /** Writes the user settings. */
  muteNotifications(): Promise<void>;
  /** Whether this window serves MCP. */
  readonly mcpEnabled: ReadonlyStore<boolean>;
  /** Writes the user settings. */
  enableMcp(): Promise<void>;
  localGatewaySpeed(): number;
  localGatewayRelay(): boolean;
  /** Those that are set to what can't be used, so that their defaults apply; and each change of the settings. */
  readonly unusable: { read(): readonly SettingId[]; readonly onDidChange: Event<void> };
  /** Writes the user settings, never those of the workspace. */
  setBaseUrl(baseUrl: string): Promise<void>;
}

/** The settings whose default is of that type. */
type SettingOf<T> = { [Id in SettingId]: (typeof settingDefaults)[Id] extends T ? Id : never }[SettingId];

const section = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration("sluice");

/** Reads values that fit their schema in package.json, and the default in place of others. */
class UsableSettings {
  readonly #schemas: ReadonlyMap<string, SettingSchema>;

  constructor(schemas: ReadonlyMap<string, SettingSchema>) {
    this.#schemas = schemas;
  }

  text(id: SettingOf<string>): string {
    const value = this.#usable(id);
    return typeof value === "string" ? value.trim() : settingDefaults[id];
  }

  number(id: SettingOf<number>): number {
    const value = this.#usable(id);
    return typeof value === "number" ? value : settingDefaults[id];
  }

  flag(id: SettingOf<boolean>): boolean {
    const value = this.#usable(id);
    return typeof value === "boolean" ? value : settingDefaults[id];
  }

  /** One of `words`; the default is one of them. */
  word<Id extends SettingOf<string>, Word extends string>(
    id: Id,
    words: readonly Word[],
  ): Word | (typeof settingDefaults)[Id] {
    const value = this.#usable(id);
    return words.find((word) => word === value) ?? settingDefaults[id];
  }

  /** Those that are set to what can't be used. */
  unusable(): readonly SettingId[] {
    return Object.values(ids).filter(
      (id) => readOwnSetting("sluice", id) !== undefined && this.#usable(id) === undefined,
    );
  }

  #usable(id: SettingId): unknown {
    const value = readOwnSetting("sluice", id);
    return fitsSchema(this.#schemas.get(id) ?? {}, value) ? value : undefined;
  }
}

/** `manifest`: package.json, as VS Code has read it. */
export function createSettings(manifest: unknown): Settings {
  const read = new UsableSettings(settingSchemas(manifest));
  const store = new DisposableStore();
  const modelsChanged = store.add(new Emitter<void>());
  const changed = store.add(new Emitter<void>());
  const baseUrl = new Store(read.text(ids.baseUrl));
  const syncTasks = new Store(read.flag(ids.syncTasks));
  const mcpEnabled = new Store(read.flag(ids.mcpEnabled));
  store.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(`sluice.${ids.baseUrl}`)) baseUrl.set(read.text(ids.baseUrl));
      if (event.affectsConfiguration(`sluice.${ids.syncTasks}`)) syncTasks.set(read.flag(ids.syncTasks));
      if (event.affectsConfiguration(`sluice.${ids.mcpEnabled}`)) mcpEnabled.set(read.flag(ids.mcpEnabled));
      if (event.affectsConfiguration(`sluice.${ids.models}`)) modelsChanged.fire();
      if (event.affectsConfiguration("sluice")) changed.fire();
    }),
  );
  return {
    baseUrl,
    syncTasks,
    mcpEnabled,
    enableMcp: () => enable(mcpEnabled, ids.mcpEnabled),
    baseUrlSource() {
      const isSet = section().inspect(ids.baseUrl)?.globalValue !== undefined;
      return isSet
        ? t("from the user setting {0}", `sluice.${ids.baseUrl}`)
        : t("the default of the setting {0}", `sluice.${ids.baseUrl}`);
    },
    models: { read: () => readOwnSetting("sluice", ids.models), onDidChange: modelsChanged.event },
    unusable: { read: () => read.unusable(), onDidChange: changed.event },
    consoleUrl: () => read.text(ids.consoleUrl),
    stylizedImageWord: () => read.text(ids.stylizedImageTaskType),
    chat: () => readFamilySettings(read),
    limits: () => ({
      connect: read.number(ids.connectTimeout) * 1000,
      firstByte: read.number(ids.firstByteTimeout) * 1000,
      silence: read.number(ids.silenceTimeout) * 1000,
    }),
    ...createTaskSettings(read),
    tokensPerChat: () => read.number(ids.tokensPerChat),
    summarizeChats: () => read.flag(ids.summarizeChats),
    titleChats: () => read.flag(ids.titleChats),
    localGatewayRelay: () => read.flag(ids.localGatewayRelay),
    localGatewaySpeed: () => read.number(ids.localGatewaySpeed),
    async setBaseUrl(value) {
      await section().update(ids.baseUrl, value === "" ? undefined : value, vscode.ConfigurationTarget.Global);
    },
    dispose: () => store.dispose(),
  };
}

function readFamilySettings(read: UsableSettings): ReturnType<Settings["chat"]> {
  const version = read.word(ids.generateContentVersion, ["v1", "v1beta"]);
  return {
    messages: {
      authentication: read.word(ids.messagesAuthentication, ["bearer", "x-api-key"]),
      version: read.text(ids.messagesVersion),
    },
    "generate-content": {
      authentication: read.word(ids.generateContentAuthentication, ["bearer", "x-goog-api-key", "query"]),
      ...definedFields({ version: version === "auto" ? undefined : version }),
    },
  };
}

/** Writes the user settings. */
async function enable(store: Store<boolean>, id: SettingOf<boolean>): Promise<void> {
  await section().update(id, true, vscode.ConfigurationTarget.Global);
  // The event of the change may come later.
  store.set(readOwnSetting("sluice", id) === true);
}

type TaskSettings = Pick<
  Settings,
  "tasksPerDay" | "fetchResultsUpTo" | "resultsFolder" | "referenceLimit" | "notifications" | "muteNotifications"
>;

function createTaskSettings(read: UsableSettings): TaskSettings {
  return {
    // A part of a task is one more, not none.
    tasksPerDay: () => Math.ceil(read.number(ids.tasksPerDay)),
    fetchResultsUpTo: () => read.number(ids.resultsFetchUpTo) * 1024 ** 2,
    resultsFolder() {
      const folder = posix.normalize(read.text(ids.resultsFolder).replaceAll("\\", "/") || ".");
      const isInside = !/^(?:\.\.(?:\/|$)|\/|[a-z]:)/i.test(folder);
      return isInside ? folder : settingDefaults[ids.resultsFolder];
    },
    referenceLimit: () => read.number(ids.referenceMaxMegabytes) * 1_000_000,
    notifications: () => read.word(ids.notifications, ["attention", "none"]),
    async muteNotifications() {
      await section().update(ids.notifications, "none", vscode.ConfigurationTarget.Global);
    },
  };
}

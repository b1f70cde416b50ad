/** The `sluice.*` settings, read anew at each use. A value of the wrong type counts as the default. */
import { posix } from "node:path";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { definedFields } from "../base/definedFields";
import { type Disposable, DisposableStore } from "../base/disposable";
import { Emitter, type Event } from "../base/event";
import { type ReadonlyStore, Store } from "../base/store";
import { settingDefaults, type SettingId } from "../domain/settingDefaults";
import { settings as ids } from "./ids";

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
  localGatewaySpeed(): number;
  localGatewayRelay(): boolean;
  /** Writes the user settings, never those of the workspace. */
  setBaseUrl(baseUrl: string): Promise<void>;
}

/** The settings whose default is of that type. */
type SettingOf<T> = { [Id in SettingId]: (typeof settingDefaults)[Id] extends T ? Id : never }[SettingId];

const section = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration("sluice");

function readText(id: SettingOf<string>): string {
  const value: unknown = section().get(id);
  return typeof value === "string" ? value.trim() : settingDefaults[id];
}

function readPositive(id: SettingOf<number>): number {
  const value: unknown = section().get(id);
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : settingDefaults[id];
}

function readFlag(id: SettingOf<boolean>): boolean {
  const value: unknown = section().get(id);
  return typeof value === "boolean" ? value : settingDefaults[id];
}

/** One of `words`; the default is one of them. */
function readWord<Id extends SettingOf<string>, Word extends string>(
  id: Id,
  words: readonly Word[],
): Word | (typeof settingDefaults)[Id] {
  const value: unknown = section().get(id);
  return words.find((word) => word === value) ?? settingDefaults[id];
}

/** It becomes a header value, so only a date is taken. */
function readMessagesVersion(): string {
  const version = readText(ids.messagesVersion);
  return /^\d{4}-\d{2}-\d{2}$/.test(version) ? version : settingDefaults[ids.messagesVersion];
}

export function createSettings(): Settings {
  const store = new DisposableStore();
  const modelsChanged = store.add(new Emitter<void>());
  const baseUrl = new Store(readText(ids.baseUrl));
  const syncTasks = new Store(readFlag(ids.syncTasks));
  store.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(`sluice.${ids.baseUrl}`)) baseUrl.set(readText(ids.baseUrl));
      if (event.affectsConfiguration(`sluice.${ids.syncTasks}`)) syncTasks.set(readFlag(ids.syncTasks));
      if (event.affectsConfiguration(`sluice.${ids.models}`)) modelsChanged.fire();
    }),
  );
  return {
    baseUrl,
    syncTasks,
    baseUrlSource() {
      const isSet = section().inspect(ids.baseUrl)?.globalValue !== undefined;
      if (!isSet) return t("the default of the setting {0}", `sluice.${ids.baseUrl}`);
      return vscode.env.remoteName === undefined
        ? t("from the user setting {0}", `sluice.${ids.baseUrl}`)
        : t("from the setting {0} of the user or of this remote machine", `sluice.${ids.baseUrl}`);
    },
    models: { read: () => section().get<unknown>(ids.models), onDidChange: modelsChanged.event },
    consoleUrl: () => readText(ids.consoleUrl),
    stylizedImageWord: () => readText(ids.stylizedImageTaskType) || settingDefaults[ids.stylizedImageTaskType],
    chat() {
      const version = readWord(ids.generateContentVersion, ["v1", "v1beta"]);
      return {
        messages: {
          authentication: readWord(ids.messagesAuthentication, ["bearer", "x-api-key"]),
          version: readMessagesVersion(),
        },
        "generate-content": {
          authentication: readWord(ids.generateContentAuthentication, ["bearer", "x-goog-api-key", "query"]),
          ...definedFields({ version: version === "auto" ? undefined : version }),
        },
      };
    },
    limits: () => ({
      connect: readPositive(ids.connectTimeout) * 1000,
      firstByte: readPositive(ids.firstByteTimeout) * 1000,
      silence: readPositive(ids.silenceTimeout) * 1000,
    }),
    ...createTaskSettings(),
    tokensPerChat: () => readPositive(ids.tokensPerChat),
    summarizeChats: () => readFlag(ids.summarizeChats),
    localGatewayRelay: () => readFlag(ids.localGatewayRelay),
    localGatewaySpeed: () => readPositive(ids.localGatewaySpeed),
    async setBaseUrl(value) {
      await section().update(ids.baseUrl, value === "" ? undefined : value, vscode.ConfigurationTarget.Global);
    },
    dispose: () => store.dispose(),
  };
}

type TaskSettings = Pick<
  Settings,
  "tasksPerDay" | "fetchResultsUpTo" | "resultsFolder" | "referenceLimit" | "notifications" | "muteNotifications"
>;

function createTaskSettings(): TaskSettings {
  return {
    // Any other value than a positive number is the default: none. A part of a task is one more, not none.
    tasksPerDay: () => Math.ceil(readPositive(ids.tasksPerDay)),
    fetchResultsUpTo() {
      const value: unknown = section().get(ids.resultsFetchUpTo);
      const isSize = typeof value === "number" && Number.isFinite(value) && value >= 0;
      return (isSize ? value : settingDefaults[ids.resultsFetchUpTo]) * 1024 ** 2;
    },
    resultsFolder() {
      const folder = posix.normalize(readText(ids.resultsFolder).replaceAll("\\", "/") || ".");
      const isInside = !/^(?:\.\.(?:\/|$)|\/|[a-z]:)/i.test(folder);
      return isInside ? folder : settingDefaults[ids.resultsFolder];
    },
    referenceLimit: () => readPositive(ids.referenceMaxMegabytes) * 1_000_000,
    notifications: () => readWord(ids.notifications, ["attention", "none"]),
    async muteNotifications() {
      await section().update(ids.notifications, "none", vscode.ConfigurationTarget.Global);
    },
  };
}

/** The `sluice.*` settings, read anew at each use. A value of the wrong type counts as the default. */
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
  store.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(`sluice.${ids.baseUrl}`)) baseUrl.set(readText(ids.baseUrl));
      if (event.affectsConfiguration(`sluice.${ids.models}`)) modelsChanged.fire();
    }),
  );
  return {
    baseUrl,
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
    localGatewayRelay: () => readFlag(ids.localGatewayRelay),
    localGatewaySpeed: () => readPositive(ids.localGatewaySpeed),
    async setBaseUrl(value) {
      await section().update(ids.baseUrl, value === "" ? undefined : value, vscode.ConfigurationTarget.Global);
    },
    dispose: () => store.dispose(),
  };
}

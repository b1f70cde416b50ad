/** The `sluice.*` settings, each read with its first use after a change. A value that its schema refuses counts as the default. */
import { posix } from "node:path";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { definedFields } from "../base/definedFields";
import { type Disposable, DisposableStore } from "../base/disposable";
import { Emitter, type Event } from "../base/event";
import { type ReadonlyStore, Store } from "../base/store";
import {
  type HeaderSecrets,
  readHeaderSecrets,
  readRequestHeaders,
  type RequestHeaders,
} from "../domain/gateway/networkSettings";
import type { PriceList } from "../domain/prices/priceList";
import { priceListOf, type SettingsReader } from "../domain/environment";
import { type SettingId, settingIds, settingTable, type SettingValue } from "../domain/settingTable";
import { usableSetting, ownValue } from "./usableSetting";
import { requestTimeouts } from "../domain/gateway/requestTimeouts";
import { type ModelAccess, readModelAccess, readStylizedImageWord } from "../domain/gateway/modelAccess";
import { injectedTimes } from "./injectedTimes";

export interface Settings extends SettingsReader, Disposable {
  /** Empty for the local gateway. */
  readonly baseUrl: ReadonlyStore<string>;
  /** The source of the address, in words for a person. */
  baseUrlSource(): string;
  /** `sluice.models` without any check; the model catalogue reads it by its schema. */
  readonly models: { read(): unknown; readonly onDidChange: Event<void> };
  /** The additional headers for requests to a URL. */
  readonly requestHeaders: RequestHeaders;
  readonly headerSecrets: HeaderSecrets;
  /** The person's price list: `sluice.prices`. */
  prices(): PriceList;
  /** Authentication and version of the two families that have a choice, as the entry of that model says. */
  chat(model: string): {
    readonly messages: { readonly authentication?: "bearer" | "x-api-key"; readonly version?: string };
    readonly "generate-content": {
      readonly authentication?: "bearer" | "x-goog-api-key" | "query";
      /** The version; without it the gateway is tried with both. */
      readonly version?: "v1" | "v1beta";
    };
  };
  /** The value of `task_type` for stylized-image tasks. */
  stylizedImageWord(): string;
  /** Milliseconds. */
  limits(): { readonly connect: number; readonly firstByte: number; readonly silence: number };
  /** Relative to a folder of the workspace, with slashes. */
  resultsFolder(): string;
  /** Writes the user settings. */
  muteNotifications(): Promise<void>;
  /** Whether this window serves MCP. */
  readonly mcpEnabled: ReadonlyStore<boolean>;
  /** Writes the user settings. */
  enableMcp(): Promise<void>;
  /** The settings whose values can't be used, so that their defaults apply. `onDidChange` fires with each change of any setting. */
  readonly unusable: { read(): readonly SettingId[]; readonly onDidChange: Event<void> };
  /** Writes the user settings, never those of the workspace. */
  setBaseUrl(baseUrl: string): Promise<void>;
}

const section = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration("sluice");

/** Caches the person's values: VS Code takes a tenth of a millisecond to look one up, and a round of tools reads a dozen. */
class OwnValues {
  readonly #values = new Map<SettingId, unknown>();

  read(id: SettingId): unknown {
    if (!this.#values.has(id)) this.#values.set(id, readOwnSetting("sluice", id));
    return this.#values.get(id);
  }

  readonly get = <Id extends SettingId>(id: Id): SettingValue<Id> =>
    usableSetting(id, this.read(id)) ?? settingTable[id].default;

  /** The settings whose values can't be used. */
  unusable(): readonly SettingId[] {
    return settingIds.filter((id) => {
      const value = this.read(id);
      return value !== undefined && usableSetting(id, value) === undefined;
    });
  }

  forget(): void {
    this.#values.clear();
  }

  /** Writes the user settings, even if a workspace has its own value; `undefined` removes the value. */
  async write<Id extends SettingId>(id: Id, value: SettingValue<Id> | undefined): Promise<void> {
    await section().update(id, value, vscode.ConfigurationTarget.Global);
    this.forget();
  }
}

export function createSettings(): Settings {
  const registrations = new DisposableStore();
  const values = new OwnValues();
  const { get } = values;
  const modelsChanged = registrations.add(new Emitter<void>());
  const changed = registrations.add(new Emitter<void>());
  const baseUrl = new Store<string>(get("baseUrl"));
  const mcpEnabled = new Store<boolean>(get("mcp.enabled"));
  registrations.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("sluice")) values.forget();
      const affects = (id: SettingId): boolean => event.affectsConfiguration(`sluice.${id}`);
      if (affects("baseUrl")) baseUrl.set(get("baseUrl"));
      if (affects("mcp.enabled")) mcpEnabled.set(get("mcp.enabled"));
      if (affects("models")) modelsChanged.fire();
      if (event.affectsConfiguration("sluice")) changed.fire();
    }),
  );
  return {
    get,
    baseUrl,
    mcpEnabled,
    async enableMcp() {
      await values.write("mcp.enabled", true);
      // The event of the change may come later.
      mcpEnabled.set(get("mcp.enabled"));
    },
    baseUrlSource() {
      if (baseUrl.current === "") return t("the local gateway that ships with Sluice");
      const isSet = section().inspect("baseUrl" satisfies SettingId)?.globalValue !== undefined;
      return isSet
        ? t("from the user setting {0}", "sluice.baseUrl")
        : t("the default of the setting {0}", "sluice.baseUrl");
    },
    models: { read: () => values.read("models"), onDidChange: modelsChanged.event },
    requestHeaders: (url) => readRequestHeaders(get("requestHeaders"), process.env, url),
    headerSecrets: (url) => readHeaderSecrets(get("requestHeaders"), process.env, url),
    prices: () => priceListOf(values),
    unusable: { read: () => values.unusable(), onDidChange: changed.event },
    chat: (model) => readFamilySettings(readModelAccess(get("models"), model)),
    stylizedImageWord: () => readStylizedImageWord(get("models")),
    limits() {
      const { speed: _, ...limits } = injectedTimes();
      return { ...requestTimeouts, ...limits };
    },
    resultsFolder() {
      const folder = posix.normalize(get("results.folder").replaceAll("\\", "/") || ".");
      const isInside = !/^(?:\.\.(?:\/|$)|\/|[a-z]:)/i.test(folder);
      return isInside ? folder : settingTable["results.folder"].default;
    },
    muteNotifications: () => values.write("notifications", "none"),
    setBaseUrl: (value) => values.write("baseUrl", value === "" ? undefined : value),
    dispose: () => registrations.dispose(),
  };
}

/** Leaves out values that a family does not support. */
function readFamilySettings({ authentication, version = "" }: ModelAccess): ReturnType<Settings["chat"]> {
  const isDate = /^\d{4}-/.test(version);
  return {
    messages: definedFields({
      authentication: authentication === "bearer" || authentication === "x-api-key" ? authentication : undefined,
      version: isDate ? version : undefined,
    }),
    "generate-content": definedFields({
      authentication: authentication === "x-api-key" ? undefined : authentication,
      version: version === "v1" || version === "v1beta" ? version : undefined,
    }),
  };
}

// Reads a setting as the person has set it, whatever a repository says (C1).

export function readOwnSetting(section: "sluice" | "http", id: string): unknown {
  const settings = vscode.workspace.getConfiguration(section);
  const found = settings.inspect<unknown>(id);
  return found ? ownValue(section, found, settings.get(id)) : settings.get(id);
}

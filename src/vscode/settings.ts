/** The settings as live, read values: what is of another type than it should be counts as not set. */
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../base/disposable";
import { Emitter, type Event } from "../base/event";
import { type ReadonlyStore, Store } from "../base/store";
import { settings as ids } from "./ids";

export interface Settings extends Disposable {
  /** Empty for the local gateway. */
  readonly baseUrl: ReadonlyStore<string>;
  /** As it stands, of any shape. */
  readonly models: { read(): unknown; readonly onDidChange: Event<void> };
  consoleUrl(): string;
  stylizedImageWord(): string;
  /** Milliseconds. */
  limits(): { readonly connect: number; readonly firstByte: number; readonly silence: number };
  localGatewaySpeed(): number;
  /** Writes the person's own settings, never the workspace's. */
  setBaseUrl(baseUrl: string): Promise<void>;
}

export function createSettings(): Settings {
  const store = new DisposableStore();
  const section = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration("sluice");
  const text = (id: string, otherwise: string): string => {
    const value: unknown = section().get(id);
    return typeof value === "string" ? value.trim() : otherwise;
  };
  const number = (id: string, otherwise: number): number => {
    const value: unknown = section().get(id);
    return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : otherwise;
  };
  const modelsChanged = store.add(new Emitter<void>());
  const baseUrl = new Store(text(ids.baseUrl, ""));
  store.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(`sluice.${ids.baseUrl}`)) baseUrl.set(text(ids.baseUrl, ""));
      if (event.affectsConfiguration(`sluice.${ids.models}`)) modelsChanged.fire();
    }),
  );
  return {
    baseUrl,
    models: { read: () => section().get<unknown>(ids.models), onDidChange: modelsChanged.event },
    consoleUrl: () => text(ids.consoleUrl, ""),
    stylizedImageWord: () => text(ids.stylizedImageTaskType, "") || "stylized_image",
    limits: () => ({
      connect: number(ids.connectTimeout, 15) * 1000,
      firstByte: number(ids.firstByteTimeout, 60) * 1000,
      silence: number(ids.silenceTimeout, 90) * 1000,
    }),
    localGatewaySpeed: () => number(ids.localGatewaySpeed, 1),
    async setBaseUrl(value) {
      await section().update(ids.baseUrl, value === "" ? undefined : value, vscode.ConfigurationTarget.Global);
    },
    dispose: () => store.dispose(),
  };
}

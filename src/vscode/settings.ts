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
  /** How two families of models are spoken to. */
  chat(): {
    readonly messages: { readonly authentication: "bearer" | "x-api-key"; readonly version: string };
    readonly "generate-content": {
      readonly authentication: "bearer" | "x-goog-api-key" | "query";
      /** Left out: whichever the gateway knows. */
      readonly version?: "v1" | "v1beta";
    };
  };
  /** Milliseconds. */
  limits(): { readonly connect: number; readonly firstByte: number; readonly silence: number };
  localGatewaySpeed(): number;
  localGatewayRelay(): boolean;
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
  /** The first is what counts when none is set. */
  const word = <Word extends string>(id: string, words: readonly [Word, ...Word[]]): Word => {
    const value: unknown = section().get(id);
    return words.find((one) => one === value) ?? words[0];
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
    chat() {
      const date = text(ids.messagesVersion, "");
      const version = word(ids.generateContentVersion, ["auto", "v1", "v1beta"]);
      return {
        messages: {
          authentication: word(ids.messagesAuthentication, ["bearer", "x-api-key"]),
          // It becomes a header: anything else than a date is none.
          version: /^\d{4}-\d{2}-\d{2}$/.test(date) ? date : "2023-06-01",
        },
        "generate-content": {
          authentication: word(ids.generateContentAuthentication, ["bearer", "x-goog-api-key", "query"]),
          ...(version === "auto" ? {} : { version }),
        },
      };
    },
    limits: () => ({
      connect: number(ids.connectTimeout, 15) * 1000,
      firstByte: number(ids.firstByteTimeout, 60) * 1000,
      silence: number(ids.silenceTimeout, 90) * 1000,
    }),
    localGatewayRelay: () => section().get<unknown>(ids.localGatewayRelay) !== false,
    localGatewaySpeed: () => number(ids.localGatewaySpeed, 1),
    async setBaseUrl(value) {
      await section().update(ids.baseUrl, value === "" ? undefined : value, vscode.ConfigurationTarget.Global);
    },
    dispose: () => store.dispose(),
  };
}

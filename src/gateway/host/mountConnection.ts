/** Wires up *Connect to a Gateway…*, *Check Connection* and the key commands. The flow is loaded with its first use. */
import type * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../base/disposable";
import { once } from "../../base/async/serialQueue";
import type { CheckConnection } from "../../domain/gateway/connectionCheck";
import { type ConnectionCommandOptions, registerConnectionCommands, storeKey } from "./connectionCommands";
import type { ModelCatalog } from "../modelCatalog";
import type { Dialogs } from "../../vscode/interface/dialogs";
import type { ReportDocuments } from "../../vscode/interface/reportDocuments";
import { loadAddressProbe, loadConnectionCheck, mountCheckConnection } from "./mountCheckConnection";
import type { HostServices } from "./hostServices";

export interface ConnectionParts {
  readonly services: HostServices;
  readonly models: ModelCatalog;
  /** The tasks whose accounts are offered for a new key. */
  readonly board: ConnectionCommandOptions["board"];
  readonly dialogs: Dialogs;
}

export function mountConnection(
  { globalState: memory }: Pick<vscode.ExtensionContext, "globalState">,
  { services, models, board, dialogs }: ConnectionParts,
  reports: ReportDocuments,
): Disposable {
  const { settings, keys, accounts, learnt, network, connections, log } = services;
  const stored = { keys, accounts, board };
  const load = once(async () => {
    const [{ runConnectSteps }, { Connecting }] = await Promise.all([
      import("./connect/connectSteps"),
      import("../connecting"),
    ]);
    const connecting = new Connecting({
      keys,
      loadCheck: () => loadConnectionCheck({ settings, network, log }),
      loadProbe: () => loadAddressProbe({ settings, network, log }),
      storeKey: (origin, key, beforeQuestion) => storeKey(stored, origin, key, beforeQuestion),
      async setBaseUrl(baseUrl) {
        await settings.setBaseUrl(baseUrl);
        await connections.refresh();
      },
    });
    const options = {
      connecting,
      connections,
      models,
      memory,
      reports,
      limits: () => settings.limits(),
    };
    return (address?: string) => runConnectSteps(options, address);
  });
  const store = new DisposableStore();
  store.add(mountCheckConnection({ ...services, dialogs }));
  const connect = async (address?: string): Promise<void> => (await load())(address);
  const loadCheck = (): Promise<CheckConnection> => loadConnectionCheck({ settings, network, log });
  store.add(registerConnectionCommands({ ...stored, settings, learnt, dialogs, memory, connect, loadCheck }));
  return store;
}

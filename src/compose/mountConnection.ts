/** Connects *Connect to a Gateway…*, *Check Connection* and the commands for the key with settings, keys and network; the flow is loaded with its first use. */
import type * as vscode from "vscode";
import type { Disposable } from "../base/disposable";
import { DisposableStore } from "../base/disposable";
import { once } from "../base/async/once";
import type { TaskTypeAvailability } from "../tasks/submit/availability";
import { registerConnectionCommands, storeKey } from "../vscode/gateway/connectionCommands";
import { commands } from "../vscode/ids";
import type { ReportDocuments } from "../vscode/interface/reportDocuments";
import { openWalkthrough } from "../vscode/interface/runCommand";
import { loadConnectionCheck, mountCheckConnection } from "./mountCheckConnection";
import type { TasksPart } from "./mountTasks";

export function mountConnection(
  { globalState: memory, extension }: vscode.ExtensionContext,
  { app, services, connections, dialogs, log }: TasksPart,
  availability: TaskTypeAvailability,
  reports: ReportDocuments,
): Disposable {
  const { settings, keys, accounts, network } = services;
  const stored = { keys, accounts, board: app.board };
  const load = once(async () => {
    const [{ connectGateway }, { Connecting }] = await Promise.all([
      import("../vscode/gateway/connect/connectGateway"),
      import("../vscode/gateway/connect/connecting"),
    ]);
    const connecting = new Connecting({
      keys,
      loadCheck: () => loadConnectionCheck({ settings, network, log }),
      storeKey: (origin, key) => storeKey(stored, origin, key),
      async setBaseUrl(baseUrl) {
        await settings.setBaseUrl(baseUrl);
        await connections.refresh();
      },
    });
    const ports = {
      ...{ connecting, connections, models: app.models, availability, memory, dialogs, reports },
      hasConsole: () => settings.get("consoleUrl") !== "",
      limits: () => settings.limits(),
    };
    return (address?: string) => connectGateway(ports, address);
  });
  const store = new DisposableStore();
  store.add(mountCheckConnection({ ...services, dialogs }));
  const connect = async (address?: string): Promise<void> => (await load())(address);
  store.add(registerConnectionCommands({ ...stored, settings, dialogs, memory, connect }));
  store.add(dialogs.register(commands.openWalkthrough, () => openWalkthrough(`${extension.id}#start`)));
  return store;
}

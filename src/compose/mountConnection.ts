/** Connects *Connect to a Gateway…*, *Check Connection* and the commands for the key with settings, keys and network; the flow is loaded with its first use. */
import type * as vscode from "vscode";
import type { Disposable } from "../base/disposable";
import { DisposableStore } from "../base/disposable";
import { once } from "../base/once";
import type { TaskTypeAvailability } from "../tasks/availability";
import { registerConnectionCommands, storeKey } from "../vscode/connectionCommands";
import { commands } from "../vscode/ids";
import type { ReportDocuments } from "../vscode/reportDocuments";
import { openWalkthrough } from "../vscode/runCommand";
import { loadConnectionCheck, mountCheckConnection } from "./mountCheckConnection";
import type { TasksPart } from "./mountTasks";

export function mountConnection(
  { globalState: memory, extension }: vscode.ExtensionContext,
  { app, access, connections, dialogs, log }: TasksPart,
  availability: TaskTypeAvailability,
  reports: ReportDocuments,
): Disposable {
  const { settings, keys, accounts, network } = access;
  const stored = { keys, accounts, board: app.board };
  const load = once(async () => {
    const [{ connectGateway }, { Connecting }] = await Promise.all([
      import("../vscode/connect/connectGateway"),
      import("../vscode/connect/connecting"),
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
      hasConsole: () => settings.consoleUrl() !== "",
      limits: () => settings.limits(),
    };
    return (address?: string) => connectGateway(ports, address);
  });
  const store = new DisposableStore();
  store.add(mountCheckConnection({ ...access, dialogs }));
  const connect = async (address?: string): Promise<void> => (await load())(address);
  store.add(registerConnectionCommands({ ...stored, settings, dialogs, memory, connect }));
  store.add(dialogs.register(commands.openWalkthrough, () => openWalkthrough(`${extension.id}#start`)));
  return store;
}

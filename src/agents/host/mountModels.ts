/** The part that is loaded when VS Code first asks for the gateway's models. */
import type * as vscode from "vscode";
import { systemClock } from "../../base/async/systemClock";
import { commands } from "../../vscode/ids";
import { ProvidedModels } from "./providedModels";
import { runCommand } from "../../vscode/interface/runCommand";
import type { TasksPart } from "../../tasks/host/mountTasks";

/** `folder`: for what models need back of their answers. */
export function mountModels(
  { subscriptions }: vscode.ExtensionContext,
  { app, connections, log }: TasksPart,
  folder: string,
): ProvidedModels {
  const provided = new ProvidedModels({
    connections,
    models: app.models,
    clock: systemClock,
    log,
    folder,
    askForKey: async () => {
      await runCommand(commands.setKey);
      await connections.refresh();
    },
  });
  subscriptions.push(provided);
  return provided;
}

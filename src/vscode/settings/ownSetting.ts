/** A setting as the person has set it, whatever a repository says (C1). */
import * as vscode from "vscode";

/**
 * VS Code 1.106 checks the scope of `"sluice.baseUrl"` only: a nested `{ "sluice": { "baseUrl": … } }` in the settings of a workspace, or of
 * a dev container's machine, is in effect there. The `http` settings may be the machine's, which has its own proxy.
 */
export function readOwnSetting(section: "sluice" | "http", id: string): unknown {
  const settings = vscode.workspace.getConfiguration(section);
  const found = settings.inspect<unknown>(id);
  if (!found) return settings.get(id);
  const { workspaceValue, workspaceFolderValue, globalValue, defaultValue } = found;
  // Both are missing in the API's types.
  const ofMachine = "globalRemoteValue" in found ? found.globalRemoteValue : undefined;
  const ofUser = "globalLocalValue" in found ? found.globalLocalValue : undefined;
  if (section === "sluice" && ofMachine !== undefined) return ofUser ?? defaultValue;
  return workspaceValue === undefined && workspaceFolderValue === undefined
    ? settings.get(id)
    : (globalValue ?? defaultValue);
}

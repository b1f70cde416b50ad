/** Registers the tools for tasks and the MCP server for agents outside of the chat, on activation. The code behind them is loaded on first use. */
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../base/disposable";
import type { SettingKey } from "../../domain/settingTable";
import { mcpProviderId } from "../../vscode/ids";
import { agentToolNames } from "../tasks/agentToolNames";
import type { VscodeTools } from "./vscodeTools";

export interface AgentParts {
  readonly agents: () => Promise<{ readonly tools: VscodeTools }>;
  readonly mcp: () => Promise<McpDefinitions>;
}

/** The server of this window as VS Code's own agents reach it; none while it is off. */
export interface McpDefinitions {
  /** Called whenever the definition has changed. */
  onChange(listener: () => void): void;
  readonly definition: vscode.McpHttpServerDefinition | undefined;
  /** Adds the token, which VS Code keeps to itself. */
  resolve(definition: vscode.McpHttpServerDefinition): vscode.McpHttpServerDefinition;
}

const enabled = "sluice.mcp.enabled" satisfies SettingKey;

export function registerAgents(parts: AgentParts): Disposable {
  const registrations = new DisposableStore();
  for (const name of Object.values(agentToolNames)) {
    registrations.add(
      vscode.lm.registerTool<object>(name, {
        prepareInvocation: async (options, token) => (await parts.agents()).tools.prepare(name, options, token),
        invoke: async (options, token) => (await parts.agents()).tools.invoke(name, options, token),
      }),
    );
  }
  registrations.add(registerMcp(parts.mcp));
  return registrations;
}

function registerMcp(load: AgentParts["mcp"]): Disposable {
  const registrations = new DisposableStore();
  const changed = registrations.add(new vscode.EventEmitter<void>());
  let loaded: McpDefinitions | undefined;
  // The part is loaded once the server is on. From then on the part itself follows the setting and the trust.
  const start = async (): Promise<void> => {
    if (loaded || !isOn()) return;
    loaded = await load();
    loaded.onChange(() => changed.fire());
    changed.fire();
  };
  // A failure is in the log, and the next change tries again.
  const tryStart = (): void => void start().catch(() => undefined);
  registrations.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(enabled)) tryStart();
    }),
  );
  registrations.add(vscode.workspace.onDidGrantWorkspaceTrust(tryStart));
  registrations.add(
    vscode.lm.registerMcpServerDefinitionProvider(mcpProviderId, {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: () => (loaded?.definition ? [loaded.definition] : []),
      resolveMcpServerDefinition: (definition: vscode.McpHttpServerDefinition) => loaded?.resolve(definition),
    }),
  );
  tryStart();
  return registrations;
}

/** True also where only a repository's settings switch the server on (see `readOwnSetting`): then the part is loaded, and does not serve. */
function isOn(): boolean {
  return vscode.workspace.isTrusted && vscode.workspace.getConfiguration().get(enabled) === true;
}

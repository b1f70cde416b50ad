/** The part that is loaded when the MCP server of this window is switched on, or with its commands (V6). */
import * as vscode from "vscode";
import { DisposableStore } from "../../base/disposable";
import { systemClock } from "../../base/async/systemClock";
import { AgentQuestions } from "./agentQuestions";
import { McpCalls } from "../mcp/mcpCalls";
import { notifyMoved, registerMcpCommands } from "./mcpCommands";
import type { McpDefinitions } from "./registerAgents";
import { McpWindow } from "./mcpWindow";
import type { AgentsPart } from "./mountAgents";
import type { TasksPart } from "../../tasks/host/mountTasks";

export async function mountMcp(
  { secrets, workspaceState, extension, subscriptions }: vscode.ExtensionContext,
  { log, services: { settings }, dialogs }: TasksPart,
  { tasks, mcpTools }: AgentsPart,
): Promise<McpDefinitions> {
  const { version } = extension.packageJSON as { readonly version: string };
  const mounted = new DisposableStore();
  subscriptions.push(mounted);
  const questions = mounted.add(
    new AgentQuestions(
      (id, run) => dialogs.register(id, run),
      () => calls.silence(),
    ),
  );
  const calls = new McpCalls(tasks, (...asked) => questions.ask(...asked), systemClock);
  const server = mounted.add(
    new McpWindow({
      secrets,
      workspaceState,
      log,
      version,
      clock: systemClock,
      tools: () => mcpTools,
      call: (call, signal) => calls.call(call, signal),
      isOn: () => settings.mcpEnabled.current && vscode.workspace.isTrusted,
      onMoved: () => void notifyMoved(),
    }),
  );
  // A failure is in the log, and each change tries again.
  const follow = (): Promise<void> => server.follow().catch(() => undefined);
  mounted.add(settings.mcpEnabled.onDidChange(() => void follow()));
  mounted.add(vscode.workspace.onDidGrantWorkspaceTrust(() => void follow()));
  mounted.add(
    registerMcpCommands({
      dialogs,
      settings,
      start: () => server.follow(),
      current: () => server.current,
      renewToken: () => server.renewToken(),
      allowQuestions: () => calls.allowQuestions(),
    }),
  );
  await follow();
  return {
    onChange: (listener) => void mounted.add(server.onDidChange(listener)),
    get definition() {
      const url = server.current?.url;
      if (url === undefined) return undefined;
      return new vscode.McpHttpServerDefinition("Sluice", vscode.Uri.parse(url), {}, version);
    },
    resolve(definition) {
      definition.headers = { Authorization: `Bearer ${server.current?.token}` };
      return definition;
    },
  };
}

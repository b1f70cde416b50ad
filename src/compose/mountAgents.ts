/** The part that is loaded with the first call of a tool for tasks from outside of the chat, or with the MCP server. */
import * as vscode from "vscode";
import { createTaskTools } from "../tools/tasks/taskTools";
import { agentToolNames } from "../vscode/agents/agentToolNames";
import { AgentTasks } from "../vscode/agents/agentTasks";
import { mcpToolsOf } from "../vscode/agents/mcpCalls";
import { VscodeTools } from "../vscode/agents/vscodeTools";
import { createWorkspaceFiles } from "../vscode/workspace/workspaceFiles";
import type { McpTool } from "../domain/tools/mcpTool";
import type { TasksPart } from "./mountTasks";

export interface AgentsPart {
  readonly tasks: AgentTasks;
  readonly tools: VscodeTools;
  readonly mcpTools: readonly McpTool[];
}

export async function mountAgents({ app, connections, scaler }: TasksPart): Promise<AgentsPart> {
  const tools = createTaskTools(createWorkspaceFiles(), await app.openTaskPort(), agentToolNames, scaler.scale);
  const tasks = new AgentTasks({ tools, connections, hasTrust: () => vscode.workspace.isTrusted });
  return { tasks, tools: new VscodeTools(tasks), mcpTools: mcpToolsOf(tools) };
}

/** The part that is loaded with the first call of a tool for tasks from outside of the chat, or with the MCP server. */
import * as vscode from "vscode";
import { createTaskTools } from "../../tools/tasks/taskTools";
import { agentToolNames } from "../tasks/agentToolNames";
import { AgentTasks } from "../tasks/agentTasks";
import { mcpToolsOf } from "../mcp/mcpCalls";
import { VscodeTools } from "./vscodeTools";
import { pageScaler } from "../../tools/base/pageScaler";
import { createWorkspaceFiles } from "../../tools/host/workspaceFiles";
import type { McpTool } from "../../domain/tools/mcpTool";
import type { TaskPort } from "../../domain/task/taskPort";
import type { TasksPart } from "../../tasks/host/mountTasks";

export interface AgentsPart {
  readonly tasks: AgentTasks;
  readonly tools: VscodeTools;
  readonly mcpTools: readonly McpTool[];
  readonly orders: Pick<TaskPort, "ordered" | "knowsAll">;
}

export async function mountAgents({ app, connections }: TasksPart): Promise<AgentsPart> {
  const port = await app.openTaskPort();
  const tools = createTaskTools(createWorkspaceFiles(), port, agentToolNames, pageScaler.scale);
  const tasks = new AgentTasks({ tools, connections, hasTrust: () => vscode.workspace.isTrusted });
  return { tasks, tools: new VscodeTools(tasks), mcpTools: mcpToolsOf(tools), orders: port };
}

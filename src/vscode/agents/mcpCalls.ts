/** Calls over MCP (V6): each that would submit or cancel waits for the person's yes in the window, for as long as its client waits. */
import type { McpCall, McpResult, McpTool } from "../../domain/tools/mcpTool";
import { ToolRefusal, type Tool } from "../../domain/tools/tool";
import type { TaskQuestion } from "../../tasks/view/taskQuestion";
import { type AgentToolName, agentToolNames } from "./agentToolNames";
import type { AgentTasks } from "./agentTasks";

/** Asks the person. `client`: what the program calls itself. Rejects with an abort. */
export type AskForClient = (question: () => TaskQuestion, client: string, signal: AbortSignal) => Promise<boolean>;

/** Questions that wait at once. */
const maxWaiting = 8;

export function createMcpCalls(
  tasks: Pick<AgentTasks, "prepare">,
  ask: AskForClient,
): (call: McpCall, signal: AbortSignal) => Promise<McpResult> {
  let waiting = 0;
  const isAllowed: AskForClient = async (question, client, signal) => {
    if (waiting === maxWaiting)
      throw new ToolRefusal(`${maxWaiting} questions wait for the person already. Wait for these.`);
    waiting += 1;
    try {
      return await ask(question, client, signal);
    } finally {
      waiting -= 1;
    }
  };
  return async ({ name, input, client }, signal) => {
    try {
      const call = await tasks.prepare(name, input, signal);
      if (call.question && !(await isAllowed(call.question, client, signal))) {
        return {
          text: "The person said no: nothing was done. Don't ask again unless they tell you to.",
          isError: true,
        };
      }
      signal.throwIfAborted();
      return { text: await call.run(signal), isError: false };
    } catch (error) {
      if (!(error instanceof ToolRefusal)) throw error;
      return { text: error.message, isError: true };
    }
  };
}

export function mcpToolsOf(tools: readonly Tool[]): readonly McpTool[] {
  return tools.map(({ declaration: { name, description, parameters } }) => {
    const isReadOnly = name === agentToolNames.get || name === agentToolNames.list;
    return {
      name,
      title: titles[name] ?? name,
      description,
      inputSchema: parameters,
      annotations: {
        readOnlyHint: isReadOnly,
        destructiveHint: name === agentToolNames.cancel,
        idempotentHint: name !== agentToolNames.submit,
        // The gateway is beyond this machine.
        openWorldHint: !isReadOnly,
      },
    };
  });
}

/** English, as everything for models. */
const titles: Readonly<Record<string, string>> = {
  [agentToolNames.submit]: "Submit a paid image or video task",
  [agentToolNames.get]: "Get a task",
  [agentToolNames.cancel]: "Cancel a task",
  [agentToolNames.list]: "List tasks",
} satisfies Readonly<Record<AgentToolName, string>>;

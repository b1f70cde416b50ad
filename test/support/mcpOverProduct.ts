/** The MCP server over the whole product without VS Code: a test answers in the person's place. */
import { fileURLToPath } from "node:url";
import { AgentTasks } from "../../src/agents/tasks/agentTasks";
import { agentToolNames } from "../../src/agents/tasks/agentToolNames";
import { type AskForClient, McpCalls, mcpToolsOf } from "../../src/agents/mcp/mcpCalls";
import { McpServer } from "../../src/agents/mcp/mcpServer";
import { McpTasks } from "../../src/agents/mcp/mcpTasks";
import { abortable } from "../../src/base/async/abort";
import { systemClock } from "../../src/base/async/systemClock";
import { Emitter } from "../../src/base/event";
import type { Connections } from "../../src/domain/ports";
import type { TaskPort } from "../../src/domain/task/taskPort";
import { placeFile } from "../../src/tasks/results/placeFile";
import { type ProjectFiles, ResultPlacer } from "../../src/tasks/results/resultPlacer";
import type { TaskQuestion } from "../../src/tasks/view/taskQuestion";
import { createTaskTools } from "../../src/tools/tasks/taskTools";
import { type AppOverGateway, openAppOverGateway } from "./appOverGateway";
import { keptLog } from "./builders";
import type { App } from "./createApp";
import { createDiskWorkspace } from "./diskWorkspace";
import { createFastClock } from "./fastClock";
import { createMovedClock, type MovedClock } from "./movedClock";
import { plainAppOptions } from "./plainOptions";

export interface Asked {
  readonly question: TaskQuestion;
  /** The question as it reads when it is shown later. */
  readonly askedLate: () => TaskQuestion;
  readonly client: string;
  readonly signal: AbortSignal;
  readonly answer: (allowed: boolean) => void;
}

/** The person, as the test has set them up at that moment. */
export interface PersonOfTest {
  readonly hasTrust: boolean;
  /** Tasks a day; 0 for no cap. */
  readonly cap: number;
  readonly onQuestion: (asked: Asked) => void;
}

export interface McpOverApp {
  readonly server: McpServer;
  readonly taskPort: TaskPort;
  /** The clock of the server's own waits. */
  readonly clock: MovedClock;
  readonly calls: McpCalls;
  close(): Promise<void>;
}

export interface McpOverProduct extends McpOverApp {
  readonly over: AppOverGateway;
}

export async function openMcpOverProduct(token: string, person: () => PersonOfTest): Promise<McpOverProduct> {
  // The first read of a task is due after seconds. Limits for work that takes real time, such as a thumbnail and the wait for a task, are longer: a
  // twentieth of them would be over before a busy machine has done it.
  const fast = createFastClock(Date.now(), 20, 4000);
  const over = await openAppOverGateway({
    ...{ inside: "work", speed: 1000, fetchUpTo: 50_000_000, clock: fast, pollClock: fast },
    // On a fast clock a read that the machine delays makes the next one look hasty, and several are under way when a task ends.
    provokes: ["polled-too-fast", "read-after-end"],
    tasksPerDay: () => person().cap,
  });
  const { app, connections, root } = over;
  const mcp = await openMcpOverApp(app, { connections, root, token, person });
  return {
    ...{ ...mcp, over },
    async close() {
      await mcp.close();
      await over.close();
    },
  };
}

interface McpOptions {
  readonly connections: Connections;
  /** The root of the workspace. */
  readonly root: string;
  readonly token: string;
  readonly person: () => PersonOfTest;
  /** 0: any. */
  readonly port?: number;
}

export async function openMcpOverApp(
  app: App,
  { connections, root, token, person, port = 0 }: McpOptions,
): Promise<McpOverApp> {
  const taskPort = await app.openTaskPort();
  const tools = createTaskTools(createDiskWorkspace(root), taskPort, agentToolNames, plainAppOptions.scaleImage);
  const tasks = new AgentTasks({ tools, connections, hasTrust: () => person().hasTrust });
  const ask: AskForClient = (question, client, signal) =>
    abortable(
      new Promise<boolean>((answer) => {
        person().onQuestion({ question: question(), askedLate: question, client, signal, answer });
      }),
      signal,
    );
  const clock = createMovedClock();
  const calls = new McpCalls(tasks, ask, clock);
  const server = await McpServer.start({
    ...{ version: "1", clock, tools: () => mcpToolsOf(tools) },
    call: (call, signal) => calls.call(call, signal),
    tasks: new McpTasks({ calls, orders: taskPort, token: () => token, clock: systemClock }),
    ...{ token: () => token, port },
  });
  const placer = new ResultPlacer({
    board: app.board,
    project: projectIn(root),
    clock: systemClock,
    log: keptLog(),
    saveResult: (id) => app.saveResult(id),
  });
  void placer.run();
  return {
    ...{ server, taskPort, clock, calls },
    async close() {
      await placer.close();
      await server.close();
    },
  };
}

function projectIn(folder: string): ProjectFiles {
  return {
    holds: (file) => fileURLToPath(file).startsWith(folder),
    onDidChangeFolders: new Emitter<void>().event,
    makeExact: () => Promise.reject(new Error("Nothing is converted here.")),
    removeCopy: () => Promise.resolve(false),
    place: (source, file, { replaces }) => placeFile(source, fileURLToPath(file), { root: folder, replaces }),
    correctReferences: () => Promise.resolve(),
  };
}

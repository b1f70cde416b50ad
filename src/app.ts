/** The product without VS Code: everything from outside is a port, so the tests run all of it against the local gateway. */
import { abortable } from "./base/abort";
import type { Clock } from "./base/clock";
import { type Disposable, DisposableStore } from "./base/disposable";
import { Store } from "./base/store";
import { ModelCatalog, type ModelPorts } from "./models/modelCatalog";
import { ChatSession } from "./chat/session";
import type { Attention, Connections, Log } from "./domain/ports";
import type { Workspace } from "./domain/workspace";
import { TaskBoard } from "./tasks/board";
import { cancelTask, type CancelOutcome } from "./tasks/cancel";
import { loadEvents } from "./tasks/events";
import { retryUnwritten } from "./tasks/retryUnwritten";
import { Outbox } from "./tasks/outbox";
import { TaskPoller } from "./tasks/poller";
import { saveResult } from "./tasks/results";
import type { OpenTaskStore } from "./tasks/store/taskStore";
import { workspaceTools } from "./tools/index";

export interface AppPorts {
  readonly connections: Connections;
  readonly workspace: Workspace;
  readonly attention: Attention;
  readonly clock: Clock;
  /** 0 to 1. */
  readonly random: () => number;
  readonly log: Log;
  readonly modelMemory: ModelPorts["memory"];
  /** The setting `sluice.models`. */
  readonly configuredModels: ModelPorts["configured"];
  readonly storage: {
    readonly openTasks: OpenTaskStore;
    /** A folder on this machine. */
    readonly results: string;
  };
}

export interface App extends Disposable {
  readonly board: TaskBoard;
  readonly outbox: Outbox;
  readonly poller: TaskPoller;
  readonly models: ModelCatalog;
  /** The chat that is shown. */
  readonly session: Store<ChatSession>;
  cancel(id: string, reason: string): Promise<CancelOutcome>;
  /** The path of a task's result on this machine. */
  saveResult(id: string, signal?: AbortSignal): Promise<string>;
  /** Reads a task's events anew. Never rejects: without an answer, what was known stays. */
  loadEvents(id: string): Promise<void>;
  startChat(): void;
  /** Ends the loops and finishes what is being written. */
  close(): Promise<void>;
}

/** Opens the task store and starts the poller. Without the store the chat works all the same, and the board says why it is empty. */
export async function createApp(ports: AppPorts): Promise<App> {
  const { connections, workspace, attention, clock, random, log, modelMemory, configuredModels, storage } = ports;
  const registrations = new DisposableStore();
  const board = await TaskBoard.open({ openStore: storage.openTasks, clock });
  if (board.unreadable > 0) log.warn("Some tasks on disk could not be read.", { count: board.unreadable });
  const models = registrations.add(
    new ModelCatalog({ connections, log, memory: modelMemory, configured: configuredModels }),
  );
  const poller = registrations.add(new TaskPoller({ board, connections, attention, clock, random, log }));
  const polling = poller.run();
  // Another window may have been at work meanwhile.
  registrations.add(attention.onDidChange((focused) => void (focused && board.learn())));
  const ended = new AbortController();
  const rewriting = retryUnwritten(board, clock, ended.signal);
  const tools = workspaceTools(workspace);
  const createSession = (): ChatSession =>
    new ChatSession({
      connections,
      clock,
      log,
      async model(signal) {
        await connections.ready(signal);
        await abortable(models.settled(), signal);
        return models.models.current.chat;
      },
      tools: () => (workspace.roots().length > 0 && models.models.current.chat?.tools !== false ? tools : []),
      learnWithoutTools: (model) => models.learnWithoutTools(model),
    });
  const session = new Store(createSession());
  const dispose = (): void => {
    session.current.stop();
    registrations.dispose();
    ended.abort();
  };
  return {
    board,
    outbox: new Outbox({ board, connections, clock, log }),
    poller,
    models,
    session,
    cancel: (id, reason) => cancelTask({ board, connections, clock }, id, reason),
    saveResult: (id, signal) => saveResult({ board, connections, clock, folder: storage.results }, id, signal),
    loadEvents: (id) => loadEvents({ board, connections, clock, log }, id),
    startChat() {
      session.current.stop();
      session.set(createSession());
    },
    dispose,
    async close() {
      dispose();
      await polling;
      await rewriting;
      await board.close();
    },
  };
}

/** The product without VS Code: everything from outside is a port, so the tests run all of it against the local gateway. */
import { abortable } from "./base/abort";
import type { Clock } from "./base/clock";
import { definedFields } from "./base/definedFields";
import { type Disposable, DisposableStore } from "./base/disposable";
import { Store } from "./base/store";
import { ModelCatalog, type ModelPorts } from "./models/modelCatalog";
import type { ChatSession } from "./chat/session";
import type { ChildProcesses } from "./domain/childProcesses";
import { GatewayFailure } from "./domain/errors";
import type { Attention, Connections, Log } from "./domain/ports";
import type { CancelOutcome, TaskPort } from "./domain/taskPort";
import type { Workspace } from "./domain/workspace";
import { TaskBoard, type TaskBoardPorts } from "./tasks/board";
import { cancelTask } from "./tasks/cancel";
import { loadEvents } from "./tasks/events";
import { retryUnwritten } from "./tasks/retryUnwritten";
import { Outbox } from "./tasks/outbox";
import { TaskPoller } from "./tasks/poller";
import { saveResult } from "./tasks/results";
import type { OpenTaskStore } from "./tasks/store/taskStore";

export interface AppPorts {
  readonly connections: Connections;
  readonly workspace: Workspace;
  readonly processes: ChildProcesses;
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
    readonly readTasksEarly?: TaskBoardPorts["readEarly"];
    /** A folder on this machine. */
    readonly results: string;
  };
}

export interface App extends Disposable {
  readonly board: TaskBoard;
  readonly outbox: Outbox;
  /** Created, not started: of all windows one runs it. */
  readonly poller: TaskPoller;
  readonly models: ModelCatalog;
  /** The chat that is shown. The code of chats and tools is loaded with the first call. */
  openChat(): Promise<Store<ChatSession>>;
  cancel(id: string, reason: string): Promise<CancelOutcome>;
  /** The path of a task's result on this machine. */
  saveResult(id: string, signal?: AbortSignal): Promise<string>;
  /** Reads a task's events again. Never rejects: without a response, the known events stay. */
  loadEvents(id: string): Promise<void>;
  startChat(): void;
  /** Ends the loops and finishes what is being written. */
  close(): Promise<void>;
}

interface LoadedChat {
  readonly session: Store<ChatSession>;
  readonly createSession: () => ChatSession;
}

/** Opens the task store. Without it the chat works all the same, and the board says why it is empty. */
export async function createApp(ports: AppPorts): Promise<App> {
  const { connections, workspace, processes, attention, clock, random, log } = ports;
  const { modelMemory, configuredModels, storage } = ports;
  const registrations = new DisposableStore();
  const board = await TaskBoard.open({
    openStore: storage.openTasks,
    ...definedFields({ readEarly: storage.readTasksEarly }),
    clock,
  });
  if (board.unreadable > 0) log.warn("Some tasks on disk could not be read.", { count: board.unreadable });
  const models = registrations.add(
    new ModelCatalog({ connections, log, memory: modelMemory, configured: configuredModels }),
  );
  const poller = registrations.add(new TaskPoller({ board, connections, attention, clock, random, log }));
  // The change feed may have slept with the machine.
  registrations.add(attention.onDidChange((focused) => void (focused && board.learn())));
  const ended = new AbortController();
  const rewriting = retryUnwritten(board, clock, ended.signal);
  const outbox = new Outbox({ board, connections, clock, log });
  const cancel = (id: string, reason: string): Promise<CancelOutcome> =>
    cancelTask({ board, connections, clock }, id, reason);
  const loadChat = async (): Promise<LoadedChat> => {
    const [{ ChatSession }, { createTools }] = await Promise.all([import("./chat/session"), import("./tools/tools")]);
    const tools = createTools({ workspace, tasks: createTaskPort(board, outbox, cancel), processes });
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
    return (chat = { session: new Store(createSession()), createSession });
  };
  let loading: Promise<LoadedChat> | undefined;
  let chat: LoadedChat | undefined;
  const dispose = (): void => {
    chat?.session.current.stop();
    registrations.dispose();
    ended.abort();
  };
  return {
    board,
    outbox,
    poller,
    models,
    openChat: async () => (await (loading ??= loadChat())).session,
    cancel,
    saveResult: (id, signal) => saveResult({ board, connections, clock, folder: storage.results }, id, signal),
    loadEvents: (id) => loadEvents({ board, connections, clock, log }, id),
    startChat() {
      chat?.session.current.stop();
      chat?.session.set(chat.createSession());
    },
    dispose,
    async close() {
      dispose();
      await poller.close();
      await rewriting;
      await board.close();
    },
  };
}

/** What the tools may do with tasks. */
export function createTaskPort(board: TaskBoard, outbox: Outbox, cancel: TaskPort["cancel"]): TaskPort {
  return {
    async submit(request) {
      const [id = ""] = await outbox.submit([request]);
      const task = board.tasks.get(id);
      if (task === undefined) throw new GatewayFailure(removedMeanwhile);
      return task;
    },
    get: (id) => board.tasks.get(id),
    list: () => [...board.tasks.values()],
    cancel,
  };
}

/** A person may remove the row of a task that was not accepted. */
const removedMeanwhile = { kind: "not-found", message: "The task was removed from the list.", notSent: true } as const;

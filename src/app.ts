/** The product without VS Code: everything from outside is a port, so the tests run all of it against the local gateway. */
import { abortable } from "./base/abort";
import type { MonotonicClock } from "./base/clock";
import { definedFields } from "./base/definedFields";
import { type Disposable, DisposableStore } from "./base/disposable";
import { once } from "./base/once";
import { ModelCatalog, type ModelPorts } from "./models/modelCatalog";
import type { GrantRules } from "./chat/guard/grantRules";
import type { ChangeLedgers } from "./chat/ledger/changeLedgers";
import type { ChatSessions, ChatSessionsPorts } from "./chat/sessions/chatSessions";
import type { SessionFolder } from "./chat/sessions/sessionFolder";
import type { ChildProcesses } from "./domain/childProcesses";
import type { EditorPort } from "./domain/editorPort";
import type { ForeignToolPort } from "./domain/foreignToolPort";
import type { Attention, Connections, Log } from "./domain/ports";
import type { TaskHome } from "./domain/task";
import type { CancelOutcome } from "./domain/taskPort";
import type { Terminals } from "./domain/terminalPort";
import type { Tool } from "./domain/tool";
import type { Workspace } from "./domain/workspace";
import { TaskBoard } from "./tasks/board";
import type { TaskBoardPorts } from "./tasks/boardPorts";
import { TaskCancels } from "./tasks/cancel";
import { loadEvents } from "./tasks/events";
import { retryUnwritten } from "./tasks/retryUnwritten";
import { Outbox } from "./tasks/outbox";
import { TaskPoller } from "./tasks/poller";
import type { TaskPortParts } from "./tasks/portForTools";
import type { ConfirmAttachment, ListProblems } from "./tools/attachFiles";
import { createResults, type LazyResults } from "./tasks/results/lazyResults";
import type { PersonsRequest } from "./tasks/results/resultDownloads";
import { ResultFetcher } from "./tasks/results/resultFetcher";
import type { OpenTaskStore } from "./tasks/store/taskStore";

export interface AppPorts {
  readonly connections: Connections;
  readonly workspace: Workspace;
  readonly processes: ChildProcesses;
  /** Without them a running command can't be moved to one. */
  readonly terminals?: Terminals;
  /** The bundle of `searchProgram.ts`. */
  readonly searchProgram: string;
  /** What the tools ask of the editor; loaded with them. */
  readonly loadEditor: () => Promise<EditorPort>;
  /** The tools of others that the person has switched on. */
  readonly loadForeignTools?: () => Promise<ForeignToolPort>;
  /** Asks before an attached file goes to the model that may hold a secret. Without it such a file is not sent. */
  readonly confirmAttachment?: ConfirmAttachment;
  /** What the editor says of a file, or of the workspace. */
  readonly listProblems?: ListProblems;
  readonly attention: Attention;
  readonly clock: MonotonicClock;
  /** 0 to 1. */
  readonly random: () => number;
  readonly log: Log;
  readonly modelMemory: ModelPorts["memory"];
  /** The settings `sluice.caps.tasksPerDay`, `sluice.caps.tokensPerChat` and `sluice.summarizeChats`. */
  readonly tasksPerDay?: () => number;
  readonly tokensPerChat?: () => number;
  readonly summarizes?: () => boolean;
  /** The setting `sluice.results.fetchUpTo` in bytes. */
  readonly fetchResultsUpTo: () => number;
  /** The setting `sluice.models`. */
  readonly configuredModels: ModelPorts["configured"];
  readonly storage: {
    readonly openTasks: OpenTaskStore;
    readonly readTasksEarly?: TaskBoardPorts["readEarly"];
    /** Folders on this machine. */
    readonly results: string;
    readonly chats: string;
    readonly rules: string;
  };
  readonly shownChat: ChatSessionsPorts["shownMemory"];
}

export interface App extends Disposable {
  readonly board: TaskBoard;
  readonly outbox: Outbox;
  /** Created, not started. Of all windows that run it one polls, and the others follow. */
  readonly poller: TaskPoller;
  /** Created, not started: the window that polls runs it. */
  readonly fetcher: ResultFetcher;
  readonly models: ModelCatalog;
  /** The chats of this window. The code of chats and tools is loaded with the first call. */
  openChats(): Promise<ChatSessions>;
  /** What runs without a question in this window. */
  openRules(): Promise<GrantRules>;
  /** The changes of files by tools, by chat; loaded with the chats. */
  openLedgers(): Promise<ChangeLedgers>;
  cancel(id: string, reason: string): Promise<CancelOutcome>;
  /** Ends the running command of that id, which its call has reported, and opens a terminal for it. Nothing happens once it has ended. */
  moveCommand(id: string): void;
  /** The path of a task's result on this machine; downloads it unless it is there. Rejects with a `GatewayFailure` or an `AbortError`. */
  saveResult(id: string, request?: PersonsRequest): Promise<string>;
  /** Reads a task's events again. Never rejects: without a response, the known events stay. */
  loadEvents(id: string): Promise<void>;
  /** Ends the loops and finishes what is being written. */
  close(): Promise<void>;
}

/** Opens the task store. When that fails the board is empty and holds the error; the chat does not depend on it. */
export async function createApp(ports: AppPorts): Promise<App> {
  const { connections, attention, clock, random, log } = ports;
  const { modelMemory, configuredModels, storage } = ports;
  const registrations = new DisposableStore();
  const board = await TaskBoard.open({
    openStore: storage.openTasks,
    ...definedFields({ readEarly: storage.readTasksEarly }),
    clock,
  });
  const { unreadable } = board.file.current;
  if (unreadable > 0) log.warn("Some tasks on disk could not be read.", { count: unreadable });
  const models = registrations.add(
    new ModelCatalog({ connections, log, memory: modelMemory, configured: configuredModels }),
  );
  const poller = registrations.add(new TaskPoller({ board, connections, attention, clock, random, log }));
  // The change feed may have slept with the machine.
  registrations.add(attention.onDidChange((focused) => void (focused && board.learn())));
  const ended = new AbortController();
  const rewriting = retryUnwritten(board, clock, ended.signal);
  const { outbox, cancel, results, fetcher, readEvents } = createTaskParts(ports, board, poller, ended.signal);
  registrations.add(fetcher);
  const tasks = { board, outbox, cancel, clock, connections };
  let chats: ChatSessions | undefined;
  const moves = new Map<string, () => void>();
  const openRules = once(async () => {
    const { openGrantRules } = await import("./chat/guard/ruleFiles");
    return openGrantRules(storage.rules, ports.workspace, clock);
  });
  const load = once(async () => {
    const loaded = await loadChats(ports, models, tasks, moves, await openRules());
    chats = loaded.chats;
    return loaded;
  });
  const dispose = (): void => {
    chats?.dispose();
    registrations.dispose();
    results.dispose();
    ended.abort();
  };
  return {
    board,
    outbox,
    poller,
    fetcher,
    models,
    openChats: async () => (await load()).chats,
    openLedgers: async () => (await load()).ledgers,
    openRules,
    cancel,
    moveCommand: (id) => moves.get(id)?.(),
    saveResult: results.save,
    loadEvents: readEvents,
    dispose,
    async close() {
      dispose();
      await Promise.all([poller.close(), results.close(), chats?.close()]);
      await rewriting;
      await board.close();
    },
  };
}

interface TaskParts {
  readonly outbox: Outbox;
  readonly cancel: App["cancel"];
  readonly results: LazyResults;
  readonly fetcher: ResultFetcher;
  readonly readEvents: App["loadEvents"];
}

/** What sends requests about tasks: all of it within the account's budget, which the poller holds. */
function createTaskParts(ports: AppPorts, board: TaskBoard, poller: TaskPoller, ended: AbortSignal): TaskParts {
  const { clock, log, storage, tasksPerDay, fetchResultsUpTo: fetchUpTo } = ports;
  const { connections, paces, turn } = poller;
  const shared = { board, connections, clock, log };
  const untilUnpaused = (home: TaskHome): Promise<void> => paces.of(home).forPauseEnd(ended);
  const cancels = new TaskCancels(shared);
  const results = createResults({ ...shared, folder: storage.results });
  return {
    outbox: new Outbox({ ...shared, untilUnpaused, ...definedFields({ tasksPerDay }) }),
    cancel: (id, reason) => cancels.cancel(id, reason),
    results,
    fetcher: new ResultFetcher({ ...shared, turn, fetchUpTo, fetch: results.fetchUnasked }),
    readEvents: (id) => loadEvents(shared, id),
  };
}

interface LoadedChats {
  readonly chats: ChatSessions;
  readonly ledgers: ChangeLedgers;
}

/** Imports the code of chats and tools, and opens the chat that this window shows. */
async function loadChats(
  ports: AppPorts,
  models: ModelCatalog,
  parts: TaskPortParts,
  moves: Map<string, () => void>,
  rules: GrantRules,
): Promise<LoadedChats> {
  const { connections, workspace, clock, log, shownChat, storage: paths } = ports;
  const [{ ChatSession }, { ChatSessions }, { SessionFolder }, { attachFiles }, { ImageFolder }, { filePolicy }] =
    await Promise.all([
      import("./chat/session"),
      import("./chat/sessions/chatSessions"),
      import("./chat/sessions/sessionFolder"),
      import("./tools/attachFiles"),
      import("./chat/sessions/imageFolder"),
      import("./tools/gate/filePolicy"),
    ]);
  const { confirmAttachment = () => Promise.resolve(false) } = ports;
  const tools = await loadTools(ports, parts, moves);
  const images = ImageFolder.beside(paths.chats);
  const folder = new SessionFolder(paths.chats);
  const ledgers = await loadLedgers(ports, folder);
  const chats = await ChatSessions.open({
    folder,
    clock,
    log,
    shownMemory: shownChat,
    workspace: () => workspace.roots()[0]?.path,
    createSession: (stored, storage) =>
      new ChatSession(
        {
          connections,
          clock,
          log,
          storage,
          model: (signal) => connections.ready(signal).then(() => abortable(models.chatModel(), signal)),
          tools: () => (models.models.current.chat?.tools === false ? [] : tools()),
          attach: (references, signal) =>
            attachFiles(workspace, references, confirmAttachment, signal, ports.listProblems),
          readImage: (id) => images.read(id),
          guard: { rules, files: filePolicy, log },
          learnWithoutTools: (model) => models.learnWithoutTools(model),
          ...definedFields({ tokensPerChat: ports.tokensPerChat, summarizes: ports.summarizes }),
          filesOf: (answer, call, allowed) => ledgers.changesOf(stored.id, { type: "call", answer, call, allowed }),
        },
        stored,
      ),
  });
  return { chats, ledgers };
}

async function loadTools(
  ports: AppPorts,
  parts: TaskPortParts,
  moves: Map<string, () => void>,
): Promise<() => readonly Tool[]> {
  const { workspace, processes, terminals, searchProgram, clock } = ports;
  const [{ createTools }, { ParallelSearch }, { createTaskPort }, { createForeignTools }] = await Promise.all([
    import("./tools/tools"),
    import("./tools/search/parallelSearch"),
    import("./tasks/portForTools"),
    import("./tools/foreignTools"),
  ]);
  const tasks = createTaskPort(parts);
  const search = new ParallelSearch(searchProgram);
  const [editor, foreign] = await Promise.all([ports.loadEditor(), ports.loadForeignTools?.()]);
  const files = { workspace, tasks, processes, search, editor, clock, moves, ...definedFields({ terminals }) };
  const own = createTools(files);
  const ofOthers = foreign && createForeignTools(foreign, new Set(own.map(({ declaration }) => declaration.name)));
  return () => [...(workspace.roots().length > 0 ? own : []), ...(ofOthers?.() ?? [])];
}

/** Imports the undo ledger, and takes what nothing needs any more off the disk meanwhile. */
async function loadLedgers(ports: AppPorts, folder: SessionFolder): Promise<ChangeLedgers> {
  const { workspace, clock, log, storage } = ports;
  const [{ ChangeLedgers }, { LedgerFolder }] = await Promise.all([
    import("./chat/ledger/changeLedgers"),
    import("./chat/ledger/ledgerFolder"),
  ]);
  const kept = LedgerFolder.beside(storage.chats);
  void kept
    .collect((chat) => folder.has(chat), clock.now())
    .catch((error: unknown) => log.warn("Old changes could not be removed.", { message: String(error) }));
  return new ChangeLedgers({ storeOf: (chat) => kept.storeOf(chat), workspace, clock, log });
}

/** The product without VS Code: everything from outside is a port, so the tests run all of it against the local gateway. */
import { type Disposable, DisposableStore } from "../base/disposable";
import { once, onceNow } from "../base/async/once";
import type { AppChatPorts, LoadedChats } from "./appChats";
import { ModelCatalog, type ModelPorts } from "../models/modelCatalog";
import type { GrantRules } from "../chat/guard/grantRules";
import type { ChangeLedgers } from "../chat/ledger/changeLedgers";
import type { ChatSessions } from "../chat/sessions/chatSessions";
import type { Attention, Model } from "../domain/ports";
import type { CancelOutcome, TaskPort } from "../domain/task/taskPort";
import type { DocumentsRead, DocumentsToRead } from "../tools/search/readDocuments";
import type { BackgroundProcesses } from "../tools/command/backgroundProcesses";
import type { SandboxState } from "../domain/tools/sandbox";
import type { WorkspaceRoot } from "../domain/tools/workspace";
import { type AvailabilityPorts, TaskTypeAvailability } from "../tasks/submit/availability";
import { TaskBoard } from "../tasks/board/board";
import type { TaskBoardPorts } from "../tasks/board/boardPorts";
import { checkTask } from "../tasks/polling/checkTask";
import { loadEvents } from "../tasks/polling/events";
import { retryUnwritten } from "../tasks/board/retryUnwritten";
import type { Outbox } from "../tasks/submit/outbox";
import type { TaskPortParts } from "../tasks/submit/portForTools";
import { TaskPoller } from "../tasks/polling/poller";
import { createLazyResults, type LazyResults } from "../tasks/results/lazyResults";
import type { PersonsRequest } from "../tasks/results/resultDownloads";
import { pictureOf } from "../tasks/results/pictureOf";
import type { ProjectFiles } from "../tasks/results/resultPlacer";
import { ResultFetcher } from "../tasks/results/resultFetcher";
import type { OpenTaskStore } from "../tasks/store/taskStore";

export interface AppPorts extends AppChatPorts {
  readonly attention: Attention;
  /** 0 to 1. */
  readonly random: () => number;
  readonly modelMemory: ModelPorts["memory"];
  readonly availabilityMemory: AvailabilityPorts["memory"];
  /** Copies a result into the project. */
  readonly placeResult: ProjectFiles["place"];
  /** The newest tasks before the store is open. */
  readonly readTasksEarly: TaskBoardPorts["readEarly"];
  /** The setting `sluice.caps.tasksPerDay`. */
  readonly tasksPerDay: () => number;
  /** The setting `sluice.caps.moneyPerDay`. */
  readonly moneyPerDay: () => number;
  /** The setting `sluice.references.maxMegabytes` in bytes. */
  readonly referenceLimit: () => number;
  /** The setting `sluice.results.fetchUpTo` in bytes. */
  readonly fetchResultsUpTo: () => number;
  /** Bytes that the disk of a folder has left; `undefined` where that is not known. */
  readonly freeSpace: (folder: string) => Promise<number | undefined>;
  /** The setting `sluice.models`. */
  readonly configuredModels: ModelPorts["configured"];
  readonly storage: AppChatPorts["storage"] & {
    readonly openTasks: OpenTaskStore;
    /** A folder on this machine. */
    readonly results: string;
  };
}

export interface App extends Disposable {
  readonly board: TaskBoard;
  /** Created, not started. Of all windows that run it one polls, and the others follow. */
  readonly poller: TaskPoller;
  /** Created, not started: the window that polls runs it. */
  readonly fetcher: ResultFetcher;
  readonly models: ModelCatalog;
  /** Which task types the gateways' accounts may use. Reads all tasks with the first call. */
  availability(): TaskTypeAvailability;
  /** What submits tasks; loaded with the first call. */
  openOutbox(): Promise<Outbox>;
  /** The tasks as tools may use them; loaded with the first call. */
  openTaskPort(): Promise<TaskPort>;
  /** The chats of this window. The code of chats and tools is loaded with the first call. */
  openChats(): Promise<ChatSessions>;
  /** What runs without a question in this window. */
  openRules(): Promise<GrantRules>;
  /** The commands of the model that run in the background; loaded with the chats. */
  openBackground(): Promise<BackgroundProcesses>;
  /** Whether commands of the model run in a sandbox here. */
  sandbox(): Promise<SandboxState>;
  /** The changes of files by tools, by chat; loaded with the chats. */
  openLedgers(): Promise<ChangeLedgers>;
  /** Reads the text files below these folders; see `readDocuments`. Loads the code of the tools. */
  readDocuments(roots: readonly WorkspaceRoot[], request: DocumentsToRead): Promise<DocumentsRead>;
  cancel(id: string, reason: string): Promise<CancelOutcome>;
  /** Ends the running command of that id, which its call has reported, and opens a terminal for it. Nothing happens once it has ended. */
  moveCommand(id: string): void;
  /** The path of a task's result on this machine; downloads it unless it is there. Rejects with an `AppFailure` or an `AbortError`. */
  saveResult(id: string, request?: PersonsRequest): Promise<string>;
  /** Reads a task now. Rejects with an `AppFailure` or an `AbortError`. */
  checkTask(id: string, signal?: AbortSignal): Promise<void>;
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
    readEarly: ports.readTasksEarly,
    clock,
  });
  const { unreadable } = board.file.current;
  if (unreadable > 0) log.warn("Some tasks on disk could not be read.", { count: unreadable });
  const models = registrations.add(
    new ModelCatalog({ connections, log, memory: modelMemory, configured: configuredModels }),
  );
  const poller = registrations.add(new TaskPoller({ board, connections, attention, clock, random, log }));
  // The change feed may have slept with the machine, and the network may be another one.
  registrations.add(
    attention.onDidChange((focused) => void (focused && Promise.all([board.readOtherWindows(), models.retry()]))),
  );
  const ended = new AbortController();
  const rewriting = retryUnwritten(board, clock, ended.signal);
  const { openOutbox, cancel, results, fetcher, check, readEvents } = createTaskParts(ports, board, poller);
  registrations.add(fetcher);
  const picture = pictureOf({
    board,
    folder: storage.results,
    fetchUpTo: ports.fetchResultsUpTo,
    fetch: results.fetchUnasked,
  });
  const forTools = openTaskPort(
    ports,
    { board, openOutbox, cancel, models, picture, saveResult: results.save },
    registrations,
  );
  let loaded: LoadedChats | undefined;
  const moves = new Map<string, () => void>();
  const openRules = once(async () => {
    const { openGrantRules } = await import("./appChats");
    return openGrantRules(storage.rules, ports.workspace, clock);
  });
  const load = once(async () => {
    const { openAppChats } = await import("./appChats");
    return (loaded = await openAppChats(ports, models, await forTools.openTaskPort(), moves, await openRules()));
  });
  const dispose = (): void => {
    loaded?.chats.dispose();
    loaded?.background.dispose();
    registrations.dispose();
    results.dispose();
    ended.abort();
  };
  return {
    board,
    openOutbox,
    poller,
    fetcher,
    models,
    ...forTools,
    openChats: async () => (await load()).chats,
    openLedgers: async () => (await load()).ledgers,
    openBackground: async () => (await load()).background,
    sandbox: async () => (await load()).sandbox(),
    openRules,
    readDocuments: async (roots, request) => {
      const { readDocuments } = await import("./appChats");
      return readDocuments({ ...ports.workspace, roots: () => roots }, request);
    },
    cancel,
    moveCommand: (id) => moves.get(id)?.(),
    saveResult: results.save,
    checkTask: check,
    loadEvents: readEvents,
    dispose,
    async close() {
      dispose();
      await Promise.all([poller.close(), results.close(), loaded?.chats.close(), loaded?.background.close()]);
      await rewriting;
      await board.close();
    },
  };
}

function openTaskPort(
  { connections, clock, availabilityMemory, referenceLimit, placeResult: place }: AppPorts,
  {
    models,
    openOutbox,
    ...tasks
  }: Pick<App, "board" | "openOutbox" | "cancel" | "models"> & Pick<TaskPortParts, "picture" | "saveResult">,
  registrations: DisposableStore,
): Pick<App, "availability" | "openTaskPort"> {
  const availability = onceNow(() =>
    registrations.add(
      new TaskTypeAvailability({ board: tasks.board.all, memory: availabilityMemory, now: () => clock.now() }),
    ),
  );
  const listed = (): readonly Model[] => models.models.current.list;
  const parts = { ...tasks, connections, clock, availability, referenceLimit, place, models: listed };
  const open = once(async () => {
    const [{ createTaskPort }, outbox] = await Promise.all([import("../tasks/submit/portForTools"), openOutbox()]);
    return createTaskPort({ ...parts, outbox });
  });
  return { availability, openTaskPort: open };
}

interface TaskParts {
  readonly openOutbox: App["openOutbox"];
  readonly cancel: App["cancel"];
  readonly results: LazyResults;
  readonly fetcher: ResultFetcher;
  readonly check: App["checkTask"];
  readonly readEvents: App["loadEvents"];
}

/** What sends requests about tasks: all of it within the account's budget, which the poller holds. */
function createTaskParts(ports: AppPorts, board: TaskBoard, poller: TaskPoller): TaskParts {
  const { clock, log, storage, fetchResultsUpTo: fetchUpTo, freeSpace } = ports;
  const { tasksPerDay, moneyPerDay, prices } = ports;
  const { connections, turn } = poller;
  const shared = { board, connections, clock, log };
  const loadCancels = once(async () => new (await import("../tasks/polling/cancel")).TaskCancels(shared));
  const results = createLazyResults({ ...shared, folder: storage.results, freeSpace });
  return {
    openOutbox: once(async () => {
      const { Outbox } = await import("../tasks/submit/outbox");
      const untilUnpaused: TaskPoller["untilUnpaused"] = (...asked) => poller.untilUnpaused(...asked);
      return new Outbox({ ...shared, untilUnpaused, tasksPerDay, moneyPerDay, prices });
    }),
    cancel: async (id, reason) => (await loadCancels()).cancel(id, reason),
    results,
    fetcher: new ResultFetcher({ ...shared, turn, fetchUpTo, fetch: results.fetchUnasked }),
    check: (id, signal) => checkTask(shared, id, signal),
    readEvents: (id) => loadEvents(shared, id),
  };
}

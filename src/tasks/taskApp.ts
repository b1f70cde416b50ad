/** The tasks without VS Code: everything from outside is passed in, so the tests run all of it against the local gateway. */
import { type Disposable, DisposableStore } from "../base/disposable";
import { once, onceNow } from "../base/async/serialQueue";
import { ModelCatalog, type ModelCatalogOptions } from "../gateway/modelCatalog";
import type { Attention, Connections, Model } from "../domain/ports";
import type { Environment } from "../domain/environment";
import type { CancelOutcome, TaskPort } from "../domain/task/taskPort";
import { type AvailabilityOptions, TaskTypeAvailability } from "./submit/availability";
import { TaskBoard, type TaskBoardOptions, retryUnwritten } from "./board/board";
import { checkTask, loadEvents } from "./polling/events";
import type { Outbox } from "./submit/outbox";
import type { TaskPortParts } from "./submit/portForTools";
import { TaskPoller } from "./polling/poller";
import type { PersonsRequest, ResultOptions, ResultDownloads } from "./results/resultDownloads";
import { pictureOf } from "./results/pictureOf";
import type { ProjectFiles } from "./results/resultPlacer";
import { ResultFetcher } from "./results/resultFetcher";
import type { OpenTaskStore } from "./store/taskStore";

export interface TaskAppOptions extends Environment {
  readonly connections: Connections;
  readonly attention: Attention;
  readonly modelMemory: ModelCatalogOptions["memory"];
  readonly availabilityMemory: AvailabilityOptions["memory"];
  /** Copies a result into the project. */
  readonly placeResult: ProjectFiles["place"];
  /** The newest tasks before the store is open. */
  readonly readTasksEarly: TaskBoardOptions["readEarly"];
  /** Bytes that the disk of a folder has left; `undefined` where that is not known. */
  readonly freeSpace: (folder: string) => Promise<number | undefined>;
  /** The setting `sluice.models`. */
  readonly configuredModels: ModelCatalogOptions["configured"];
  readonly storage: {
    readonly openTasks: OpenTaskStore;
    /** A folder on this machine. */
    readonly results: string;
  };
}

export interface TaskApp extends Disposable {
  readonly board: TaskBoard;
  /** The poller is created and not started. Of all windows that run it one polls, and the others follow. */
  readonly poller: TaskPoller;
  /** The fetcher is created and not started: the window that polls runs it. */
  readonly fetcher: ResultFetcher;
  readonly models: ModelCatalog;
  /** The task types that the gateways' accounts may use. Reads all tasks with the first call. */
  availability(): TaskTypeAvailability;
  /** The outbox, which submits tasks; loaded with the first call. */
  openOutbox(): Promise<Outbox>;
  /** The tasks as tools may use them; loaded with the first call. */
  openTaskPort(): Promise<TaskPort>;
  cancel(id: string, reason: string): Promise<CancelOutcome>;
  /** The path of a task's result on this machine; downloads it unless it is there. Rejects with an `AppFailure` or an `AbortError`. */
  saveResult(id: string, request?: PersonsRequest): Promise<string>;
  /** Reads a task now. Rejects with an `AppFailure` or an `AbortError`. */
  checkTask(id: string, signal?: AbortSignal): Promise<void>;
  /** Reads a task's events again. Never rejects: without a response, the known events stay. */
  loadEvents(id: string): Promise<void>;
  /** Ends the loops and finishes what is being written. `users`: those that may still write tasks; the store is closed after them. */
  close(users?: Promise<unknown>): Promise<void>;
}

/** Opens the task store. When that fails the board is empty and holds the error. */
export async function openTaskApp(options: TaskAppOptions): Promise<TaskApp> {
  const { connections, attention, clock, random, log } = options;
  const { modelMemory, configuredModels, storage } = options;
  const registrations = new DisposableStore();
  const board = await TaskBoard.open({
    openStore: storage.openTasks,
    readEarly: options.readTasksEarly,
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
  const { openOutbox, cancel, results, fetcher, check, readEvents } = createTaskParts(options, board, poller);
  registrations.add(fetcher);
  const picture = pictureOf({
    board,
    folder: storage.results,
    settings: options.settings,
    fetch: results.fetchUnasked,
  });
  const forTools = openTaskPort(
    options,
    {
      ...{ board, openOutbox, cancel, models, picture, saveResult: results.save },
      fetchProblemOf: (task) => fetcher.problemOf(task),
    },
    registrations,
  );
  const dispose = (): void => {
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
    cancel,
    saveResult: results.save,
    checkTask: check,
    loadEvents: readEvents,
    dispose,
    async close(users) {
      dispose();
      await Promise.all([poller.close(), results.close(), users]);
      await rewriting;
      await board.close();
    },
  };
}

function openTaskPort(
  { connections, clock, settings, availabilityMemory, placeResult: place }: TaskAppOptions,
  {
    models,
    openOutbox,
    ...tasks
  }: Pick<TaskApp, "board" | "openOutbox" | "cancel" | "models"> &
    Pick<TaskPortParts, "picture" | "saveResult" | "fetchProblemOf">,
  registrations: DisposableStore,
): Pick<TaskApp, "availability" | "openTaskPort"> {
  const availability = onceNow(() =>
    registrations.add(
      new TaskTypeAvailability({ board: tasks.board, memory: availabilityMemory, now: () => clock.now() }),
    ),
  );
  const listed = (): readonly Model[] => models.models.current.list;
  const parts = { ...tasks, connections, clock, availability, settings, place, models: listed };
  const open = once(async () => {
    const [{ createTaskPort }, outbox] = await Promise.all([import("./submit/portForTools"), openOutbox()]);
    return createTaskPort({ ...parts, outbox });
  });
  return { availability, openTaskPort: open };
}

interface TaskParts {
  readonly openOutbox: TaskApp["openOutbox"];
  readonly cancel: TaskApp["cancel"];
  readonly results: LazyResults;
  readonly fetcher: ResultFetcher;
  readonly check: TaskApp["checkTask"];
  readonly readEvents: TaskApp["loadEvents"];
}

/** Creates the parts that send requests about tasks, all within the account's budget, which the poller holds. */
function createTaskParts(options: TaskAppOptions, board: TaskBoard, poller: TaskPoller): TaskParts {
  const { clock, log, settings, storage, freeSpace } = options;
  const { connections, turn } = poller;
  const shared = { board, connections, clock, log, settings };
  const loadCancels = once(async () => new (await import("./polling/cancel")).TaskCancels(shared));
  const results = createLazyResults({ ...shared, folder: storage.results, freeSpace });
  return {
    openOutbox: once(async () => {
      const { Outbox } = await import("./submit/outbox");
      const untilUnpaused: TaskPoller["untilUnpaused"] = (...asked) => poller.untilUnpaused(...asked);
      return new Outbox({ ...shared, untilUnpaused });
    }),
    cancel: async (id, reason) => (await loadCancels()).cancel(id, reason),
    results,
    fetcher: new ResultFetcher({ ...shared, turn, fetch: results.fetchUnasked }),
    check: (id, signal) => checkTask(shared, id, signal),
    readEvents: (id) => loadEvents(shared, id),
  };
}

// Loads the code of downloads with the first one.

interface LazyResults {
  readonly save: (id: string, request?: PersonsRequest) => Promise<string>;
  readonly fetchUnasked: (id: string, limit: number) => Promise<string>;
  dispose(): void;
  close(): Promise<void>;
}

function createLazyResults(options: ResultOptions): LazyResults {
  let downloads: ResultDownloads | undefined;
  let isDisposed = false;
  const load = once(async (): Promise<ResultDownloads> => {
    const loaded = await import("./results/resultDownloads");
    downloads = new loaded.ResultDownloads(options);
    if (isDisposed) downloads.dispose();
    return downloads;
  });
  return {
    save: async (id, request) => (await load()).get(id, request),
    fetchUnasked: async (id, limit) => (await load()).getUnasked(id, limit),
    dispose() {
      isDisposed = true;
      downloads?.dispose();
    },
    close: async () => downloads?.close(),
  };
}

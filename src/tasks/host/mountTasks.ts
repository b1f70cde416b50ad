/**
 * Mounts the part of the tasks that is loaded first: connection, settings, the task store, and the view with its status bar, commands and
 * notifications.
 */
import type { ExactOptions } from "./results/placeResults";
import * as vscode from "vscode";
import { t } from "@vscode/l10n";
import { openTaskApp, type TaskApp } from "../taskApp";
import type { StoragePaths } from "../../vscode/storagePaths";
import { systemClock } from "../../base/async/systemClock";
import { type Disposable, DisposableStore } from "../../base/disposable";
import { once } from "../../base/async/serialQueue";
import { type ReadonlyStore, Store } from "../../base/store";
import type { Log, Connections } from "../../domain/ports";
import { acceptedOf, isCancelable, isRunning } from "../../domain/task/phase";
import type { Task } from "../../domain/task/task";
import type { GatewayConnections } from "../../gateway/connections";
import { keepIdleMark } from "../polling/keepIdleMark";
import { awaitsPlacing } from "../results/awaitsPlacing";
import type { ResultPlacer } from "../results/resultPlacer";
import { readTasksEarly } from "../store/taskRows";
import { openWorkerTaskStore } from "../store/workerTaskStore";
import { PromptIndex } from "../board/promptIndex";
import { showConnectionState, showOnceFilled } from "../../gateway/host/connectionState";
import { createDialogs, type Dialogs } from "../../vscode/interface/dialogs";
import { type CommandHandler, type CommandId, commands, contextKeys, looksForMissing } from "../../vscode/ids";
import type { Keys } from "../../gateway/host/keys";
import { watchPromptContext } from "./lenses/promptContext";
import { openSettings, runForTask, completeWalkthroughStep } from "../../vscode/interface/runCommand";
import { watchTargetEditor } from "../../vscode/interface/targetEditor";
import { allSettings, createSettingNotices } from "../../vscode/interface/settingNotices";
import type { Settings } from "../../vscode/settings";
import { notifyInformation, notifyWarning } from "../../vscode/interface/show";
import { freeSpace } from "../../node/diskFiles";
import { TaskTree } from "./tree/taskTree";
import { loadTranslations } from "../../vscode/translations";
import type { Link } from "../view/taskLink";
import { type HostServices, createHostServices, isLocal } from "../../gateway/host/hostServices";
import type { MissingHints } from "./missing/missingHints";
import type { TaskBoard } from "../board/board";
import { createTaskCounts } from "../view/taskCounts";
import { UsualTimes } from "../usualTimes";
import { createStatusBar } from "./tree/statusBar";
import { registerTaskDrop } from "./tree/taskDrag";
import { registerTaskListCommands } from "./tree/taskListCommands";
import { expandWithFirst } from "./tree/expandWithFirst";
import { createTaskViewChoices } from "./tree/taskViewChoices";
import { describeUnwritten } from "../../domain/words/describeError";
import { describeReplacedFile } from "../../domain/words/describeStorage";
import { type AnnouncementOptions, Announcements } from "../view/endAnnouncements";

/** The contributions that the extension has registered for the tasks before they are loaded. */
interface TaskContributions {
  /** Sets the handler of a command from now on. */
  handle(id: CommandId, run: CommandHandler): Disposable;
  /** Removes the provider that stands in for the tree, because a view has only one. */
  releaseTaskView(): Promise<void>;
}

export interface TasksPart {
  readonly app: TaskApp;
  readonly services: HostServices;
  readonly connections: GatewayConnections;
  readonly keys: Keys;
  readonly dialogs: Dialogs;
  readonly log: Log;
  readonly tree: TaskTree;
  /** The prompts of the tasks that can be cancelled. */
  readonly prompts: PromptIndex;
  readonly placer: Pick<ResultPlacer, "placeAt" | "restore" | "withMade">;
  /** The hints on missing files of the project; `undefined` until a gateway was connected. */
  readonly missing: () => MissingHints | undefined;
  /** Whether the Chat view is visible; the Chat view sets it. */
  readonly chatInView: Store<boolean>;
  /** Shows what a link to this extension names, and does nothing else. */
  openLink(link: Link): Promise<void>;
  /** The bundle of translations as JSON; absent in English. */
  readonly translations: string | undefined;
}

/** Rejects when the task file can't be opened; nothing is left registered then. */
export async function mountTasks(
  context: vscode.ExtensionContext,
  contributions: TaskContributions,
  storage: StoragePaths,
): Promise<TasksPart> {
  const mounted = new DisposableStore();
  context.subscriptions.push(mounted);
  try {
    mounted.add(watchTargetEditor());
    const translations = await loadTranslations(vscode.l10n.uri);
    const services = createHostServices(context, storage, mounted);
    const app = mounted.add(await openApp(context, storage, services, mounted));
    void app.poller.run();
    void app.fetcher.run();
    const { connections, keys, log } = services;
    const dialogs = createDialogs({
      settings: services.settings,
      log,
      isLocal: () => isLocal(connections),
      handle: (id, run) => contributions.handle(id, run),
    });
    await contributions.releaseTaskView();
    const chatInView = new Store(false);
    const tree = mountViews(context, services, app, dialogs, chatInView, mounted);
    const prompts = mounted.add(new PromptIndex(app.board, isCancelable));
    mounted.add(watchPromptContext(app.board, prompts));
    const program = vscode.Uri.joinPath(context.extensionUri, "dist", "exact.mjs").fsPath;
    const exact = { program, memory: context.globalState };
    const placer = mountPlacer(app, log, exact, mounted);
    mounted.add(watchPlaced(app.board, { storage, log }));
    mounted.add(watchEnds(app.board, () => services.balances.refresh()));
    mounted.add(createStorageNotices(app.board, dialogs));
    mountSettings(services.settings, dialogs, mounted);
    void connections.refresh();
    const openLink = async (link: Link): Promise<void> => {
      const { openTaskLink } = await import("../view/taskLink");
      const notify = (message: string): void => void notifyInformation(message);
      const reveal = (id: string): Promise<void> => tree.reveal(id);
      const openPage = (id: string): Promise<void> => runForTask(commands.openTask, id);
      await openTaskLink({ board: app.board, reveal, openPage, notify }, link);
    };
    const missing = mountMissing(context, services, app, mounted);
    const views = { tree, chatInView, prompts, placer, openLink, missing };
    return { app, services, connections, keys, dialogs, log, ...views, translations };
  } catch (error) {
    mounted.dispose();
    throw error;
  }
}

/** Calls `onEnd` after a task that was seen running in this window has ended, because the balance may have changed. */
function watchEnds(board: TaskBoard, onEnd: () => void): Disposable {
  const running = new Set<string>();
  return board.onDidChange((ids) => {
    let hasEnded = false;
    for (const id of ids) {
      const task = board.listed.get(id);
      if (task !== undefined && isRunning(task)) running.add(id);
      else if (running.delete(id)) hasEnded = true;
    }
    if (hasEnded) onEnd();
  });
}

function mountSettings(settings: Settings, dialogs: Dialogs, mounted: DisposableStore): void {
  mounted.add(createSettingNotices(settings));
  mounted.add(dialogs.register(commands.openSettings, () => openSettings(allSettings)));
}

async function openApp(
  { globalState, extensionUri }: vscode.ExtensionContext,
  storage: StoragePaths,
  { connections, settings, log, attention }: HostServices,
  mounted: DisposableStore,
): Promise<TaskApp> {
  const app = await openTaskApp({
    connections,
    attention,
    clock: systemClock,
    random: Math.random,
    log,
    modelMemory: {
      read: (origin) => globalState.get(`models:${origin}`),
      write: (origin, memory) => void globalState.update(`models:${origin}`, memory),
    },
    availabilityMemory: {
      read: (origin) => globalState.get(`availability:${origin}`),
      write: (origin, known) => void globalState.update(`availability:${origin}`, known),
    },
    configuredModels: settings.models,
    placeResult: async (source, file, { replaces }) => {
      const { placeResult } = await import("./results/placeResults");
      return placeResult(source, vscode.Uri.parse(file), replaces);
    },
    readTasksEarly: (newest) => readTasksEarly(storage.tasks, newest),
    settings,
    freeSpace,
    storage: {
      openTasks: () =>
        openWorkerTaskStore(vscode.Uri.joinPath(extensionUri, "dist", "storage.mjs").fsPath, storage.tasks),
      results: storage.results,
    },
  });
  const closed = new AbortController();
  mounted.add({ dispose: () => closed.abort() });
  const hasWork = (task: Task): boolean => app.fetcher.awaits(task) || awaitsPlacing(task);
  void keepIdleMark({ board: app.board, clock: systemClock, taskFile: storage.tasks, hasWork }, closed.signal);
  return app;
}

function mountViews(
  context: vscode.ExtensionContext,
  { channel, log, connections, settings, local, attention }: HostServices,
  app: TaskApp,
  dialogs: Dialogs,
  chatInView: ReadonlyStore<boolean>,
  mounted: DisposableStore,
): TaskTree {
  const { globalState: memory, workspaceState: workspaceMemory } = context;
  const viewOptions = {
    settings,
    attention,
    log,
    isLocal: () => isLocal(connections),
    connections,
    workspaceMemory,
    isChatInView: () => chatInView.current,
  };
  const tree = mountTaskView(memory, viewOptions, app, dialogs, mounted);
  mounted.add(dialogs.register(commands.showLog, () => channel.show()));
  mounted.add(
    dialogs.register(commands.topUpLocalGateway, async () => {
      const { topUpWithNotice } = await import("../../gateway/host/adminRequests");
      await topUpWithNotice(await local.start());
    }),
  );
  mounted.add(showConnectionState(connections, app.models, () => void completeWalkthroughStep(context, "connect")));
  const hasTasks = (): boolean => app.board.listed.size > 0;
  mounted.add(
    showOnceFilled(
      contextKeys.hasTasks,
      hasTasks,
      app.board.onDidChange,
      () => void completeWalkthroughStep(context, "task"),
    ),
  );
  return tree;
}

/** Loads the search for missing files once there is a gateway. Without an open folder there is nothing to search. */
function mountMissing(
  { workspaceState, extensionUri }: vscode.ExtensionContext,
  { connections, log }: HostServices,
  { board }: TaskApp,
  mounted: DisposableStore,
): () => MissingHints | undefined {
  let hints: MissingHints | undefined;
  const load = once(async () => {
    const [{ MissingHints: Hints }, { createWorkspaceFiles }] = await Promise.all([
      import("./missing/missingHints"),
      import("../../tools/host/workspaceFiles"),
    ]);
    const workspace = createWorkspaceFiles();
    const onLooked = (hasDocuments: boolean): void =>
      void workspaceState.update(looksForMissing, hasDocuments ? true : undefined);
    const program = vscode.Uri.joinPath(extensionUri, "dist", "missing.mjs").fsPath;
    hints = mounted.add(new Hints({ board, clock: systemClock, connections, log, workspace, program, onLooked }));
  });
  const turn = (): void => {
    if (connections.current.current.state === "ready" && vscode.workspace.workspaceFolders !== undefined)
      load().catch((failure: unknown) =>
        log.warn("Missing pictures can't be looked for.", { message: String(failure) }),
      );
  };
  mounted.add(connections.current.onDidChange(turn));
  turn();
  return () => hints;
}

/** Each window places the results that belong into its own folders. The code is loaded with the first result that has a destination. */
function mountPlacer(app: TaskApp, log: Log, exact: ExactOptions, mounted: DisposableStore): TasksPart["placer"] {
  const { board } = app;
  const load = once(async () => {
    const [{ ResultPlacer: Placer }, { createProjectFiles }] = await Promise.all([
      import("../results/resultPlacer"),
      import("./results/placeResults"),
    ]);
    const project = createProjectFiles(board, exact);
    const placer = mounted.add(
      new Placer({ board, project, clock: systemClock, log, saveResult: (id) => app.saveResult(id) }),
    );
    void placer.run();
    return placer;
  });
  mounted.add(loadWithFirst(board, awaitsPlacing, load, log));
  return {
    placeAt: async (...place) => (await load()).placeAt(...place),
    restore: async (...place) => (await load()).restore(...place),
    withMade: async (...given) => (await load()).withMade(...given),
  };
}

/** Loads the keeper of `sluice.lock` as soon as a result was placed in a project. */
function watchPlaced(board: TaskBoard, given: { readonly storage: StoragePaths; readonly log: Log }): Disposable {
  const store = new DisposableStore();
  const isPlaced = (task: Task): boolean => {
    const { placement, copies = [] } = acceptedOf(task) ?? {};
    return placement?.state === "placed" || copies.length > 0;
  };
  const load = async (): Promise<unknown> => store.add((await import("./results/keepLock")).keepLock(board, given));
  store.add(loadWithFirst(board, isPlaced, load, given.log));
  return store;
}

/** Calls `load` once, for the first task that `isMeant` accepts. */
function loadWithFirst(
  board: TaskBoard,
  isMeant: (task: Task) => boolean,
  load: () => Promise<unknown>,
  log: Log,
): Disposable {
  let isLoaded = false;
  const look = (ids: Iterable<string>): void => {
    for (const id of isLoaded ? [] : ids) {
      const task = board.all.get(id);
      if (!task || !isMeant(task)) continue;
      isLoaded = true;
      load().catch((failure: unknown) => {
        // The next change tries again.
        isLoaded = false;
        log.error("What results need could not be loaded.", { message: String(failure) });
      });
      return;
    }
  };
  look(board.all.keys());
  return board.onDidChange(look);
}

// Mounts the Tasks view and its parts: status bar, notifications, dragging, and the commands that arrange it.

function mountTaskView(
  memory: vscode.Memento,
  {
    settings,
    attention,
    log,
    isLocal,
    connections,
    isChatInView,
    workspaceMemory,
  }: Pick<HostServices, "settings" | "attention" | "log"> & {
    readonly isLocal: () => boolean;
    readonly connections: Pick<Connections, "current">;
    readonly isChatInView: () => boolean;
    readonly workspaceMemory: vscode.Memento;
  },
  app: TaskApp,
  dialogs: Dialogs,
  mounted: DisposableStore,
): TaskTree {
  const { board, poller } = app;
  const clock = systemClock;
  const counts = mounted.add(createTaskCounts(board, clock));
  const choices = mounted.add(createTaskViewChoices(memory));
  const loadEvents = (id: string): Promise<void> => app.loadEvents(id);
  const usual = mounted.add(new UsualTimes(board));
  const usualTime = (type: string, model: string) => usual.usualTime(type, model);
  const tree = mounted.add(new TaskTree({ board, poller, counts, choices, clock, loadEvents, usualTime, connections }));
  mounted.add(createStatusBar({ counts, poller, clock, isLocal }));
  mounted.add(createTaskNotifications({ board, attention, clock, log, settings, tree }));
  mounted.add(expandWithFirst({ board, tree, memory: workspaceMemory, isChatInView }));
  const awaitsResult = (task: Task): boolean => app.fetcher.awaits(task);
  const now = (): number => clock.now();
  const copies = { board, now, resultsFolder: () => settings.resultsFolder() };
  mounted.add(
    registerTaskDrop(board, async (...dropped) => {
      const { referencesTo } = await import("./results/resultTargets");
      return referencesTo(copies, ...dropped);
    }),
  );
  mounted.add(registerTaskListCommands({ board, tree, choices, dialogs, memory, awaitsResult, now }));
  return tree;
}

// Notifies once of each problem with the file of tasks; the message of the Tasks view stays as long as the problem lasts.

/** A command that fails because of a full disk reports that itself. */
const toldElsewhere = new Set(["ENOSPC", "EDQUOT", undefined]);

function createStorageNotices(
  board: Pick<TaskBoard, "unwritten" | "file" | "flush">,
  dialogs: Pick<Dialogs, "showError">,
): Disposable {
  const store = new DisposableStore();
  const told = new Set<string | undefined>(toldElsewhere);
  const showUnwritten = (): void => {
    const unwritten = board.unwritten.current;
    if (!unwritten || told.has(unwritten.error.code)) return;
    told.add(unwritten.error.code);
    void dialogs.showError(describeUnwritten(unwritten.accepted, unwritten.error), () => void board.flush());
  };
  const tellReplaced = (): void => {
    const { replaced } = board.file.current;
    if (!replaced || told.has(replaced.setAside)) return;
    told.add(replaced.setAside);
    void notifyWarning(describeReplacedFile(replaced));
  };
  store.add(board.unwritten.onDidChange(showUnwritten));
  store.add(board.file.onDidChange(tellReplaced));
  showUnwritten();
  tellReplaced();
  return store;
}

// Notifies of ended tasks (T11): *Show* selects the row, *Don't Notify* mutes these notifications in the settings.

interface NotificationOptions extends Omit<AnnouncementOptions, "level" | "isViewVisible" | "notify"> {
  readonly settings: Pick<Settings, "get" | "muteNotifications">;
  readonly tree: TaskTree;
}

function createTaskNotifications({ settings, tree, ...options }: NotificationOptions): Disposable {
  const notify = async (message: string, first: string): Promise<void> => {
    const show = t("Show");
    const mute = t("Don't Notify");
    const chosen = await notifyInformation(message, show, mute);
    if (chosen === show) await tree.reveal(first);
    else if (chosen === mute) await settings.muteNotifications();
  };
  return new Announcements({
    ...options,
    level: () => settings.get("notifications"),
    isViewVisible: () => tree.view.visible,
    notify: (message, first) => void notify(message, first).catch(() => undefined),
  });
}

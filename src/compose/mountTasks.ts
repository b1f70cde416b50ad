/** The part that is loaded first: connection, settings, the task store and its view, status bar and commands. */
import * as vscode from "vscode";
import { type App, createApp } from "../app/app";
import { systemClock } from "../base/async/systemClock";
import { DisposableStore } from "../base/disposable";
import { once } from "../base/async/once";
import { type ReadonlyStore, Store } from "../base/store";
import type { Log } from "../domain/ports";
import { isCancelable } from "../domain/task/phase";
import type { Task } from "../domain/task/task";
import type { GatewayConnections } from "../gateway/connections";
import { keepSettledMark } from "../tasks/polling/keepSettledMark";
import { awaitsPlacing, ResultPlacer } from "../tasks/results/resultPlacer";
import { readTasksEarly } from "../tasks/store/readTasksEarly";
import { openWorkerTaskStore } from "../tasks/store/workerTaskStore";
import { PromptIndex } from "../tasks/board/promptIndex";
import type { ChosenTools } from "../vscode/chat/chosenTools";
import { PageScaler } from "../vscode/chat/page/pageScaler";
import { showConnectionState, showFirst } from "../vscode/gateway/connectionState";
import { createDialogs, type Dialogs } from "../vscode/interface/dialogs";
import type { LazyContributions } from "../vscode/activation/lazyContributions";
import { commands, contextKeys } from "../vscode/ids";
import type { Keys } from "../vscode/gateway/keys";
import { watchPromptContext } from "../vscode/tasks/submit/prompts/promptContext";
import { openSettings, runForTask } from "../vscode/interface/runCommand";
import { watchTargetEditor } from "../vscode/interface/targetEditor";
import { allSettings, createSettingNotices, tellRemoteSettings } from "../vscode/activation/settingNotices";
import type { Settings } from "../vscode/settings/settings";
import { notifyInformation } from "../vscode/interface/show";
import { createStorageNotices } from "../vscode/activation/storageNotices";
import { SyncedTasks } from "../tasks/polling/syncedTasks";
import { freeSpace } from "../node/freeSpace";
import type { TaskTree } from "../vscode/tasks/view/taskTree";
import { createProjectFiles } from "../vscode/tasks/commands/placeResults";
import { terminals } from "../vscode/workspace/terminals";
import { watchMade } from "../vscode/workspace/watchMade";
import { loadTranslations } from "../vscode/activation/translations";
import type { Link } from "../vscode/activation/uriHandler";
import { createWorkspaceFiles } from "../vscode/workspace/workspaceFiles";
import { type HostServices, createHostServices, isLocal } from "./hostServices";
import { mountTaskView } from "./mountTaskView";
import type { TaskBoard } from "../tasks/board/board";

/** Paths on this machine. */
export interface StoragePaths {
  readonly tasks: string;
  readonly results: string;
  readonly chats: string;
  readonly rules: string;
  readonly chatIndex: string;
  /** The person's own prompt files. */
  readonly prompts: string;
  readonly localGateway: string;
}

export interface TasksPart {
  readonly app: App;
  readonly services: HostServices;
  readonly connections: GatewayConnections;
  readonly keys: Keys;
  readonly dialogs: Dialogs;
  readonly log: Log;
  readonly tree: TaskTree;
  /** Of the tasks that can be cancelled. */
  readonly prompts: PromptIndex;
  readonly placer: ResultPlacer;
  readonly loadChosenTools: () => Promise<ChosenTools>;
  /** For the images that tools return; a chat page that is shown scales them. */
  readonly scaler: PageScaler;
  readonly synced: SyncedTasks;
  /** The Chat view is in view; set by it. */
  readonly chatInView: Store<boolean>;
  /** Shows what a link to this extension names, and never more. */
  openLink(link: Link): Promise<void>;
  /** The bundle of translations as JSON; absent in English. */
  readonly translations: string | undefined;
}

/** Rejects when the task file can't be opened; nothing is left registered then. */
export async function mountTasks(
  context: vscode.ExtensionContext,
  contributions: LazyContributions,
  storage: StoragePaths,
): Promise<TasksPart> {
  const mounted = new DisposableStore();
  context.subscriptions.push(mounted);
  try {
    mounted.add(watchTargetEditor());
    const translations = await loadTranslations(vscode.l10n.uri);
    const services = createHostServices(context, storage.localGateway, mounted);
    const loadChosenTools = chosenToolsOf(context);
    const scaler = new PageScaler(systemClock);
    const app = mounted.add(await openApp(context, storage, services, mounted, { loadChosenTools, scaler }));
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
    const placer = mountPlacer(app, log, mounted);
    const synced = mountSyncedTasks(context.globalState, app.board, services.settings, mounted);
    mounted.add(createStorageNotices(app.board, dialogs));
    mountSettings(context, services.settings, dialogs, mounted);
    void connections.refresh();
    const openLink = async (link: Link): Promise<void> => {
      const { openTaskLink } = await import("../vscode/activation/uriHandler");
      const notify = (message: string): void => void notifyInformation(message);
      const reveal = (id: string): Promise<void> => tree.reveal(id);
      const openPage = (id: string): Promise<void> => runForTask(commands.openTask, id);
      await openTaskLink({ board: app.board.all, reveal, openPage, notify }, link);
    };
    const views = { tree, chatInView, prompts, placer, synced, openLink };
    return { app, services, connections, keys, dialogs, log, ...views, loadChosenTools, scaler, translations };
  } catch (error) {
    mounted.dispose();
    throw error;
  }
}

function mountSettings(
  { globalStorageUri, globalState }: vscode.ExtensionContext,
  settings: Settings,
  dialogs: Dialogs,
  mounted: DisposableStore,
): void {
  mounted.add(createSettingNotices(settings));
  mounted.add(dialogs.register(commands.openSettings, () => openSettings(allSettings)));
  if (vscode.env.remoteName === undefined) return;
  const ofMachine = vscode.Uri.joinPath(globalStorageUri, "..", "..", "..", "Machine", "settings.json");
  void tellRemoteSettings(ofMachine.fsPath, globalState);
}

async function openApp(
  { globalState, workspaceState, extensionUri }: vscode.ExtensionContext,
  storage: StoragePaths,
  { connections, settings, log, attention, network }: HostServices,
  mounted: DisposableStore,
  { loadChosenTools: loadForeignTools, scaler }: Pick<TasksPart, "loadChosenTools" | "scaler">,
): Promise<App> {
  const loadProcesses = once(async () => {
    const { createChildProcesses } = await import("../node/childProcesses");
    const openSandbox = once(async () => {
      const { createSandbox } = await import("../node/sandbox/sandbox");
      return createSandbox(() => settings.get("sandbox"), process.env, watchMade);
    });
    return createChildProcesses(systemClock, openSandbox);
  });
  const app = await createApp({
    connections,
    workspace: createWorkspaceFiles(),
    loadProcesses,
    loadWeb: async () => {
      const { createWebReader } = await import("../gateway/webReader");
      return createWebReader({ network, log, now: () => systemClock.now() });
    },
    loadPages: async () => (await import("../node/pageCapture")).createPageCapture(await loadProcesses()),
    terminals,
    searchProgram: vscode.Uri.joinPath(extensionUri, "dist", "search.mjs").fsPath,
    loadEditor: async () => (await import("../vscode/chat/context/toolContext")).editorKnowledge,
    loadForeignTools,
    loadPlace: async () => {
      const { createEditorPlace } = await import("../vscode/chat/context/toolContext");
      return createEditorPlace(() => settings.get("instructions"), workspaceState);
    },
    scaleImage: scaler.scale,
    confirmAttachment: async (...asked) => (await import("../vscode/chat/context/toolContext")).askToSend(...asked),
    listProblems: async (...asked) => (await import("../vscode/chat/context/toolContext")).problemsToAttach(...asked),
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
    placeResult: (...placed) => createProjectFiles().place(...placed),
    readTasksEarly: (newest) => readTasksEarly(storage.tasks, newest),
    tasksPerDay: () => settings.tasksPerDay(),
    moneyPerDay: () => settings.get("caps.moneyPerDay"),
    moneyPerChat: () => settings.get("caps.moneyPerChat"),
    prices: () => settings.prices(),
    tokensPerChat: () => settings.get("caps.tokensPerChat"),
    roundsPerTurn: () => settings.get("caps.roundsPerTurn"),
    summarizes: () => settings.get("summarizeChats"),
    makesTitles: () => settings.get("titleChats"),
    referenceLimit: () => settings.referenceLimit(),
    fetchResultsUpTo: () => settings.fetchResultsUpTo(),
    freeSpace,
    storage: {
      openTasks: () =>
        openWorkerTaskStore(vscode.Uri.joinPath(extensionUri, "dist", "storage.mjs").fsPath, storage.tasks),
      results: storage.results,
      chats: storage.chats,
      rules: storage.rules,
    },
    shownChat: {
      read: () => workspaceState.get("shownChat"),
      write: (id) => void workspaceState.update("shownChat", id),
    },
  });
  const closed = new AbortController();
  mounted.add({ dispose: () => closed.abort() });
  const hasWork = (task: Task): boolean => app.fetcher.awaits(task) || awaitsPlacing(task);
  void keepSettledMark({ board: app.board, clock: systemClock, taskFile: storage.tasks, hasWork }, closed.signal);
  return app;
}

/** Loaded with the chat. */
function chosenToolsOf({ globalState, extension }: vscode.ExtensionContext): TasksPart["loadChosenTools"] {
  return once(async () => {
    const { ChosenTools, warnOfChangedTool } = await import("../vscode/chat/chosenTools");
    return new ChosenTools(globalState, extension.id, (name) => void warnOfChangedTool(name));
  });
}

function mountViews(
  { globalState: memory, workspaceState: workspaceMemory }: vscode.ExtensionContext,
  { channel, log, connections, settings, local, attention }: HostServices,
  app: App,
  dialogs: Dialogs,
  chatInView: ReadonlyStore<boolean>,
  mounted: DisposableStore,
): TaskTree {
  const viewPorts = {
    ...{ settings, attention, log, isLocal: () => isLocal(connections), connections },
    ...{ workspaceMemory, isChatInView: () => chatInView.current },
  };
  const tree = mountTaskView(memory, viewPorts, app, dialogs, mounted);
  mounted.add(dialogs.register(commands.showLog, () => channel.show()));
  mounted.add(
    dialogs.register(commands.topUpLocalGateway, async () => {
      const { topUpWithNotice } = await import("../vscode/gateway/local/topUpWithNotice");
      await topUpWithNotice(await local.start());
    }),
  );
  mounted.add(showConnectionState(connections, app.models));
  mounted.add(showFirst(contextKeys.hasTasks, () => app.board.tasks.size > 0, app.board.onDidChange));
  return tree;
}

/** Each window places what belongs into its own folders. */
function mountPlacer(app: App, log: Log, mounted: DisposableStore): ResultPlacer {
  const placer = new ResultPlacer({
    board: app.board,
    project: createProjectFiles(),
    clock: systemClock,
    log,
    saveResult: (id) => app.saveResult(id),
  });
  mounted.add(placer);
  void placer.run();
  return placer;
}

/** In the memory that VS Code keeps for all windows. */
const key = "syncedTasks";

function mountSyncedTasks(
  memory: vscode.ExtensionContext["globalState"],
  board: TaskBoard,
  { syncTasks }: Settings,
  mounted: DisposableStore,
): SyncedTasks {
  const synced = mounted.add(
    new SyncedTasks({
      board,
      clock: systemClock,
      machine: vscode.env.machineId.slice(0, 16),
      memory: {
        read: () => memory.get(key),
        write: (value) => void memory.update(key, value),
        setSynced: (isSynced) => memory.setKeysForSync(isSynced ? [key] : []),
      },
      isOn: () => syncTasks.current,
    }),
  );
  mounted.add(syncTasks.onDidChange(() => synced.update()));
  return synced;
}

/** The part that is loaded first: connection, settings, the task store and its view, status bar and commands. */
import * as vscode from "vscode";
import { openTaskApp, type TaskApp } from "../taskApp";
import type { StoragePaths } from "../../vscode/storagePaths";
import { systemClock } from "../../base/async/systemClock";
import { type Disposable, DisposableStore } from "../../base/disposable";
import { type ReadonlyStore, Store } from "../../base/store";
import type { Log } from "../../domain/ports";
import { isCancelable } from "../../domain/task/phase";
import type { Task } from "../../domain/task/task";
import type { GatewayConnections } from "../../gateway/connections";
import { keepSettledMark } from "../polling/keepSettledMark";
import { awaitsPlacing, ResultPlacer } from "../results/resultPlacer";
import { readTasksEarly } from "../store/readTasksEarly";
import { openWorkerTaskStore } from "../store/workerTaskStore";
import { PromptIndex } from "../board/promptIndex";
import { showConnectionState, showFirst } from "../../gateway/host/connectionState";
import { createDialogs, type Dialogs } from "../../vscode/interface/dialogs";
import { type CommandHandler, type CommandId, commands, contextKeys } from "../../vscode/ids";
import type { Keys } from "../../gateway/host/keys";
import { watchPromptContext } from "./lenses/promptContext";
import { openSettings, runForTask } from "../../vscode/interface/runCommand";
import { watchTargetEditor } from "../../vscode/interface/targetEditor";
import { allSettings, createSettingNotices } from "../../vscode/interface/settingNotices";
import type { Settings } from "../../vscode/settings/settings";
import { notifyInformation } from "../../vscode/interface/show";
import { tickStep } from "../../vscode/interface/walkthroughSteps";
import { createStorageNotices } from "./storageNotices";
import { freeSpace } from "../../node/freeSpace";
import type { TaskTree } from "./tree/taskTree";
import { createProjectFiles } from "./commands/placeResults";
import { loadTranslations } from "../../vscode/translations";
import type { Link } from "../view/taskLink";
import { type HostServices, createHostServices, isLocal } from "../../gateway/host/hostServices";
import { mountTaskView } from "./mountTaskView";

/** What the extension has registered for the tasks before they are loaded. */
export interface TaskContributions {
  /** Sets what a command does from now on. */
  handle(id: CommandId, run: CommandHandler): Disposable;
  /** Makes room for the tree. */
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
  /** Of the tasks that can be cancelled. */
  readonly prompts: PromptIndex;
  readonly placer: ResultPlacer;
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
  contributions: TaskContributions,
  storage: StoragePaths,
): Promise<TasksPart> {
  const mounted = new DisposableStore();
  context.subscriptions.push(mounted);
  try {
    mounted.add(watchTargetEditor());
    const translations = await loadTranslations(vscode.l10n.uri);
    const services = createHostServices(context, storage.localGateway, mounted);
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
    const placer = mountPlacer(app, log, mounted);
    mounted.add(createStorageNotices(app.board, dialogs));
    mountSettings(services.settings, dialogs, mounted);
    void connections.refresh();
    const openLink = async (link: Link): Promise<void> => {
      const { openTaskLink } = await import("../view/taskLink");
      const notify = (message: string): void => void notifyInformation(message);
      const reveal = (id: string): Promise<void> => tree.reveal(id);
      const openPage = (id: string): Promise<void> => runForTask(commands.openTask, id);
      await openTaskLink({ board: app.board.all, reveal, openPage, notify }, link);
    };
    const views = { tree, chatInView, prompts, placer, openLink };
    return { app, services, connections, keys, dialogs, log, ...views, translations };
  } catch (error) {
    mounted.dispose();
    throw error;
  }
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
    placeResult: (...placed) => createProjectFiles().place(...placed),
    readTasksEarly: (newest) => readTasksEarly(storage.tasks, newest),
    tasksPerDay: () => settings.tasksPerDay(),
    moneyPerDay: () => settings.get("caps.moneyPerDay"),
    prices: () => settings.prices(),
    referenceLimit: () => settings.referenceLimit(),
    fetchResultsUpTo: () => settings.fetchResultsUpTo(),
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
  void keepSettledMark({ board: app.board, clock: systemClock, taskFile: storage.tasks, hasWork }, closed.signal);
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
  const viewPorts = {
    settings,
    attention,
    log,
    isLocal: () => isLocal(connections),
    connections,
    workspaceMemory,
    isChatInView: () => chatInView.current,
  };
  const tree = mountTaskView(memory, viewPorts, app, dialogs, mounted);
  mounted.add(dialogs.register(commands.showLog, () => channel.show()));
  mounted.add(
    dialogs.register(commands.topUpLocalGateway, async () => {
      const { topUpWithNotice } = await import("../../gateway/host/local/topUpWithNotice");
      await topUpWithNotice(await local.start());
    }),
  );
  mounted.add(showConnectionState(connections, app.models, () => void tickStep(context, "connect")));
  const hasTasks = (): boolean => app.board.tasks.size > 0;
  mounted.add(showFirst(contextKeys.hasTasks, hasTasks, app.board.onDidChange, () => void tickStep(context, "task")));
  return tree;
}

/** Each window places what belongs into its own folders. */
function mountPlacer(app: TaskApp, log: Log, mounted: DisposableStore): ResultPlacer {
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

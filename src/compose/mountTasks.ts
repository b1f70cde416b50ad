/** The part that is loaded first: connection, settings, the task store and its view, status bar and commands. */
import { config as configureWords } from "@vscode/l10n";
import * as vscode from "vscode";
import { type App, createApp } from "../app";
import { systemClock } from "../base/clock";
import { DisposableStore } from "../base/disposable";
import { readOrigin } from "../domain/address";
import type { Connections, Log } from "../domain/ports";
import { type ConnectionPorts, GatewayConnections } from "../gateway/connections";
import { createKeylessLog } from "../gateway/key/keylessLog";
import { keepSettledMark } from "../tasks/keepSettledMark";
import { readTasksEarly } from "../tasks/store/readTasksEarly";
import { openWorkerTaskStore } from "../tasks/store/workerTaskStore";
import { createAttention } from "../vscode/attention";
import { createChildProcesses } from "../vscode/nodeProcesses";
import { registerConnectionCommands } from "../vscode/connectionCommands";
import { createDialogs, type Dialogs } from "../vscode/dialogs";
import type { FirstUse } from "../vscode/firstUse";
import { commands, contextKeys } from "../vscode/ids";
import { createKeys, type Keys } from "../vscode/keys";
import { createLocalGatewayPage } from "../vscode/localGatewayPage";
import { createLocalGatewayProcess, type LocalGatewayProcess } from "../vscode/localGatewayProcess";
import { createLogChannel, type LogChannel } from "../vscode/log";
import { createNetworkSettings, createRememberedOrigins } from "../vscode/network";
import { setContext } from "../vscode/runCommand";
import { createSettings, type Settings } from "../vscode/settings";
import { createStatusBar } from "../vscode/statusBar";
import { registerTaskCommands } from "../vscode/taskCommands";
import { TaskTree } from "../vscode/taskTree";
import { readTranslations } from "../vscode/translations";
import { createWorkspaceFiles } from "../vscode/workspaceFiles";

/** Paths on this machine. */
export interface StoragePaths {
  readonly tasks: string;
  readonly results: string;
  readonly localGateway: string;
}

export interface TasksPart {
  readonly app: App;
  readonly connections: GatewayConnections;
  readonly keys: Keys;
  readonly dialogs: Dialogs;
  readonly log: Log;
  readonly tree: TaskTree;
  /** The bundle of translations as JSON; absent in English. */
  readonly translations: string | undefined;
}

/** What the gateways are reached by, and what is written of it. */
interface Access {
  readonly channel: LogChannel;
  /** The channel, with the keys taken out. */
  readonly log: Log;
  readonly settings: Settings;
  readonly keys: Keys;
  readonly local: LocalGatewayProcess;
  readonly connections: GatewayConnections;
}

/** Rejects when the task file can't be opened; nothing is left registered then. */
export async function mountTasks(
  context: vscode.ExtensionContext,
  firstUse: FirstUse,
  storage: StoragePaths,
): Promise<TasksPart> {
  const mounted = new DisposableStore();
  context.subscriptions.push(mounted);
  try {
    const translations = await readTranslations(vscode.l10n.uri);
    if (translations !== undefined) configureWords({ contents: translations });
    const access = createAccess(context, storage, mounted);
    const app = mounted.add(await openApp(context, storage, access, mounted));
    void app.poller.run();
    const { connections, keys, log } = access;
    const dialogs = createDialogs({
      settings: access.settings,
      log,
      isLocal: () => isLocal(connections),
      handle: (id, run) => firstUse.handle(id, run),
    });
    firstUse.releaseTaskView();
    const tree = mountViews(context, access, app, dialogs, mounted);
    void connections.refresh();
    return { app, connections, keys, dialogs, log, tree, translations };
  } catch (error) {
    mounted.dispose();
    throw error;
  }
}

function createAccess(context: vscode.ExtensionContext, storage: StoragePaths, mounted: DisposableStore): Access {
  const channel = mounted.add(createLogChannel());
  const keyless = createKeylessLog(channel);
  const { log } = keyless;
  const settings = mounted.add(createSettings());
  const keys = mounted.add(createKeys(context.secrets));
  const local = mounted.add(
    createLocalGatewayProcess({
      program: vscode.Uri.joinPath(context.extensionUri, "dist", "localGateway.js").fsPath,
      state: storage.localGateway,
      speed: () => settings.localGatewaySpeed(),
      relay: () => settings.localGatewayRelay(),
      log,
    }),
  );
  const connect = createConnect(context, settings, mounted, log);
  const connections = mounted.add(
    new GatewayConnections({
      baseUrl: settings.baseUrl,
      keys,
      local,
      log,
      connect: (endpoint) => {
        keyless.hide(endpoint.key);
        return connect(endpoint);
      },
    }),
  );
  return { channel, log, settings, keys, local, connections };
}

/** The gateway's code, with the HTTP client in it, is loaded with the first connection. */
function createConnect(
  { globalState }: vscode.ExtensionContext,
  settings: Settings,
  mounted: DisposableStore,
  log: Log,
): ConnectionPorts["connect"] {
  const network = {
    settings: mounted.add(createNetworkSettings()),
    environment: process.env,
    remembered: createRememberedOrigins(globalState),
  };
  return async ({ baseUrl, key }) => {
    const { connectGateway } = await import("../gateway/httpGateway");
    return connectGateway({
      baseUrl,
      key,
      log,
      limits: () => settings.limits(),
      chat: () => settings.chat(),
      network,
      stylizedImageWord: () => settings.stylizedImageWord(),
    });
  };
}

async function openApp(
  { globalState, extensionUri }: vscode.ExtensionContext,
  storage: StoragePaths,
  { connections, settings, log }: Access,
  mounted: DisposableStore,
): Promise<App> {
  const app = await createApp({
    connections,
    workspace: createWorkspaceFiles(),
    processes: createChildProcesses(systemClock),
    attention: createAttention(mounted),
    clock: systemClock,
    random: Math.random,
    log,
    modelMemory: {
      read: (origin) => globalState.get(`models:${origin}`),
      write: (origin, memory) => void globalState.update(`models:${origin}`, memory),
    },
    configuredModels: settings.models,
    storage: {
      openTasks: () =>
        openWorkerTaskStore(vscode.Uri.joinPath(extensionUri, "dist", "taskStore.js").fsPath, storage.tasks),
      readTasksEarly: (newest) => readTasksEarly(storage.tasks, newest),
      results: storage.results,
    },
  });
  const closed = new AbortController();
  mounted.add({ dispose: () => closed.abort() });
  void keepSettledMark({ board: app.board, clock: systemClock, taskFile: storage.tasks }, closed.signal);
  return app;
}

function mountViews(
  { extensionUri, globalState }: vscode.ExtensionContext,
  { channel, connections, settings, keys, local }: Access,
  app: App,
  dialogs: Dialogs,
  mounted: DisposableStore,
): TaskTree {
  const { board, outbox, poller, models } = app;
  const now = (): number => systemClock.now();
  const tree = mounted.add(new TaskTree({ board, poller, now, loadEvents: (id) => app.loadEvents(id) }));
  mounted.add(createStatusBar(board, poller));
  mounted.add(dialogs.register(commands.showLog, () => channel.show()));
  mounted.add(
    dialogs.register(
      commands.showLocalGateway,
      createLocalGatewayPage(() => local.start()),
    ),
  );
  mounted.add(registerConnectionCommands({ connections, settings, keys, dialogs, memory: globalState, readOrigin }));
  mounted.add(
    registerTaskCommands({
      board,
      outbox,
      poller,
      models,
      tree,
      dialogs,
      memory: globalState,
      ready: () => connections.ready(),
      cancel: (id, reason) => app.cancel(id, reason),
      saveResult: (id, signal) => app.saveResult(id, signal),
      sample: vscode.Uri.joinPath(extensionUri, "media", "sample", "hero.prompts.md"),
      now,
    }),
  );
  mounted.add(connections.current.onDidChange(({ now: { state } }) => void setContext(contextKeys.connection, state)));
  return tree;
}

function isLocal({ current }: Connections): boolean {
  return current.current.state === "ready" && current.current.local;
}

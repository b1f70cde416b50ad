/** Where VS Code and the product meet: ports are collected, the app is composed, the views are mounted. Nothing else. */
import { config as configureWords } from "@vscode/l10n";
import * as vscode from "vscode";
import { type App, createApp } from "./app";
import { systemClock } from "./base/clock";
import { DisposableStore } from "./base/disposable";
import { readOrigin } from "./domain/address";
import type { Connections } from "./domain/ports";
import { GatewayConnections } from "./gateway/connections";
import { connectGateway } from "./gateway/httpGateway";
import { createKeylessLog } from "./gateway/key/keylessLog";
import { openWorkerTaskStore } from "./tasks/store/workerTaskStore";
import { createAttention } from "./vscode/attention";
import { registerChatCommands } from "./vscode/chatCommands";
import { createChatHandlers } from "./vscode/chatHandlers";
import { ChatPanel } from "./vscode/chatPanel";
import { registerConnectionCommands } from "./vscode/connectionCommands";
import { createDialogs } from "./vscode/dialogs";
import { commands, contextKeys, views } from "./vscode/ids";
import { createKeys, type Keys } from "./vscode/keys";
import { createLocalGatewayPage } from "./vscode/localGatewayPage";
import { createLocalGatewayProcess } from "./vscode/localGatewayProcess";
import { createLogChannel } from "./vscode/log";
import { createNetworkSettings, createRememberedOrigins } from "./vscode/network";
import { createPanelStatus } from "./vscode/panelStatus";
import { createProposalDocuments } from "./vscode/proposalDocuments";
import { setContext } from "./vscode/runCommand";
import { createSettings } from "./vscode/settings";
import { createStatusBar } from "./vscode/statusBar";
import { registerTaskCommands } from "./vscode/taskCommands";
import { TaskTree } from "./vscode/taskTree";
import { readTranslations } from "./vscode/translations";
import { createWorkspaceFiles } from "./vscode/workspaceFiles";

let closing: (() => Promise<void>) | undefined;

/** What the tests see of the running extension. */
export interface ExtensionInside {
  readonly app: App;
  readonly connections: Connections;
  readonly keys: Keys;
  readonly tree: TaskTree;
  /** The folder of the task database. */
  readonly storage: string;
}

export async function activate(context: vscode.ExtensionContext): Promise<ExtensionInside | undefined> {
  const { extensionUri, globalState, globalStorageUri, secrets } = context;
  const mounted = new DisposableStore();
  context.subscriptions.push(mounted);
  const file = (...path: string[]): string => vscode.Uri.joinPath(globalStorageUri, ...path).fsPath;
  const translations = await readTranslations(vscode.l10n.uri);
  if (translations !== undefined) configureWords({ contents: translations });

  const channel = mounted.add(createLogChannel());
  const keyless = createKeylessLog(channel);
  const { log } = keyless;
  const settings = mounted.add(createSettings());
  const keys = mounted.add(createKeys(secrets));
  const local = mounted.add(
    createLocalGatewayProcess({
      program: vscode.Uri.joinPath(extensionUri, "dist", "localGateway.js").fsPath,
      state: file("localGateway"),
      speed: () => settings.localGatewaySpeed(),
      relay: () => settings.localGatewayRelay(),
      log,
    }),
  );
  const network = {
    settings: mounted.add(createNetworkSettings()),
    environment: process.env,
    remembered: createRememberedOrigins(globalState),
  };
  const connections = mounted.add(
    new GatewayConnections({
      baseUrl: settings.baseUrl,
      keys,
      local,
      log,
      connect: ({ baseUrl, key }) => {
        keyless.hide(key);
        return connectGateway({
          baseUrl,
          key,
          log,
          limits: () => settings.limits(),
          chat: () => settings.chat(),
          network,
          stylizedImageWord: () => settings.stylizedImageWord(),
        });
      },
    }),
  );
  const app = await createApp({
    connections,
    workspace: createWorkspaceFiles(),
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
        openWorkerTaskStore(vscode.Uri.joinPath(extensionUri, "dist", "taskStore.js").fsPath, file("tasks.db")),
      results: file("results"),
    },
  });
  mounted.add(app);
  closing = () => app.close();

  const { board, outbox, poller, models, session } = app;
  const now = (): number => systemClock.now();
  const dialogs = createDialogs(settings, log, () => isLocal(connections));
  const proposals = mounted.add(createProposalDocuments());
  const panelStatus = mounted.add(createPanelStatus(connections, models));
  const refreshConnection = (): void => void connections.refresh();
  const panel = mounted.add(
    new ChatPanel({
      extensionUri,
      session,
      status: panelStatus.status,
      clock: systemClock,
      log,
      handlers: createChatHandlers({ session, connections, dialogs, proposals, refreshConnection }),
      translations,
    }),
  );
  const tree = mounted.add(new TaskTree({ board, poller, now, loadEvents: (id) => app.loadEvents(id) }));
  mounted.add(createStatusBar(board, poller));
  mounted.add(vscode.window.registerWebviewViewProvider(views.chat, panel));
  mounted.add(dialogs.register(commands.showLog, () => channel.show()));
  mounted.add(
    dialogs.register(
      commands.showLocalGateway,
      createLocalGatewayPage(() => local.start()),
    ),
  );
  mounted.add(registerConnectionCommands({ connections, settings, keys, dialogs, memory: globalState, readOrigin }));
  mounted.add(registerChatCommands({ session, models, panel, dialogs, startChat: () => app.startChat() }));
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
  void connections.refresh();
  // Only the tests see inside.
  if (context.extensionMode !== vscode.ExtensionMode.Test) return undefined;
  return { app, connections, keys, tree, storage: globalStorageUri.fsPath };
}

function isLocal({ current }: Connections): boolean {
  return current.current.state === "ready" && current.current.local;
}

export async function deactivate(): Promise<void> {
  await closing?.();
}

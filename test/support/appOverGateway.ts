/** The whole product without VS Code, over real sockets to a local gateway of the test's own. */
import { join } from "node:path";
import { type App, createApp } from "../../src/app";
import { type Clock, systemClock } from "../../src/base/clock";
import { Emitter } from "../../src/base/event";
import { Store } from "../../src/base/store";
import { GatewayConnections } from "../../src/gateway/connections";
import { connectGateway } from "../../src/gateway/httpGateway";
import { type LocalGateway, type LocalGatewayOptions, startLocalGateway } from "../../src/localGateway/server";
import { keptLog } from "./builders";
import { createDiskWorkspace } from "./diskWorkspace";
import { openStoreAt } from "./taskBoards";
import { createTemporaryFolder } from "./temporaryFolder";

export interface AppOverGateway {
  readonly app: App;
  readonly gateway: LocalGateway;
  readonly connections: GatewayConnections;
  /** The setting; the gateway's own address at first. */
  readonly baseUrl: Store<string>;
  setKey(key: string | undefined): void;
  /** A folder of the test's own, also the workspace's root. */
  readonly folder: string;
  readonly log: readonly string[];
  /** Ends the app as a crash would leave it: nothing is finished but what is on disk. Then a new one opens on the same files. */
  restartApp(): Promise<App>;
  close(): Promise<void>;
}

/** Connected with the right key, as to a remote gateway. `pollClock` is the app's own, `configured` the setting `sluice.models`. */
export async function openAppOverGateway(
  options: Partial<LocalGatewayOptions> & { readonly pollClock?: Clock; readonly configured?: unknown } = {},
): Promise<AppOverGateway> {
  const { pollClock = systemClock, configured = [], ...gatewayOptions } = options;
  const temporary = await createTemporaryFolder();
  const folder = temporary.path;
  const gateway = await startLocalGateway({
    stateDir: join(folder, ".state"),
    tokensPerSecond: Infinity,
    firstTokenMs: 0,
    ...gatewayOptions,
  });
  const log = keptLog();
  const baseUrl = new Store(gateway.url);
  const keyChanged = new Emitter<string>();
  let key: string | undefined = gateway.key;
  const connections = new GatewayConnections({
    baseUrl,
    keys: { read: () => Promise.resolve(key), onDidChange: keyChanged.event },
    local: {
      start: () => Promise.resolve({ url: gateway.url, key: gateway.key }),
      onDidExit: new Emitter<void>().event,
    },
    connect: (endpoint) =>
      connectGateway({ ...endpoint, log, limits: () => ({ connect: 2000, firstByte: 2000, silence: 2000 }) }),
    log,
  });
  const memory = new Map<string, unknown>();
  const open = (): Promise<App> =>
    createApp({
      connections,
      workspace: createDiskWorkspace(folder),
      attention: { focused: true, onDidChange: new Emitter<boolean>().event },
      clock: pollClock,
      random: () => 0.5,
      log,
      modelMemory: { read: (origin) => memory.get(origin), write: (origin, kept) => void memory.set(origin, kept) },
      configuredModels: { read: () => configured, onDidChange: new Emitter<void>().event },
      storage: {
        openTasks: openStoreAt(join(folder, ".storage", "tasks.db")),
        results: join(folder, ".storage", "results"),
      },
    });
  /** Apps that a restart left behind, with their files still open. */
  const left: App[] = [];
  let app = await open();
  await connections.refresh();
  await app.models.load();
  return {
    get app() {
      return app;
    },
    gateway,
    connections,
    baseUrl,
    setKey(now) {
      key = now;
      keyChanged.fire(gateway.url);
    },
    folder,
    log: log.lines,
    async restartApp() {
      app.dispose();
      left.push(app);
      app = await open();
      await app.models.load();
      return app;
    },
    async close() {
      for (const each of [...left, app]) await each.close();
      connections.dispose();
      await gateway.close();
      await temporary.remove();
    },
  };
}

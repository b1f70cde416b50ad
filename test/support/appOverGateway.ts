/** The whole product without VS Code, over real sockets to a local gateway of the test's own. */
import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Outbox } from "../../src/tasks/submit/outbox";
import { type App as ProductApp, createApp } from "./createApp";
import type { Clock, MonotonicClock } from "../../src/base/clock";
import { systemClock } from "../../src/base/async/systemClock";
import { Emitter } from "../../src/base/event";
import { type ReadonlyStore, Store } from "../../src/base/store";
import type { ChatSession } from "../../src/chat/session/session";
import type { ChatSessions } from "../../src/chat/storage/chatSessions";
import { type KeyAccounts, GatewayConnections } from "../../src/gateway/connections";
import type { Limits } from "../../src/gateway/http/network/wire";
import { createHttpGateway } from "../../src/gateway/httpGateway";
import type { PlacePort } from "../../src/domain/tools/toolPorts";
import type { ClientRule } from "../../src/localGateway/requestWatch";
import type { StartLocalGatewayOptions } from "../../src/localGateway/server";
import { type FaultyGateway, startFaultyGateway } from "../faults/faultyGateway";
import { createChildProcesses } from "../../src/tools/command/childProcesses";
import { keptAccounts, keptLog } from "./builders";
import { createDiskWorkspace } from "./diskWorkspace";
import { noEditor } from "./noEditor";
import { openWithoutSync } from "./openWithoutSync";
import { openStoreAt } from "./taskBoards";
import { createTemporaryFolder } from "./temporaryFolder";
import { plainAppOptions, plainEndpoint, plainPlace, settingsWith } from "./plainOptions";

/** The app with its chat open. */
export type App = ProductApp & {
  readonly outbox: Outbox;
  readonly chats: ChatSessions;
  readonly session: ReadonlyStore<ChatSession>;
};

export interface AppOverGateway {
  readonly app: App;
  readonly gateway: FaultyGateway;
  readonly connections: GatewayConnections;
  /** The setting `sluice.baseUrl`; initially the gateway's address. */
  readonly baseUrl: Store<string>;
  /** The test makes the client break this rule of the service. */
  provoke(rule: ClientRule): void;
  setKey(key: string | undefined): void;
  /** The accounts of the keys. */
  readonly accounts: KeyAccounts;
  /** A temporary folder. */
  readonly folder: string;
  /** The workspace's root: that folder, or the one in it that the test named. */
  readonly root: string;
  readonly log: readonly string[];
  /** Disposes the app without closing it, as a crash would, and opens a new one on the same files. */
  restartApp(): Promise<App>;
  close(): Promise<void>;
}

/**
 * Opens the app connected with the right key, as to a remote gateway. `pollClock` is the app's own, `configured` the setting `sluice.models`.
 * `limits` is asked for each request; by default no limit ends one, however busy the machine. Without `polls` the test runs the poller itself. `close`
 * fails when the gateway's client report holds anything but what `provokes` names.
 */
export async function openAppOverGateway(
  options: Partial<StartLocalGatewayOptions> & {
    readonly pollClock?: MonotonicClock;
    /** The clock on which a request waits before it is sent again. */
    readonly retryClock?: Clock;
    readonly configured?: unknown;
    readonly limits?: () => Partial<Limits>;
    readonly polls?: boolean;
    /** Bytes up to which results are fetched without a click; by default none. */
    readonly fetchUpTo?: number;
    readonly provokes?: readonly ClientRule[];
    /** The setting `sluice.caps.tokensPerChat`. */
    readonly tokensPerChat?: () => number;
    /** The setting `sluice.caps.tasksPerDay`. */
    readonly tasksPerDay?: () => number;
    /** The workspace's root below the temporary folder; `null` for a window without tools, as in Restricted Mode. */
    readonly inside?: string | null;
    /** The facts that the editor and the person give about the place where the chats work. */
    readonly place?: PlacePort;
  } = {},
): Promise<AppOverGateway> {
  const {
    pollClock = systemClock,
    retryClock = systemClock,
    configured = [],
    limits = () => ({}),
    polls = true,
    fetchUpTo = 0,
    provokes = [],
    tokensPerChat = () => 0,
    tasksPerDay = () => 0,
    inside = "",
    place = plainPlace,
    ...gatewayOptions
  } = options;
  const provoked = new Set(provokes);
  const temporary = await createTemporaryFolder();
  const folder = temporary.path;
  const root = join(folder, inside ?? "");
  await mkdir(root, { recursive: true });
  const gateway = await startFaultyGateway({
    stateDir: join(folder, ".state"),
    tokensPerSecond: Infinity,
    firstTokenMs: 0,
    openNative: openWithoutSync,
    ...gatewayOptions,
  });
  const log = keptLog();
  const baseUrl = new Store(gateway.url);
  const keyChanged = new Emitter<string>();
  let key: string | undefined = gateway.key;
  const accounts = keptAccounts();
  const connections = new GatewayConnections({
    baseUrl,
    keys: { read: () => Promise.resolve(key), onDidChange: keyChanged.event },
    accounts,
    local: {
      start: () => Promise.resolve({ url: gateway.url, key: gateway.key }),
      onDidExit: new Emitter<void>().event,
    },
    connect: (endpoint) =>
      createHttpGateway({
        ...plainEndpoint,
        ...endpoint,
        log,
        clock: retryClock,
        limits: () => ({ firstByte: 120_000, silence: 120_000, ...limits() }),
      }),
    log,
  });
  const memory = new Map<string, unknown>();
  const available = new Map<string, unknown>();
  let shownChat: string | undefined;
  const open = async (): Promise<App> => {
    const opened = await createApp({
      ...plainAppOptions,
      connections,
      workspace: createDiskWorkspace(...(inside === null ? [] : [root])),
      loadProcesses: () => Promise.resolve(createChildProcesses(systemClock)),
      searchProgram: resolve("dist", "search.mjs"),
      loadPlace: () => Promise.resolve(place),
      loadEditor: () => Promise.resolve(noEditor),
      attention: { focused: true, onDidChange: new Emitter<boolean>().event },
      clock: pollClock,
      random: () => 0.5,
      log,
      modelMemory: { read: (origin) => memory.get(origin), write: (origin, kept) => void memory.set(origin, kept) },
      availabilityMemory: {
        read: (origin) => available.get(origin),
        write: (origin, kept) => void available.set(origin, kept),
      },
      settings: settingsWith(() => ({
        "caps.tokensPerChat": tokensPerChat(),
        "caps.tasksPerDay": tasksPerDay(),
        "results.fetchUpTo": fetchUpTo / 1024 ** 2,
      })),
      configuredModels: { read: () => configured, onDidChange: new Emitter<void>().event },
      storage: {
        openTasks: openStoreAt(join(folder, ".storage", "tasks.db")),
        results: join(folder, ".storage", "results"),
        chats: join(folder, ".storage", "chats"),
        rules: join(folder, ".storage", "approvals"),
      },
      shownChat: { read: () => shownChat, write: (id) => void (shownChat = id) },
    });
    if (polls) {
      void opened.poller.run();
      void opened.fetcher.run();
    }
    const chats = await opened.openChats();
    return { ...opened, outbox: await opened.openOutbox(), chats, session: chats.shown };
  };
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
    provoke(rule) {
      provoked.add(rule);
    },
    setKey(now) {
      key = now;
      keyChanged.fire(gateway.url);
    },
    accounts,
    folder,
    root,
    log: log.lines,
    async restartApp() {
      app.dispose();
      // A process that ends releases its locks.
      await app.chats.close();
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
      const found = gateway.clientReport.findings.filter(({ rule }) => !provoked.has(rule));
      const said = found.map(({ rule, route, detail }) => `${rule}: ${route}: ${detail}`);
      assert.deepEqual(said, [], `L6: the client did not behave: ${said.join("; ")}`);
    },
  };
}

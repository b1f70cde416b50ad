/** The product without VS Code for one process of a run that kills, connected to a gateway of another process. */
import { join } from "node:path";
import { type App, type AppOptions, createApp } from "../createApp";
import type { MonotonicClock } from "../../../src/base/clock";
import { Emitter } from "../../../src/base/event";
import { Store } from "../../../src/base/store";
import type { Family } from "../../../src/domain/chat/family";
import { GatewayConnections } from "../../../src/gateway/connections";
import { createHttpGateway } from "../../../src/gateway/httpGateway";
import { createChildProcesses } from "../../../src/tools/command/childProcesses";
import { keptAccounts, keptLog } from "../builders";
import { createFaultyDatabase, type FaultyDatabase } from "../faultyDatabase";
import { createDiskWorkspace } from "../diskWorkspace";
import { openStoreAt } from "../taskBoards";
import { noEditor } from "../noEditor";
import { plainAppOptions, plainEndpoint, settingsWith } from "../plainOptions";

export interface ProgramAppOptions {
  readonly folder: string;
  readonly gateway: { readonly url: string; readonly key: string };
  readonly clock: MonotonicClock;
  readonly shownChat?: AppOptions["shownChat"];
  /** The setting `sluice.caps.tasksPerDay`. */
  readonly tasksPerDay?: () => number;
  /** The disk of the tasks; by default one that is never full. */
  readonly disk?: FaultyDatabase;
}

export async function openProgramApp({
  folder,
  gateway,
  clock,
  shownChat,
  tasksPerDay = () => 0,
  // A file that a kill left, or that is put in its place, has its journal on the disk.
  disk = createFaultyDatabase({ unsynced: true }),
}: ProgramAppOptions): Promise<App> {
  const log = keptLog();
  const connections = new GatewayConnections({
    baseUrl: new Store(gateway.url),
    accounts: keptAccounts(),
    keys: { read: () => Promise.resolve(gateway.key), onDidChange: new Emitter<string>().event },
    local: { start: () => Promise.resolve(gateway), onDidExit: new Emitter<void>().event },
    connect: (endpoint) =>
      createHttpGateway({
        ...plainEndpoint,
        ...endpoint,
        log,
        limits: () => ({ connect: 20_000, firstByte: 5000, silence: 5000 }),
      }),
    log,
  });
  const app = await createApp({
    ...plainAppOptions,
    connections,
    workspace: createDiskWorkspace(folder),
    loadProcesses: () => Promise.resolve(createChildProcesses(clock)),
    searchProgram: "",
    loadEditor: () => Promise.resolve(noEditor),
    attention: { focused: true, onDidChange: new Emitter<boolean>().event },
    clock,
    random: Math.random,
    log,
    settings: settingsWith(() => ({ "caps.tasksPerDay": tasksPerDay(), "results.fetchUpTo": 1024 })),
    modelMemory: { read: () => undefined, write: () => undefined },
    configuredModels: { read: () => [], onDidChange: new Emitter<void>().event },
    storage: {
      openTasks: openStoreAt(join(folder, "tasks.db"), disk, clock),
      results: join(folder, "results"),
      chats: join(folder, "chats"),
      rules: join(folder, "rules"),
    },
    shownChat: shownChat ?? { read: () => undefined, write: () => undefined },
  });
  await connections.refresh();
  return app;
}

/** Chooses the demo model of a family for the window's next answers. */
export async function chooseFamily({ models }: App, family: Family): Promise<void> {
  await models.load();
  const model = models.models.current.list.find((one) => one.family === family && !one.taskTypes);
  if (!model) throw new Error(`There is no model of ${family}.`);
  models.choose(model.id);
}

/** Ports for tests that are not about them: no caps, no rules, no proxy, nothing is attached, remembered, stored, logged or asked of the editor. */
import type { McpTaskPorts } from "../../src/domain/tools/mcpTool";
import { fileURLToPath } from "node:url";
import type { AppOptions } from "./createApp";
import { Store } from "../../src/base/store";
import type { GuardOptions } from "../../src/chat/approval/guard";
import { SeenTextHashes } from "../../src/chat/undo/changeLedger";
import { GrantRules } from "../../src/chat/approval/grantRules";
import type { SessionOptions } from "../../src/chat/session/sessionOptions";
import { defaultNetworkSettings } from "../../src/domain/gateway/networkSettings";
import type { PlacePort } from "../../src/domain/tools/toolPorts";
import type { FileChanges } from "../../src/domain/tools/workspace";
import { defaultSettings, type SettingsReader } from "../../src/domain/environment";
import type { SettingId, SettingValue } from "../../src/domain/settingTable";
import type { GatewayEndpoint } from "../../src/gateway/httpGateway";
import type { TaskEngineOptions } from "../../src/localGateway/tasks/taskEngine";
import type { TaskBoardOptions } from "../../src/tasks/board/board";
import { defaultStylizedImageWord } from "../../src/domain/gateway/modelAccess";
import { placeFile } from "../../src/tasks/results/placeFile";
import type { OutboxOptions } from "../../src/tasks/submit/outbox";

export const plainEndpoint: Omit<GatewayEndpoint, "baseUrl" | "key" | "clock" | "random"> = {
  stylizedImageWord: () => defaultStylizedImageWord,
  chat: () => ({}),
  limits: () => ({}),
  network: { settings: new Store(defaultNetworkSettings), environment: {} },
  log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
};

export const plainEngineOptions: Pick<TaskEngineOptions, "speed" | "nameOf"> = { speed: 1, nameOf: (type) => type };

export const plainBoardOptions: Pick<TaskBoardOptions, "readEarly"> = { readEarly: () => undefined };

/** The defaults except for these settings; where `read` gives another value later, that counts from then on. */
export function settingsWith(read: () => { readonly [Id in SettingId]?: SettingValue<Id> }): SettingsReader {
  return { get: (id) => read()[id] ?? defaultSettings.get(id) };
}

export const plainOutboxOptions: Pick<OutboxOptions, "settings" | "untilUnpaused"> = {
  settings: defaultSettings,
  untilUnpaused: () => Promise.resolve(),
};

/** The settings of `settingsWith` as a field of ports. */
export function withSettings(read: Parameters<typeof settingsWith>[0]): { readonly settings: SettingsReader } {
  return { settings: settingsWith(read) };
}

const plainGuard: GuardOptions = {
  rules: new GrantRules(
    { read: () => Promise.resolve({ rules: [], changed: [] }), change: () => Promise.resolve() },
    { now: () => 0 },
  ),
  // No call is one that a rule could cover.
  files: {
    isPlainFile: () => false,
    reasonsOf: () => [],
    isSecret: () => false,
    areTracked: () => Promise.resolve(false),
    returnsTakenBack: () => Promise.resolve(false),
  },
  log: { warn: () => undefined },
};

/** `filesOf`: what changes the files of the tools, where there are any. */
export function plainChanges(files?: FileChanges): SessionOptions["changes"] {
  const unexpected = (): never => {
    throw new Error("This session has no files.");
  };
  const none: FileChanges = { write: unexpected, create: unexpected, rename: unexpected, remove: unexpected };
  return {
    filesOf: () => files ?? none,
    wrote: () => Promise.resolve(false),
    seen: new SeenTextHashes(),
    outcomes: () => Promise.resolve([]),
  };
}

/** An environment in which nothing is known of where the chat works. */
const plainSurroundings: SessionOptions["workspaceContext"] = {
  promptContext: () => ({}),
  roots: () => [],
  readEnvironment: () => Promise.resolve(undefined),
  instructionsAbove: () => Promise.resolve({ instructions: [], offered: [] }),
  allowInstructions: () => Promise.resolve(undefined),
};

export const plainPlace: PlacePort = {
  host: { system: "Linux", shell: "/bin/sh" },
  activeEditor: () => undefined,
  instructions: () => "",
  allowed: { has: () => false, add: () => undefined },
};

export const plainSessionOptions: Omit<SessionOptions, "connections" | "clock" | "log" | "model"> = {
  tools: () => [],
  guard: plainGuard,
  attach: () => Promise.resolve([]),
  untrustedImage: () => Promise.resolve(undefined),
  readImage: () => Promise.resolve(undefined),
  keepResult: () => "kept",
  fallbackOf: () => undefined,
  learnWithoutTools: () => undefined,
  learnContextSize: () => undefined,
  changes: plainChanges(),
  workspaceContext: plainSurroundings,
  ...withSettings(() => ({})),
  makesTitles: () => false,
  storage: {
    isWritable: true,
    takeOver: () => Promise.resolve(false),
    hasTitle: false,
    setTitle: () => Promise.resolve(),
    flush: () => Promise.resolve(),
  },
};

export const plainAppOptions: Pick<
  AppOptions,
  | "availabilityMemory"
  | "confirmAttachment"
  | "freeSpace"
  | "listProblems"
  | "loadForeignTools"
  | "loadPages"
  | "loadPlace"
  | "loadWeb"
  | "makesTitles"
  | "placeResult"
  | "quotedTexts"
  | "readTasksEarly"
  | "scaleImage"
  | "settings"
  | "terminals"
> = {
  // A title would be one more request.
  makesTitles: () => false,
  freeSpace: () => Promise.resolve(undefined),
  availabilityMemory: { read: () => undefined, write: () => undefined },
  confirmAttachment: () => Promise.resolve(false),
  listProblems: () => ({ text: "", related: [] }),
  loadForeignTools: () => Promise.resolve({ chosen: () => [], call: () => Promise.resolve([]) }),
  loadPages: () => Promise.resolve(undefined),
  loadPlace: () => Promise.resolve(plainPlace),
  loadWeb: () =>
    Promise.resolve({
      proxyOf: () => undefined,
      get: () => Promise.reject(new Error("There is no web in this test.")),
    }),
  placeResult: (source, file, { replaces }) => placeFile(source, fileURLToPath(file), { replaces }),
  quotedTexts: { read: () => undefined, write: () => undefined },
  readTasksEarly: plainBoardOptions.readEarly,
  scaleImage: () => Promise.resolve(undefined),
  settings: defaultSettings,
  terminals: { open: () => "opened" },
};

/** The ports of an MCP server whose clients know no tasks. */
export const noMcpTasks: McpTaskPorts = {
  begin: () => Promise.reject(new Error("no task is begun here")),
  get: () => Promise.resolve(undefined),
  answer: () => false,
  cancel: () => false,
  withdrawAll: () => undefined,
};

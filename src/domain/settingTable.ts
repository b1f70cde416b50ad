/**
 * Every `sluice.*` setting: its type, limits, default and group. Its words are in package.nls.json. `node scripts/contributes.mjs` makes the
 * configuration of package.json and the table of settings in the documents from both, and `Settings.get` reads by it.
 */

/** The groups of VS Code's settings editor, in its order; each has its title in package.nls.json as `settings.<group>`. */
export const settingGroups = ["gateway", "chat", "tasks", "results"] as const;

interface SettingCommon {
  readonly group: (typeof settingGroups)[number];
}

/** A part of the JSON Schema that VS Code checks. A value that does not fit counts as the default. */
export type SettingRow = SettingCommon &
  (
    | { readonly type: "boolean"; readonly default: boolean }
    | {
        readonly type: "number" | "integer";
        readonly default: number;
        readonly minimum: number;
        readonly maximum?: number;
      }
    | {
        readonly type: "string";
        readonly default: string;
        /** All values, where there are few; each has its words as `setting.<id>.<value>`. */
        readonly enum?: readonly string[];
        /** A value must match it. The text `setting.<id>.pattern`, if there is one, is shown for a value that does not. */
        readonly pattern?: string;
        readonly minLength?: number;
        /** VS Code's settings editor has a box of several lines for it. */
        readonly editPresentation?: "multilineText";
      }
    // The reader of a list checks its entries one by one.
    | { readonly type: "array"; readonly default: readonly unknown[] }
  );

/** The settings by id, without `sluice.`, in the order in which the settings editor shows those of a group. */
export const settingTable = {
  baseUrl: { group: "gateway", type: "string", default: "" },
  consoleUrl: { group: "gateway", type: "string", pattern: "^(https?://[^\\s/].*)?$", default: "" },
  requestHeaders: { group: "gateway", type: "array", default: [] },
  models: { group: "gateway", type: "array", default: [] },
  prices: { group: "gateway", type: "array", default: [] },
  "localGateway.relay": { group: "gateway", type: "boolean", default: true },
  instructions: { group: "chat", type: "string", editPresentation: "multilineText", default: "" },
  summarizeChats: { group: "chat", type: "boolean", default: true },
  sandbox: { group: "chat", type: "boolean", default: true },
  /** 0 stands for no cap; the other caps likewise. */
  "caps.tokensPerChat": { group: "chat", type: "integer", minimum: 0, default: 0 },
  "caps.moneyPerChat": { group: "chat", type: "number", minimum: 0, default: 0 },
  "caps.roundsPerTurn": { group: "chat", type: "integer", minimum: 0, default: 200 },
  "caps.tasksPerDay": { group: "tasks", type: "integer", minimum: 0, default: 0 },
  "caps.moneyPerDay": { group: "tasks", type: "number", minimum: 0, default: 0 },
  notifications: { group: "tasks", type: "string", enum: ["all", "attention", "none"], default: "all" },
  "mcp.enabled": { group: "tasks", type: "boolean", default: false },
  /** Megabytes. */
  "results.fetchUpTo": { group: "results", type: "number", minimum: 0, maximum: 2048, default: 200 },
  "results.folder": { group: "results", type: "string", default: "assets" },
} as const satisfies Readonly<Record<string, SettingRow>>;

export type SettingId = keyof typeof settingTable;

/** The name of a setting in settings.json. */
export type SettingKey = `sluice.${SettingId}`;

type ValueOf<Row> = Row extends { readonly enum: readonly (infer Word)[] }
  ? Word
  : Row extends { readonly type: "boolean" }
    ? boolean
    : Row extends { readonly type: "string" }
      ? string
      : Row extends { readonly type: "number" | "integer" }
        ? number
        : readonly unknown[];

/** The type of the value of a setting that fits its row. */
export type SettingValue<Id extends SettingId> =
  ValueOf<(typeof settingTable)[Id]> | (typeof settingTable)[Id]["default"];

const isSettingId = (id: string): id is SettingId => id in settingTable;

export const settingIds: readonly SettingId[] = Object.keys(settingTable).filter(isSettingId);

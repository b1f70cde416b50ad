/** Chooses the value of a setting: the person's own, if it fits its row in the table. What VS Code's editor of settings underlines is not used. */
import { type SettingId, type SettingRow, settingTable, type SettingValue } from "../domain/settingTable";

/** Does not check the entries of a list, which are read one by one elsewhere. */
function fitsSetting<Id extends SettingId>(id: Id, value: unknown): value is SettingValue<Id> {
  const row: SettingRow = settingTable[id];
  if (row.type === "boolean") return typeof value === "boolean";
  if (row.type === "array") return Array.isArray(value);
  if (row.type === "string") {
    if (typeof value !== "string") return false;
    if (row.enum) return row.enum.includes(value);
    return value.trim().length >= (row.minLength ?? 0) && new RegExp(row.pattern ?? "").test(value.trim());
  }
  // A fraction is rounded up by the reader of the setting, so that a cap of half a task does not mean a cap of zero.
  return typeof value === "number" && value >= row.minimum && value <= (row.maximum ?? Infinity);
}

/** The value without the spaces around it; undefined when it can't be used. */
export function usableSetting<Id extends SettingId>(id: Id, value: unknown): SettingValue<Id> | undefined {
  const row: SettingRow = settingTable[id];
  const isFree = row.type === "string" && row.enum === undefined;
  const found = isFree && typeof value === "string" ? value.trim() : value;
  return fitsSetting(id, found) ? found : undefined;
}

// Chooses the value that is the person's own among those that VS Code found (C1). Pure, for `ownSetting` and the tests.

/** The result of `inspect`. Its last two fields are missing in the API's types. */
interface FoundValues {
  readonly defaultValue?: unknown;
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
  /** The value on the machine of a remote window, such as a dev container. */
  readonly globalRemoteValue?: unknown;
  /** The value on the person's machine, in a remote window. */
  readonly globalLocalValue?: unknown;
}

/**
 * VS Code 1.106 checks the scope of `"sluice.baseUrl"` only: a nested `{ "sluice": { "baseUrl": … } }` in the settings of a workspace, or of
 * a dev container's machine, is in effect there. The `http` settings may be the machine's, which has its own proxy.
 */
export function ownValue(section: "sluice" | "http", found: FoundValues, inEffect: unknown): unknown {
  const { workspaceValue, workspaceFolderValue, globalValue, defaultValue } = found;
  if (section === "sluice" && found.globalRemoteValue !== undefined) return found.globalLocalValue ?? defaultValue;
  return workspaceValue === undefined && workspaceFolderValue === undefined ? inEffect : (globalValue ?? defaultValue);
}

/** Which of the values that VS Code found for a setting is the person's own (C1). Pure, for `ownSetting` and the tests. */

/** As `inspect` gives them. The last two are missing in the API's types. */
export interface FoundValues {
  readonly defaultValue?: unknown;
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
  /** Of the machine of a remote window, such as a dev container. */
  readonly globalRemoteValue?: unknown;
  /** Of the person's machine, in a remote window. */
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

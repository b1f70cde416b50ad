import { definedFields } from "../base/definedFields";
/** The little that the page keeps of its own: what would be lost when VS Code takes the hidden page down. The host owns the rest. */

export interface SavedState {
  /** What stands in the composer. */
  readonly draft: string;
  /** Rows that a person opened: thinking, tool calls, details. */
  readonly opened: readonly string[];
  /** The entry at the top edge and how far above it begins, in pixels; left out when the end is followed. */
  readonly anchor?: Anchor;
}

export interface Anchor {
  readonly entry: string;
  readonly offset: number;
}

export function readSavedState(value: unknown): SavedState {
  const saved = isObject(value) ? value : {};
  const opened: unknown[] = Array.isArray(saved["opened"]) ? saved["opened"] : [];
  const anchor = readAnchor(saved["anchor"]);
  return {
    draft: typeof saved["draft"] === "string" ? saved["draft"] : "",
    opened: opened.filter((key) => typeof key === "string"),
    ...definedFields({ anchor }),
  };
}

function readAnchor(value: unknown): Anchor | undefined {
  if (!isObject(value) || typeof value["entry"] !== "string" || typeof value["offset"] !== "number") return undefined;
  return { entry: value["entry"], offset: value["offset"] };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

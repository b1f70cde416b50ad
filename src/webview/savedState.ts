/** The page's own state (draft, expanded rows, scroll position), which VS Code keeps while a hidden page is destroyed. The host has everything else. */
import { definedFields } from "../base/definedFields";

export interface SavedState {
  /** The text of the composer. */
  readonly draft: string;
  /** Keys of the expanded rows: thinking, tool calls, details. */
  readonly opened: readonly string[];
  /** Missing while the end is followed. */
  readonly anchor?: Anchor;
}

/** A scroll position: the entry at the upper edge of the view, and how many pixels of it are above that edge. */
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

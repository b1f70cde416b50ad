/** The one file that a call reads or changes. Pure. */
import type { ToolAction } from "./chat";

export interface CallFile {
  /** As the person is shown it. */
  readonly path: string;
  /** Of its first line that was read or changed, from 1. */
  readonly line?: number;
}

/** `undefined` for a call on no file, on several, or on one that is gone after it. */
export function fileOfAction(action: ToolAction): CallFile | undefined {
  if (action.type === "rename-file") return { path: action.to };
  if (action.type !== "read-file" && action.type !== "edit-file" && action.type !== "create-file") return undefined;
  return action.lines === undefined ? { path: action.path } : { path: action.path, line: action.lines.first };
}

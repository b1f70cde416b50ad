/** The functions that a model may call, in the order it is told of them. */
import type { Tool } from "../domain/tool";
import type { Workspace } from "../domain/workspace";
import { editFile } from "./editFile";
import { findText } from "./findText";
import { listFiles } from "./listFiles";
import { readFile } from "./readFile";

export function workspaceTools(workspace: Workspace): readonly Tool[] {
  return [listFiles(workspace), readFile(workspace), findText(workspace), editFile(workspace)];
}

/** The functions that a model may call, in the order in which they are declared to it. */
import type { TaskPort } from "../domain/taskPort";
import type { Tool } from "../domain/tool";
import { editFile } from "./editFile";
import { findText } from "./findText";
import { listFiles } from "./listFiles";
import { readFile } from "./readFile";
import { type CommandPorts, runCommandLine } from "./runCommandLine";

/** Everything that a tool may touch. */
export interface ToolPorts extends CommandPorts {
  readonly tasks: TaskPort;
}

export function createTools(ports: ToolPorts): readonly Tool[] {
  const { workspace } = ports;
  return [listFiles(workspace), readFile(workspace), findText(workspace), editFile(workspace), runCommandLine(ports)];
}

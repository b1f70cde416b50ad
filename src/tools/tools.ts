/** The functions that a model may call, in the order in which they are declared to it. */
import type { ChildProcesses } from "../domain/childProcesses";
import type { TaskPort } from "../domain/taskPort";
import type { Tool } from "../domain/tool";
import type { Workspace } from "../domain/workspace";
import { createFile } from "./createFile";
import { deleteFile } from "./deleteFile";
import { editFile } from "./editFile";
import { findText } from "./findText";
import { listFiles } from "./listFiles";
import { readFile } from "./readFile";
import { renameFile } from "./renameFile";
import { cancelTask } from "./tasks/cancelTask";
import { getTask, listTasks } from "./tasks/lookAtTasks";
import { submitTask } from "./tasks/submitTask";

/** Everything that a tool may touch. */
export interface ToolPorts {
  readonly workspace: Workspace;
  readonly tasks: TaskPort;
  readonly processes: ChildProcesses;
}

export function createTools({ workspace, tasks }: ToolPorts): readonly Tool[] {
  return [
    ...[listFiles(workspace), readFile(workspace), findText(workspace)],
    ...[editFile(workspace), createFile(workspace), renameFile(workspace), deleteFile(workspace)],
    ...[submitTask(workspace, tasks), getTask(workspace, tasks), cancelTask(tasks), listTasks(tasks)],
  ];
}

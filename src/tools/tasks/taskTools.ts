/** The tools for the gateway's tasks: the same for the chat, for agents in VS Code and over MCP, which call them by other names. */
import type { TaskPort } from "../../domain/task/taskPort";
import type { ScaleImage } from "../../domain/tools/toolPorts";
import type { Tool } from "../../domain/tools/tool";
import type { Workspace } from "../../domain/tools/workspace";
import { cancelTask } from "./cancelTask";
import { compareResults, getTask, listTasks } from "./lookAtTasks";
import { saveResult } from "./saveResult";
import { submitTask } from "./submitTask";
import { listTaskModels } from "./taskModels";
import type { TaskToolNames } from "./taskToolNames";

export function createTaskTools(
  workspace: Workspace,
  tasks: TaskPort,
  names: TaskToolNames,
  scale: ScaleImage,
): readonly Tool[] {
  return [
    submitTask(workspace, tasks, names),
    getTask(workspace, tasks, names, scale),
    cancelTask(tasks, names),
    listTasks(tasks, names),
    ...(names.compare === undefined ? [] : [compareResults(tasks, names, names.compare, scale)]),
    saveResult(workspace, tasks, names),
    ...(names.models === undefined ? [] : [listTaskModels(tasks, names.models)]),
  ];
}

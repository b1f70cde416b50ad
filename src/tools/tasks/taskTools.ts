/** The tools for the gateway's tasks: the same for the chat, for agents in VS Code and over MCP, which call them by other names. */
import * as z from "zod/mini";
import type { TaskPort, CancelOutcome } from "../../domain/task/taskPort";
import type { ScaleImage } from "../../domain/tools/toolPorts";
import { type Tool, ToolRefusal } from "../../domain/tools/tool";
import type { Workspace } from "../../domain/tools/workspace";
import { quoteForeign } from "../../domain/words/quoteForeign";
import { alias } from "../base/argumentRules";
import { defineTool, pathArgument } from "../base/defineTool";
import { withoutEnding } from "../../domain/task/taskTypes";
import { hasSucceeded } from "../../domain/task/phase";
import { reasonsToAskForChange } from "../gate/cautions";
import { gateAgain, gatePlace } from "../gate/fileGate";
import { labelInWorkspace } from "../gate/pathNames";
import { compareResults, getTask, listTasks, requireTask, taskIdArgument } from "./lookAtTasks";
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

/** Tool: cancels a task after a yes. */
function cancelTask(tasks: TaskPort, names: TaskToolNames): Tool {
  return defineTool({
    name: names.cancel,
    effect: "submits",
    description: "Cancels a task that has not ended. The person is asked first.",
    parameters: z.strictObject({
      id: taskIdArgument(names),
      reason: z.string().check(z.minLength(1), z.maxLength(500), z.describe("Sent to the gateway with the cancel.")),
    }),
    rules: [alias("id", "task_id", "task")],
    prepare({ id, reason }) {
      const task = requireTask(tasks, id, names);
      return Promise.resolve({
        action: { type: "cancel-task", prompt: task.intent.prompt },
        reasons: ["cancels-task"],
        asked: { type: "cancel", task, reason },
        async run(_running, effects) {
          const outcome = await tasks.cancel(id, reason);
          if ("error" in outcome) effects?.untrusted?.(task.intent.home.origin);
          return wordsOf(outcome, names);
        },
      });
    },
  });
}

function wordsOf(outcome: CancelOutcome, names: TaskToolNames): string {
  switch (outcome.state) {
    case "confirmed":
      return "Cancelled.";
    case "open":
      return `The gateway was asked to cancel it; ${names.get} shows how it ends.`;
    case "too-late":
      return `It had ended before: ${outcome.ended}.`;
    case "no-task":
      return "Cancelled before it was sent: there is no task.";
    case "still-unknown":
      return "It is not sent again. Whether the gateway made the task is not known.";
    case "refused":
      return `The gateway refused${outcome.isSeenRunning ? ", and the task goes on" : ""}: ${quoteForeign(outcome.error.message)}`;
    case "failed":
      return `What became of it is not known: ${quoteForeign(outcome.error.message)}`;
  }
}

/** Tool: saves a finished result as a file of the workspace after a yes. */
function saveResult(workspace: Workspace, tasks: TaskPort, names: TaskToolNames): Tool {
  return defineTool({
    name: names.save,
    effect: "changes",
    description: "Saves the result of a finished task that was submitted without save_as, after a yes.",
    parameters: z.strictObject({
      id: taskIdArgument(names),
      save_as: pathArgument("As for a new task."),
    }),
    rules: [
      alias("id", "task_id", "task"),
      alias("save_as", "path", "file_path", "output_path", "output", "filename", "destination"),
    ],
    async prepare({ id, save_as: saveAs }, signal) {
      const task = requireTask(tasks, id, names);
      if (!hasSucceeded(task))
        throw new ToolRefusal(`The task has no result. ${names.get} with wait_seconds waits for its end.`);
      const { destination } = task.intent;
      if (destination !== undefined && task.submission.placement?.state !== "placed")
        throw new ToolRefusal(
          "Its result goes to the destination that it was submitted with. Where another file is there, the person decides in the Tasks view.",
        );
      const place = await gatePlace(workspace, withoutEnding(saveAs), signal);
      const refuseReserved = (): void => {
        if (tasks.isReserved(place.path))
          throw new ToolRefusal(`Another task will write ${place.label}: give another name.`);
      };
      refuseReserved();
      return {
        action: { type: "save-result", prompt: task.intent.prompt, path: place.label },
        reasons: reasonsToAskForChange(place.cautions),
        asked: { type: "save", task, place: place.label },
        async run(running) {
          const now = await gateAgain(gatePlace, workspace, place, running);
          running.throwIfAborted();
          refuseReserved();
          const file = await tasks.save(task, now.path);
          if (file === undefined)
            throw new ToolRefusal(`There is a file of that name already, so nothing was written: give another name.`);
          return `Saved as ${labelInWorkspace(workspace, file) ?? file}.`;
        },
      };
    },
  });
}

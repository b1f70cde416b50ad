/** Tool: a finished result as a file of the workspace, after a yes. */
import * as z from "zod/mini";
import { withoutEnding } from "../../domain/task/taskTypes";
import { hasSucceeded } from "../../domain/task/phase";
import type { TaskPort } from "../../domain/task/taskPort";
import { type Tool, ToolRefusal } from "../../domain/tools/tool";
import type { Workspace } from "../../domain/tools/workspace";
import { alias } from "../base/argumentRules";
import { defineTool, pathArgument } from "../base/defineTool";
import { reasonsToAskForChange } from "../gate/cautions";
import { gateAgain, gatePlace } from "../gate/fileGate";
import { labelInWorkspace } from "../gate/locate";
import { findTask, taskId } from "./lookAtTasks";
import type { TaskToolNames } from "./taskToolNames";

export function saveResult(workspace: Workspace, tasks: TaskPort, names: TaskToolNames): Tool {
  return defineTool({
    name: names.save,
    effect: "changes",
    description: "Saves the result of a finished task that was submitted without save_as, after a yes.",
    parameters: z.strictObject({
      id: taskId(names),
      save_as: pathArgument("As for a new task."),
    }),
    rules: [
      alias("id", "task_id", "task"),
      alias("save_as", "path", "file_path", "output_path", "output", "filename", "destination"),
    ],
    async prepare({ id, save_as: saveAs }, signal) {
      const task = findTask(tasks, id, names);
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

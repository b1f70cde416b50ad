/** Tool: a paid image or video, submitted once after a yes. */
import * as z from "zod/mini";
import { definedFields } from "../../base/definedFields";
import { taskTypes } from "../../domain/taskNames";
import type { TaskPort } from "../../domain/taskPort";
import { type Tool, ToolRefusal } from "../../domain/tool";
import type { Workspace } from "../../domain/workspace";
import { defineTool, pathArgument } from "../defineTool";
import { reasonsToAskForChange } from "../gate/cautions";
import { gateAgain, type GatedPlace, gatePlace } from "../gate/fileGate";
import { reportTask } from "./reportTask";

const promptCap = 32_000;
/** Characters of the options as JSON. */
const optionsCap = 16_000;

export function submitTask(workspace: Workspace, tasks: TaskPort): Tool {
  return defineTool({
    name: "submit_task",
    description:
      "Submits an image or a video to the gateway, which charges for it. The person is asked first. Gives the id of the task at once; get_task waits for its result.",
    parameters: z.strictObject({
      type: z.enum(taskTypes).check(z.describe("What is made. An account may not have all of them.")),
      model: z.string().check(z.minLength(1), z.maxLength(200), z.describe("Model of the gateway that makes it.")),
      prompt: z.string().check(z.minLength(1), z.maxLength(promptCap), z.describe("What it shows.")),
      save_as: z.optional(
        pathArgument("Where the result goes, relative to the workspace, without its ending: assets/hero."),
      ),
      options: z.optional(
        z.record(z.string(), z.unknown()).check(z.describe("What the task type takes besides the prompt, as JSON.")),
      ),
    }),
    async prepare({ type, model, prompt, save_as: saveAs, options }, signal) {
      const metadata = options === undefined ? undefined : JSON.stringify(options);
      if ((metadata?.length ?? 0) > optionsCap)
        throw new ToolRefusal(`options has more than ${optionsCap} characters.`);
      const place = saveAs === undefined ? undefined : await gateResult(workspace, tasks, saveAs, signal);
      const unplain = place === undefined || place.cautions.length === 0 ? [] : reasonsToAskForChange(place.cautions);
      // An address may be fetched by whoever makes the result, with what the model has put into it.
      const hasAddress = prompt.includes("//") || metadata?.includes("/") === true;
      return {
        action: { type: "submit-task", taskType: type, model },
        reasons: [...unplain, "submits-task"],
        ...(unplain.length === 0 && !hasAddress ? { grant: { type: "submit-task", taskType: type } } : {}),
        async run(running, reporter) {
          const destination = place && (await gateAgain(gatePlace, workspace, place, running)).path;
          running.throwIfAborted();
          const task = await tasks.submit({ type, model, prompt, ...definedFields({ metadata, destination }) });
          reporter?.submitted(task.intent.id);
          return reportTask(task, workspace);
        },
      };
    },
  });
}

/** The ending comes with the result; a name that another task of the list will write is taken. */
async function gateResult(
  workspace: Workspace,
  tasks: TaskPort,
  saveAs: string,
  signal: AbortSignal,
): Promise<GatedPlace> {
  const place = await gatePlace(workspace, saveAs.replace(/\.(?:png|jpe?g|webp|gif|avif|mp4|webm|mov)$/i, ""), signal);
  if (tasks.isReserved(place.path)) throw new ToolRefusal(`Another task will write ${place.label}: give another name.`);
  return place;
}

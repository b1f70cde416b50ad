/** Tool: a paid image or video, submitted once after a yes. */
import * as z from "zod/mini";
import { definedFields } from "../../base/definedFields";
import { quoteForeign } from "../../domain/words/quoteForeign";
import { withoutEnding } from "../../domain/task/mediaKinds";
import type { Task } from "../../domain/task/task";
import { taskTypes } from "../../domain/task/taskTypes";
import type { TaskPort, TaskTarget } from "../../domain/task/taskPort";
import { type FreeCall, type Tool, ToolRefusal } from "../../domain/tools/tool";
import type { ToolAction } from "../../domain/chat/chat";
import type { Workspace } from "../../domain/tools/workspace";
import { alias } from "../base/argumentRules";
import { defineTool, pathArgument } from "../base/defineTool";
import { reasonsToAskForChange } from "../gate/cautions";
import { gateAgain, type GatedPlace, gatePlace } from "../gate/fileGate";
import { gateImages } from "./gatedImages";
import { reportTask, reportUntrustedTask } from "./reportTask";
import type { TaskToolNames } from "./taskToolNames";

const promptCap = 32_000;
/** Characters of the options as JSON. */
const optionsCap = 16_000;
const maxReferences = 4;

type SubmitAction = Extract<ToolAction, { readonly type: "submit-task" }>;

interface Wanted {
  readonly type: string;
  readonly model: string;
  readonly prompt: string;
}

const parameters = z.strictObject({
  type: z.enum(taskTypes).check(z.describe("What is made. An account may not have all of them.")),
  model: z.string().check(z.minLength(1), z.maxLength(200), z.describe("Model of the gateway that makes it.")),
  prompt: z.string().check(z.minLength(1), z.maxLength(promptCap), z.describe("What it shows.")),
  save_as: z.optional(
    pathArgument("Where the result goes, relative to the workspace, without its ending: assets/hero."),
  ),
  references: z.optional(
    z
      .array(pathArgument("Path of an image in the workspace."))
      .check(z.maxLength(maxReferences), z.describe("Images to start from, which are sent to the gateway.")),
  ),
  options: z.optional(
    z.record(z.string(), z.unknown()).check(z.describe("What the task type takes besides the prompt, as JSON.")),
  ),
});

export function submitTask(workspace: Workspace, tasks: TaskPort, names: TaskToolNames): Tool {
  return defineTool({
    name: names.submit,
    description: `Submits an image or a video to the gateway, which charges for it. The person is asked first. Gives the id of the task at once; ${names.get} waits for its result. Ask the person for the model where you don't know one.`,
    parameters,
    rules: [
      alias("type", "task_type", "kind"),
      alias("model", "model_id", "model_name"),
      alias("save_as", "output_path", "output", "filename", "destination"),
      alias("references", "reference_images", "input_images"),
    ],
    refusesUnknown: true,
    async prepare({ type, model, prompt, save_as: saveAs, references = [], options }, signal) {
      const grant = { type: "submit-task", taskType: type, model, options: options ?? {} } as const;
      const metadata = options === undefined ? undefined : JSON.stringify(options);
      if ((metadata?.length ?? 0) > optionsCap)
        throw new ToolRefusal(`options has more than ${optionsCap} characters.`);
      const place = saveAs === undefined ? undefined : await gateResult(workspace, tasks, saveAs, signal);
      const images = await gateImages(workspace, tasks, references, signal);
      const ofPlace = place === undefined || place.cautions.length === 0 ? [] : reasonsToAskForChange(place.cautions);
      const unplain = [...new Set([...images.reasons, ...ofPlace])];
      const target = await tasks.target(type, signal);
      if (target.type === "not-enabled") return refuseInRun({ type: "submit-task", taskType: type, model }, target);
      const { home } = target;
      const same = (): Task | undefined =>
        tasks.list().findLast(({ intent }) => isSame(intent, { type, model, prompt }));
      const order = { type, model, prompt, home, ...definedFields({ metadata, destination: place?.path }) };
      // An address may be fetched by whoever makes the result, with what the model has put into it; an image leaves the workspace.
      const sendsMore = prompt.includes("//") || metadata?.includes("/") === true || references.length > 0;
      return {
        action: { type: "submit-task", taskType: type, model },
        reasons: [...unplain, "submits-task"],
        ...(unplain.length === 0 && !sendsMore ? { grant } : {}),
        asked: {
          ...{ type: "submit", order, target, same, references: images.labels },
          ...definedFields({ place: place?.label }),
        },
        async run(running, effects) {
          const destination = place && (await gateAgain(gatePlace, workspace, place, running)).path;
          const sent = references.length === 0 ? {} : { references: await images.read(running) };
          running.throwIfAborted();
          const task = await tasks.submit({ ...order, ...definedFields({ destination }), ...sent }, running);
          effects?.submitted(task.intent.id);
          reportUntrustedTask([task], effects);
          return reportTask(task, workspace, tasks, names);
        },
      };
    },
  });
}

function isSame(intent: Wanted, wanted: Wanted): boolean {
  return intent.type === wanted.type && intent.model === wanted.model && intent.prompt === wanted.prompt;
}

/** The refusal quotes the gateway, and only a running call can mark that as untrusted. */
function refuseInRun(action: SubmitAction, target: TaskTarget): FreeCall {
  return {
    action,
    run(_running, effects) {
      if (target.refusal !== undefined) effects?.untrusted?.(target.home.origin);
      return Promise.reject(new ToolRefusal(describeNotEnabled(action.taskType, target)));
    },
  };
}

/** Whether it is enabled meanwhile can't be asked without paying, and a model must not find out by trying. */
function describeNotEnabled(type: string, { refusal = "" }: TaskTarget): string {
  const why = refusal === "" ? "as the person has set it" : `the gateway said ${quoteForeign(refusal)}`;
  return `Tasks of the type ${type} are not enabled for this account: ${why}. Nothing was submitted. Only the person can try again, with New Task in the Tasks view.`;
}

/** The ending comes with the result; a name that another task of the list will write is taken. */
async function gateResult(
  workspace: Workspace,
  tasks: TaskPort,
  saveAs: string,
  signal: AbortSignal,
): Promise<GatedPlace> {
  const place = await gatePlace(workspace, withoutEnding(saveAs), signal);
  if (tasks.isReserved(place.path)) throw new ToolRefusal(`Another task will write ${place.label}: give another name.`);
  return place;
}

/** Tool: a paid image or video, submitted once after a yes. */
import { createHash } from "node:crypto";
import * as z from "zod/mini";
import { definedFields } from "../../base/definedFields";
import { quoteForeign } from "../../domain/words/quoteForeign";
import { withoutEnding, taskTypes } from "../../domain/task/taskTypes";
import { sumsOfPrices } from "../../domain/prices/priceList";
import type { Task } from "../../domain/task/task";
import type { TaskPort, TaskTarget, WantedTask, ReferenceImage } from "../../domain/task/taskPort";
import { type FreeCall, type Tool, ToolRefusal } from "../../domain/tools/tool";
import type { ToolAction, AskReason } from "../../domain/chat/chat";
import type { Workspace } from "../../domain/tools/workspace";
import { alias } from "../base/argumentRules";
import { defineTool, pathArgument } from "../base/defineTool";
import { reasonsToAskForChange, reasonsToAskForRead } from "../gate/cautions";
import { gateAgain, type GatedPlace, gatePlace, type GatedFile, gateFile } from "../gate/fileGate";
import { readSmallFile } from "../gate/fileAccess";
import { reportTask, reportUntrustedTask } from "./reportTask";
import {
  findTaskModel,
  otherModels,
  maxCopies,
  readTypeArgument,
  optionsBeside,
  readOptions,
  toldOptions,
} from "./taskModels";
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
  type: z.enum(taskTypes).check(z.describe("What to make. An account may not have all types.")),
  model: z
    .string()
    .check(z.minLength(1), z.maxLength(200), z.describe("The task model that makes it, not a chat model.")),
  prompt: z.string().check(z.minLength(1), z.maxLength(promptCap), z.describe("What the result shows.")),
  save_as: z.optional(
    pathArgument("Where the result goes, relative to the workspace, without its ending: assets/hero."),
  ),
  references: z.optional(
    z
      .array(pathArgument("Path of an image in the workspace."))
      .check(z.maxLength(maxReferences), z.describe("Images to start from. They are sent to the gateway.")),
  ),
  rehearse: z.optional(
    z
      .boolean()
      .check(
        z.describe(
          "true makes a placeholder of the same size and at the same path, for nothing: to see whether it fits. The person makes it real later.",
        ),
      ),
  ),
  options: z.optional(
    z
      .record(z.string(), z.unknown())
      .check(
        z.describe(
          `Settings of the task, as JSON: ${toldOptions}, n (how many results, 1 to ${maxCopies}: each is a task that is paid), and what else the model takes.`,
        ),
      ),
  ),
});

export function submitTask(workspace: Workspace, tasks: TaskPort, names: TaskToolNames): Tool {
  return defineTool({
    name: names.submit,
    effect: "submits",
    description: `Submits a task that makes an image or a video. The gateway charges for it, and the person is asked first. Returns its id at once; ${names.get} waits for the result. If you don't know which model to use, ask the person.`,
    parameters,
    rules: [
      alias("type", "task_type", "kind"),
      alias("model", "model_id", "model_name"),
      alias("save_as", "output_path", "output", "filename", "destination"),
      alias("references", "reference_images", "input_images"),
      readTypeArgument,
      optionsBeside,
    ],
    refusesUnknown: true,
    async prepare({ type, model: wanted, prompt, save_as: saveAs, references = [], options: given, rehearse }, signal) {
      const { each, options } = readOptions(given);
      const count = each.length;
      if (JSON.stringify(options).length > optionsCap)
        throw new ToolRefusal(`options has more than ${optionsCap} characters.`);
      const model = findTaskModel(tasks, type, wanted);
      const places = await gateResults(workspace, tasks, saveAs, count, signal);
      const images = await gateImages(workspace, tasks, references, signal);
      const cautions = places.flatMap((place) => place.cautions);
      const ofPlace = cautions.length === 0 ? [] : reasonsToAskForChange(cautions);
      const unplain = [...new Set([...images.reasons, ...ofPlace])];
      const target = await tasks.target(type, signal, rehearse);
      const rehearsal = rehearse === true ? { isRehearsal: true as const } : {};
      if (target.type === "not-enabled") return refuseInRun({ type: "submit-task", taskType: type, model }, target);
      const { home } = target;
      const same = (): Task | undefined =>
        tasks.list().findLast(({ intent }) => intent.isRehearsal !== true && isSame(intent, { type, model, prompt }));
      const orderOf = (index: number, place: GatedPlace | undefined): WantedTask => {
        const metadata = each[index] && JSON.stringify(each[index]);
        return { type, model, prompt, home, ...rehearsal, ...definedFields({ metadata, destination: place?.path }) };
      };
      const order = orderOf(0, places[0]);
      // The service that makes the result may fetch an address, with what the model has put into it; an image leaves the workspace.
      const sendsMore = prompt.includes("//") || order.metadata?.includes("/") === true || references.length > 0;
      const grant = { type: "submit-task", taskType: type, model, options } as const;
      const several = count === 1 ? {} : { count };
      const prices = sumsOfPrices(each.map((_, index) => tasks.priceOf(orderOf(index, places[index]))));
      // Nothing counts the unknown part of a price, so a person sees each such task where they have set a cap.
      const isUncounted = prices.some(({ isPartial }) => isPartial === true) && tasks.isMoneyCapped();
      const price = prices.length === 0 ? undefined : prices;
      return {
        action: { type: "submit-task", taskType: type, model, ...several, ...definedFields({ price }) },
        reasons: [...unplain, target.isLocal ? "submits-free-task" : "submits-task"],
        // A rule counts calls, so it covers those of one task only.
        ...(unplain.length === 0 && !sendsMore && !isUncounted && count === 1 && rehearse !== true ? { grant } : {}),
        asked: {
          type: "submit",
          order,
          target,
          same,
          references: images.labels,
          ...several,
          ...definedFields({ place: labelLines(places), price }),
        },
        async run(running, effects) {
          const now = await gateAllAgain(workspace, places, running);
          const sent = references.length === 0 ? {} : { references: await images.read(running) };
          running.throwIfAborted();
          const ordered = definedFields({ orderedAs: effects?.orderedAs });
          const orders = each.map((_, index): WantedTask => ({ ...orderOf(index, now[index]), ...sent, ...ordered }));
          const submitted = await tasks.submit(orders as [WantedTask, ...WantedTask[]], running);
          for (const task of submitted) effects?.submitted(task.intent.id);
          reportUntrustedTask(submitted, effects);
          return submitted
            .map(
              (task) =>
                `${rehearse === true ? rehearsed : ""}${reportTask(task, workspace, tasks, names)}${otherModels(tasks, task)}`,
            )
            .join("\n\n");
        },
      };
    },
  });
}

const rehearsed = "A rehearsal: what comes is a placeholder, which the person makes real later.\n";

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
  return `Tasks of the type ${type} are not enabled for this account: ${why}. Nothing was submitted. Only the person can try again, with New Media Task in the Tasks view.`;
}

function labelLines(places: readonly GatedPlace[]): string | undefined {
  return places.length === 0 ? undefined : places.map(({ label }) => label).join("\n");
}

async function gateAllAgain(
  workspace: Workspace,
  places: readonly GatedPlace[],
  signal: AbortSignal,
): Promise<readonly GatedPlace[]> {
  const gated: GatedPlace[] = [];
  for (const place of places) gated.push(await gateAgain(gatePlace, workspace, place, signal));
  return gated;
}

/** Gates a place for each task, numbered where there are several. The ending comes with the result; one that another task will write is refused. */
async function gateResults(
  workspace: Workspace,
  tasks: TaskPort,
  saveAs: string | undefined,
  count: number,
  signal: AbortSignal,
): Promise<readonly GatedPlace[]> {
  if (saveAs === undefined) return [];
  const name = withoutEnding(saveAs);
  const places: GatedPlace[] = [];
  for (let number = 1; number <= count; number += 1) {
    const place = await gatePlace(workspace, count === 1 ? name : `${name}-${number}`, signal);
    if (tasks.isReserved(place.path))
      throw new ToolRefusal(`Another task will write ${place.label}: give another name.`);
    places.push(place);
  }
  return places;
}

/** Reference images of a task from files of the workspace: gated before a person is asked, and sent as they were then. */
export interface GatedImages {
  /** Paths with their sizes, for the person. */
  readonly labels: readonly string[];
  readonly reasons: readonly AskReason[];
  /** Rejects with a `ToolRefusal` when a file is not what it was. */
  read(signal: AbortSignal): Promise<readonly ReferenceImage[]>;
}

interface GatedImage {
  readonly file: GatedFile;
  readonly digest: string;
  readonly label: string;
}

/** Rejects with a `ToolRefusal` for a path outside of the workspace, and for what is no picture or too large. */
async function gateImages(
  workspace: Workspace,
  tasks: TaskPort,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<GatedImages> {
  const images: GatedImage[] = [];
  for (const path of paths) {
    const file = await gateFile(workspace, path, signal);
    const { bytes } = await readImageFile(workspace, tasks, file);
    images.push({ file, digest: digestOf(bytes), label: `${file.label} (${Math.ceil(bytes.length / 1000)} KB)` });
  }
  return {
    labels: images.map(({ label }) => label),
    reasons: images.flatMap(({ file }) => reasonsToAskForRead(file.cautions) ?? []),
    async read(running) {
      const read: ReferenceImage[] = [];
      for (const { file, digest } of images) {
        const image = await readImageFile(workspace, tasks, await gateAgain(gateFile, workspace, file, running));
        if (digestOf(image.bytes) !== digest) throw new ToolRefusal(`${file.label} was changed meanwhile. Call again.`);
        read.push(image);
      }
      return read;
    },
  };
}

async function readImageFile(
  workspace: Workspace,
  tasks: TaskPort,
  { real, label }: GatedFile,
): Promise<ReferenceImage> {
  const bytes = await readSmallFile(workspace, real, tasks.referenceLimit());
  if (typeof bytes === "string")
    throw new ToolRefusal(`${label} can't be read, or has more than ${tasks.referenceLimit()} bytes.`);
  const image = { name: label, bytes };
  if (!tasks.isImage(image)) throw new ToolRefusal(`${label} is not an image (PNG, JPEG, GIF, WebP, AVIF, BMP).`);
  return image;
}

function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64");
}

/** The marks that a result gets when it is encoded anew, which drops what its file says of how it was made. Pure but for what decompresses. */
import { definedFields } from "../../base/definedFields";
import type { PictureMarks } from "../../domain/media/marks/marks";
import { readMarks } from "../../domain/media/marks/readMarks";
import { writeMarks } from "../../domain/media/marks/writeMarks";
import { readSeed } from "../../domain/task/commonOptions";
import { acceptedOf } from "../../domain/task/phase";
import type { Task } from "../../domain/task/task";
import { inflate } from "../../node/inflate";
import { readSentBody } from "../submit/requestBody";

export interface MarkedTask {
  readonly task: Task;
  /** The JSON of its request, which may have the seed. */
  readonly body: string | undefined;
  /** Prompt and seed are written as well. What always is: that a model made it, which one, and the id of the task. */
  readonly hasPrompt: boolean;
}

/** In the memory of the extension: false where the person does not want prompt and seed in files. */
export const hasPromptKey = "convert.hasPrompt";

/**
 * The file as it is to be saved: unchanged where it is the original's, which keeps all that it has, else with the marks of its task.
 * `original`: the file that it was encoded from.
 */
export function withTaskMarks(bytes: Uint8Array, original: Uint8Array, made: MarkedTask): Uint8Array {
  const isOriginal = bytes.length === original.length && Buffer.compare(bytes, original) === 0;
  return isOriginal ? bytes : writeMarks(bytes, marksOf(made, readMarks(original, inflate)));
}

function marksOf({ task, body, hasPrompt }: MarkedTask, original: PictureMarks): PictureMarks {
  const { prompt, model } = task.intent;
  const accepted = acceptedOf(task);
  // A placeholder stays one, in whatever format.
  const kind = original.isRehearsed === true ? { isRehearsed: true as const } : { isGenerated: true as const };
  return {
    ...kind,
    ...definedFields({
      model: accepted?.remote.model ?? (model || undefined),
      task: accepted?.taskId,
      prompt: hasPrompt && prompt !== "" ? prompt : undefined,
      seed: hasPrompt ? seedOf(task, body) : undefined,
    }),
    ...(original.hasCredentials || original.hadCredentials ? { hadCredentials: true } : {}),
  };
}

/** The one that the gateway used, else the one that was asked for. */
function seedOf(task: Task, body: string | undefined): number | undefined {
  const assets = acceptedOf(task)?.remote.assets;
  const seed = (assets?.kind === "assets" ? assets.seed : undefined) ?? readSentBody(body).metadata["seed"];
  return typeof seed === "number" || typeof seed === "string" ? readSeed(String(seed)) : undefined;
}

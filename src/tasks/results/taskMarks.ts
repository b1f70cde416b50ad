/** The marks that a result gets when it is encoded anew, because encoding drops the metadata of its file. Pure but for what decompresses. */
import { definedFields } from "../../base/definedFields";
import type { PictureMarks } from "../../domain/media/marks/marks";
import { readMarks } from "../../domain/media/marks/readMarks";
import { writeMarks } from "../../domain/media/marks/writeMarks";
import { parseSeed } from "../../domain/task/commonOptions";
import { acceptedOf } from "../../domain/task/phase";
import type { Task } from "../../domain/task/task";
import { inflate } from "../../node/inflate";
import type { TaskBoard } from "../board/board";
import { readSentBody } from "../submit/requestBody";
import { resultFile } from "./resultFile";

export interface MarkedTask {
  readonly task: Task;
  /** The JSON of its request, which may have the seed. */
  readonly body: string | undefined;
  /** Prompt and seed are written as well. These are always written: that a model made it, which one, and the id of the task. */
  readonly hasPrompt: boolean;
}

export function marksOfTask({ task, body, hasPrompt }: MarkedTask): PictureMarks {
  const { prompt, model } = task.intent;
  const accepted = acceptedOf(task);
  return {
    isGenerated: true,
    ...definedFields({
      model: accepted?.remote.model ?? (model || undefined),
      task: accepted?.taskId,
      prompt: hasPrompt && prompt !== "" ? prompt : undefined,
      seed: hasPrompt ? seedOf(task, body) : undefined,
    }),
  };
}

/** The marks of the task whose result is that file on this machine; where that task is gone, only that a model made it. */
export async function marksOfResult(
  board: Pick<TaskBoard, "all" | "readBody">,
  path: string,
  hasPrompt: boolean,
): Promise<PictureMarks> {
  const task = [...board.all.values()].find((one) => resultFile(one)?.path === path);
  if (task === undefined) return { isGenerated: true };
  const body = await board.readBody(task.intent.id).catch(() => undefined);
  return marksOfTask({ task, body, hasPrompt });
}

/**
 * The file as it is to be saved: unchanged where it is the original's, so that all its metadata stays, else with the marks of its task. `original` is
 * the file that it was encoded from. A placeholder stays one in whatever format, and always has the same bytes, by which it is found and replaced.
 */
export function markCopy(bytes: Uint8Array, original: Uint8Array, marks: PictureMarks): Uint8Array {
  if (bytes.length === original.length && Buffer.compare(bytes, original) === 0) return bytes;
  const { isRehearsed, hasCredentials, hadCredentials } = readMarks(original, inflate);
  const { isGenerated: _isGenerated, prompt: _prompt, seed: _seed, ...others } = marks;
  const own = isRehearsed === true ? { ...others, isRehearsed } : marks;
  return writeMarks(bytes, { ...own, ...(hasCredentials || hadCredentials ? { hadCredentials: true } : {}) });
}

/** The seed that the gateway used, else the one that was requested. */
function seedOf(task: Task, body: string | undefined): number | undefined {
  const assets = acceptedOf(task)?.remote.assets;
  const seed = (assets?.kind === "assets" ? assets.seed : undefined) ?? readSentBody(body).metadata["seed"];
  return typeof seed === "number" || typeof seed === "string" ? parseSeed(String(seed)) : undefined;
}

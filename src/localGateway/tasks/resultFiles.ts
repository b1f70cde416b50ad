/** The files of a finished task: pictures are painted when they are first requested, every video is the same shipped clip. */
import { BoundedMap } from "../../base/boundedMap";
// AV1 in MP4, 480 × 320, 4 seconds, made with ffmpeg (libaom-av1, crf 58) from 96 frames of the painter beside it.
import clip from "../demo/clip.mp4";
import { paintPng } from "../demo/png";
import { hashText } from "../demo/seededRandom";
import { HttpError } from "../http/httpError";
import type { GatewayTask } from "./gatewayTask";
import { taskKinds } from "../demo/taskKinds";

export interface ResultFile {
  readonly type: string;
  readonly bytes: Buffer;
}

type ResultSource =
  { readonly clip: string; readonly type: string } | { readonly width: number; readonly height: number };

/** By name: a file that is shipped, as base64, or the size of a picture that is painted. */
const resultSources: Readonly<Record<string, ResultSource>> = {
  "video.mp4": { clip, type: "video/mp4" },
  "image.png": { width: 768, height: 512 },
  "thumbnail.png": { width: 240, height: 160 },
};

/** PNG files by task and name: a large one has some 200 KB. */
const painted = new BoundedMap<string, Promise<Buffer>>(32);

/** 404 for a name that this type of task does not have. */
export async function readResultFile(task: GatewayTask, name: string): Promise<ResultFile> {
  const isOfTask = name === taskKinds[task.type].result.file || name === "thumbnail.png";
  const source = isOfTask ? resultSources[name] : undefined;
  if (source === undefined) throw new HttpError(404, "asset_not_found", `There is no ${name} of this task.`);
  if ("clip" in source) return { type: source.type, bytes: Buffer.from(source.clip, "base64") };
  const cacheKey = `${task.taskId}/${name}`;
  const picture = painted.get(cacheKey) ?? paintResult(task, source);
  painted.set(cacheKey, picture);
  picture.catch(() => painted.delete(cacheKey));
  return { type: "image/png", bytes: await picture };
}

async function paintResult({ type, prompt, seed, inputs }: GatewayTask, size: { width: number; height: number }) {
  // Input assets are not looked at; their hash changes the seed, so another reference gives another picture.
  const pictureSeed = inputs === undefined ? seed : hashText("reference", seed, inputs);
  return paintPng({ type, prompt, seed: pictureSeed }, size);
}

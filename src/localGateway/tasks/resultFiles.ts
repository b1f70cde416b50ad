/** The files of a finished task, drawn when they are first requested. */
import { BoundedMap } from "../../base/boundedMap";
import { encodeClip, sceneWidth } from "../demo/clip";
import { encodeJpeg } from "../demo/jpeg";
import { paintPicture, type Subject } from "../demo/painter";
import { paintPng } from "../demo/png";
import { defaultOptions, type ResultOptions } from "../demo/resultOptions";
import { hashText } from "../demo/seededRandom";
import { HttpError } from "../http/httpError";
import type { GatewayTask } from "./gatewayTask";

export interface ResultFile {
  readonly type: string;
  readonly bytes: Buffer;
}

const files = {
  png: { name: "image.png", type: "image/png" },
  jpeg: { name: "image.jpg", type: "image/jpeg" },
  mp4: { name: "video.mp4", type: "video/mp4" },
} as const;
const thumbnail = { name: "thumbnail.png", type: "image/png", longest: 240 } as const;

/** The name of the result, and that of its small picture. */
export function resultNamesOf(task: GatewayTask): { readonly result: string; readonly thumbnail: string } {
  return { result: files[optionsOf(task).format].name, thumbnail: thumbnail.name };
}

/** By task and name. The largest has some megabytes. */
const drawn = new BoundedMap<string, Promise<Buffer>>(32);

/** 404 for a name that this task does not have. */
export async function readResultFile(task: GatewayTask, name: string): Promise<ResultFile> {
  const options = optionsOf(task);
  const file = [files[options.format], thumbnail].find((one) => one.name === name);
  if (file === undefined) throw new HttpError(404, "asset_not_found", `There is no ${name} of this task.`);
  const cacheKey = `${task.taskId}/${name}`;
  const draw = file === thumbnail ? drawThumbnail : drawResult;
  const bytes = drawn.get(cacheKey) ?? draw(subjectOf(task), options);
  drawn.set(cacheKey, bytes);
  bytes.catch(() => drawn.delete(cacheKey));
  return { type: file.type, bytes: await bytes };
}

/** Tasks of earlier versions have no options. */
function optionsOf({ type, options = defaultOptions(type) }: GatewayTask): ResultOptions {
  return options;
}

function subjectOf({ type, prompt, seed, inputs }: GatewayTask): Subject {
  // Input assets are not looked at; their hash changes the seed, so another reference gives another picture.
  return { type, prompt, seed: inputs === undefined ? seed : hashText("reference", seed, inputs) };
}

async function drawResult(subject: Subject, { width, height, format, seconds }: ResultOptions): Promise<Buffer> {
  if (format === "png") return paintPng(subject, { width, height });
  if (format === "jpeg") return encodeJpeg(await paintPicture(subject, { width, height }));
  return encodeClip(await paintPicture(subject, { width: sceneWidth(width), height }), { width, height }, seconds);
}

/** The result in small; of a video its first picture. */
function drawThumbnail(subject: Subject, { width, height, format }: ResultOptions): Promise<Buffer> {
  const scale = Math.min(1, thumbnail.longest / Math.max(width, height));
  const small = (length: number): number => Math.max(1, Math.round(length * scale));
  const whole = format === "mp4" ? sceneWidth(width) : width;
  return paintPng(subject, { width: small(width), height: small(height) }, { width: whole, height, scale });
}

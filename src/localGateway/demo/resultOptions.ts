/** Size, format and duration of a result, as the metadata of a task asks for them. */
import * as z from "zod/mini";
import { readSeconds, readSize } from "../../domain/task/commonOptions";
import { invalidRequest } from "../http/httpError";
import { taskKinds, type TaskTypeWord } from "./taskKinds";

export const resultOptionsSchema = z.object({
  width: z.int(),
  height: z.int(),
  /** A line in `resultFormats`. */
  format: z.string(),
  /** Of a video. */
  seconds: z.number(),
});
export type ResultOptions = z.infer<typeof resultOptionsSchema>;

const shortest = 16;
const longest = 4096;
const maxPixels = { image: 2048 * 2048, video: 1920 * 1088 };
const longestClip = 60;

export function defaultOptions(type: TaskTypeWord): ResultOptions {
  const { format } = taskKinds[type].result;
  return isFilm(type)
    ? { width: 480, height: 320, format, seconds: 4 }
    : { width: 768, height: 512, format, seconds: 0 };
}

const isFilm = (type: TaskTypeWord): boolean => taskKinds[type].result.format === "mp4";

/** Throws a 400 that says in one line what can be made. */
export function readResultOptions(type: TaskTypeWord, metadata: Readonly<Record<string, unknown>> = {}): ResultOptions {
  const usual = defaultOptions(type);
  const { size, aspect_ratio: ratio, format = metadata["output_format"], duration } = metadata;
  return {
    ...usual,
    ...(isLeftOut(size) ? (isLeftOut(ratio) ? {} : sizeOfRatio(ratio, usual)) : sizeOf(size, type)),
    ...(isLeftOut(format) ? {} : { format: formatOf(format, type) }),
    ...(!isFilm(type) || isLeftOut(duration) ? {} : { seconds: secondsOf(duration) }),
  };
}

/** Many services take *auto* for what they choose themselves. */
function isLeftOut(value: unknown): boolean {
  return value === undefined || value === null || value === "" || value === "auto";
}

function sizeOf(size: unknown, type: TaskTypeWord): Pick<ResultOptions, "width" | "height"> {
  const [width = 0, height = 0] = (readSize(String(size)) ?? "").split("x").map(Number);
  const area = isFilm(type) ? maxPixels.video : maxPixels.image;
  const isEven = !isFilm(type) || (width % 2 === 0 && height % 2 === 0);
  const [shorter, longer] = [Math.min(width, height), Math.max(width, height)];
  if (shorter >= shortest && longer <= longest && width * height <= area && isEven) return { width, height };
  const can = isFilm(type)
    ? "makes videos of even sizes up to 1920x1080, such as 1280x720"
    : "draws up to 2048x2048 pixels, such as 1536x1024";
  throw invalidRequest(`metadata_json.size: the local gateway ${can}.`, "metadata_json");
}

/** As large as without it. */
function sizeOfRatio(ratio: unknown, usual: ResultOptions): Pick<ResultOptions, "width" | "height"> {
  const [, across, down] = /^(\d{1,2}):(\d{1,2})$/.exec(String(ratio)) ?? [];
  const share = Number(across) / Number(down);
  if (!(share >= 0.25 && share <= 4)) {
    throw invalidRequest(
      "metadata_json.aspect_ratio: the local gateway draws from 1:4 to 4:1, such as 16:9.",
      "metadata_json",
    );
  }
  const even = (length: number): number => Math.round(length / 2) * 2;
  const area = usual.width * usual.height;
  return { width: even(Math.sqrt(area * share)), height: even(Math.sqrt(area / share)) };
}

/** The formats that a result can have besides its usual one. */
const otherFormats: Readonly<Record<string, readonly string[]>> = { png: ["jpeg"] };

function formatOf(format: unknown, type: TaskTypeWord): string {
  const usual = taskKinds[type].result.format;
  const name = String(format)
    .toLowerCase()
    .replace(/^\w+\//, "")
    .replace(/^jpg$/, "jpeg");
  const known = [usual, ...(otherFormats[usual] ?? [])];
  if (known.includes(name)) return name;
  throw invalidRequest(
    `metadata_json.format: the local gateway makes this as ${known.join(" or ")} only.`,
    "metadata_json",
  );
}

function secondsOf(duration: unknown): number {
  const seconds = readSeconds(String(duration)) ?? 0;
  if (seconds > 0 && seconds <= longestClip) return seconds;
  throw invalidRequest(
    `metadata_json.duration: the local gateway makes videos up to ${longestClip} seconds.`,
    "metadata_json",
  );
}

/** Reads size, format, duration, transparency and seed of a result from the metadata of a task, under the names of many services. */
import * as z from "zod/mini";
import { asRecord } from "../../base/jsonValue";
import { definedFields } from "../../base/definedFields";
import { readSeconds, readSize } from "../../domain/task/commonOptions";
import { invalidRequest } from "../http/httpError";
import { taskKinds, type TaskTypeWord } from "./taskKinds";

export const resultOptionsSchema = z.object({
  width: z.int(),
  height: z.int(),
  /** A key of `resultFormats`. */
  format: z.string(),
  /** The duration of a video. */
  seconds: z.number(),
  /** Set if the background is transparent. */
  isTransparent: z.optional(z.literal(true)),
});
export type DemoResultOptions = z.infer<typeof resultOptionsSchema>;

const shortest = 16;
const longest = 4096;
const maxPixels = { image: 2048 * 2048, video: 1920 * 1088 };
const longestClip = 60;

export function defaultOptions(type: TaskTypeWord): DemoResultOptions {
  const { format } = taskKinds[type].result;
  return isFilm(type)
    ? { width: 480, height: 320, format, seconds: 4 }
    : { width: 768, height: 512, format, seconds: 0 };
}

const isFilm = (type: TaskTypeWord): boolean => taskKinds[type].result.format === "mp4";

/** Throws a 400 that names the possible values in one line. */
export function readResultOptions(
  type: TaskTypeWord,
  metadata: Readonly<Record<string, unknown>> = {},
): DemoResultOptions {
  const usual = defaultOptions(type);
  const asked = optionsIn(metadata);
  const format = asked.first(formatNames);
  const isTransparent = !isFilm(type) && asksForTransparency(asked);
  const made = isLeftOut(format) ? usual.format : formatOf(format, type);
  if (isTransparent && made === "jpeg")
    throw invalidRequest(
      "metadata_json.background: the local gateway makes transparent pictures as PNG or WebP only.",
      "metadata_json",
    );
  return {
    ...usual,
    ...(sizeAsked(asked, type, usual) ?? {}),
    format: made,
    ...(isFilm(type) ? definedFields({ seconds: secondsAsked(asked) }) : {}),
    ...(isTransparent ? { isTransparent } : {}),
  };
}

/** `undefined` if there is none, or it is no whole number. */
export function readSeed(metadata: Readonly<Record<string, unknown>> = {}): number | undefined {
  const given = optionsIn(metadata).first(["seed", "randomseed", "noiseseed", "generationseed"]);
  const seed = typeof given === "string" && /^-?\d{1,16}$/.test(given) ? Number(given) : given;
  return typeof seed === "number" && Number.isSafeInteger(seed) ? seed : undefined;
}

// Each service has other names for the same options: `output_format`, `outputFormat`, `image_config.aspectRatio`.

const sizeNames = ["size", "imagesize", "outputsize", "dimensions", "videosize", "framesize", "resolution"];
const ratioNames = ["aspectratio", "ratio"];
const formatNames = ["format", "outputformat", "imageformat", "fileformat", "filetype", "mimetype", "outputmimetype"];
const durationNames = [
  "duration",
  "seconds",
  "durationseconds",
  "durationinseconds",
  "videolength",
  "videoduration",
  "length",
];

interface AskedOptions {
  /** The value of the first of these names that is present and not empty or *auto*. */
  readonly first: (names: readonly string[]) => unknown;
}

const maxDepth = 4;
const maxNames = 200;

/** Collects the options by names in lower case without `_` and `-`; an outer option precedes an inner one of the same name. */
function optionsIn(metadata: Readonly<Record<string, unknown>>): AskedOptions {
  const found = new Map<string, unknown>();
  let level: readonly Readonly<Record<string, unknown>>[] = [metadata];
  for (let depth = 0; depth < maxDepth && level.length > 0; depth += 1) {
    const inner: Readonly<Record<string, unknown>>[] = [];
    for (const fields of level)
      for (const [name, value] of Object.entries(fields)) {
        const known = name.toLowerCase().replaceAll(/[_\s-]/g, "");
        if (found.size < maxNames && !found.has(known)) found.set(known, value);
        const record = asRecord(value);
        if (record !== undefined) inner.push(record);
      }
    level = inner;
  }
  const first = (names: readonly string[]): unknown =>
    names.map((name) => found.get(name)).find((value) => !isLeftOut(value) && asRecord(value) === undefined);
  return { first };
}

type Size = Pick<DemoResultOptions, "width" | "height">;

/** The requested size; `undefined` for the usual one. */
function sizeAsked(asked: AskedOptions, type: TaskTypeWord, usual: DemoResultOptions): Size | undefined {
  const [width, height] = [
    asked.first(["width", "imagewidth", "outputwidth"]),
    asked.first(["height", "imageheight", "outputheight"]),
  ];
  if (width !== undefined && height !== undefined) return sizeOf(`${textOf(width)}x${textOf(height)}`, type);
  const size = asked.first(sizeNames);
  const ratio = asked.first(ratioNames);
  const text = String(size).toLowerCase();
  const named = namedSizes[text.replaceAll("-", "_")];
  if (named !== undefined) return sizeOf(named, type);
  const shorter = /^(\d{3,4})p$/.exec(text)?.[1];
  const kilo = /^([124])k$/.exec(text)?.[1];
  if (shorter !== undefined || kilo !== undefined) {
    const share = isLeftOut(ratio) ? (isFilm(type) ? 16 / 9 : 1) : shareOf(ratio);
    const across = kilo === undefined ? Number(shorter) * Math.max(1, share) : Number(kilo) * 1024 * Math.sqrt(share);
    return sizeOf(`${even(across)}x${even(across / share)}`, type);
  }
  // The other names may have other meanings, such as a resolution of *high*, so only `size` must be readable.
  if (!isLeftOut(size) && (readSize(text) !== undefined || !isLeftOut(asked.first(["size"]))))
    return sizeOf(size, type);
  return isLeftOut(ratio) ? undefined : sizeOfRatio(ratio, usual);
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** The names of sizes at fal and similar services. */
const namedSizes: Readonly<Record<string, string>> = {
  square_hd: "1024x1024",
  square: "512x512",
  portrait_4_3: "768x1024",
  portrait_16_9: "576x1024",
  landscape_4_3: "1024x768",
  landscape_16_9: "1024x576",
};

function secondsAsked(asked: AskedOptions): number | undefined {
  const duration = asked.first(durationNames);
  if (!isLeftOut(duration)) return secondsOf(duration);
  const frames = asked.first(["numframes", "frames", "framecount"]);
  if (isLeftOut(frames)) return undefined;
  const rate = Number(asked.first(["fps", "framerate", "framespersecond"]) ?? 24);
  return secondsOf(Math.round((Number(frames) / rate) * 1000) / 1000);
}

function asksForTransparency(asked: AskedOptions): boolean {
  if (String(asked.first(["background"])).toLowerCase() === "transparent") return true;
  return String(asked.first(["transparent", "transparentbackground", "transparency", "hasalpha"])) === "true";
}

/** Whether a value counts as missing. With *auto* many services choose the value themselves. */
function isLeftOut(value: unknown): boolean {
  return value === undefined || value === null || value === "" || value === "auto";
}

function sizeOf(size: unknown, type: TaskTypeWord): Size {
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

/** The size with that ratio and the usual area. */
function sizeOfRatio(ratio: unknown, usual: DemoResultOptions): Size {
  const share = shareOf(ratio);
  const area = usual.width * usual.height;
  return { width: even(Math.sqrt(area * share)), height: even(Math.sqrt(area / share)) };
}

const even = (length: number): number => Math.round(length / 2) * 2;

function shareOf(ratio: unknown): number {
  const [, across, down] = /^(\d{1,2}):(\d{1,2})$/.exec(String(ratio)) ?? [];
  const share = Number(across) / Number(down);
  if (share >= 0.25 && share <= 4) return share;
  throw invalidRequest(
    "metadata_json.aspect_ratio: the local gateway draws from 1:4 to 4:1, such as 16:9.",
    "metadata_json",
  );
}

/** Further formats that a result can have, by its usual one. */
const otherFormats: Readonly<Record<string, readonly string[]>> = { png: ["jpeg", "webp"] };

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

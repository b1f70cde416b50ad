/**
 * The table of task types, and below it that of the media which they make. Their words are in `domain/words/taskTypeWords`; what the local gateway
 * makes of them is in `localGateway/demo/taskKinds`.
 */
import { splitEnding } from "./exactFiles";
import { keysOf } from "../../base/definedFields";
import { pictureFacts, pictureTypes, pictureTypesFor, type Signature } from "../media/pictureTypes";

interface TaskTypeFacts {
  /** The kind of media that such a task makes. */
  readonly media: MediaKind;
  /** `task_type` in requests and model lists, and its number in responses. */
  readonly wire: { readonly word: string; readonly number: number };
  /** The word is a vendor's, so a person may set another one. */
  readonly hasVendorWord: boolean;
  /** The options that a person can choose besides the prompt. */
  readonly options: {
    /** Common sizes, as `1280x720`; empty where there is no size to choose. */
    readonly sizes: readonly string[];
    /** Common durations in seconds; empty where there is no duration to choose. */
    readonly durations: readonly number[];
    /** The task may be made from pictures. */
    readonly references: boolean;
  };
}

const imageSizes = ["1024x1024", "1536x1024", "1024x1536"] as const;

/** The types in the order in which they are offered. */
const taskTypeTable = {
  video: {
    media: "video",
    wire: { word: "video", number: 2 },
    hasVendorWord: false,
    options: { sizes: ["1280x720", "720x1280", "1920x1080"], durations: [4, 6, 8, 12], references: true },
  },
  "stylized-image": {
    media: "image",
    wire: { word: "stylized_image", number: 1 },
    hasVendorWord: true,
    options: { sizes: imageSizes, durations: [], references: true },
  },
  "async-image": {
    media: "image",
    wire: { word: "async_image", number: 3 },
    hasVendorWord: false,
    options: { sizes: imageSizes, durations: [], references: true },
  },
} as const satisfies Readonly<Record<string, TaskTypeFacts>>;

export type TaskType = keyof typeof taskTypeTable;
export const taskTypes = keysOf<TaskType>(taskTypeTable);

/** False for a type of a later version. */
export function isTaskType(type: string): type is TaskType {
  return Object.hasOwn(taskTypeTable, type);
}

export function taskTypeFacts(type: TaskType): TaskTypeFacts {
  return taskTypeTable[type];
}

/** The task type for a word in requests. A word that a person has set with `stylizedImageTaskType` in `sluice.models` is not considered. */
function typeOfWord(word: string): TaskType | undefined {
  return taskTypes.find((type) => taskTypeFacts(type).wire.word === word);
}

/** The type that a model means by a word: its name, its word in requests, or what it makes. `undefined` for any other word. */
export function typeMeantBy(word: string): TaskType | undefined {
  const name = word
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, "-");
  if (isTaskType(name)) return name;
  const media = mediaKinds.find((kind) => mediaFacts(kind).synonyms?.includes(name));
  return media === undefined ? typeOfWord(name.replaceAll("-", "_")) : typeThatMakes(media);
}

/** `undefined` for a type of a later version: what it makes is not known. */
export function mediaOf(type: string): MediaKind | undefined {
  return isTaskType(type) ? taskTypeFacts(type).media : undefined;
}

/** The type of a task of which only its result is known: the plainest one of that kind, which is the last. */
export function typeThatMakes(media: MediaKind): TaskType | undefined {
  return taskTypes.findLast((type) => taskTypeFacts(type).media === media);
}

/** The codicon of a task that has succeeded. */
export function resultIcon(type: string): string {
  const media = mediaOf(type);
  return media === undefined ? "file" : mediaFacts(media).icon;
}

// The table of media kinds has one line for each: the formats of its files, how pages show them and how documents embed them. Its words are in
// `domain/words/taskTypeWords`.

interface MediaFormat {
  readonly mimeType: string;
  /** The ending of the file name, with the dot. */
  readonly ending: string;
  /**
   * A file matches any of these; a format without one is recognised by code in `tasks/results/mediaType`. Those of pictures are in
   * `domain/media/pictureTypes`.
   */
  readonly signatures?: readonly Signature[];
}

interface MediaKindFacts {
  /** The codicon of a finished task. */
  readonly icon: string;
  /** The first format is assumed for a result that does not exist yet. */
  readonly formats: readonly MediaFormat[];
  /** Other spellings of the endings, and formats that are shown although no result is saved in them. */
  readonly otherEndings: readonly string[];
  /** The part of the MIME type before the slash. */
  readonly mimeClass: string;
  /** The words that people and models use for it. */
  readonly synonyms?: readonly string[];
  /** The way in which a page of ours shows such a file: `img`, a player with controls, or by its name only. */
  readonly preview: "picture" | "player" | "name";
  /** The HTML element by which a document embeds it; a link where there is none. */
  readonly element?: "img" | "video" | "audio";
}

const pictureFormats: readonly MediaFormat[] = pictureTypesFor("result").map((mimeType) => {
  const { endings, signatures } = pictureFacts(mimeType);
  return { mimeType, ending: endings[0], signatures };
});
const otherPictureEndings = pictureTypes
  .flatMap((type) => pictureFacts(type).endings)
  .filter((ending) => pictureFormats.every((format) => format.ending !== ending));

/** Where a result names files of several kinds, the first kind here is the result. */
export const mediaKindTable = {
  video: {
    icon: "device-camera-video",
    formats: [
      { mimeType: "video/mp4", ending: ".mp4" },
      { mimeType: "video/quicktime", ending: ".mov" },
      { mimeType: "video/webm", ending: ".webm" },
    ],
    otherEndings: [".m4v"],
    mimeClass: "video",
    synonyms: ["video", "movie", "clip", "film", "animation"],
    preview: "player",
    element: "video",
  },
  image: {
    icon: "file-media",
    formats: pictureFormats,
    otherEndings: otherPictureEndings,
    mimeClass: "image",
    synonyms: ["image", "picture", "photo", "illustration", "img"],
    preview: "picture",
    element: "img",
  },
} as const satisfies Readonly<Record<string, MediaKindFacts>>;

export type MediaKind = keyof typeof mediaKindTable;
export const mediaKinds = keysOf<MediaKind>(mediaKindTable);

export function mediaFacts(kind: MediaKind): MediaKindFacts {
  return mediaKindTable[kind];
}

const kindOfEnding: ReadonlyMap<string, MediaKind> = new Map(
  mediaKinds.flatMap((kind) => endingsOf(kind).map((ending) => [ending, kind] as const)),
);

function endingsOf(kind: MediaKind): readonly string[] {
  const { formats, otherEndings } = mediaFacts(kind);
  return [...formats.map(({ ending }) => ending), ...otherEndings];
}

/** The kind by the ending of a path; `undefined` for `.bin` and what is no medium. */
export function mediaKindOf(path: string): MediaKind | undefined {
  const ending = /\.[^./\\]*$/.exec(path)?.[0] ?? "";
  return kindOfEnding.get(ending.toLowerCase());
}

/** Every ending that a result may get, with the dot, and spellings that people use for them. */
export const mediaEndings: ReadonlySet<string> = new Set([...kindOfEnding.keys(), ".bin"]);

/** The path without its ending, where that is one of media. A dot at the beginning of the name begins no ending. */
export function withoutEnding(path: string): string {
  const { stem, ending } = splitEnding(path);
  return mediaEndings.has(ending.toLowerCase()) ? stem : path;
}

/**
 * The file that a reference names while the result of the type is not there yet: with the usual ending of its kind where the path has none. The path
 * stays without an ending where the type is not known.
 */
export function expectedFile(path: string, type: string): string {
  const kind = mediaOf(type);
  if (kind === undefined || withoutEnding(path) !== path) return path;
  return `${path}${mediaFacts(kind).formats[0]?.ending ?? ""}`;
}

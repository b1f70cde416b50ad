/** The types of tasks: one line each. Their words are in `domain/words/taskTypeWords`, and what the local gateway makes of them in `localGateway/demo/taskKinds`. */
import { keysOf } from "../../base/keysOf";
import { mediaFacts, type MediaKind, mediaKinds } from "./mediaKinds";

export interface TaskTypeFacts {
  /** What such a task makes. */
  readonly media: MediaKind;
  /** `task_type` in requests and model lists, and its number in responses. */
  readonly wire: { readonly word: string; readonly number: number };
  /** The word is a vendor's, so a person may set another one. */
  readonly hasVendorWord: boolean;
  /** What a person can choose besides the prompt. */
  readonly options: {
    /** Common ones, as `1280x720`; empty where there is no size to choose. */
    readonly sizes: readonly string[];
    /** Common ones in seconds; empty where there is no duration to choose. */
    readonly durations: readonly number[];
    /** It may be made from pictures. */
    readonly references: boolean;
  };
}

const imageSizes = ["1024x1024", "1536x1024", "1024x1536"] as const;

/** In the order in which they are offered. */
export const taskTypeTable = {
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
export function typeOfWord(word: string): TaskType | undefined {
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

/** The kinds of media that tasks make: the formats of their files, how pages show them and how documents embed them. One line a kind; its words are in `domain/words/mediaWords`. */
import { keysOf } from "../../base/definedFields";
import { pictureFacts, pictureTypes, pictureTypesFor, type Signature } from "../media/pictureTypes";

export interface MediaFormat {
  readonly mimeType: string;
  /** With the dot. */
  readonly ending: string;
  /** Any of these; a format without one is recognised by code in `tasks/results/mediaType`. Those of pictures are in `domain/media/pictureTypes`. */
  readonly signatures?: readonly Signature[];
}

export interface MediaKindFacts {
  /** The codicon of a finished task. */
  readonly icon: string;
  /** The first one is that of a result that does not exist yet. */
  readonly formats: readonly MediaFormat[];
  /** Other spellings of the endings, and formats that are shown although no result is saved in them. */
  readonly otherEndings: readonly string[];
  /** Before the slash of a MIME type. */
  readonly mimeClass: string;
  /** What people and models call it. */
  readonly synonyms?: readonly string[];
  /** How a page of ours shows such a file: `img`, a player with controls, or by its name only. */
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

/** By the ending of a path; `undefined` for `.bin` and what is no medium. */
export function mediaKindOf(path: string): MediaKind | undefined {
  const ending = /\.[^./\\]*$/.exec(path)?.[0] ?? "";
  return kindOfEnding.get(ending.toLowerCase());
}

/** Every ending that a result may get, with the dot, and spellings that people use for them. */
export const mediaEndings: ReadonlySet<string> = new Set([...kindOfEnding.keys(), ".bin"]);

/** The path without its ending, where that is one of media. A dot at the beginning of the name begins no ending. */
export function withoutEnding(path: string): string {
  const ending = /(?<=[^/\\])\.[^./\\]*$/.exec(path)?.[0] ?? "";
  return mediaEndings.has(ending.toLowerCase()) ? path.slice(0, -ending.length) : path;
}

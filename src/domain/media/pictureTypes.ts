/** The table of picture types, one line each, for chats and tasks: their endings and signatures, and where each is accepted. */
import { keysOf } from "../../base/definedFields";

/**
 * `result`: a result of a task is saved in it. `answer`: the chat shows it when a model answers with it. `prompt`: it may be
 * attached to a prompt of the chat. `reference`: a task may be given it as a reference image. `script`: it may hold scripts, which a
 * browser runs when the file is opened.
 */
type PictureUse = "result" | "answer" | "prompt" | "reference" | "script";

interface PictureFacts {
  /** The endings with the dot; a result is saved with the first one. */
  readonly endings: readonly [string, ...(readonly string[])];
  /** A file matches any of these. */
  readonly signatures: readonly Signature[];
  readonly uses: readonly PictureUse[];
}

/** The types by MIME type. The first one is assumed for a result that does not exist yet. */
const pictureTable = {
  "image/png": {
    endings: [".png"],
    signatures: [[[0, "\x89PNG\r\n\x1a\n"]]],
    uses: ["result", "answer", "prompt", "reference"],
  },
  "image/jpeg": {
    endings: [".jpg", ".jpeg"],
    signatures: [[[0, "\xff\xd8\xff"]]],
    uses: ["result", "answer", "prompt", "reference"],
  },
  "image/gif": {
    endings: [".gif"],
    signatures: [[[0, "GIF87a"]], [[0, "GIF89a"]]],
    uses: ["result", "answer", "prompt", "reference"],
  },
  "image/webp": {
    endings: [".webp"],
    signatures: [
      [
        [0, "RIFF"],
        [8, "WEBP"],
      ],
    ],
    uses: ["result", "answer", "prompt", "reference"],
  },
  // Files with a general brand and AVIF among the compatible ones are recognised in `tasks/results/mediaType`.
  "image/avif": {
    endings: [".avif"],
    signatures: [[[4, "ftypavif"]], [[4, "ftypavis"]]],
    uses: ["result", "answer", "reference"],
  },
  // An SVG is a document that may contain other media and scripts, so the chat shows none that a model answers with. Recognised in
  // `tasks/results/mediaType`.
  "image/svg+xml": { endings: [".svg"], signatures: [], uses: ["result", "script"] },
  // A signature of two letters is too weak to recognise a result by: that is saved as `.bin`.
  "image/bmp": { endings: [".bmp"], signatures: [[[0, "BM"]]], uses: ["reference"] },
} as const satisfies Readonly<Record<string, PictureFacts>>;

export type PictureType = keyof typeof pictureTable;
/** The types whose line has this use. */
type PictureTypeFor<U extends PictureUse> = {
  [T in PictureType]: U extends (typeof pictureTable)[T]["uses"][number] ? T : never;
}[PictureType];

export const pictureTypes = keysOf<PictureType>(pictureTable);

export function pictureFacts(type: PictureType): PictureFacts {
  return pictureTable[type];
}

export function pictureTypesFor<U extends PictureUse>(use: U): readonly PictureTypeFor<U>[] {
  return pictureTypes.filter((type): type is PictureTypeFor<U> => pictureFacts(type).uses.includes(use));
}

/** The type with this use whose signature the file begins with. The file's name is not considered. */
export function pictureTypeOf<U extends PictureUse>(start: Uint8Array, use: U): PictureTypeFor<U> | undefined {
  return pictureTypesFor(use).find((type) => hasSignature(start, pictureFacts(type).signatures));
}

/** The endings without the dot, as file dialogs and patterns take them. */
export function pictureEndings(use: PictureUse): readonly string[] {
  return pictureTypesFor(use).flatMap((type) => pictureFacts(type).endings.map((ending) => ending.slice(1)));
}

/** Whether a path or address has the ending of such a type. The content may still be another one. */
export function isPicturePath(path: string, use: PictureUse): boolean {
  const ending = /\.([^./\\]*)$/.exec(path)?.[1] ?? "";
  return pictureEndings(use).includes(ending.toLowerCase());
}

// Compares the signatures of file formats (magic numbers), which are bytes at fixed offsets. The tables of pictures and of media use it.

/** The file contains each of these texts at its offset; a byte is one character. */
export type Signature = readonly (readonly [offset: number, text: string])[];

/** Whether the beginning of a file matches at least one of the signatures. */
export function hasSignature(start: Uint8Array, signatures: readonly Signature[]): boolean {
  const textAt = (offset: number, length: number): string =>
    String.fromCharCode(...start.subarray(offset, offset + length));
  return signatures.some((parts) => parts.every(([offset, text]) => textAt(offset, text.length) === text));
}

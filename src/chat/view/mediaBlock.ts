/** Reads the bytes and the type of a medium that a model answered with, or that a tool returned. Pure. */
import type { Chat } from "../../domain/chat/chat";
import { pictureTypesFor } from "../../domain/media/pictureTypes";
import { mediaFacts } from "../../domain/task/taskTypes";
import type { PicturePlace } from "../contract/chatPageContract";
import { readMediaType, sniffedLength } from "../../tasks/results/mediaType";

export interface MediaFile {
  readonly bytes: Buffer;
  /** The file extension with its dot; `.bin` for a picture that is not shown, and for a type that the first bytes do not reveal. */
  readonly ending: string;
  /** The media type for the page. Missing for a file that the page does not show. */
  readonly shownAs?: string;
}

/** The maximum size of a shown picture, in bytes. */
const maxShownSize = 20_000_000;

/** The type is read from the first bytes. The type that the model declares is ignored. */
export function readMedia(chat: Chat, place: PicturePlace): MediaFile | undefined {
  const data = dataAt(chat, place);
  if (data === undefined) return undefined;
  const bytes = Buffer.from(data, "base64");
  const type = readMediaType(bytes.subarray(0, sniffedLength), "");
  const shownAs = pictureTypesFor("answer").find((picture) => picture === type?.mimeType);
  const isKnown = shownAs !== undefined || (type?.kind !== undefined && mediaFacts(type.kind).preview !== "picture");
  return {
    bytes,
    ending: isKnown ? (type?.ending ?? ".bin") : ".bin",
    ...(shownAs === undefined || bytes.length > maxShownSize ? {} : { shownAs }),
  };
}

function dataAt({ entries, images = [] }: Chat, { answer, block, image }: PicturePlace): string | undefined {
  const entry = entries.find(({ id }) => id === answer);
  const blocks = entry?.type === "answer" ? entry.blocks.filter((one) => one.block === block) : [];
  for (const one of blocks) {
    if (image === undefined && one.type === "media") return one.data;
    const shown = one.type === "tool-call" && one.progress.state === "done" ? (one.progress.images ?? []) : [];
    if (shown.some(({ id }) => id === image)) return images.find(({ id }) => id === image)?.data;
  }
  return undefined;
}

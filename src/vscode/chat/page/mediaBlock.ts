/** The bytes of a picture that a model answered with, and what they are. Pure. */
import type { Chat } from "../../../domain/chat/chat";
import { readMediaType, sniffedLength } from "../../../tasks/results/mediaType";

export interface MediaFile {
  readonly bytes: Buffer;
  /** With the dot; `.bin` for anything but a picture or video that is known by its first bytes. */
  readonly ending: string;
  /** Missing for what a page does not show. */
  readonly shownAs?: string;
}

/** An SVG image is a document that may hold anything, so it is none of these. */
const shownTypes: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".avif": "image/avif",
};

/** Bytes of a picture that is shown. */
const maxShownSize = 20_000_000;

/** What the model declares the data to be does not count. */
export function readMedia(chat: Chat, answer: string, block: number): MediaFile | undefined {
  const entry = chat.entries.find(({ id }) => id === answer);
  const media =
    entry?.type === "answer" ? entry.blocks.find((one) => one.type === "media" && one.block === block) : undefined;
  if (media?.type !== "media") return undefined;
  const bytes = Buffer.from(media.data, "base64");
  const type = readMediaType(bytes.subarray(0, sniffedLength), "");
  const shownAs = shownTypes[type?.ending ?? ""];
  const isKnown = shownAs !== undefined || type?.kind === "video";
  return {
    bytes,
    ending: isKnown ? (type?.ending ?? ".bin") : ".bin",
    ...(shownAs === undefined || bytes.length > maxShownSize ? {} : { shownAs }),
  };
}

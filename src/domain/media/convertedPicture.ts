/** The conversion of a picture: the formats, and the sizes of the files that are made of it. Pure. */
import type { ImageSize } from "./imageSize";
import { pictureFacts, type PictureType } from "./pictureTypes";

/** The formats that browsers can write. */
export const convertedFormats = ["image/webp", "image/jpeg", "image/png"] as const;
export type ConvertedFormat = (typeof convertedFormats)[number];

/** The names of the formats, which are the same in every language. */
export const formatNames: Readonly<Record<ConvertedFormat, string>> = {
  "image/webp": "WebP",
  "image/jpeg": "JPEG",
  "image/png": "PNG",
};

/** `2`: for displays with two pixels for each point of a page. */
type PixelScale = 1 | 2;

export interface ConvertedSize extends ImageSize {
  readonly scale: PixelScale;
}

/** Whether a file of twice the width can be made: a picture is never enlarged. */
export function offersDouble(original: ImageSize, width: number): boolean {
  return width * 2 <= original.width;
}

/** The sizes of the files, in the ratio of the original and never larger. `width` is that of the file for displays with one pixel a point. */
export function convertedSizes(original: ImageSize, width: number, isDouble: boolean): readonly ConvertedSize[] {
  const single = Math.min(Math.max(Math.round(width) || 1, 1), original.width);
  const scales: readonly PixelScale[] = isDouble && offersDouble(original, single) ? [1, 2] : [1];
  return scales.map((scale) => ({
    scale,
    width: single * scale,
    height: Math.max(1, Math.round((original.height * single * scale) / original.width)),
  }));
}

/** `path` has no ending. */
export function convertedName(path: string, format: ConvertedFormat, scale: PixelScale): string {
  return `${path}${scale === 2 ? "@2x" : ""}${pictureFacts(format).endings[0]}`;
}

/** Whether a picture moves, by the structure of its file. Nothing is decoded. `type` is found by the first bytes. */
export function isAnimated(bytes: Uint8Array, type: PictureType | undefined): boolean {
  switch (type) {
    case "image/png":
      return indexOfText(bytes, "acTL", 0, indexOfText(bytes, "IDAT", 0, bytes.length)) >= 0;
    case "image/webp":
      // The second bit in the flags of the extended format marks an animation.
      return indexOfText(bytes, "VP8X", 12, 16) === 12 && ((bytes[20] ?? 0) & 2) !== 0;
    case "image/gif": {
      const first = indexOfText(bytes, frameControl, 0, bytes.length);
      return first >= 0 && indexOfText(bytes, frameControl, first + 1, bytes.length) >= 0;
    }
    case "image/avif":
      return indexOfText(bytes, "avis", 8, 64) >= 0;
    default:
      return false;
  }
}

/** The bytes in front of each frame of an animated GIF. */
const frameControl = "\x21\xf9\x04";

/** The offset of the text where it lies before `end`, a byte a character, or -1. A negative `end` is that of the file. */
function indexOfText(bytes: Uint8Array, text: string, from: number, end: number): number {
  const first = text.charCodeAt(0);
  const last = (end < 0 ? bytes.length : Math.min(end, bytes.length)) - text.length;
  for (let at = bytes.indexOf(first, from); at >= 0 && at <= last; at = bytes.indexOf(first, at + 1)) {
    let length = 1;
    while (length < text.length && bytes[at + length] === text.charCodeAt(length)) length += 1;
    if (length === text.length) return at;
  }
  return -1;
}

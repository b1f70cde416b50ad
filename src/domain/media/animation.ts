/** Whether a picture moves, by the structure of its file. Nothing is decoded. */
import type { PictureType } from "./pictureTypes";

/** `type`: by the first bytes. */
export function isAnimated(bytes: Uint8Array, type: PictureType | undefined): boolean {
  switch (type) {
    case "image/png":
      return indexOfText(bytes, "acTL", 0, indexOfText(bytes, "IDAT", 0, bytes.length)) >= 0;
    case "image/webp":
      // The flags of the extended format.
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

/** Of a GIF: in front of each frame of an animation. */
const frameControl = "\x21\xf9\x04";

/** Where the text begins before `end`, a byte a character; a negative `end` is that of the file. */
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

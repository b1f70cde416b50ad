/** How large a picture may be that is shown: of a file with a header of a few bytes, decoding may take gigabytes. Nothing is decoded here. */
import { declaredSizeOf, type ImageSize } from "./imageSize";
import { pictureTypeOf } from "./pictureTypes";

/** Bytes of a file. */
export const maxPictureBytes = 64 * 1024 * 1024;
/** Pixels, of which each takes four bytes once decoded: 10,000 by 10,000 is too large. */
const maxPicturePixels = 100_000_000;

export function isTooManyPixels({ width, height }: ImageSize, most = maxPicturePixels): boolean {
  return width * height >= most;
}

/** What the header declares; `undefined` for a format whose header is not read here, and where it is damaged. */
export function pictureSizeOf(bytes: Uint8Array): ImageSize | undefined {
  const type = pictureTypeOf(bytes, "prompt");
  return type === undefined ? avifSizeOf(bytes) : declaredSizeOf(bytes, type);
}

/** Bytes in which an AVIF file has its properties. */
const avifHeader = 64 * 1024;
/** `ftyp` and `ispe`, the property that has the size of an image in it. */
const [fileType, imageExtents] = [0x66747970, 0x69737065];

/** The largest of its images: a file has the tiles of a grid beside the whole. */
function avifSizeOf({ buffer, byteOffset, byteLength }: Uint8Array): ImageSize | undefined {
  const view = new DataView(buffer, byteOffset, Math.min(byteLength, avifHeader));
  if (view.byteLength < 8 || view.getUint32(4) !== fileType) return undefined;
  let largest: ImageSize | undefined;
  // Type, version and flags, width, height.
  for (let at = 8; at + 16 <= view.byteLength; at += 1) {
    if (view.getUint32(at) !== imageExtents) continue;
    const size = { width: view.getUint32(at + 8), height: view.getUint32(at + 12) };
    if (largest === undefined || size.width * size.height > largest.width * largest.height) largest = size;
  }
  return largest;
}

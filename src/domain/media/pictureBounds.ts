/** Limits the size of a picture that is shown: with a header of a few bytes, a file can make decoding take gigabytes. Nothing is decoded here. */
import { declaredSizeOf, type ImageSize, viewOf } from "./imageSize";
import { pictureTypeOf } from "./pictureTypes";

/** Bytes of a file. */
export const maxPictureBytes = 64 * 1024 * 1024;
/** Pixels, of which each takes four bytes once decoded: 10,000 by 10,000 is too large. */
const maxPicturePixels = 100_000_000;

export function isTooManyPixels({ width, height }: ImageSize, most = maxPicturePixels): boolean {
  return width * height >= most;
}

/** The size that the header declares; `undefined` for a format whose header is not read here, and where it is damaged. */
export function pictureSizeOf(bytes: Uint8Array): ImageSize | undefined {
  const type = pictureTypeOf(bytes, "prompt");
  return type === undefined ? avifSizeOf(bytes) : declaredSizeOf(bytes, type);
}

/** Types of boxes: the first one, the one with the properties, and the property with the size of an image. */
const [fileType, properties, imageExtents] = [0x66747970, 0x6d657461, 0x69737065];

/** Whether it is AVIF or another format made of boxes. Its size may not be found here, and without a known size it must not be decoded. */
export function isMadeOfBoxes(bytes: Uint8Array): boolean {
  const view = viewOf(bytes);
  return view.byteLength >= 8 && view.getUint32(4) === fileType;
}

/** The largest of its images: a file may have the tiles of a grid in addition to the whole. `undefined` where the box with the sizes is cut. */
function avifSizeOf(bytes: Uint8Array): ImageSize | undefined {
  if (!isMadeOfBoxes(bytes)) return undefined;
  const view = viewOf(bytes);
  let largest: ImageSize | undefined;
  for (let [at, end] = [0, 0]; at + 8 <= view.byteLength; at = end) {
    // 1: the length follows as eight bytes; 0: to the end of the file.
    const length = view.getUint32(at);
    const isLong = length === 1 && at + 16 <= view.byteLength;
    end = length === 0 ? view.byteLength : at + Math.max(isLong ? Number(view.getBigUint64(at + 8)) : length, 8);
    if (view.getUint32(at + 4) !== properties) continue;
    if (end > view.byteLength) return undefined;
    // Type, version and flags, width, height.
    for (let found = at + 8; found + 16 <= end; found += 1) {
      if (view.getUint32(found) !== imageExtents) continue;
      const size = { width: view.getUint32(found + 8), height: view.getUint32(found + 12) };
      if (largest === undefined || size.width * size.height > largest.width * largest.height) largest = size;
    }
  }
  return largest;
}

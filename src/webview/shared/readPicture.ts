/** Reads the file of a picture within what a page may decode: the decoding of a `Blob` is off the page's thread, but takes as much memory as the file asks for. */
import { declaredSizeOf, type ImageSize } from "../../domain/media/imageSize";
import { pictureTypeOf } from "../../domain/media/pictureTypes";

/** `missing`: there is no file. `damaged`: it can't be decoded. `too-large`: decoding it would take gigabytes. */
export type PictureFailure = "missing" | "damaged" | "too-large";

/** Bytes of a file, and pixels of a picture. */
const maxBytes = 64 * 1024 * 1024;
const maxPixels = 100_000_000;

export interface PictureFile {
  readonly file: Blob;
  readonly bytes: Uint8Array;
  /** By the header: a file of a few bytes can ask for gigabytes. `undefined` for formats whose header is not read here. */
  readonly size: ImageSize | undefined;
}

export async function readPicture(address: string): Promise<PictureFile | Exclude<PictureFailure, "damaged">> {
  const response = await fetch(address).catch(() => undefined);
  if (response?.ok !== true) return "missing";
  const file = await response.blob();
  if (file.size > maxBytes) return "too-large";
  const bytes = new Uint8Array(await file.arrayBuffer());
  const type = pictureTypeOf(bytes, "prompt");
  const size = type === undefined ? undefined : declaredSizeOf(bytes, type);
  return size !== undefined && size.width * size.height > maxPixels ? "too-large" : { file, bytes, size };
}

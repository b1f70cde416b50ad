/** Decodes and writes pictures with the browser's own code, which the extension host has none of. */
import { isAnimated, type ConvertedFormat, type ConvertedSize } from "../../../domain/media/convertedPicture";
import type { ImageSize } from "../../../domain/media/imageSize";
import { pictureTypeOf } from "../../../domain/media/pictureTypes";
import type { PictureFailure } from "../../../domain/words/taskTypeWords";
import { readPicture } from "../../../webview/pictureChecks";
import type { ConvertChoices } from "./convertChoices";

export interface OriginalPicture {
  readonly file: Blob;
  /** Pixels after the rotation that EXIF declares: the browser applies it when it decodes. */
  readonly size: ImageSize;
  readonly isAnimated: boolean;
  readonly hasAlpha: boolean;
}

export interface MadePicture extends ConvertedSize {
  readonly file: Blob;
}

/** What the pictures were made of: other choices need other ones. `pictures` is missing where the format can't hold them. */
export interface MadePictures {
  readonly of: ConvertChoices;
  readonly pictures?: readonly MadePicture[];
}

/** Pixels of the side of the small copy in which transparency is looked for. */
const sampleSide = 256;

export async function readOriginal(address: string): Promise<OriginalPicture | PictureFailure> {
  const read = await readPicture(address);
  if (typeof read === "string") return read;
  const { file, bytes } = read;
  try {
    const whole = await createImageBitmap(file);
    const size = { width: whole.width, height: whole.height };
    const canvas = new OffscreenCanvas(Math.min(size.width, sampleSide), Math.min(size.height, sampleSide));
    const context = canvas.getContext("2d");
    context?.drawImage(whole, 0, 0, canvas.width, canvas.height);
    whole.close();
    const sample = context?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    let hasAlpha = false;
    for (let at = 3; at < sample.length && !hasAlpha; at += 4) hasAlpha = sample[at] !== 255;
    return { file, size, hasAlpha, isAnimated: isAnimated(bytes, pictureTypeOf(bytes, "result")) };
  } catch {
    return "damaged";
  }
}

/** Rejects where the format can't hold a picture of that size. `quality`: per cent. */
export async function convertPicture(
  { file }: OriginalPicture,
  { width, height }: ConvertedSize,
  format: ConvertedFormat,
  quality: number,
): Promise<Blob> {
  const scaled = await createImageBitmap(file, { resizeWidth: width, resizeHeight: height, resizeQuality: "high" });
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("There is no memory for the picture.");
  if (format === "image/jpeg") {
    context.fillStyle = "#fff";
    context.fillRect(0, 0, width, height);
  }
  context.drawImage(scaled, 0, 0, width, height);
  scaled.close();
  const made = await canvas.convertToBlob({ type: format, quality: quality / 100 });
  // A browser that can't write the format writes PNG.
  if (made.type !== format) throw new Error("The format can't hold the picture.");
  return made;
}

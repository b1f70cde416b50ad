/** What a picture is converted to: the formats, and the sizes of the files that are made of it. Pure. */
import type { ImageSize } from "./imageSize";
import { pictureFacts } from "./pictureTypes";

/** Those that browsers write. */
export const convertedFormats = ["image/webp", "image/jpeg", "image/png"] as const;
export type ConvertedFormat = (typeof convertedFormats)[number];

/** Its name is the same in every language. */
export const formatNames: Readonly<Record<ConvertedFormat, string>> = {
  "image/webp": "WebP",
  "image/jpeg": "JPEG",
  "image/png": "PNG",
};

/** `2`: for displays with two pixels for each point of a page. */
export type PixelScale = 1 | 2;

export interface ConvertedSize extends ImageSize {
  readonly scale: PixelScale;
}

/** The picture is never enlarged. */
export function offersDouble(original: ImageSize, width: number): boolean {
  return width * 2 <= original.width;
}

/** In the ratio of the original and never larger. `width`: pixels of the file for one pixel a point. */
export function convertedSizes(original: ImageSize, width: number, isDouble: boolean): readonly ConvertedSize[] {
  const single = Math.min(Math.max(Math.round(width) || 1, 1), original.width);
  const scales: readonly PixelScale[] = isDouble && offersDouble(original, single) ? [1, 2] : [1];
  return scales.map((scale) => ({
    scale,
    width: single * scale,
    height: Math.max(1, Math.round((original.height * single * scale) / original.width)),
  }));
}

/** `path`: without an ending. */
export function convertedName(path: string, format: ConvertedFormat, scale: PixelScale): string {
  return `${path}${scale === 2 ? "@2x" : ""}${pictureFacts(format).endings[0]}`;
}

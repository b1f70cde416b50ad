/** Reads from its header what the file of an asset is now: nothing is decoded, and a link is not followed. */
import { isMissingPath } from "../../base/systemErrors";
import { pictureSizeOf } from "../../domain/media/pictureBounds";
import type { AssetFile } from "../../domain/task/assetGroups";
import type { Task } from "../../domain/task/task";
import { diskFiles } from "../../node/diskFiles";
import { resultFile } from "./resultFile";

/** Pixels of a picture that a page may decode for a row of a list. */
const maxRowPixels = 2048 * 2048;

/** The path of the thumbnail, or of the result itself where that is small enough for a row. */
export async function findSmallPicture(task: Task): Promise<string | undefined> {
  const result = resultFile(task);
  if (result === undefined || result.thumbnail !== undefined) return result?.thumbnail;
  return fitsRow(await readAsset(result.path)) ? result.path : undefined;
}

/** Bytes of a file of the project that a row shows. */
const maxRowBytes = 16 * 1024 ** 2;

/** Whether a row may show the file itself: its header has a size, and decoding it takes little. An SVG has none, because drawing it may take any time. */
export function fitsRow({ width, height, size = Infinity }: AssetFile): boolean {
  return width !== undefined && height !== undefined && width * height <= maxRowPixels && size <= maxRowBytes;
}

/** Bytes: in front of the size a photo may have a whole thumbnail. */
const headerLength = 256 * 1024;

/** Never rejects: a file that can't be read counts as there. */
export async function readAsset(path: string): Promise<AssetFile> {
  try {
    const file = await diskFiles.open(path);
    try {
      if (file.status.kind !== "file") return { isThere: false };
      const header = await file.read(headerLength);
      return { isThere: true, size: file.status.size, ...pictureSizeOf(header) };
    } finally {
      await file.close();
    }
  } catch (error) {
    return { isThere: !isMissingPath(error) };
  }
}

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
  const { width = Infinity, height = Infinity } = await readAsset(result.path);
  return width * height <= maxRowPixels ? result.path : undefined;
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

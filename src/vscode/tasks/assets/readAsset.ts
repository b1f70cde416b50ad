/** What the file of an asset is now, by its header: nothing is decoded, and a link is not followed. */
import { isMissingPath } from "../../../base/systemErrors";
import { declaredSizeOf } from "../../../domain/media/imageSize";
import { pictureTypeOf } from "../../../domain/media/pictureTypes";
import type { AssetFile } from "../../../domain/task/assetGroups";
import { diskFiles } from "../../../node/diskFiles";

/** Bytes: in front of the size a photo may have a whole thumbnail. */
const headerLength = 256 * 1024;

/** Never rejects: of a file that can't be read it is known that something is there. */
export async function readAsset(path: string): Promise<AssetFile> {
  try {
    const file = await diskFiles.open(path);
    try {
      if (file.status.kind !== "file") return { isThere: false };
      const header = await file.read(headerLength);
      const type = pictureTypeOf(header, "prompt");
      return { isThere: true, size: file.status.size, ...(type && declaredSizeOf(header, type)) };
    } finally {
      await file.close();
    }
  } catch (error) {
    return { isThere: !isMissingPath(error) };
  }
}

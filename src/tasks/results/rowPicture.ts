/** The picture that is the icon of a task's row (T6): the thumbnail, or the result itself where that is small. */
import { open } from "node:fs/promises";
import { imageSizeOf } from "../../domain/media/imageSize";
import { pictureTypeOf } from "../../domain/media/pictureTypes";

/** Bytes. VS Code reads the file again with each redraw of the row. */
const sizeCap = 256 * 1024;
/** Pixels of each side: the window decodes the whole picture for an icon of 16 pixels, and a header of a few bytes can ask for gigabytes. */
const sideCap = 1024;

/** The first of these files that can be an icon. Never rejects. */
export async function findRowPicture(paths: readonly (string | undefined)[]): Promise<string | undefined> {
  for (const path of paths) {
    const bytes = path === undefined ? undefined : await readSmall(path).catch(() => undefined);
    if (bytes !== undefined && isRowPicture(bytes)) return path;
  }
  return undefined;
}

/** Whole, small and still: an animation would be drawn for as long as its row is in view, and an SVG may take for ever. */
export function isRowPicture(bytes: Uint8Array): boolean {
  const type = pictureTypeOf(bytes, "prompt");
  if (type !== "image/png" && type !== "image/jpeg" && type !== "image/webp") return false;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (type !== "image/jpeg" && buffer.includes(type === "image/png" ? "acTL" : "ANIM", 0, "latin1")) return false;
  const size = imageSizeOf(bytes, type);
  return size !== undefined && size.width <= sideCap && size.height <= sideCap;
}

async function readSmall(path: string): Promise<Uint8Array | undefined> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    return size > sizeCap ? undefined : await file.readFile();
  } finally {
    await file.close();
  }
}

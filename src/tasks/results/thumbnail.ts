/** Fetches the small picture of a result, for the tooltip, the task page and the icon of its row. A result without one is complete. */
import { open } from "node:fs/promises";
import type { Clock } from "../../base/clock";
import { isTooManyPixels, pictureSizeOf } from "../../domain/media/pictureBounds";
import type { Gateway, Log } from "../../domain/ports";
import { mediaFacts } from "../../domain/task/taskTypes";
import type { ResultAssets } from "../../domain/task/task";
import { readMediaType, sniffedLength } from "./mediaType";
import { readMarked, refuseHeldBack } from "./readMarks";
import { writeAtomically } from "../../base/privateFile";
import { imageSizeOf } from "../../domain/media/imageSize";
import { pictureTypeOf } from "../../domain/media/pictureTypes";

/** The largest thumbnail, in bytes. */
const sizeCap = 1024 * 1024;
/** The most pixels of a thumbnail. The gallery shows dozens at once, and the window decodes each whole. */
const pixelCap = 16_000_000;
/** Milliseconds by which a thumbnail may delay whoever waits for its result. */
const patience = 5000;

interface ThumbnailOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly folder: string;
}

interface ThumbnailOf {
  readonly stem: string;
  /** The address of the result itself. */
  readonly url: string;
  readonly assets: Extract<ResultAssets, { kind: "assets" }>;
}

/** Resolves with the path of the thumbnail, or with `undefined` where there is none that can be used or the signal aborts. Never rejects. */
export async function fetchThumbnail(
  { clock, log, folder }: ThumbnailOptions,
  gateway: Gateway,
  { stem, url, assets: { thumbnailUrl } }: ThumbnailOf,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (thumbnailUrl === undefined || thumbnailUrl === url) return undefined;
  const late = new AbortController();
  const done = new AbortController();
  clock.delay(patience, AbortSignal.any([done.signal, signal])).then(
    () => late.abort(),
    () => undefined,
  );
  const name = `${stem}.thumbnail`;
  try {
    await refuseHeldBack(folder, name);
    const { mimeType, body } = await gateway.downloadAsset(thumbnailUrl, AbortSignal.any([signal, late.signal]));
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of body) {
      size += chunk.length;
      if (size > sizeCap) return undefined;
      chunks.push(chunk);
    }
    const bytes = Buffer.concat(chunks);
    const type = await readMarked(folder, name, () => readMediaType(bytes.subarray(0, sniffedLength), mimeType));
    if (type?.kind === undefined || type.ending === ".bin") return undefined;
    if (mediaFacts(type.kind).preview !== "picture" || !isSmall(bytes)) return undefined;
    return await writeAtomically(folder, `${name}${type.ending}`, bytes);
  } catch (failure) {
    log.debug("A thumbnail could not be fetched.", { message: String(failure) });
    return undefined;
  } finally {
    done.abort();
  }
}

/** Whether the picture has few enough pixels. One whose size can't be read, such as an SVG, is refused, because it may take any time to draw. */
function isSmall(bytes: Uint8Array): boolean {
  const size = pictureSizeOf(bytes);
  return size !== undefined && !isTooManyPixels(size, pixelCap);
}

// Chooses the picture that is the icon of a task's row (T6): the thumbnail, or the result itself where that is small.

/** Bytes. VS Code reads the file again with each redraw of the row. */
const maxIconBytes = 256 * 1024;
/** The most pixels of each side. The window decodes the whole picture for an icon of 16 pixels, and a header of a few bytes can ask for gigabytes. */
const maxIconSide = 1024;

/** The first of these files that can be an icon. Never rejects. */
export async function findRowPicture(paths: readonly (string | undefined)[]): Promise<string | undefined> {
  for (const path of paths) {
    const bytes = path === undefined ? undefined : await readSmall(path).catch(() => undefined);
    if (bytes !== undefined && isRowPicture(bytes)) return path;
  }
  return undefined;
}

/**
 * Whether the picture is a small and still PNG, JPEG or WebP: an animation would be drawn for as long as its row is in view, and an SVG may take any
 * time.
 */
export function isRowPicture(bytes: Uint8Array): boolean {
  const type = pictureTypeOf(bytes, "prompt");
  if (type !== "image/png" && type !== "image/jpeg" && type !== "image/webp") return false;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (type !== "image/jpeg" && buffer.includes(type === "image/png" ? "acTL" : "ANIM", 0, "latin1")) return false;
  const size = imageSizeOf(bytes, type);
  return size !== undefined && size.width <= maxIconSide && size.height <= maxIconSide;
}

async function readSmall(path: string): Promise<Uint8Array | undefined> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    return size > maxIconBytes ? undefined : await file.readFile();
  } finally {
    await file.close();
  }
}

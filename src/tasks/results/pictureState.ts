/**
 * Finds out whether a picture on disk can be shown, from its size and its header: no more of it is read and nothing is decoded in the host.
 * Remembers the result for views.
 */
import { isMadeOfBoxes, isTooManyPixels, maxPictureBytes, pictureSizeOf } from "../../domain/media/pictureBounds";
import { BoundedMap } from "../../base/boundedMap";
import { diskFiles } from "../../node/diskFiles";

/** Bytes: a JPEG has its size behind a thumbnail and a colour profile. */
const headerLength = 512 * 1024;

/** `too-large`: it is, or its size is so deep in the file that it may be. `unreadable`: it is missing, or its header can't be read. */
type PictureFileState = "fits" | "too-large" | "unreadable";

/** Never rejects. */
export async function lookAtPicture(path: string): Promise<PictureFileState> {
  const found = await readHeader(path).catch(() => undefined);
  if (found === undefined) return "unreadable";
  if (found.size > maxPictureBytes) return "too-large";
  const declared = pictureSizeOf(found.header);
  if (declared === undefined) return isMadeOfBoxes(found.header) ? "too-large" : "unreadable";
  return isTooManyPixels(declared) ? "too-large" : "fits";
}

/** `undefined` for what is no regular file. Nothing is waited for, as a plain `open` waits for the writer of a pipe, and a link is not followed. */
async function readHeader(path: string): Promise<{ readonly size: number; readonly header: Uint8Array } | undefined> {
  const file = await diskFiles.open(path);
  try {
    const { kind, size } = file.status;
    return kind === "file" ? { size, header: await file.read(Math.min(size, headerLength)) } : undefined;
  } finally {
    await file.close();
  }
}

// Remembers the states for views that are made without waiting: the first question about a file has its header read.

/** Files that are remembered. A result is written once, under a name of its own. */
const kept = 1000;

export class PictureLooks {
  readonly #onLooked: () => void;
  readonly #known = new BoundedMap<string, PictureFileState | "waits">(kept);

  /** `onLooked`: a file that was asked for is known now. */
  constructor(onLooked: () => void) {
    this.#onLooked = onLooked;
  }

  of(path: string): PictureFileState | "waits" {
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    this.#known.set(path, "waits");
    void lookAtPicture(path).then((state) => {
      this.#known.set(path, state);
      this.#onLooked();
    });
    return "waits";
  }
}

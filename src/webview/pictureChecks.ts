/** Reads a picture before the page shows it. Missing files, files that are no pictures, and pictures that decode to gigabytes are not shown. */
import { BoundedMap } from "../base/boundedMap";
import { isMadeOfBoxes, isTooManyPixels, maxPictureBytes, pictureSizeOf } from "../domain/media/pictureBounds";
import type { ImageSize } from "../domain/media/imageSize";
import type { PictureFailure } from "../domain/words/taskTypeWords";

export interface ReadPicture {
  readonly file: Blob;
  readonly bytes: Uint8Array;
  /** The size in the file's header; `undefined` for formats whose header is not read here. */
  readonly size: ImageSize | undefined;
}

/** Reads no more bytes than a picture may have, because the file may be a video of gigabytes with another ending. */
export async function readPicture(address: string): Promise<ReadPicture | PictureFailure> {
  const response = await fetch(address).catch(() => undefined);
  const reader = response?.ok === true ? response.body?.getReader() : undefined;
  if (reader === undefined) return "missing";
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    length += value.length;
    if (length <= maxPictureBytes) continue;
    await reader.cancel();
    return "too-large";
  }
  const file = new Blob(parts);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const size = pictureSizeOf(bytes);
  if (size === undefined && isMadeOfBoxes(bytes)) return "damaged";
  return size !== undefined && isTooManyPixels(size) ? "too-large" : { file, bytes, size };
}

/** The number of pictures whose outcome is kept. */
const kept = 200;

/** Checks the pictures that a page shows in full size: whether each may be given to an element. */
export class PictureChecks {
  readonly #onChange: () => void;
  readonly #known = new BoundedMap<string, "waits" | "fits" | PictureFailure>(kept);

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  check(address: string): "waits" | "fits" | PictureFailure {
    const known = this.#known.get(address);
    if (known !== undefined) return known;
    this.#known.set(address, "waits");
    void this.#read(address);
    return "waits";
  }

  /** Records that an element could not decode the picture. */
  refuse(address: string): void {
    this.#keep(address, "damaged");
  }

  async #read(address: string): Promise<void> {
    const read = await readPicture(address).catch((): PictureFailure => "missing");
    this.#keep(address, typeof read === "string" ? read : "fits");
  }

  #keep(address: string, outcome: "fits" | PictureFailure): void {
    this.#known.set(address, outcome);
    this.#onChange();
  }
}

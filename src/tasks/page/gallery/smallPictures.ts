/** Makes small pictures of the results in view that have no thumbnail, once and off the page's main thread, and keeps them while there is room. */
import { BoundedMap } from "../../../base/boundedMap";
import { readPicture } from "../../../webview/pictureChecks";
import { sizeLimits } from "./gridLayout";
import type { SmallPicture } from "./resultCell";

/** Files that are decoded at once. */
const atOnce = 2;
/** Pictures that are kept: some 20 KB each. */
const kept = 1500;
/** Pixels of the longer side: sharp in the largest cell of a display with two pixels a point. */
const longerSide = sizeLimits.max * 2;

export class SmallPictures {
  readonly #onChange: () => void;
  readonly #made = new BoundedMap<string, SmallPicture>(kept);
  /** The object URLs of the pictures, which are revoked when their picture is evicted. */
  #urls: string[] = [];
  /** The addresses that the last render has asked for and that are not made yet, in its order. */
  #wanted: string[] = [];
  #running = new Set<string>();

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Is called before a render: only the pictures that it asks for are made. */
  begin(): void {
    this.#wanted = [];
  }

  find(address: string): SmallPicture {
    const known = this.#made.get(address);
    if (known !== undefined) return known;
    this.#wanted.push(address);
    return { state: "waiting" };
  }

  /** Returns a small picture that was made already, and makes none. */
  peek(address: string): SmallPicture | undefined {
    return this.#made.get(address);
  }

  /** Forgets a picture whose file may have changed, so that it is read again. */
  forget(address: string): void {
    this.#made.delete(address);
  }

  /** Is called after a render. */
  load(): void {
    while (this.#running.size < atOnce) {
      const next = this.#wanted.find((address) => !this.#running.has(address));
      if (next === undefined) return;
      this.#wanted = this.#wanted.filter((address) => address !== next);
      this.#running.add(next);
      void this.#make(next);
    }
  }

  async #make(address: string): Promise<void> {
    const made = await makeSmall(address).catch((): SmallPicture => ({ state: "failed", why: "damaged" }));
    this.#running.delete(address);
    this.#made.set(address, made);
    if (made.state === "ready") this.#urls.push(made.url);
    this.#revokeEvicted();
    this.#onChange();
  }

  #revokeEvicted(): void {
    if (this.#urls.length <= kept) return;
    const inUse = new Set(this.#made.values().flatMap((one) => (one.state === "ready" ? [one.url] : [])));
    for (const url of this.#urls) if (!inUse.has(url)) URL.revokeObjectURL(url);
    this.#urls = this.#urls.filter((url) => inUse.has(url));
  }
}

async function makeSmall(address: string): Promise<SmallPicture> {
  const read = await readPicture(address);
  if (typeof read === "string") return { state: "failed", why: read };
  const { file, size } = read;
  const isTall = size !== undefined && size.height > size.width;
  const longest = Math.min(longerSide, size === undefined ? longerSide : Math.max(size.width, size.height));
  // The other side follows by the ratio.
  const bitmap = await createImageBitmap(file, {
    ...(isTall ? { resizeHeight: longest } : { resizeWidth: longest }),
    resizeQuality: "medium",
  });
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
  bitmap.close();
  const small = await canvas.convertToBlob({ type: "image/webp", quality: 0.85 });
  return { state: "ready", url: URL.createObjectURL(small) };
}

/** The pictures of the transcript, by reference: each is requested once, when it is first drawn, and kept as a blob for as long as the page lives. */
import type { MediaMessage } from "../protocol/mediaMessages";

/** Missing for data that the host does not show. */
export interface Picture {
  readonly blob?: Blob;
  readonly url?: string;
}

export class Pictures {
  readonly #request: (answer: string, block: number) => void;
  /** A function waits for the host. */
  readonly #known = new Map<string, Picture | ((picture: Picture) => void)>();

  constructor(request: (answer: string, block: number) => void) {
    this.#request = request;
  }

  /** `undefined` until the host has answered, and then `show` is called; only the last one that asked for it. */
  of(answer: string, block: number, show: (picture: Picture) => void): Picture | undefined {
    const key = keyOf(answer, block);
    const known = this.#known.get(key);
    if (typeof known === "object") return known;
    this.#known.set(key, show);
    if (known === undefined) this.#request(answer, block);
    return undefined;
  }

  receive({ answer, block, picture }: MediaMessage): void {
    const key = keyOf(answer, block);
    const waiting = this.#known.get(key);
    const blob =
      picture &&
      new Blob([Uint8Array.from(atob(picture.data), (one) => one.charCodeAt(0))], { type: picture.mimeType });
    const known: Picture = blob === undefined ? {} : { blob, url: URL.createObjectURL(blob) };
    this.#known.set(key, known);
    if (typeof waiting === "function") waiting(known);
  }
}

function keyOf(answer: string, block: number): string {
  return `${answer}/${block}`;
}

/** Copies as PNG, the one type that every clipboard takes. Rejects where copying is not allowed. */
export async function copyPicture(blob: Blob): Promise<void> {
  const bitmap = await createImageBitmap(blob);
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
  const png = await canvas.convertToBlob();
  await navigator.clipboard.write([new ClipboardItem({ "image/png": png })]);
}

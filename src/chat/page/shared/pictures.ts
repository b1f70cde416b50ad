/** The pictures of the transcript by their place. Each is requested when it is first drawn, and kept as a blob as long as its answer is shown. */
import type { Chat } from "../../../domain/chat/chat";
import type { MediaMessage, PicturePlace } from "../../contract/chatPageContract";
import { imageSizeCap } from "../../../domain/chat/imageTypes";
import { base64Of } from "../../../webview/dropTarget";

/** The fields are missing for data that the host does not show. */
export interface Picture {
  readonly blob?: Blob;
  readonly url?: string;
}

interface Requested {
  readonly place: PicturePlace;
  readonly show: (picture: Picture) => void;
  /** Missing until the host has replied. */
  readonly picture?: Picture;
}

export class Pictures {
  readonly #request: (place: PicturePlace) => void;
  readonly #requested = new Map<string, Requested>();
  #chat: string | undefined;

  constructor(request: (place: PicturePlace) => void) {
    this.#request = request;
  }

  /** `undefined` until the host has replied. Then `show` is called, but only that of the last caller. */
  of(place: PicturePlace, show: (picture: Picture) => void): Picture | undefined {
    const key = keyOf(place);
    const known = this.#requested.get(key);
    if (known?.picture !== undefined) return known.picture;
    this.#requested.set(key, { place, show });
    if (known === undefined) this.#request(place);
    return undefined;
  }

  /** Ignores pictures that were forgotten meanwhile, and the second reply to a repeated request. */
  receive({ picture, ...place }: MediaMessage): void {
    const key = keyOf(place);
    const requested = this.#requested.get(key);
    if (requested === undefined || requested.picture !== undefined) return;
    const blob =
      picture &&
      new Blob([Uint8Array.from(atob(picture.data), (one) => one.charCodeAt(0))], { type: picture.mimeType });
    const known: Picture = blob === undefined ? {} : { blob, url: URL.createObjectURL(blob) };
    this.#requested.set(key, { ...requested, picture: known });
    requested.show(known);
  }

  /** Frees the pictures of answers that the chat does not have. All are freed for another chat, whose answers may have the same ids. */
  retain(chat: Pick<Chat, "id" | "entries">): void {
    const isSame = chat.id === this.#chat;
    this.#chat = chat.id;
    if (this.#requested.size === 0) return;
    const shown = new Set(isSame ? chat.entries.map(({ id }) => id) : []);
    for (const [key, { place, picture }] of this.#requested) {
      if (shown.has(place.answer)) continue;
      this.#requested.delete(key);
      if (picture?.url !== undefined) URL.revokeObjectURL(picture.url);
    }
  }

  /** Repeats the requests without a reply, because the host does not reply while the page is hidden or for a chat that it no longer shows. */
  repeat(): void {
    for (const { place, picture } of this.#requested.values()) if (picture === undefined) this.#request(place);
  }
}

function keyOf({ answer, block, image = "" }: PicturePlace): string {
  return `${answer}/${block}/${image}`;
}

/** Copies the picture as PNG, the only type that every clipboard accepts. Rejects where copying is not allowed. */
export async function copyPicture(blob: Blob): Promise<void> {
  const bitmap = await createImageBitmap(blob);
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
  const png = await canvas.convertToBlob();
  await navigator.clipboard.write([new ClipboardItem({ "image/png": png })]);
}

/** `data` is base64. */
export function blobOf(data: string): Blob {
  return new Blob([Uint8Array.from(atob(data), (character) => character.charCodeAt(0))]);
}

/** Scales an image down until its longer side has at most `side` pixels. Takes and returns base64; `undefined` for data that can't be decoded. */
export async function scaleImage(data: string, side: number): Promise<string | undefined> {
  try {
    const picture = await createImageBitmap(blobOf(data));
    const scale = Math.min(1, side / Math.max(picture.width, picture.height));
    const canvas = new OffscreenCanvas(
      Math.max(1, Math.round(picture.width * scale)),
      Math.max(1, Math.round(picture.height * scale)),
    );
    const context = canvas.getContext("2d");
    if (context === null) return undefined;
    context.imageSmoothingQuality = "high";
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    const plain = await canvas.convertToBlob({ type: "image/png" });
    // A photo is far smaller as JPEG. PNG keeps edges and transparency.
    const blob = plain.size > imageSizeCap ? await canvas.convertToBlob({ type: "image/jpeg", quality: 0.85 }) : plain;
    return blob.size > imageSizeCap ? undefined : await base64Of(blob);
  } catch {
    return undefined;
  }
}

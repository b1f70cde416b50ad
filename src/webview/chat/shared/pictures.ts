/** The pictures of the transcript, by reference: each is requested when it is first drawn, and kept as a blob for as long as its answer is shown. */
import type { Chat } from "../../../domain/chat/chat";
import type { MediaMessage } from "../../../protocol/mediaMessages";

/** Missing for data that the host does not show. */
export interface Picture {
  readonly blob?: Blob;
  readonly url?: string;
}

interface Requested {
  readonly answer: string;
  readonly block: number;
  readonly show: (picture: Picture) => void;
  /** Missing until the host has answered. */
  readonly picture?: Picture;
}

export class Pictures {
  readonly #request: (answer: string, block: number) => void;
  readonly #requested = new Map<string, Requested>();
  #chat: string | undefined;

  constructor(request: (answer: string, block: number) => void) {
    this.#request = request;
  }

  /** `undefined` until the host has answered, and then `show` is called; only the last one that asked for it. */
  of(answer: string, block: number, show: (picture: Picture) => void): Picture | undefined {
    const key = keyOf(answer, block);
    const known = this.#requested.get(key);
    if (known?.picture !== undefined) return known.picture;
    this.#requested.set(key, { answer, block, show });
    if (known === undefined) this.#request(answer, block);
    return undefined;
  }

  /** Ignores what was forgotten meanwhile, and the second answer to a repeated request. */
  receive({ answer, block, picture }: MediaMessage): void {
    const key = keyOf(answer, block);
    const requested = this.#requested.get(key);
    if (requested === undefined || requested.picture !== undefined) return;
    const blob =
      picture &&
      new Blob([Uint8Array.from(atob(picture.data), (one) => one.charCodeAt(0))], { type: picture.mimeType });
    const known: Picture = blob === undefined ? {} : { blob, url: URL.createObjectURL(blob) };
    this.#requested.set(key, { ...requested, picture: known });
    requested.show(known);
  }

  /** Frees the pictures of answers that the chat does not have. Another chat may have answers of the same ids. */
  retain(chat: Pick<Chat, "id" | "entries">): void {
    const isSame = chat.id === this.#chat;
    this.#chat = chat.id;
    if (this.#requested.size === 0) return;
    const shown = new Set(isSame ? chat.entries.map(({ id }) => id) : []);
    for (const [key, { answer, picture }] of this.#requested) {
      if (shown.has(answer)) continue;
      this.#requested.delete(key);
      if (picture?.url !== undefined) URL.revokeObjectURL(picture.url);
    }
  }

  /** The host answers nothing while the page is hidden, nor for a chat that it does not show any more. */
  repeat(): void {
    for (const { answer, block, picture } of this.#requested.values())
      if (picture === undefined) this.#request(answer, block);
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

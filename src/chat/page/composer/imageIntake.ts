/** Images on their way into a prompt: pasted or dropped bytes go to the host, which judges them; thumbnails are made here. */
import { t } from "@vscode/l10n";
import { imageSizeCap } from "../../../domain/chat/imageTypes";
import { textLanguage } from "../../../domain/words/plural";
import { revealName } from "../../../webview/hiddenCharacters";
import { blobOf } from "../shared/scaleImage";
import type { SendToHost } from "../shared/controls";

/** Pixels of the longer side. */
const thumbnailSide = 120;

export class ImageIntake {
  readonly #send: SendToHost;
  readonly #refuse: (text: string) => void;
  /** Thumbnails of what the host has not answered yet, by key. */
  readonly #waiting = new Map<number, Promise<string | undefined>>();
  #key = 0;

  constructor(send: SendToHost, refuse: (text: string) => void) {
    this.#send = send;
    this.#refuse = refuse;
  }

  /** The host has not answered for all of them. */
  get isBusy(): boolean {
    return this.#waiting.size > 0;
  }

  /** For the draft of that chat: another one may be shown once they are read. `name` for one that has none of its own. */
  add(files: readonly File[], chat: string, name?: string): void {
    for (const file of files) {
      const label = name ?? file.name;
      const shown = revealName(label);
      if (file.size > imageSizeCap) {
        const cap = (imageSizeCap / (1024 * 1024)).toLocaleString(textLanguage());
        this.#refuse(t("{0} was not attached: images over {1} MB are refused by some services.", shown, cap));
        continue;
      }
      this.#key += 1;
      const key = this.#key;
      this.#waiting.set(key, makeThumbnail(file));
      void readBase64(file).then(
        (data) => this.#send({ type: "image-add", chat, key, name: label.slice(0, 255), data }),
        () => {
          this.#waiting.delete(key);
          this.#refuse(t("{0} can't be read.", shown));
        },
      );
    }
  }

  /** The host has answered; `data` for an image that it read itself. */
  async thumbnail(answered: number | undefined, data: string | undefined): Promise<string | undefined> {
    const key = answered ?? (this.#key += 1);
    const making = this.#waiting.get(key) ?? (data === undefined ? undefined : makeThumbnail(blobOf(data)));
    if (making !== undefined) this.#waiting.set(key, making);
    const made = await making;
    this.#waiting.delete(key);
    return made;
  }

  refused(key: number | undefined): void {
    if (key !== undefined) this.#waiting.delete(key);
  }
}

async function readBase64(file: File): Promise<string> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === "string" ? reader.result : "");
    reader.onerror = () => reject(reader.error ?? new Error("The file can't be read."));
    reader.readAsDataURL(file);
  });
  return url.slice(url.indexOf(",") + 1);
}

/** `undefined` for what the browser can't decode. */
async function makeThumbnail(blob: Blob): Promise<string | undefined> {
  try {
    const picture = await createImageBitmap(blob);
    const scale = Math.min(1, thumbnailSide / Math.max(picture.width, picture.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(picture.width * scale));
    canvas.height = Math.max(1, Math.round(picture.height * scale));
    canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    return canvas.toDataURL("image/webp", 0.7);
  } catch {
    return undefined;
  }
}

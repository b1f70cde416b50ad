/** The attachments of the prompt in the composer: their chips, and images that are being sent to the host. */
import { t } from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import { BoundedMap } from "../../../base/boundedMap";
import { definedFields } from "../../../base/definedFields";
import { type FileReference, isSameReference, referenceCap } from "../../../domain/chat/attachmentSchema";
import { describeFileReference } from "../../../domain/words/describeTool";
import { plural, textLanguage } from "../../../domain/words/plural";
import type { AttachmentMessage, ChatPageStatus, ChatPageToHost } from "../../contract/chatPageContract";
import { draftChips, imageNotice, originNotice, type ShownOrigin } from "../shared/attachmentChips";
import { pastedImages } from "../../../webview/dropTarget";
import { revealName } from "../../../webview/hiddenCharacters";
import type { SendToHost } from "../shared/controls";
import type { DraftKeeper } from "../shared/savedState";
import { imageSizeCap } from "../../../domain/chat/imageTypes";
import { blobOf } from "../shared/pictures";

type Keyed = Extract<ChatPageToHost, { type: "context-add" | "uris-add" }>;
/** A request to which the host attaches or refuses files by itself. */
export type AttachRequest = Keyed extends infer K ? (K extends Keyed ? Omit<K, "chat" | "key"> : never) : never;

export interface PromptAttachmentOptions {
  readonly send: SendToHost;
  /** The chat that is shown; empty while none is loaded. */
  readonly chat: () => string;
  readonly changeOther: DraftKeeper["changeOther"];
  /** Shows a sentence below the composer. */
  readonly say: (text: string) => void;
  /** Called when a reference was added, by the person or by the host. */
  readonly added: () => void;
  /** Called when the person has removed a reference. */
  readonly removed: () => void;
  /** Called when something else that `template` shows has changed. */
  readonly redraw: () => void;
}

export class PromptAttachments {
  references: readonly FileReference[];
  readonly #options: PromptAttachmentOptions;
  readonly #images: ImageIntake;
  /** Maps the id of an attached image to what its file holds about how it was made. Images whose file holds nothing are missing. */
  readonly #origins = new BoundedMap<string, ShownOrigin>(referenceCap);
  /** The keys of requests without a reply from the host. */
  readonly #asked = new Set<number>();
  #key = 0;

  constructor(references: readonly FileReference[], options: PromptAttachmentOptions) {
    this.references = references;
    this.#options = options;
    this.#images = new ImageIntake(options.send, options.say);
  }

  /** Whether the prompt would be sent without an attachment: a reply of the host is missing, or a thumbnail is being made. */
  get isBusy(): boolean {
    return this.#images.isBusy || this.#asked.size > 0;
  }

  ask(request: AttachRequest): void {
    this.#key += 1;
    this.#asked.add(this.#key);
    this.#options.send({ ...request, chat: this.#options.chat(), key: this.#key });
  }

  receive(message: Exclude<AttachmentMessage, { type: "context-found" }>): void {
    if (message.type === "picture-origin") {
      this.#origins.set(message.id, message);
      this.#options.redraw();
      return;
    }
    if (message.type === "composer-hint") {
      this.#images.refused(message.key);
      this.#options.say(revealName(message.text));
      return;
    }
    if (message.type === "attaching-ended") {
      this.#asked.delete(message.key);
      return;
    }
    const { chat, reference, key, data } = message;
    const { image } = reference;
    if (image === undefined) this.#addIn(chat, reference);
    else
      void this.#images
        .thumbnail(key, data)
        .then((thumbnail) => this.#addIn(chat, { ...reference, image: { ...image, ...definedFields({ thumbnail }) } }));
  }

  #addIn(chat: string, reference: FileReference): void {
    const isOther = this.#options.changeOther(chat, (draft) => {
      const references = this.#with(reference, draft.references);
      return references === undefined ? draft : { ...draft, references };
    });
    if (!isOther) this.add(reference);
  }

  add(reference: FileReference): void {
    const references = this.#with(reference, this.references);
    if (references === undefined) return;
    this.references = references;
    this.#options.added();
  }

  /** Adds the reference once. One too many is refused with a sentence. */
  #with(reference: FileReference, before: readonly FileReference[]): readonly FileReference[] | undefined {
    const others = before.filter((other) => !isSameReference(other, reference));
    if (others.length < referenceCap) return [...others, reference];
    const label = revealName(describeFileReference(reference));
    this.#options.say(
      plural(
        referenceCap,
        { other: "{0} was not attached: a prompt has {1} attachments at most." },
        label,
        referenceCap,
      ),
    );
    return undefined;
  }

  addImages(files: readonly File[]): void {
    this.#images.add(files, this.#options.chat());
  }

  paste(event: ClipboardEvent): void {
    const images = pastedImages(event.clipboardData);
    if (images.length === 0) return;
    event.preventDefault();
    this.#images.add(images, this.#options.chat(), t("Pasted image"));
  }

  template(status: Pick<ChatPageStatus, "model" | "imagesRefused">): TemplateResult {
    const { send, removed } = this.#options;
    const remove = (reference: FileReference): void => {
      this.references = this.references.filter((other) => other !== reference);
      removed();
    };
    return html`${draftChips(this.references, remove)}${originNotice(this.references, this.#origins, send)}${imageNotice(this.references, status, send)}`;
  }
}

/** The maximum length of the longer side, in pixels. */
const thumbnailSide = 120;

class ImageIntake {
  readonly #send: SendToHost;
  readonly #refuse: (text: string) => void;
  /** The thumbnails of images without a reply from the host, by key. */
  readonly #waiting = new Map<number, Promise<string | undefined>>();
  #key = 0;

  constructor(send: SendToHost, refuse: (text: string) => void) {
    this.#send = send;
    this.#refuse = refuse;
  }

  /** Whether a reply of the host is missing for one of the images. */
  get isBusy(): boolean {
    return this.#waiting.size > 0;
  }

  /** Adds the images to the draft of that chat, because another one may be shown once they are read. `name` is for images without a name. */
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

  /** The thumbnail for an image that the host has attached. `data`: the bytes of an image that the host has read itself. */
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

/** `undefined` for an image that the browser can't decode. */
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

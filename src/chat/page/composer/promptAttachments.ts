/** What is attached to the prompt that is written: its chips, and images on their way to the host. */
import { t } from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import { definedFields } from "../../../base/definedFields";
import { type FileReference, isSameReference, referenceCap } from "../../../domain/chat/attachmentSchema";
import { describeReference } from "../../../domain/words/describeTool";
import { plural } from "../../../domain/words/plural";
import type { AttachmentMessage } from "../../contract/attachmentMessages";
import type { ChatPageStatus, ChatPageToHost } from "../../contract/chatPageContract";
import { draftChips, imageNotice } from "../shared/attachmentChips";
import { pastedImages } from "../../../webview/dropTarget";
import { revealName } from "../../../webview/hiddenCharacters";
import { ImageIntake } from "./imageIntake";
import type { SendToHost } from "../shared/controls";
import type { DraftKeeper } from "../shared/chatDrafts";

type Keyed = Extract<ChatPageToHost, { type: "context-add" | "uris-add" }>;
/** What the host attaches, or refuses, on its own. */
export type AttachRequest = Keyed extends infer K ? (K extends Keyed ? Omit<K, "chat" | "key"> : never) : never;

export interface PromptAttachmentPorts {
  readonly send: SendToHost;
  /** The chat that is shown; empty while none is loaded. */
  readonly chat: () => string;
  readonly changeOther: DraftKeeper["changeOther"];
  /** Shows a sentence below the composer. */
  readonly say: (text: string) => void;
  /** Another list of references; by the person or by the host. */
  readonly changed: () => void;
}

export class PromptAttachments {
  references: readonly FileReference[];
  readonly #ports: PromptAttachmentPorts;
  readonly #images: ImageIntake;
  /** Keys of the requests that the host has not answered yet. */
  readonly #asked = new Set<number>();
  #key = 0;

  constructor(references: readonly FileReference[], ports: PromptAttachmentPorts) {
    this.references = references;
    this.#ports = ports;
    this.#images = new ImageIntake(ports.send, ports.say);
  }

  /** The prompt would be sent without something that was attached: the host has not answered, or a thumbnail is being made. */
  get isBusy(): boolean {
    return this.#images.isBusy || this.#asked.size > 0;
  }

  ask(request: AttachRequest): void {
    this.#key += 1;
    this.#asked.add(this.#key);
    this.#ports.send({ ...request, chat: this.#ports.chat(), key: this.#key });
  }

  receive(message: Exclude<AttachmentMessage, { type: "context-found" }>): void {
    if (message.type === "composer-hint") {
      this.#images.refused(message.key);
      this.#ports.say(revealName(message.text));
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
    const isOther = this.#ports.changeOther(chat, (draft) => {
      const references = this.#with(reference, draft.references);
      return references === undefined ? draft : { ...draft, references };
    });
    if (!isOther) this.add(reference);
  }

  add(reference: FileReference): void {
    const references = this.#with(reference, this.references);
    if (references === undefined) return;
    this.references = references;
    this.#ports.changed();
  }

  /** Once each. One too many is refused with a sentence. */
  #with(reference: FileReference, before: readonly FileReference[]): readonly FileReference[] | undefined {
    const others = before.filter((other) => !isSameReference(other, reference));
    if (others.length < referenceCap) return [...others, reference];
    const label = revealName(describeReference(reference));
    this.#ports.say(
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
    this.#images.add(files, this.#ports.chat());
  }

  paste(event: ClipboardEvent): void {
    const images = pastedImages(event.clipboardData);
    if (images.length === 0) return;
    event.preventDefault();
    this.#images.add(images, this.#ports.chat(), t("Pasted image"));
  }

  template(status: Pick<ChatPageStatus, "model" | "imagesRefused">): TemplateResult {
    const { send, changed } = this.#ports;
    const remove = (reference: FileReference): void => {
      this.references = this.references.filter((other) => other !== reference);
      changed();
    };
    return html`${draftChips(this.references, remove)}${imageNotice(this.references, status, send)}`;
  }
}

/** What is attached to the prompt that is written: its chips, and images on their way to the host. */
import { t } from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import { definedFields } from "../base/definedFields";
import { type FileReference, isSameReference, referenceCap } from "../domain/attachmentSchema";
import type { AttachmentMessage } from "../protocol/attachmentMessages";
import type { PanelStatus, ToHost } from "../protocol/panelMessages";
import { draftChips, imageNotice } from "./attachmentChips";
import { pastedImages } from "./dropTarget";
import { ImageIntake } from "./imageIntake";

export interface PromptAttachmentPorts {
  readonly send: (intent: ToHost) => void;
  /** Shows a sentence below the composer. */
  readonly say: (text: string) => void;
  /** Another list of references; by the person or by the host. */
  readonly changed: () => void;
}

export class PromptAttachments {
  references: readonly FileReference[];
  readonly #ports: PromptAttachmentPorts;
  readonly #images: ImageIntake;

  constructor(references: readonly FileReference[], ports: PromptAttachmentPorts) {
    this.references = references;
    this.#ports = ports;
    this.#images = new ImageIntake(ports.send, ports.say);
  }

  /** An image is on its way. */
  get isBusy(): boolean {
    return this.#images.isBusy;
  }

  receive(message: Exclude<AttachmentMessage, { type: "context-found" }>): void {
    if (message.type === "composer-hint") {
      this.#images.refused(message.key);
      this.#ports.say(message.text);
      return;
    }
    const { reference, key, data } = message;
    const { image } = reference;
    if (image === undefined) this.add(reference);
    else
      void this.#images
        .thumbnail(key, data)
        .then((thumbnail) => this.add({ ...reference, image: { ...image, ...definedFields({ thumbnail }) } }));
  }

  /** Once each. */
  add(reference: FileReference): void {
    const others = this.references.filter((other) => !isSameReference(other, reference));
    this.references = [...others, reference].slice(-referenceCap);
    this.#ports.changed();
  }

  addImages(files: readonly File[]): void {
    this.#images.add(files);
  }

  paste(event: ClipboardEvent): void {
    const images = pastedImages(event.clipboardData);
    if (images.length === 0) return;
    event.preventDefault();
    this.#images.add(images, t("Pasted image"));
  }

  template(status: Pick<PanelStatus, "model" | "imagesRefused">): TemplateResult {
    const { send, changed } = this.#ports;
    const remove = (reference: FileReference): void => {
      this.references = this.references.filter((other) => other !== reference);
      changed();
    };
    return html`${draftChips(this.references, remove)}${imageNotice(this.references, status, send)}`;
  }
}

/** The chips of a prompt's attachments: above the text while it is written, folded in the transcript once it was sent. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { plural, textLanguage } from "../../../domain/words/plural";
import {
  type AttachedImage,
  type Attachment,
  type FileReference,
  isSameReference,
} from "../../../domain/chat/attachmentSchema";
import { describeFileReference } from "../../../domain/words/describeTool";
import type { UserEntry } from "../../../domain/chat/chat";
import { expandableRow, removeButton, type RowActions, type SendToHost } from "./controls";
import { revealAll, revealName } from "../../../webview/hiddenCharacters";
import { icon } from "../../../webview/pageParts";

export function draftChips(
  references: readonly FileReference[],
  remove: (reference: FileReference) => void,
): TemplateResult | typeof nothing {
  if (references.length === 0) return nothing;
  return html`<ul class="chips" aria-label=${t("Attachments")}>
    ${references.map((reference) => {
      const label = revealName(describeFileReference(reference));
      const { image } = reference;
      return html`<li class="file-chip" title=${label}>
        ${pictureOf(reference)}<span>${label}</span>${
          image === undefined
            ? nothing
            : html`<span class="chip-size">${describeSize(image.size, textLanguage())}</span>`
        }${removeButton(t("Remove {0}", label), () => remove(reference))}
      </li>`;
    })}
  </ul>`;
}

/** The notice while the prompt has an image and its model is known to take none. */
export function imageNotice(
  references: readonly FileReference[],
  { model, imagesRefused }: { readonly model: string; readonly imagesRefused?: true },
  send: SendToHost,
): TemplateResult | typeof nothing {
  if (imagesRefused !== true || !references.some(({ image }) => image !== undefined)) return nothing;
  return html`<div class="image-notice" role="status">
    <span
      >${icon("warning")}<span
        >${t("{0} takes no images: they stay in the chat and are not sent to it.", revealName(model))}</span
      ></span
    >
    <button type="button" class="button secondary" @click=${() => send({ type: "model-choose" })}>
      ${t("Choose Another Model")}
    </button>
  </div>`;
}

/** What the metadata of an image's file says about how it was made. */
export interface ShownOrigin {
  /** The beginning of the image's prompt. */
  readonly prompt: string;
  readonly hasSeed: boolean;
}

/** A line with a button for one image: the last attached one whose file holds how it was made. */
export function originNotice(
  references: readonly FileReference[],
  origins: { get(id: string): ShownOrigin | undefined },
  send: SendToHost,
): TemplateResult | typeof nothing {
  const [last] = references
    .flatMap((reference) => {
      const { id = "" } = reference.image ?? {};
      const origin = origins.get(id);
      return origin === undefined ? [] : [{ id, name: revealName(describeFileReference(reference)), ...origin }];
    })
    .slice(-1);
  if (last === undefined) return nothing;
  const { id, name, prompt, hasSeed } = last;
  return html`<div class="image-notice" role="status">
    <span>${icon("file-media")}<span>${t("{0} was made from “{1}”.", name, revealName(prompt))}</span></span>
    <button type="button" class="button secondary" @click=${() => send({ type: "origin-use", id })}>
      ${hasSeed ? t("Use Its Prompt and Seed") : t("Use Its Prompt")}
    </button>
  </div>`;
}

/** The attachments of a sent prompt. Until the host has read them, only the references are shown. */
export function sentChips({ id, references = [], attachments }: UserEntry, actions: RowActions): unknown {
  if (attachments === undefined)
    return references.map(
      (reference) =>
        html`<div class="end">
          ${pictureOf(reference)}<span>${revealName(describeFileReference(reference))}</span>
        </div>`,
    );
  return attachments.map((attachment, index) => {
    if (attachment.type === "image") {
      const known = references.find((reference) => isSameReference(reference, attachment));
      return sentImage(known ?? attachment, attachment.image, actions);
    }
    const label = html`${attachment.type === "text" ? pictureOf(attachment) : icon("warning")}<span class="tool-title"
        >${revealName(describeFileReference(attachment))}</span
      ><span class="tool-state">${describeAttachment(attachment, actions.locale)}</span>`;
    const text = attachment.type === "text" ? attachment.text : attachment.reason;
    const content = html`<div class="tool-content">
      <pre tabindex="0" aria-label=${t("Attachment")}>${revealAll(text)}</pre>
    </div>`;
    return expandableRow(actions, `${id}/attachment${index}`, "tool", label, content);
  });
}

/** An image of a sent prompt. A click opens it in full; the host has its data. */
function sentImage(reference: FileReference, { id, size }: AttachedImage, actions: RowActions): TemplateResult {
  const label = revealName(describeFileReference(reference));
  return html`<button
    type="button"
    class="sent-image"
    title=${t("Open {0}", label)}
    @click=${() => actions.send({ type: "image-open", id })}
  >
    ${pictureOf(reference)}<span class="tool-title">${label}</span
    ><span class="chip-size">${describeSize(size, actions.locale)}</span>
  </button>`;
}

/** The thumbnail of an image, or an icon for anything else. */
function pictureOf({ image, kind }: FileReference): TemplateResult {
  if (image === undefined) return icon(kind === "folder" ? "folder" : kind === "problems" ? "warning" : "file");
  const { thumbnail = "" } = image;
  if (!thumbnail.startsWith("data:image/")) return icon("file-media");
  return html`<img class="thumbnail" src=${thumbnail} alt="" />`;
}

function describeSize(bytes: number, locale: string): string {
  const [unit, count] = bytes < 1024 * 1024 ? ["kilobyte", bytes / 1024] : ["megabyte", bytes / (1024 * 1024)];
  const digits = count < 10 ? 1 : 0;
  return new Intl.NumberFormat(locale, { style: "unit", unit, maximumFractionDigits: digits }).format(count);
}

/** Says how much of the attachment the model got. */
function describeAttachment(attachment: Exclude<Attachment, { type: "image" }>, locale: string): string {
  if (attachment.type === "unread") return t("not sent");
  const { text, cutFrom } = attachment;
  const count = new Intl.NumberFormat(locale);
  if (cutFrom === undefined)
    return plural(text.length, { one: "1 character", other: "{0} characters" }, count.format(text.length));
  return plural(
    cutFrom,
    { other: "the first {0} of {1} characters" },
    count.format(text.length),
    count.format(cutFrom),
  );
}

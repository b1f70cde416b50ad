/** The chips of a prompt's attachments: above the text while it is written, folded in the transcript once it was sent. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { type Attachment, type FileReference, labelOf } from "../domain/attachmentSchema";
import type { UserEntry } from "../domain/transcript";
import { fold, iconButton, type RowActions } from "./controls";
import { revealAll, revealName } from "./hiddenCharacters";
import { icon } from "./iconView";

export function draftChips(
  references: readonly FileReference[],
  remove: (reference: FileReference) => void,
): TemplateResult | typeof nothing {
  if (references.length === 0) return nothing;
  return html`<ul class="chips" aria-label=${t("Attachments")}>
    ${references.map((reference) => {
      const label = revealName(labelOf(reference));
      return html`<li class="file-chip" title=${label}>
        ${icon("file")}<span>${label}</span>${iconButton("close", t("Remove {0}", label), () => remove(reference))}
      </li>`;
    })}
  </ul>`;
}

/** Until they were read, the references. */
export function sentChips({ id, references = [], attachments }: UserEntry, actions: RowActions): unknown {
  if (attachments === undefined)
    return references.map(
      (reference) => html`<div class="end">${icon("file")}<span>${revealName(labelOf(reference))}</span></div>`,
    );
  return attachments.map((attachment, index) => {
    const label = html`${icon(attachment.type === "text" ? "file" : "warning")}<span class="tool-title"
        >${revealName(labelOf(attachment))}</span
      ><span class="tool-state">${describeAttachment(attachment, actions.locale)}</span>`;
    const text = attachment.type === "text" ? attachment.text : attachment.reason;
    const content = html`<div class="tool-content">
      <pre tabindex="0" aria-label=${t("Attachment")}>${revealAll(text)}</pre>
    </div>`;
    return fold(actions, `${id}/attachment${index}`, "tool", label, content);
  });
}

/** What the model got of it. */
function describeAttachment(attachment: Attachment, locale: string): string {
  if (attachment.type === "unread") return t("not sent");
  const { text, cutFrom } = attachment;
  const count = new Intl.NumberFormat(locale);
  if (cutFrom === undefined) return t("{0} characters", count.format(text.length));
  return t("the first {0} of {1} characters", count.format(text.length), count.format(cutFrom));
}

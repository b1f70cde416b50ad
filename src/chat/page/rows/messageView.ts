/** A message of the person: a bubble with its attachments and text, and Edit and Copy. While it is edited, a text box replaces it. */
import { t } from "@vscode/l10n";
import { html, nothing, render, type TemplateResult } from "lit-html";
import { Directive, directive } from "lit-html/directive.js";
import type { UserEntry } from "../../../domain/chat/chat";
import { isSameReference, withLines } from "../../../domain/chat/attachmentSchema";
import { describeFileReference } from "../../../domain/words/describeTool";
import { modeName } from "../../../domain/words/modeWords";
import { draftChips, sentChips } from "../shared/attachmentChips";
import { iconButton, markdownText, type RowActions, expandableRow } from "../shared/controls";
import { revealName, revealAll } from "../../../webview/hiddenCharacters";
import { firstClick, icon } from "../../../webview/pageParts";
import { refuseLength } from "../shared/promptRefusal";
import type { MessageEdit } from "../shared/savedState";
import { isSendKey } from "../shared/chatKeys";
import { plural } from "../../../domain/words/plural";

/**
 * The minimum length of a text whose bubble is as wide as the row, in characters. Parts of it are laid out only near the view, so its own width is
 * not known.
 */
const longText = 2000;

class MessageView {
  readonly element = document.createElement("div");
  readonly #actions: RowActions;
  #entry: UserEntry;
  #hint = "";

  constructor(entry: UserEntry, actions: RowActions) {
    this.#entry = entry;
    this.#actions = actions;
    this.element.className = "message-place";
  }

  update(entry: UserEntry): void {
    this.#entry = entry;
    this.#render();
  }

  #render(): void {
    const edit = this.#actions.editOf(this.#entry.id);
    render(edit === undefined ? this.#message() : this.#editor(edit), this.element);
    const area = this.element.querySelector("textarea");
    if (area !== null && edit !== undefined && area.value !== edit.text) area.value = edit.text;
  }

  #message(): TemplateResult {
    const { text, id, pinned = false, steers, mode } = this.#entry;
    const pin = (): void => {
      this.#actions.send({ type: "message-pin", entry: id, pinned: !pinned });
      this.#actions.announce(pinned ? t("Unpinned") : t("Pinned"));
    };
    const copy = (event: MouseEvent): void => {
      if (event.currentTarget instanceof HTMLElement) this.#actions.copy(text, event.currentTarget);
    };
    // The template has no spaces around the text, because the text of this element is compared with the message.
    return html`<div class="bubble ${text.length > longText ? "long" : ""}">
        ${startedView(this.#entry, this.#actions)} ${sentChips(this.#entry, this.#actions)}
        <div class="message">${markdownText(text, this.#actions)}</div>
      </div>
      ${mode === undefined ? nothing : html`<div class="end"><span>${t("{0} mode", modeName(mode))}</span></div>`}
      ${editorLine(this.#entry)}
      ${steers ? html`<div class="end"><span>${t("Sent while the model worked.")}</span></div>` : nothing}
      ${pinned ? html`<div class="end">${icon("pin")}<span>${t("Pinned: always sent as it is.")}</span></div>` : nothing}
      <div class="message-actions">
        ${iconButton("copy", t("Copy Message"), copy)} ${iconButton("edit", t("Edit and Resend"), () => this.#begin())}
        ${iconButton("pin", pinned ? t("Unpin") : t("Pin: Never Summarize"), pin)}
        ${iconButton("discard", t("Rewind to Here"), () => this.#actions.send({ type: "chat-rewind", entry: this.#entry.id }))}
      </div>`;
  }

  #editor(edit: MessageEdit): TemplateResult {
    return html`<div class="message editing">
        ${this.#attachments(edit)}
        <textarea
          rows="1"
          aria-label=${t("Edit message")}
          dir="auto"
          @keydown=${(event: KeyboardEvent) => this.#onKeyDown(event)}
          @input=${(event: InputEvent) => this.#onInput(event, edit)}
        ></textarea>
        <div class="editing-actions">
          <button type="button" class="button" @click=${firstClick(() => this.#submit())}>${t("Send")}</button>
          <button type="button" class="button secondary" @click=${() => this.#endEdit()}>${t("Cancel")}</button>
        </div>
      </div>
      <div class="hint" role="status">
        ${this.#hint === "" ? t("It replaces what came after this message. Changed files stay as they are; Rewind to Here takes them back too.") : this.#hint}
      </div>`;
  }

  /** The attachments that are sent with the edited message. Each can be removed. */
  #attachments(edit: MessageEdit): unknown {
    const { references = [] } = this.#entry;
    const kept = references.filter((_, index) => !edit.without.includes(index));
    return draftChips(kept, (reference) => {
      this.#keep({ ...edit, without: [...edit.without, references.indexOf(reference)] });
      this.element.querySelector("textarea")?.focus();
      this.#actions.announce(t("Removed {0}", revealName(describeFileReference(reference))));
    });
  }

  #begin(): void {
    const { id: entry, text } = this.#entry;
    this.#keep({ entry, text, without: [] });
    const area = this.element.querySelector("textarea");
    area?.focus();
    area?.setSelectionRange(area.value.length, area.value.length);
  }

  #endEdit(): void {
    this.#hint = "";
    this.#actions.endEdit(this.#entry.id);
    this.#render();
    this.element.querySelector<HTMLElement>(".codicon-edit")?.focus();
  }

  #onKeyDown(event: KeyboardEvent): void {
    if (isSendKey(event)) this.#submit();
    else if (event.key === "Escape" && !event.isComposing) this.#endEdit();
    else return;
    event.preventDefault();
  }

  #onInput({ currentTarget }: InputEvent, edit: MessageEdit): void {
    if (currentTarget instanceof HTMLTextAreaElement) this.#keep({ ...edit, text: currentTarget.value });
  }

  #keep(edit: MessageEdit): void {
    this.#hint = "";
    this.#actions.keepEdit(edit);
    this.#render();
  }

  /** Sends the edited message. The text box stays until the host has replaced the message. */
  #submit(): void {
    const { text, without } = this.#actions.editOf(this.#entry.id) ?? { text: "", without: [] };
    if (text.trim() === "") this.#hint = t("Write a prompt first.");
    else if (this.element.closest(".running") !== null)
      this.#hint = t("An answer is running. Stop it first; your text is kept.");
    else {
      const refusal = refuseLength(text);
      const left = without.length === 0 ? {} : { without: [...without] };
      if (refusal === undefined) this.#actions.send({ type: "prompt-resend", entry: this.#entry.id, text, ...left });
      else this.#hint = refusal;
    }
    this.#render();
  }
}

class MessageDirective extends Directive {
  #view: MessageView | undefined;

  override render(entry: UserEntry, actions: RowActions): Element {
    this.#view ??= new MessageView(entry, actions);
    this.#view.update(entry);
    return this.#view.element;
  }
}

/** Keeps the nodes of the message from update to update. */
export const messageView = directive(MessageDirective);

/** Names the file in the editor, which the model is told with each message, unless the same file or lines are attached. */
function editorLine({ context, attachments = [] }: UserEntry): TemplateResult | typeof nothing {
  const { editor } = context ?? {};
  if (editor === undefined) return nothing;
  const { path, lines } = editor;
  if (attachments.some((one) => one.type === "text" && isSameReference(one, editor))) return nothing;
  const words =
    lines === undefined
      ? t("Also sent: {0} is open.", revealName(path))
      : t("Also sent: {0} is selected, not its text.", revealName(withLines(path, lines)));
  return html`<div class="end"><span>${words}</span></div>`;
}

/** The prompt file that started a message: the text of it that was sent, and a button for the file. */
function startedView({ id, started }: UserEntry, actions: RowActions): unknown {
  if (started === undefined) return nothing;
  const { path, kind, text, cutFrom, untrusted, name } = started;
  // The name of a skill is that of its folder.
  const file = path
    ?.split("/")
    .slice(kind === "skill" ? -2 : -1)
    .join("/");
  const count = new Intl.NumberFormat(actions.locale);
  const size =
    cutFrom === undefined
      ? plural(text.length, { one: "1 character", other: "{0} characters" }, count.format(text.length))
      : plural(cutFrom, { other: "the first {0} of {1} characters" }, count.format(text.length), count.format(cutFrom));
  const state = untrusted === undefined ? size : t("{0}, not in git", size);
  const label = html`${icon("list-selection")}<span class="tool-title" title=${revealName(path ?? "")}
      >${file === undefined ? t("Your prompt") : revealName(file)}</span
    ><span class="tool-state">${state}</span>`;
  const content = html`<div class="tool-content">
    <pre tabindex="0" aria-label=${t("What was sent of it")}>${revealAll(text)}</pre>
    <button type="button" class="button secondary" @click=${() => actions.send({ type: "prompt-open", name })}>
      ${t("Open File")}
    </button>
  </div>`;
  return expandableRow(actions, `${id}/started`, "tool", label, content);
}

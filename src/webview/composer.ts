/** The composer: the draft, the model, and Send or Stop. The draft is cleared only when the host has accepted the prompt. */
import { t } from "@vscode/l10n";
import { html, render, type TemplateResult } from "lit-html";
import type { ToHost } from "../protocol/panelMessages";
import { revealName } from "./hiddenCharacters";
import { icon } from "./iconView";

export interface ComposerState {
  readonly running: boolean;
  readonly model: string;
  readonly demonstrator: boolean;
  readonly trusted: boolean;
  /** False until the host's first snapshot. */
  readonly ready: boolean;
}

export class Composer {
  readonly #place: HTMLElement;
  readonly #send: (intent: ToHost) => void;
  readonly #onDraft: (draft: string) => void;
  #state: ComposerState = { running: false, model: "", demonstrator: false, trusted: true, ready: false };
  #hint = "";
  /** Posted, and not yet part of the transcript. */
  #sent: string | undefined;
  /** Posted, and free to be posted again because nothing was heard of it. */
  #released: string | undefined;

  constructor(place: HTMLElement, draft: string, send: (intent: ToHost) => void, onDraft: (draft: string) => void) {
    this.#place = place;
    this.#send = send;
    this.#onDraft = onDraft;
    this.#render();
    this.#area.value = draft;
    this.#onEdit();
  }

  update(state: ComposerState): void {
    const { running, ready } = this.#state;
    this.#state = state;
    // The reason that the hint gives is gone: the answer has ended, or the chat is loaded.
    if ((running && !state.running) || (!ready && state.ready)) this.#hint = "";
    this.#render();
  }

  /** The prompt is part of the transcript: clears the draft, unless it was edited meanwhile. */
  accepted(text: string): void {
    if (this.#sent !== text && this.#released !== text) return;
    this.#sent = undefined;
    this.#released = undefined;
    if (this.#area.value === text) this.#area.value = "";
    this.#onEdit();
  }

  /** The host did not accept the prompt: it may be sent again. */
  release(): void {
    this.#released = this.#sent ?? this.#released;
    this.#sent = undefined;
    this.#render();
  }

  /** Inserts text at the caret and focuses the text area. */
  insert(text: string): void {
    const area = this.#area;
    area.focus();
    area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
    this.#onEdit();
  }

  /** Sends a suggestion. With a draft, or while nothing can be sent, inserts it instead. */
  suggest(text: string): void {
    const isEmpty = this.#area.value.trim() === "";
    if (isEmpty) this.#area.value = "";
    this.insert(text);
    if (isEmpty) this.#submit();
  }

  get #area(): HTMLTextAreaElement {
    const area = this.#place.querySelector("textarea");
    if (area === null) throw new Error("The composer has no text area.");
    return area;
  }

  #onEdit(): void {
    this.#sent = undefined;
    this.#released = undefined;
    this.#hint = "";
    const area = this.#area;
    // Without `field-sizing` the height follows the number of lines.
    if (!CSS.supports("field-sizing", "content")) area.rows = Math.min(12, area.value.split("\n").length);
    this.#onDraft(area.value);
    this.#render();
  }

  #onKeyDown(event: KeyboardEvent): void {
    if (event.key !== "Enter" || event.shiftKey || event.altKey) return;
    // During composition Enter accepts a candidate of the input method; some send it after the composition, with key code 229.
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- nothing newer tells these apart
    if (event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    this.#submit();
  }

  #submit(): void {
    const text = this.#area.value;
    if (this.#sent !== undefined) return;
    if (text.trim() === "") this.#hint = t("Write a prompt first.");
    else if (!this.#state.ready) this.#hint = t("The chat is loading. Your text is kept.");
    else if (this.#state.running) this.#hint = t("The answer is still running. Your text is kept.");
    else {
      this.#sent = text;
      this.#send({ type: "prompt-submit", text });
    }
    this.#render();
  }

  #render(): void {
    render(this.#template(), this.#place);
  }

  #template(): TemplateResult {
    const { model, demonstrator, trusted } = this.#state;
    const placeholder = trusted ? t("Ask about this workspace, or for a change") : t("Ask a question");
    return html`<div class="composer">
        <textarea
          rows="1"
          aria-label=${t("Prompt")}
          placeholder=${placeholder}
          dir="auto"
          @keydown=${(event: KeyboardEvent) => this.#onKeyDown(event)}
          @input=${() => this.#onEdit()}
        ></textarea>
        <div class="composer-bar">
          <button
            type="button"
            class="model"
            title=${t("Choose Model")}
            @click=${() => this.#send({ type: "model-choose" })}
          >
            ${model === "" ? "" : html`<span class="hidden">${t("Model:")}</span>`}<span class="model-name"
              >${revealName(model) || t("Choose Model")}</span
            >${demonstrator ? html`<span class="model-note">${t("demonstrator")}</span>` : ""}${icon("chevron-down")}
          </button>
          ${this.#state.running ? this.#stopButton() : this.#sendButton()}
        </div>
      </div>
      <div class="hint" role="status">${this.#hint}</div>`;
  }

  #sendButton(): TemplateResult {
    const empty = (this.#place.querySelector("textarea")?.value ?? "").trim() === "";
    return html`<button
      type="button"
      class="send codicon codicon-send"
      title=${t("Send (Enter)")}
      aria-label=${t("Send")}
      ?disabled=${empty || this.#sent !== undefined || !this.#state.ready}
      @click=${() => this.#submit()}
    ></button>`;
  }

  #stopButton(): TemplateResult {
    return html`<button
      type="button"
      class="send codicon codicon-stop-circle"
      title=${t("Stop")}
      aria-label=${t("Stop")}
      @click=${() => this.#send({ type: "turn-stop" })}
    ></button>`;
  }
}

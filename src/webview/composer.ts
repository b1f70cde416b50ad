/** The composer: what a person writes, which model it goes to, and Send or Stop. The draft is given up only when the host took it. */
import { t } from "@vscode/l10n";
import { html, render, type TemplateResult } from "lit-html";
import type { ToHost } from "../protocol/panelMessages";
import { revealName } from "./hiddenCharacters";
import { icon } from "./parts";

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
  /** Posted, and not yet seen in the transcript. */
  #sent: string | undefined;

  constructor(place: HTMLElement, draft: string, send: (intent: ToHost) => void, onDraft: (draft: string) => void) {
    this.#place = place;
    this.#send = send;
    this.#onDraft = onDraft;
    this.#render();
    this.#area.value = draft;
    this.#edited();
  }

  update(state: ComposerState): void {
    const { running, ready } = this.#state;
    this.#state = state;
    // What was said holds no longer: the answer has ended, or the chat is there.
    if ((running && !state.running) || (!ready && state.ready)) this.#hint = "";
    this.#render();
  }

  /** The host has the prompt: only now the draft goes, unless it was changed meanwhile. */
  accepted(text: string): void {
    if (this.#sent === undefined || this.#sent !== text) return;
    this.#sent = undefined;
    if (this.#area.value === text) this.#area.value = "";
    this.#edited();
  }

  /** The host answered with something else than the prompt: it may be sent again. */
  release(): void {
    this.#sent = undefined;
    this.#render();
  }

  /** Puts text at the caret and goes there. */
  insert(text: string): void {
    const area = this.#area;
    area.focus();
    area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
    this.#edited();
  }

  /** Sends a suggestion. Where a draft was begun, or it can't be sent yet, it goes into the text area. */
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

  #edited(): void {
    this.#sent = undefined;
    this.#hint = "";
    const area = this.#area;
    // Browsers without `field-sizing` count lines.
    if (!CSS.supports("field-sizing", "content")) area.rows = Math.min(12, area.value.split("\n").length);
    this.#onDraft(area.value);
    this.#render();
  }

  #keyPressed(event: KeyboardEvent): void {
    if (event.key !== "Enter" || event.shiftKey || event.altKey) return;
    // An input method's Enter takes a word; some send it after the end of the composition, as 229.
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
          @keydown=${(event: KeyboardEvent) => this.#keyPressed(event)}
          @input=${() => this.#edited()}
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

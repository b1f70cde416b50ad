/**
 * The bar above the composer that answers a question of the model: by a choice, by a text, or by leaving the decision to the model. All texts in it
 * are the model's and are shown as plain text.
 */
import { t } from "@vscode/l10n";
import { html, nothing, render, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import type { AskingProgress, Chat } from "../../domain/chat/chat";
import { revealAll, revealName } from "../../webview/hiddenCharacters";
import { firstClick, icon } from "../../webview/pageParts";
import { askedQuestions } from "./shared/questionCards";
import { consumeKey, isTextField } from "../../webview/keys";
import type { SendToHost } from "./shared/controls";
import type { FieldKeeper } from "./shared/savedState";

/** Milliseconds before a press counts, so that a double click or a held key that was meant for the previous content has no effect. */
const settling = 500;

export interface QuestionOptions {
  readonly send: SendToHost;
  readonly announce: (sentence: string) => void;
  readonly leave: () => void;
  readonly fields: FieldKeeper;
}

export class QuestionBar {
  readonly #place: HTMLElement;
  readonly #options: QuestionOptions;
  #chat = "";
  #asked: AskingProgress | undefined;
  #count = 0;
  #isAnswered = false;
  #isDelayOver = false;
  #timer: number | undefined;

  constructor(place: HTMLElement, options: QuestionOptions) {
    this.#place = place;
    this.#options = options;
    document.addEventListener("keydown", (event) => this.#onKey(event));
  }

  update(chat: Chat): void {
    const questions = askedQuestions(chat);
    const [asked] = questions;
    this.#count = questions.length;
    if (asked?.id !== this.#asked?.id) {
      this.#isAnswered = this.#isDelayOver = false;
      window.clearTimeout(this.#timer);
      this.#timer = window.setTimeout(() => {
        this.#isDelayOver = true;
        this.#draw();
      }, settling);
    }
    this.#chat = chat.id;
    this.#asked = asked;
    this.#options.fields.dropFields(
      "answer",
      chat.id,
      questions.map(({ id }) => id),
    );
    this.#draw();
  }

  /** Opens the question again, because the host did not accept the answer. */
  ask(): void {
    this.#isAnswered = false;
    this.#draw();
  }

  #draw(): void {
    const asked = this.#asked === undefined ? [] : [this.#asked];
    render(
      repeat(
        asked,
        ({ id }) => `${this.#chat} ${id}`,
        (one) => this.#template(one),
      ),
      this.#place,
    );
  }

  /** Moves the focus to the first choice. False where nothing waits. */
  focus(): boolean {
    const first = this.#place.querySelector<HTMLElement>("button");
    first?.focus();
    return first !== null;
  }

  /** Sends the answer. The host accepts the first one only, and the buttons are disabled until its event arrives. */
  #answer(given: { readonly choice?: number; readonly text?: string }): void {
    const asked = this.#asked;
    if (asked === undefined || this.#isAnswered) return;
    if (!this.#isDelayOver) {
      this.#options.announce(t("This question has just come up: press once more."));
      return;
    }
    this.#isAnswered = true;
    this.#options.send({ type: "question-answer", question: asked.id, ...given });
    this.#draw();
  }

  /** A digit chooses wherever the focus is, also in the message box while it is empty. In any other text field it is typed. */
  #onKey(event: KeyboardEvent): void {
    const { key, target, ctrlKey, metaKey, altKey, repeat: isHeld } = event;
    if (this.#asked === undefined || ctrlKey || metaKey || altKey || isHeld || !/^[0-9]$/.test(key)) return;
    const isEmptyMessage =
      target instanceof HTMLTextAreaElement && target.matches(".composer *") && target.value === "";
    if (!isEmptyMessage && isTextField(target)) return;
    if (Number(key) > this.#asked.question.choices.length) return;
    consumeKey(event);
    this.#answer(key === "0" ? {} : { choice: Number(key) - 1 });
  }

  #template({ id, question }: AskingProgress): TemplateResult {
    const typed = this.#options.fields.fieldsOf("answer", this.#chat).find((field) => field.id === id);
    const text = revealAll(question.text);
    const title = t("The model asks: {0}", text);
    return html`<section
      class="approval-bar question-bar"
      aria-label=${title}
      aria-busy=${this.#isAnswered ? "true" : nothing}
      @keydown=${(event: KeyboardEvent) => this.#onEscape(event)}
    >
      <div class="question-text">
        ${icon("comment-discussion")}<span>${text}</span>${this.#count > 1 ? html`<span class="approval-count">${t("{0} of {1}", 1, this.#count)}</span>` : nothing}
      </div>
      <div class="question-choices" role="group" aria-label=${t("Choices")}>
        ${question.choices.map(({ label, description }, at) =>
          this.#choice(String(at + 1), revealName(label), description, { choice: at }),
        )}
        ${this.#choice("0", t("You decide"), undefined, {})}
      </div>
      <input
        class="approval-note"
        type="text"
        maxlength="10000"
        value=${typed?.text ?? ""}
        placeholder=${t("Another answer")}
        aria-label=${t("Another answer, sent with Enter")}
        ?disabled=${this.#isAnswered}
        @input=${(event: InputEvent) => this.#onInput(event, id)}
        @keydown=${(event: KeyboardEvent) => this.#onText(event)}
      />
    </section>`;
  }

  #choice(
    key: string,
    label: string,
    description: string | undefined,
    given: { readonly choice?: number },
  ): TemplateResult {
    return html`<button
      type="button"
      class="button secondary question-choice"
      aria-keyshortcuts=${key}
      ?disabled=${this.#isAnswered}
      aria-disabled=${this.#isDelayOver || this.#isAnswered ? nothing : "true"}
      @click=${firstClick(() => this.#answer(given))}
    >
      <span class="question-key" aria-hidden="true">${key}</span
      ><span class="question-words"
        ><span>${label}</span>${
          description === undefined ? nothing : html`<span class="question-detail">${revealAll(description)}</span>`
        }</span
      >
    </button>`;
  }

  /** Keeps the answer that is being written. A hidden page is destroyed, and another chat may be shown before it is sent. */
  #onInput({ target }: InputEvent, id: string): void {
    if (!(target instanceof HTMLInputElement)) return;
    this.#options.fields.keepField({ kind: "answer", chat: this.#chat, id, text: target.value });
  }

  #onText(event: KeyboardEvent): void {
    const { key, isComposing, target } = event;
    if (key !== "Enter" || isComposing || !(target instanceof HTMLInputElement)) return;
    const text = target.value.trim();
    if (text !== "") this.#answer({ text });
  }

  #onEscape(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    if (key !== "Escape" || ctrlKey || metaKey || altKey || shiftKey) return;
    consumeKey(event);
    this.#options.leave();
  }
}

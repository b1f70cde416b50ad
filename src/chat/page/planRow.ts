/** The plan above the composer (A13): one line that unfolds to the steps. The person checks steps off, rewords, removes and adds them. */
import { t } from "@vscode/l10n";
import { html, nothing, render, type TemplateResult } from "lit-html";
import { keyed } from "lit-html/directives/keyed.js";
import { live } from "lit-html/directives/live.js";
import { repeat } from "lit-html/directives/repeat.js";
import type { Chat } from "../../domain/chat/chat";
import { type PlanEdit, planProgress, type PlanStep, stepCap, stepLengthCap } from "../../domain/chat/plan";
import { revealName } from "../../webview/hiddenCharacters";
import { icon } from "../../webview/pageParts";
import { consumeKey } from "../../webview/keys";
import { withoutCodeMarks } from "./rows/toolText";
import { iconButton, removeButton, type SendToHost } from "./shared/controls";
import type { FieldKeeper } from "./shared/savedState";

export interface PlanRowOptions {
  readonly send: SendToHost;
  readonly announce: (sentence: string) => void;
  readonly leave: () => void;
  readonly isOpened: () => boolean;
  readonly setOpened: (isOpened: boolean) => void;
  readonly fields: FieldKeeper;
}

/** The value of `#edited` for a step that is being added. */
const newStep = "new";

/** The steps of a document are Markdown: the backticks around code are left out. */
function wordsOf(step: string): string {
  return revealName(withoutCodeMarks(step));
}

export class PlanRow {
  readonly #place: HTMLElement;
  readonly #options: PlanRowOptions;
  #chat: Pick<Chat, "id" | "plan"> = { id: "" };
  /** The id of the step that is being reworded, or `newStep`. */
  #edited: string | undefined;

  constructor(place: HTMLElement, options: PlanRowOptions) {
    this.#place = place;
    this.#options = options;
  }

  /** The text that was typed into the field, while it is kept. */
  get #typed(): string | undefined {
    return this.#options.fields.fieldsOf("step", this.#chat.id).at(-1)?.text;
  }

  /** Draws the steps again. If the model has removed the step that is being reworded, the typed text becomes a new step. */
  update(chat: Chat): void {
    const before = this.#chat;
    if (before.id === chat.id && before.plan === chat.plan) return;
    const isOther = before.id !== chat.id;
    if (isOther) this.#edited = this.#options.fields.fieldsOf("step", chat.id).at(-1)?.id;
    this.#chat = chat;
    const field = isOther ? null : this.#field();
    const isFocused = field !== null && field === document.activeElement;
    const edited = this.#edited === newStep ? undefined : this.#edited;
    const isGone = edited !== undefined && !chat.plan?.steps.some(({ id }) => id === edited);
    if (isGone) {
      const text = field?.value ?? this.#typed ?? "";
      this.#forget();
      this.#edited = newStep;
      this.#keep(text);
    }
    this.draw();
    const next = this.#field();
    // The plan may have been removed with its steps.
    if (next === null) this.#forget();
    else if (isGone && isFocused) next.focus();
  }

  /** Keeps the typed text, because a hidden page is destroyed, and another chat may be shown. */
  #keep(text: string): void {
    if (this.#edited !== undefined)
      this.#options.fields.keepField({ kind: "step", chat: this.#chat.id, id: this.#edited, text });
  }

  #forget(): void {
    this.#edited = undefined;
    this.#options.fields.dropFields("step", this.#chat.id);
  }

  #field(): HTMLInputElement | null {
    return this.#place.querySelector<HTMLInputElement>(".plan-field");
  }

  /** Draws the steps of the chat. A box that the person has checked is unchecked again if the host did not accept the change. */
  draw(): void {
    const steps = this.#chat.plan?.steps ?? [];
    render(steps.length === 0 ? nothing : this.#template(steps), this.#place);
  }

  #edit(edit: PlanEdit): void {
    this.#options.send({ type: "plan-edit", chat: this.#chat.id, edit });
  }

  #template(steps: readonly PlanStep[]): TemplateResult {
    const { done, count, current } = planProgress(steps);
    const line =
      current === undefined
        ? t("{0} of {1} · all done", done, count)
        : t("{0} of {1} · {2}", done, count, wordsOf(current));
    const clear = (): void => {
      this.#edit({ do: "clear" });
      this.#options.leave();
    };
    const toggled = (event: Event): void => {
      if (event.currentTarget instanceof HTMLDetailsElement) this.#options.setOpened(event.currentTarget.open);
    };
    return html`<section class="plan" aria-label=${t("Plan")}>
      <details ?open=${this.#options.isOpened()} @toggle=${toggled}>
        <summary class="plan-line">
          ${icon(current === undefined ? "pass-filled" : "list-selection")}<span class="hidden">${t("Plan:")}</span
          ><span class="plan-current">${line}</span>${icon("chevron-right")}
        </summary>
        <ol class="plan-steps">
          ${repeat(
            steps,
            ({ id }) => id,
            (step) => this.#step(step),
          )}
        </ol>
        <div class="plan-actions">
          ${
            this.#edited === newStep
              ? this.#renderField("", t("New step"), (text) =>
                  this.#edit({ do: "add", step: crypto.randomUUID(), text }),
                )
              : nothing
          }
          ${
            this.#edited === newStep || steps.length >= stepCap
              ? nothing
              : iconButton("add", t("Add Step"), () => this.#begin(newStep))
          }
          ${iconButton("close", t("Remove Plan"), clear)}
        </div>
      </details>
    </section>`;
  }

  #step({ id, text, state }: PlanStep): TemplateResult {
    const isDone = state === "done";
    const words = wordsOf(text);
    const mark = (): void => {
      this.#edit({ do: "mark", step: id, state: isDone ? "pending" : "done" });
      this.#options.announce(isDone ? t("Not done: {0}", words) : t("Done: {0}", words));
    };
    if (this.#edited === id)
      return html`<li class="plan-step">
        ${this.#renderField(text, t("Reword the step"), (reworded) => this.#edit({ do: "reword", step: id, text: reworded }))}
      </li>`;
    return html`<li class="plan-step plan-${state}" aria-current=${state === "doing" ? "step" : nothing}>
      <label class="plan-label"
        ><input type="checkbox" .checked=${live(isDone)} @change=${mark} /><span>${words}</span></label
      >
      ${iconButton("edit", t("Reword"), () => this.#begin(id))}
      ${removeButton(t("Remove Step"), () => this.#edit({ do: "remove", step: id }))}
    </li>`;
  }

  #begin(step: string): void {
    this.#forget();
    this.#edited = step;
    this.draw();
    this.#field()?.focus();
  }

  #end(): void {
    this.#forget();
    this.draw();
    this.#place.querySelector<HTMLElement>("summary")?.focus();
  }

  /**
   * The field for the text of a step. Enter keeps the text, Escape drops it; an empty text changes nothing. `value` is an attribute, so a redraw
   * keeps the typed text.
   */
  #renderField(value: string, label: string, keep: (text: string) => void): TemplateResult {
    const onKey = (event: KeyboardEvent): void => {
      const { key, isComposing, target } = event;
      if (isComposing || (key !== "Enter" && key !== "Escape") || !(target instanceof HTMLInputElement)) return;
      consumeKey(event);
      const text = target.value.trim();
      if (key === "Enter" && text !== "" && text !== value) keep(text);
      this.#end();
    };
    const onInput = ({ target }: InputEvent): void => {
      if (target instanceof HTMLInputElement) this.#keep(target.value);
    };
    return html`${keyed(
      `${this.#chat.id} ${this.#edited}`,
      html`<input
        class="approval-note plan-field"
        type="text"
        maxlength=${stepLengthCap}
        value=${this.#typed ?? value}
        aria-label=${label}
        placeholder=${label}
        @input=${onInput}
        @keydown=${onKey}
      />`,
    )}`;
  }
}

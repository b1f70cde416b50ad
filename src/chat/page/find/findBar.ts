/** The find bar, as VS Code's own: field, count, previous, next, close. */
import { t } from "@vscode/l10n";
import { html, nothing, render } from "lit-html";
import { takeKey } from "../../../webview/keys";
import { iconButton } from "../shared/controls";

export interface FindBarActions {
  /** Another text is looked for. */
  query(text: string): void;
  /** 1 for the next match, -1 for the one before. */
  step(by: number): void;
  close(): void;
}

export class FindBar {
  readonly #place: HTMLElement;
  readonly #actions: FindBarActions;
  #isOpen = false;

  constructor(place: HTMLElement, actions: FindBarActions) {
    this.#place = place;
    this.#actions = actions;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Shows the bar with the text in its field, selected. */
  open(text: string): void {
    this.#isOpen = true;
    this.show("", false);
    const field = this.#place.querySelector("input");
    if (field === null) return;
    field.value = text;
    field.focus();
    field.select();
  }

  close(): void {
    this.#isOpen = false;
    render(nothing, this.#place);
  }

  /** `count`: *3 of 17*. `isMissing`: nothing was found. */
  show(count: string, isMissing: boolean): void {
    if (!this.#isOpen) return;
    const actions = this.#actions;
    render(
      html`<div class="find ${isMissing ? "find-missing" : ""}" role="search" @keydown=${this.#onKeyDown}>
        <input
          type="text"
          placeholder=${t("Find")}
          aria-label=${t("Find in chat")}
          maxlength="1000"
          spellcheck="false"
          @input=${this.#onInput}
        />
        <span class="find-count">${count}</span>
        ${iconButton("arrow-up", t("Previous Match (Shift+Enter)"), () => actions.step(-1))}
        ${iconButton("arrow-down", t("Next Match (Enter)"), () => actions.step(1))}
        ${iconButton("close", t("Close (Escape)"), () => actions.close())}
      </div>`,
      this.#place,
    );
  }

  readonly #onInput = (event: Event): void => {
    if (event.currentTarget instanceof HTMLInputElement) this.#actions.query(event.currentTarget.value);
  };

  readonly #onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === "Escape") this.#actions.close();
    else if (event.key === "Enter" && event.target instanceof HTMLInputElement)
      this.#actions.step(event.shiftKey ? -1 : 1);
    else return;
    takeKey(event);
  };
}

/** One slim line above the composer: of what is to be said the last that came up; the others are a click away. */
import { html, nothing, render } from "lit-html";
import { plural } from "../../domain/words/plural";
import { revealName } from "../../webview/hiddenCharacters";
import type { IconName } from "../../webview/icons";
import { icon } from "../../webview/pageParts";

export interface Notice {
  readonly icon: IconName;
  readonly text: string;
  /** Buttons. */
  readonly action?: unknown;
}

export class NoticeLine {
  readonly #place: HTMLElement;
  /** What is said by each, in the order in which they came up: the last one is shown. */
  #order: readonly string[] = [];
  #notices: readonly Notice[] = [];

  constructor(place: HTMLElement) {
    this.#place = place;
  }

  update(notices: readonly Notice[]): void {
    this.#notices = notices;
    const texts = notices.map(({ text }) => text);
    const known = this.#order.filter((text) => texts.includes(text));
    this.#order = [...known, ...texts.filter((text) => !known.includes(text))];
    this.#render();
  }

  #showNext(): void {
    this.#order = [...this.#order.slice(-1), ...this.#order.slice(0, -1)];
    this.#render();
  }

  #render(): void {
    const text = this.#order.at(-1);
    const shown = this.#notices.find((notice) => notice.text === text);
    const others = this.#order.length - 1;
    const label = plural(others, { one: "Show 1 more notice", other: "Show {0} more notices" });
    const more = html`<button
      type="button"
      class="button quiet"
      title=${label}
      aria-label=${label}
      @click=${() => this.#showNext()}
    >
      +${others}
    </button>`;
    render(
      shown === undefined
        ? nothing
        : html`<div class="notice notice-${shown.icon.split(" ", 1)[0] ?? ""}">
            ${icon(shown.icon)}<span title=${revealName(shown.text)}>${revealName(shown.text)}</span
            >${shown.action ?? nothing}${others > 0 ? more : nothing}
          </div>`,
      this.#place,
    );
  }
}

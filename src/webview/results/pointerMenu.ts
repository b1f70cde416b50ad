/** The actions for what is selected as a list at the pointer, or at the cell where a key has opened it. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";

export interface PointerMenuHandlers {
  readonly redraw: () => void;
  /** By a key: the focus goes back to the grid. */
  readonly closedByKey: () => void;
}

export class PointerMenu {
  readonly #handlers: PointerMenuHandlers;
  #place: { readonly x: number; readonly y: number } | undefined;

  constructor(handlers: PointerMenuHandlers) {
    this.#handlers = handlers;
  }

  get isOpen(): boolean {
    return this.#place !== undefined;
  }

  open(x: number, y: number): void {
    this.#place = { x, y };
    this.#handlers.redraw();
  }

  close(): void {
    this.#place = undefined;
    this.#handlers.redraw();
  }

  render(list: () => TemplateResult): TemplateResult | typeof nothing {
    if (!this.isOpen) return nothing;
    return html`<div
      class="pointer-menu"
      role="group"
      aria-label=${t("More Actions…")}
      @focusout=${this.#onFocusOut}
      @keydown=${this.#onKeyDown}
    >
      ${list()}
    </div>`;
  }

  /** After each render: within the window, with the focus on its first action. */
  rendered(): void {
    const element = document.querySelector<HTMLElement>(".pointer-menu");
    if (element === null || this.#place === undefined) return;
    const { offsetWidth, offsetHeight } = element;
    const { clientWidth, clientHeight } = document.documentElement;
    element.style.left = `${Math.max(0, Math.min(this.#place.x, clientWidth - offsetWidth))}px`;
    element.style.top = `${Math.max(0, Math.min(this.#place.y, clientHeight - offsetHeight))}px`;
    if (!element.contains(document.activeElement)) element.querySelector<HTMLElement>("button")?.focus();
  }

  readonly #onFocusOut = ({ currentTarget, relatedTarget }: FocusEvent): void => {
    if (currentTarget instanceof Node && relatedTarget instanceof Node && currentTarget.contains(relatedTarget)) return;
    if (this.isOpen) this.close();
  };

  readonly #onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    this.close();
    this.#handlers.closedByKey();
  };
}

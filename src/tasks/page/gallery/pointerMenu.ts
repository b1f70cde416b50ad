/** The actions for what is selected as a list at the pointer, at the cell where a key has opened it, or above the button of the bar. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";

export interface PointerMenuHandlers {
  readonly redraw: () => void;
  readonly focusGrid: () => void;
}

export class PointerMenu {
  readonly #handlers: PointerMenuHandlers;
  #place: { readonly x: number; readonly y: number } | undefined;
  /** The button of the bar that has opened it. */
  #opener: HTMLElement | undefined;

  constructor(handlers: PointerMenuHandlers) {
    this.#handlers = handlers;
  }

  get isOpen(): boolean {
    return this.#place !== undefined;
  }

  get isOfBar(): boolean {
    return this.#opener !== undefined;
  }

  open(x: number, y: number, opener?: HTMLElement): void {
    this.#place = { x, y };
    this.#opener = opener;
    this.#handlers.redraw();
  }

  /** Above that button. */
  toggle(button: HTMLElement): void {
    if (this.isOfBar) {
      this.leave();
      return;
    }
    const { left, top } = button.getBoundingClientRect();
    this.open(left, top, button);
  }

  close(): void {
    this.#place = undefined;
    this.#opener = undefined;
    this.#handlers.redraw();
  }

  /** The focus goes back to where it came from. */
  leave(): void {
    const opener = this.#opener;
    this.close();
    if (opener?.isConnected === true) opener.focus();
    else this.#handlers.focusGrid();
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
    const top = this.#place.y - (this.isOfBar ? offsetHeight : 0);
    element.style.left = `${Math.max(0, Math.min(this.#place.x, clientWidth - offsetWidth))}px`;
    element.style.top = `${Math.max(0, Math.min(top, clientHeight - offsetHeight))}px`;
    if (!element.contains(document.activeElement)) element.querySelector<HTMLElement>("button")?.focus();
  }

  readonly #onFocusOut = ({ currentTarget, relatedTarget }: FocusEvent): void => {
    if (currentTarget instanceof Node && relatedTarget instanceof Node && currentTarget.contains(relatedTarget)) return;
    if (this.isOpen) this.close();
  };

  readonly #onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    this.leave();
  };
}

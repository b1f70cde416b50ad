/** A list above the composer, operated from its text box: arrows move, Enter and Tab choose, Escape closes. */
import { html, nothing, type TemplateResult } from "lit-html";
import { revealName } from "../../../webview/hiddenCharacters";
import type { IconName } from "../../../webview/icons";
import { icon } from "../../../webview/pageParts";

export interface ListOption {
  readonly icon: IconName;
  readonly label: string;
  readonly detail: string;
  /** What may follow the label. */
  readonly hint?: string;
  /** Said before the first of several options with the same one. */
  readonly heading?: string;
}

export interface CompletionPorts<Option extends ListOption> {
  /** The name of the list for screen readers. */
  readonly name: () => string;
  readonly accept: (option: Option) => void;
  readonly changed: () => void;
}

/** The id of the list, for `aria-controls`. */
export const listId = "completion";

const idOf = (index: number): string => `option-${index}`;

export class CompletionList<Option extends ListOption> {
  readonly #ports: CompletionPorts<Option>;
  #options: readonly Option[] = [];
  /** Shown in place of options: why there are none. */
  #none = "";
  #active = 0;

  constructor(ports: CompletionPorts<Option>) {
    this.#ports = ports;
  }

  /** The id of the active option, for `aria-activedescendant`. */
  get active(): string | undefined {
    return this.#options.length === 0 ? undefined : idOf(this.#active);
  }

  get isShown(): boolean {
    return this.#options.length > 0 || this.#none !== "";
  }

  /** `keepActive`: the list only grows. */
  show(options: readonly Option[], keepActive = false, none = ""): void {
    this.#options = options;
    this.#none = options.length === 0 ? none : "";
    this.#active = keepActive ? Math.min(this.#active, Math.max(0, options.length - 1)) : 0;
  }

  close(): void {
    this.#options = [];
    this.#none = "";
  }

  /** True when the key was one for the list. */
  keyDown(event: KeyboardEvent): boolean {
    const { length } = this.#options;
    if ((length === 0 && this.#none === "") || event.isComposing || event.shiftKey) return false;
    if (length === 0 && event.key !== "Escape") return false;
    if (event.key === "ArrowDown") this.#active = (this.#active + 1) % length;
    else if (event.key === "ArrowUp") this.#active = (this.#active + length - 1) % length;
    else if (event.key === "Escape") this.close();
    else if (event.key === "Enter" || event.key === "Tab") this.#accept(this.#active);
    else return false;
    this.#ports.changed();
    return true;
  }

  template(): TemplateResult | typeof nothing {
    if (this.#none !== "") return html`<p class="files no-files">${revealName(this.#none)}</p>`;
    if (this.#options.length === 0) return nothing;
    return html`<ul class="files" id=${listId} role="listbox" aria-label=${this.#ports.name()}>
      ${this.#options.map((option, index) => [this.#heading(index), this.#option(option, index)])}
    </ul>`;
  }

  /** Scrolls to the active option, after a render. */
  reveal(place: Element): void {
    // With the heading above the first one.
    if (this.#active === 0) place.querySelector(".files")?.scrollTo({ top: 0 });
    else place.querySelector(".files > [aria-selected='true']")?.scrollIntoView({ block: "nearest" });
  }

  #heading(index: number): TemplateResult | typeof nothing {
    const heading = this.#options[index]?.heading;
    if (heading === undefined || heading === this.#options[index - 1]?.heading) return nothing;
    return html`<li class="list-heading" role="presentation">${heading}</li>`;
  }

  #option({ icon: name, label, detail, hint }: Option, index: number): TemplateResult {
    // With `mousedown` prevented the text box keeps the focus.
    return html`<li
      id=${idOf(index)}
      role="option"
      aria-selected=${index === this.#active}
      @mousedown=${(event: MouseEvent) => event.preventDefault()}
      @click=${() => this.#accept(index)}
    >
      ${icon(name)}<span class="file-name">${revealName(label)}</span
      >${hint === undefined ? nothing : html`<span class="option-hint">${revealName(hint)}</span>`}<span
        class="file-folder"
        >${revealName(detail)}</span
      >
    </li>`;
  }

  #accept(index: number): void {
    const option = this.#options[index];
    this.close();
    if (option !== undefined) this.#ports.accept(option);
  }
}

/** The completion after `#` in the composer: files of the workspace, which become attachments. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { revealName } from "./hiddenCharacters";
import { icon } from "./iconView";

export interface CompletionPorts {
  find(query: string): void;
  /** The text from `start` to `end` asked for the file and goes. */
  accept(path: string, start: number, end: number): void;
  changed(): void;
}

/** `#` and what follows it, up to the caret. */
interface Asked {
  readonly query: string;
  readonly start: number;
  readonly end: number;
}

const idOf = (index: number): string => `file-option-${index}`;

export class FileCompletion {
  readonly #ports: CompletionPorts;
  #asked: Asked | undefined;
  #paths: readonly string[] = [];
  #active = 0;

  constructor(ports: CompletionPorts) {
    this.#ports = ports;
  }

  /** The id of the active option, for `aria-activedescendant`. */
  get active(): string | undefined {
    return this.#isOpen ? idOf(this.#active) : undefined;
  }

  get #isOpen(): boolean {
    return this.#asked !== undefined && this.#paths.length > 0;
  }

  /** Reads what stands before the caret. */
  edited({ value, selectionStart: end }: HTMLTextAreaElement): void {
    const query = /(?:^|\s)#([^\s#]*)$/.exec(value.slice(Math.max(0, end - 300), end))?.[1];
    if (query === undefined) this.close();
    else {
      if (query !== this.#asked?.query) this.#ports.find(query);
      this.#asked = { query, start: end - query.length - 1, end };
    }
  }

  found(query: string, paths: readonly string[]): void {
    if (query !== this.#asked?.query) return;
    this.#paths = paths;
    this.#active = 0;
    this.#ports.changed();
  }

  close(): void {
    this.#asked = undefined;
    this.#paths = [];
  }

  /** True when the key was one for the list. */
  keyDown(event: KeyboardEvent): boolean {
    if (!this.#isOpen || event.isComposing || event.shiftKey) return false;
    const { length } = this.#paths;
    if (event.key === "ArrowDown") this.#active = (this.#active + 1) % length;
    else if (event.key === "ArrowUp") this.#active = (this.#active + length - 1) % length;
    else if (event.key === "Escape") this.close();
    else if (event.key === "Enter" || event.key === "Tab") this.#accept(this.#active);
    else return false;
    this.#ports.changed();
    return true;
  }

  template(): TemplateResult | typeof nothing {
    if (!this.#isOpen) return nothing;
    return html`<ul class="files" id="files" role="listbox" aria-label=${t("Files")}>
      ${this.#paths.map((path, index) => this.#option(path, index))}
    </ul>`;
  }

  #option(path: string, index: number): TemplateResult {
    const slash = path.lastIndexOf("/");
    // With `mousedown` prevented the text box keeps the focus.
    return html`<li
      id=${idOf(index)}
      role="option"
      aria-selected=${index === this.#active}
      @mousedown=${(event: MouseEvent) => event.preventDefault()}
      @click=${() => this.#accept(index)}
    >
      ${icon("file")}<span class="file-name">${revealName(path.slice(slash + 1))}</span
      ><span class="file-folder">${revealName(path.slice(0, Math.max(0, slash)))}</span>
    </li>`;
  }

  #accept(index: number): void {
    const path = this.#paths[index];
    const asked = this.#asked;
    this.close();
    if (path !== undefined && asked !== undefined) this.#ports.accept(path, asked.start, asked.end);
  }
}

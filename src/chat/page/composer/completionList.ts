/** A list above the composer, operated from its text box: arrows move, Enter and Tab choose, Escape closes. */
import { html, nothing, type TemplateResult } from "lit-html";
import { t } from "@vscode/l10n";
import { revealName } from "../../../webview/hiddenCharacters";
import type { IconName } from "../../../webview/icons";
import { icon } from "../../../webview/pageParts";
import type { AttachmentMessage, ContextItem } from "../../contract/chatPageContract";

export interface ListOption {
  readonly icon: IconName;
  readonly label: string;
  readonly detail: string;
  /** Arguments that may follow the label. */
  readonly hint?: string;
  /** The heading above the first of several consecutive options with the same heading. */
  readonly heading?: string;
}

export interface CompletionOptions<Option extends ListOption> {
  /** The name of the list for screen readers. */
  readonly name: () => string;
  readonly accept: (option: Option) => void;
  readonly changed: () => void;
}

/** The id of the list, for `aria-controls`. */
export const listId = "completion";

const idOf = (index: number): string => `option-${index}`;

export class CompletionList<Option extends ListOption> {
  readonly #options: CompletionOptions<Option>;
  #listed: readonly Option[] = [];
  /** The text that is shown instead of options: why there are none. */
  #none = "";
  #active = 0;

  constructor(options: CompletionOptions<Option>) {
    this.#options = options;
  }

  /** The id of the active option, for `aria-activedescendant`. */
  get active(): string | undefined {
    return this.#listed.length === 0 ? undefined : idOf(this.#active);
  }

  get isShown(): boolean {
    return this.#listed.length > 0 || this.#none !== "";
  }

  /** `keepActive` keeps the active option, for a list that only grows. */
  show(options: readonly Option[], keepActive = false, none = ""): void {
    this.#listed = options;
    this.#none = options.length === 0 ? none : "";
    this.#active = keepActive ? Math.min(this.#active, Math.max(0, options.length - 1)) : 0;
  }

  close(): void {
    this.#listed = [];
    this.#none = "";
  }

  /** True when the list has handled the key. */
  keyDown(event: KeyboardEvent): boolean {
    const { length } = this.#listed;
    if ((length === 0 && this.#none === "") || event.isComposing || event.shiftKey) return false;
    if (length === 0 && event.key !== "Escape") return false;
    if (event.key === "ArrowDown") this.#active = (this.#active + 1) % length;
    else if (event.key === "ArrowUp") this.#active = (this.#active + length - 1) % length;
    else if (event.key === "Escape") this.close();
    else if (event.key === "Enter" || event.key === "Tab") this.#accept(this.#active);
    else return false;
    this.#options.changed();
    return true;
  }

  template(): TemplateResult | typeof nothing {
    if (this.#none !== "") return html`<p class="files no-files">${revealName(this.#none)}</p>`;
    if (this.#listed.length === 0) return nothing;
    return html`<ul class="files" id=${listId} role="listbox" aria-label=${this.#options.name()}>
      ${this.#listed.map((option, index) => [this.#heading(index), this.#option(option, index)])}
    </ul>`;
  }

  /** Scrolls to the active option, after a render. */
  reveal(place: Element): void {
    // Scrolling to the top shows the heading above the first option too.
    if (this.#active === 0) place.querySelector(".files")?.scrollTo({ top: 0 });
    else place.querySelector(".files > [aria-selected='true']")?.scrollIntoView({ block: "nearest" });
  }

  #heading(index: number): TemplateResult | typeof nothing {
    const heading = this.#listed[index]?.heading;
    if (heading === undefined || heading === this.#listed[index - 1]?.heading) return nothing;
    return html`<li class="list-heading" role="presentation">${heading}</li>`;
  }

  #option({ icon: name, label, detail, hint }: Option, index: number): TemplateResult {
    // Preventing `mousedown` keeps the focus in the text box.
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
    const option = this.#listed[index];
    this.close();
    if (option !== undefined) this.#options.accept(option);
  }
}

/** The icons of the completion after `#` in the composer: files, folders, symbols, the selection and problems, which become attachments. */
const icons: Readonly<Record<ContextItem["kind"], IconName>> = {
  group: "chevron-right",
  file: "file",
  image: "file-media",
  folder: "folder",
  selection: "list-selection",
  problems: "warning",
  class: "symbol-class",
  method: "symbol-method",
  variable: "symbol-variable",
};

export interface ContextOptions {
  find(query: string): void;
  /** Attaches the item and removes the text from `start` to `end`, with which it was searched. */
  accept(item: ContextItem, start: number, end: number): void;
  changed(): void;
}

/** The `#` and the text that follows it, up to the caret. */
interface Asked {
  readonly query: string;
  readonly start: number;
  readonly end: number;
}

type FoundItems = Omit<Extract<AttachmentMessage, { type: "context-found" }>, "type">;

export class ContextCompletion {
  readonly list: CompletionList<ContextItem & ListOption>;
  readonly #options: ContextOptions;
  #asked: Asked | undefined;
  /** The query of the shown list. */
  #shown: string | undefined;

  constructor(options: ContextOptions) {
    this.#options = options;
    this.list = new CompletionList<ContextItem & ListOption>({
      name: () => t("Attachments"),
      changed: () => options.changed(),
      accept: (item) => {
        const asked = this.#asked;
        // The list belongs to an earlier query, and the reply to the current one has not arrived.
        if (asked === undefined || asked.query !== this.#shown) return;
        this.#asked = undefined;
        options.accept(item, asked.start, asked.end);
      },
    });
  }

  /** Reads the query before the caret. */
  edited({ value, selectionStart: end }: HTMLTextAreaElement): void {
    const query = /(?:^|\s)#([^\s#]*)$/.exec(value.slice(Math.max(0, end - 300), end))?.[1];
    if (query === undefined) {
      this.#asked = undefined;
      this.list.close();
    } else {
      if (query !== this.#asked?.query) this.#options.find(query);
      this.#asked = { query, start: end - query.length - 1, end };
    }
  }

  found({ query, items, more }: FoundItems): void {
    if (query !== this.#asked?.query) return;
    const isGrowing = query === this.#shown && this.list.active !== undefined;
    this.#shown = query;
    this.list.show(
      items.map((item) => ({ ...item, icon: icons[item.kind] })),
      isGrowing,
      more ? "" : describeNone(query),
    );
    this.#options.changed();
  }
}

/** `file:`, `folder:`, `symbol:` and `change:` limit the search to one group. */
function describeNone(query: string): string {
  const [, group = "", name = ""] = /^(?:(file|folder|symbol|change):)?(.*)$/.exec(query) ?? [];
  if (group === "symbol" && name.length < 2) return t("Type two letters of the symbol's name");
  if (name !== "") return t("Nothing named “{0}”", name);
  return group === "change" ? t("Nothing was changed since the last commit") : t("There is nothing to attach");
}

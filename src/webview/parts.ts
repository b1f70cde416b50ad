/** Small pieces of the page that several rows share: an icon, a button, what a row may do. */
import { html, type TemplateResult } from "lit-html";
import { Directive, directive } from "lit-html/directive.js";
import type { ToHost } from "../protocol/panelMessages";
import type { IconName } from "./icons";
import { type MarkdownActions, MarkdownView } from "./markdown/view";

/** What rows can do and ask for, without knowing the page. */
export interface RowActions extends MarkdownActions {
  send(intent: ToHost): void;
  /** Rows that are opened stay so when the page comes back. */
  isOpened(key: string): boolean;
  setOpened(key: string, opened: boolean): void;
  /** Tells a screen reader, once. */
  announce(sentence: string): void;
  /** Stops following the end of the transcript and scrolls it down by so many pixels. */
  leaveEnd(by: number): void;
  /** Where the end is followed and the element begins above the view: goes to its start instead. Whether it went. */
  showTop(element: Element): boolean;
  readonly locale: string;
}

export function icon(name: IconName): TemplateResult {
  return html`<span class="codicon codicon-${name}" aria-hidden="true"></span>`;
}

/** A button of one icon; `label` is its name and tooltip. */
export function iconButton(name: IconName, label: string, onClick: (event: MouseEvent) => void): TemplateResult {
  return html`<button
    type="button"
    class="icon-button codicon codicon-${name}"
    title=${label}
    aria-label=${label}
    @click=${onClick}
  ></button>`;
}

/** A row that opens; whether it is open outlives the page. */
export function fold(
  actions: RowActions,
  key: string,
  className: string,
  summary: unknown,
  content: unknown,
): TemplateResult {
  const toggled = (event: Event): void => {
    if (event.currentTarget instanceof HTMLDetailsElement) actions.setOpened(key, event.currentTarget.open);
  };
  return html`<details class=${className} ?open=${actions.isOpened(key)} @toggle=${toggled}>
    <summary>${summary}${icon("chevron-right")}</summary>
    ${content}
  </details>`;
}

class MarkdownDirective extends Directive {
  #view: MarkdownView | undefined;

  override render(text: string, live: boolean, actions: MarkdownActions): Element {
    this.#view ??= new MarkdownView(actions);
    this.#view.update(text, live);
    return this.#view.element;
  }
}

/** Text as Markdown, in the same nodes from update to update; `live` while more may come. */
export const markdown = directive(MarkdownDirective);

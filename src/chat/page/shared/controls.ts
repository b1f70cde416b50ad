/** Templates that several parts of the page share: icon, icon button, expandable row, Markdown; and what a row may do. */
import { t } from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import { Directive, directive } from "lit-html/directive.js";
import type { PriceList } from "../../../domain/prices/priceList";
import type { Block } from "../../../domain/chat/chat";
import type { ChatPageToHost } from "../../contract/chatPageContract";
import type { IconName } from "../../../webview/icons";
import { firstClick, icon } from "../../../webview/pageParts";
import type { DrawnTaskCards, LiveProcesses } from "./liveParts";
import type { Pictures } from "./pictures";
import type { QuestionCards } from "./questionCards";
import { growthOf } from "../markdown/growth";
import { showsAll } from "../markdown/showsAll";
import { type MarkdownActions, MarkdownView } from "../markdown/view";

/** Posts what the person did. */
export type SendToHost = (intent: ChatPageToHost) => void;

/** What the page does for its rows. */
export interface RowActions extends MarkdownActions {
  send(intent: ChatPageToHost): void;
  /** Whether the row of that key is expanded; kept in the page's saved state. */
  isOpened(key: string): boolean;
  setOpened(key: string, opened: boolean): void;
  /** What the person has made of a message so far; `undefined` while it is not edited. Kept in the page's saved state. */
  editedText(entry: string): string | undefined;
  /** `undefined` ends the edit. */
  editText(entry: string, text: string | undefined): void;
  /** Whether the gateway can be asked now. */
  isReady(): boolean;
  /** The gateway and account that the next prompt goes to; `undefined` while none is ready. */
  home(): string | undefined;
  /** Sends a prompt, or puts it behind what is in the composer. */
  suggest(text: string): void;
  /** Adds the sentence to the live region. */
  announce(sentence: string): void;
  /** Stops following the end of the transcript and scrolls it down by so many pixels. */
  leaveEnd(by: number): void;
  /** Scrolls to the element's start if the end is followed and it begins above the view; true if it scrolled. */
  showTop(element: Element): boolean;
  readonly taskCards: DrawnTaskCards;
  readonly questions: QuestionCards;
  readonly pictures: Pictures;
  readonly processes: LiveProcesses;
  readonly locale: string;
  /** The person's price list, unless it is empty. */
  prices(): PriceList | undefined;
  /** The gateway of the next prompt is the local one. */
  isLocal(): boolean;
}

/** The running turn's, in the place of Send. */
export function stopButton(stop: () => void): TemplateResult {
  return html`<button
    type="button"
    class="send codicon codicon-stop-circle"
    title=${t("Stop")}
    aria-label=${t("Stop")}
    @click=${stop}
  ></button>`;
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

/** A button that removes its own row. */
export function removeButton(label: string, remove: () => void): TemplateResult {
  return iconButton("close", label, firstClick(remove));
}

/** A row that expands; whether it is expanded is saved under `key`. */
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

type TextBlock = Extract<Block, { type: "text" | "reasoning" }>;

class MarkdownDirective extends Directive {
  #view: MarkdownView | undefined;

  override render(block: TextBlock, live: boolean, actions: MarkdownActions): Element {
    this.#view ??= new MarkdownView(actions);
    this.#view.update(block.text, live, growthOf(block));
    return this.#view.element;
  }
}

/** A text block as Markdown, in the same nodes from update to update; `live` while more may come. */
export const markdown = directive(MarkdownDirective);

class MarkdownTextDirective extends Directive {
  #view: MarkdownView | undefined;
  #text: string | undefined;
  #shown: Element | string = "";

  override render(text: string, actions: MarkdownActions): unknown {
    if (text === this.#text) return this.#shown;
    this.#text = text;
    this.#view ??= new MarkdownView(actions);
    this.#view.update(text, false);
    const { element, blocks } = this.#view;
    const isWhole = element.hasChildNodes() && (blocks.length === 0 || showsAll(text, blocks));
    this.#shown = isWhole ? element : text;
    return this.#shown;
  }
}

/** A whole text of a person's as Markdown, or as it was typed where Markdown would hide some of it; read again only when it is another. */
export const markdownText = directive(MarkdownTextDirective);

/** Templates that several parts of the page share (icon, icon button, expandable row, Markdown), and the actions of a row. */
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
import type { MessageEdit } from "./savedState";
import { growthOf } from "../markdown/growth";
import { showsAll } from "../markdown/showsAll";
import { type MarkdownActions, MarkdownView } from "../markdown/view";

/** Posts an intent of the person to the host. */
export type SendToHost = (intent: ChatPageToHost) => void;

/** The actions that the page provides for its rows. */
export interface RowActions extends MarkdownActions {
  send(intent: ChatPageToHost): void;
  /** Whether the row with that key is expanded. The page's saved state keeps it. */
  isOpened(key: string): boolean;
  setOpened(key: string, opened: boolean): void;
  /** The current content of a message that is being edited; `undefined` while it is not edited. The page's saved state keeps it. */
  editOf(entry: string): MessageEdit | undefined;
  keepEdit(edit: MessageEdit): void;
  endEdit(entry: string): void;
  /** Whether the gateway is ready and has no problem. */
  isReady(): boolean;
  /** The gateway and account of the next prompt; `undefined` while none is ready. */
  home(): string | undefined;
  /** Sends a prompt, or inserts it at the caret if the composer has a draft. */
  suggest(text: string): void;
  /** Adds the sentence to the live region. */
  announce(sentence: string): void;
  /** Stops following the end of the transcript, and scrolls down by that many pixels. */
  leaveEnd(by: number): void;
  /** Scrolls to the element's start if the end is followed and the element begins above the view. True if it scrolled. */
  showTop(element: Element): boolean;
  readonly taskCards: DrawnTaskCards;
  readonly questions: QuestionCards;
  readonly pictures: Pictures;
  readonly processes: LiveProcesses;
  readonly locale: string;
  /** The person's price list, unless it is empty. */
  prices(): PriceList | undefined;
  /** Whether the gateway of the next prompt is the local one. */
  isLocal(): boolean;
}

/** The button that stops the running turn. */
export function stopButton(stop: () => void): TemplateResult {
  return html`<button
    type="button"
    class="send codicon codicon-stop-circle"
    title=${t("Stop")}
    aria-label=${t("Stop")}
    @click=${stop}
  ></button>`;
}

/** A button with one icon; `label` is its name and tooltip. */
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

/** A row that expands. Whether it is expanded is saved under `key`. */
export function expandableRow(
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

/** A text block as Markdown. Keeps its nodes from update to update; `live` while more text may come. */
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

/** A person's whole text as Markdown, or as it was typed where Markdown would hide some of it. It is read again only when it has changed. */
export const markdownText = directive(MarkdownTextDirective);

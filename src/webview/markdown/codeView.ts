/** A code block as DOM: language, Copy and Insert, and the text, which is highlighted when it is complete. */
import { t } from "@vscode/l10n";
import { highlight, type ColoredText } from "./highlight";
import type { CodeBlock } from "./tree";

export interface CodeActions {
  copy(text: string, button: HTMLElement): void;
  insertCode(text: string): void;
}

export class CodeView {
  readonly element = document.createElement("div");
  readonly #code = document.createElement("code");
  readonly #language: string;
  #text = "";
  #settled = false;

  constructor(block: CodeBlock, actions: CodeActions) {
    this.#language = block.language;
    this.element.className = "code";
    const language = document.createElement("span");
    language.className = "code-language";
    language.textContent = block.language || t("text");
    const copy = createButton("copy", t("Copy Code"));
    copy.addEventListener("click", () => actions.copy(this.#text, copy));
    const insert = createButton("insert", t("Insert at Cursor"));
    insert.classList.add("code-more");
    insert.addEventListener("click", () => actions.insertCode(this.#text));
    const bar = document.createElement("div");
    bar.className = "code-bar";
    bar.append(language, insert, copy);
    const text = document.createElement("pre");
    // Long lines scroll; the keyboard must reach them.
    text.tabIndex = 0;
    text.dir = "ltr";
    text.append(this.#code);
    this.element.append(bar, text);
    this.update(block.text);
  }

  update(text: string): void {
    if (text === this.#text) return;
    const last = this.#code.lastChild;
    // Only plain text is appended to; highlighted text is replaced by the plain one and highlighted anew.
    if (!this.#settled && last instanceof Text && this.#code.childNodes.length === 1 && text.startsWith(this.#text)) {
      last.appendData(text.slice(this.#text.length));
    } else {
      this.#code.textContent = text;
      this.#settled = false;
    }
    this.#text = text;
  }

  /** The text is complete: highlights it when the page is idle. */
  settle(): void {
    if (this.#settled) return;
    this.#settled = true;
    const text = this.#text;
    requestIdleCallback(() => {
      if (text !== this.#text) return;
      const pieces = highlight(this.#language, text);
      if (pieces !== undefined) this.#code.replaceChildren(...pieces.map(createPiece));
    });
  }
}

function createPiece(piece: ColoredText): Node {
  if (typeof piece === "string") return document.createTextNode(piece);
  const span = document.createElement("span");
  span.className = piece.classes;
  span.append(...piece.pieces.map(createPiece));
  return span;
}

function createButton(icon: string, label: string): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = `icon-button codicon codicon-${icon}`;
  button.title = label;
  button.ariaLabel = label;
  return button;
}

/** A code block as DOM: language, the buttons of its bar, and the text, which is highlighted when it is complete. */
import { t } from "@vscode/l10n";
import type { IconName } from "../icons";
import type { ColoredText } from "./highlight";
import type { CodeBlock } from "./tree";

export interface CodeActions {
  copy(text: string, button: HTMLElement): void;
  insertCode(text: string): void;
  /** Proposes the code as a change of `file`, or of the active editor's. */
  applyCode(text: string, file: string | undefined): void;
  newFile(text: string, language: string): void;
}

export class CodeView {
  readonly element = document.createElement("div");
  readonly #code = document.createElement("code");
  readonly #language: string;
  readonly #apply: HTMLButtonElement;
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
    const apply = createButton("diff", block.file === undefined ? t("Apply…") : t("Apply to {0}…", block.file));
    apply.classList.add("code-more");
    apply.addEventListener("click", () => actions.applyCode(this.#text, block.file));
    // Half of the code would delete the other half.
    apply.disabled = true;
    this.#apply = apply;
    const create = createButton("new-file", t("New File"));
    create.classList.add("code-more");
    create.addEventListener("click", () => actions.newFile(this.#text, block.language));
    const bar = document.createElement("div");
    bar.className = "code-bar";
    bar.append(language, apply, create, insert, copy);
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
      this.#apply.disabled = true;
    }
    this.#text = text;
  }

  /** The text is complete: highlights it when the page is idle. */
  settle(): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#apply.disabled = false;
    const text = this.#text;
    requestIdleCallback(() => void this.#highlight(text).catch(() => undefined));
  }

  /** The highlighter is loaded with the first code block that has a language. Without it the text stays plain. */
  async #highlight(text: string): Promise<void> {
    if (this.#language === "") return;
    const { highlight } = await import("./highlight");
    if (text !== this.#text) return;
    const pieces = highlight(this.#language, text);
    if (pieces !== undefined) this.#code.replaceChildren(...pieces.map(createPiece));
  }
}

function createPiece(piece: ColoredText): Node {
  if (typeof piece === "string") return document.createTextNode(piece);
  const span = document.createElement("span");
  span.className = piece.classes;
  span.append(...piece.pieces.map(createPiece));
  return span;
}

function createButton(icon: IconName, label: string): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = `icon-button codicon codicon-${icon}`;
  button.title = label;
  button.ariaLabel = label;
  return button;
}

/** A code block as DOM: the language, the buttons of its bar, and the text in parts. Each part is highlighted once it is complete. */
import { t } from "@vscode/l10n";
import type { IconName } from "../../../webview/icons";
import type { ColoredText } from "./highlight";
import { GrowingCode } from "./openFence";
import type { CodeBlock } from "./tree";
import { firstClick } from "../../../webview/pageParts";

export interface CodeActions {
  copy(text: string, button: HTMLElement): void;
  insertCode(text: string): void;
  /** Proposes the code as a change of `file`, or of the active editor's. */
  applyCode(text: string, file: string | undefined): void;
  newFile(text: string, language: string): void;
}

/** Lines of the code that are laid out and highlighted separately from the others. */
interface CodePart {
  readonly element: HTMLElement;
  readonly text: Text;
  lines: number;
  /** Whether no more lines are added. */
  complete: boolean;
}

/** A part ends after `shortPart` lines where an unindented line follows an empty one, otherwise after `longPart` lines. */
const shortPart = 32;
const longPart = 80;
/** The maximum length of a highlighted block, in characters. Each coloured run becomes nodes. */
const maxHighlighted = 60_000;

export class CodeView {
  readonly element = document.createElement("div");
  readonly #code = document.createElement("code");
  readonly #language: string;
  readonly #apply: HTMLButtonElement;
  #block: CodeBlock;
  #parts: CodePart[] = [];
  /** The numbers of shown characters and of shown complete lines. */
  #shown = 0;
  #lines = 0;
  /** The shown text of the line after the complete ones. */
  #rest = "";
  #endsEmpty = false;

  constructor(block: CodeBlock, actions: CodeActions) {
    this.#language = block.language;
    this.#block = block;
    this.element.className = "code";
    const language = document.createElement("span");
    language.className = "code-language";
    language.textContent = block.language || t("text");
    const copy = createButton("copy", t("Copy Code"));
    copy.addEventListener("click", () => actions.copy(this.#block.text, copy));
    const insert = createButton("insert", t("Insert at Cursor"));
    insert.classList.add("code-more");
    insert.addEventListener(
      "click",
      firstClick(() => actions.insertCode(this.#block.text)),
    );
    const apply = createButton("diff", block.file === undefined ? t("Apply…") : t("Apply to {0}…", block.file));
    apply.classList.add("code-more");
    apply.addEventListener("click", () => actions.applyCode(this.#block.text, block.file));
    apply.disabled = true;
    this.#apply = apply;
    const create = createButton("new-file", t("New File"));
    create.classList.add("code-more");
    create.addEventListener(
      "click",
      firstClick(() => actions.newFile(this.#block.text, block.language)),
    );
    const bar = document.createElement("div");
    bar.className = "code-bar";
    bar.append(language, apply, create, insert, copy);
    const text = document.createElement("pre");
    // Long lines scroll, so the element must be focusable for the keyboard.
    text.tabIndex = 0;
    text.dir = "ltr";
    text.append(this.#code);
    this.element.append(bar, text);
    this.#show(block);
  }

  update(block: CodeBlock): void {
    const before = this.#block;
    this.#block = block;
    if (block instanceof GrowingCode && before instanceof GrowingCode && block.lines === before.lines)
      this.#grow(block);
    else if (block.text !== before.text) this.#show(block);
  }

  /** Marks the text as complete, and enables the button that applies it. */
  complete(): void {
    this.#apply.disabled = false;
    const last = this.#parts.at(-1);
    if (last !== undefined && !last.complete) this.#complete(last);
  }

  #show(block: CodeBlock): void {
    this.#code.replaceChildren();
    this.#parts = [];
    this.#shown = this.#lines = 0;
    this.#rest = "";
    if (block instanceof GrowingCode) this.#grow(block);
    else for (const line of block.text.split(/(?<=\n)/)) this.#addLine(line);
  }

  #grow(block: GrowingCode): void {
    for (; this.#lines < block.count; this.#lines += 1) {
      const line = block.lines[this.#lines] ?? "";
      this.#addLine(line.slice(this.#rest.length));
      this.#rest = "";
    }
    const rest = block.rest.slice(this.#rest.length);
    if (rest !== "") this.#append(rest);
    this.#rest = block.rest;
  }

  #addLine(line: string): void {
    if (line !== "") this.#append(line);
    const part = this.#parts.at(-1);
    if (part === undefined) return;
    part.lines += 1;
    this.#endsEmpty = line.trim() === "" && this.#rest === "";
  }

  #append(text: string): void {
    // Apply is disabled while code arrives, because applying half of it would delete the other half.
    this.#apply.disabled = true;
    let part = this.#parts.at(-1);
    const begins = this.#rest === "";
    const ends =
      part !== undefined && begins && part.lines >= (this.#endsEmpty && /^\S/.test(text) ? shortPart : longPart);
    if (part === undefined || ends) {
      if (part !== undefined) this.#complete(part);
      part = { element: document.createElement("span"), text: document.createTextNode(""), lines: 0, complete: false };
      part.element.className = "code-part";
      part.element.append(part.text);
      this.#code.append(part.element);
      this.#parts.push(part);
    }
    // More text came after the part was highlighted, because the fence was not closed after all.
    if (!part.text.isConnected) part.element.replaceChildren(part.text);
    part.complete = false;
    part.text.appendData(text);
    this.#shown += text.length;
  }

  /** Marks the part as complete and highlights it when the page is idle, unless the block is too long. */
  #complete(part: CodePart): void {
    part.complete = true;
    if (this.#language === "" || this.#shown > maxHighlighted) return;
    const { data } = part.text;
    requestIdleCallback(() => void this.#highlight(part, data).catch(() => undefined));
  }

  /** The highlighter is loaded with the first code block that has a language. Without it the text stays plain. */
  async #highlight(part: CodePart, text: string): Promise<void> {
    const { highlight } = await import("./highlight");
    if (!part.complete || part.text.data !== text) return;
    const pieces = highlight(this.#language, text);
    if (pieces !== undefined) keepSelection(part, () => part.element.replaceChildren(...pieces.map(createPiece)));
  }
}

/** Keeps the person's selection in a part while `change` colours the part, which may happen late on a busy machine. */
function keepSelection({ element, text }: CodePart, change: () => void): void {
  const selection = document.getSelection();
  const { anchorNode, anchorOffset, focusNode, focusOffset } = selection ?? {};
  change();
  if (!selection || !anchorNode || !focusNode || (anchorNode !== text && focusNode !== text)) return;
  const placeOf = (node: Node, offset = 0): readonly [Node, number] =>
    node === text ? placeIn(element, offset) : [node, offset];
  selection.setBaseAndExtent(...placeOf(anchorNode, anchorOffset), ...placeOf(focusNode, focusOffset));
}

/** The text node and offset that are `offset` characters after the start of the element. */
function placeIn(element: Element, offset: number): readonly [Node, number] {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let left = offset;
  for (let node = texts.nextNode(); node instanceof Text; node = texts.nextNode()) {
    if (left <= node.length) return [node, left];
    left -= node.length;
  }
  return [element, element.childNodes.length];
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

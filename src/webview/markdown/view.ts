/** Markdown blocks as DOM nodes, built and changed in place: text is appended to, a selection in it stays. */
import { CodeView, type CodeActions } from "./codeView";
import { MarkdownStream } from "./stream";
import type { Inline, ListItem, MarkdownBlock, TableBlock } from "./tree";
import { t } from "@vscode/l10n";

export interface MarkdownActions extends CodeActions {
  openLink(url: string): void;
  /** Something could not be shown as it should; `what` names it, once for each kind. */
  report(what: string, error: unknown): void;
}

export class MarkdownView {
  readonly element = document.createElement("div");
  readonly #actions: MarkdownActions;
  readonly #stream = new MarkdownStream();
  readonly #codes = new WeakMap<Node, CodeView>();
  /** What stands in `element`, child by child. */
  #shown: MarkdownBlock[] = [];
  /** So many of them are frozen and need no look. */
  #settled = 0;
  #generation = 0;
  /** The text could not be read as Markdown: from then on it is shown as it is. */
  #plain = false;

  constructor(actions: MarkdownActions) {
    this.#actions = actions;
    this.element.className = "markdown";
    this.element.dir = "auto";
  }

  /** Shows the whole text so far; while it is `live` more may come. */
  update(text: string, live: boolean): void {
    if (!this.#plain) {
      try {
        this.#show(text, live);
        return;
      } catch (error) {
        this.#plain = true;
        this.element.classList.add("plain");
        this.#actions.report("markdown", error);
      }
    }
    this.element.textContent = text;
  }

  #show(text: string, live: boolean): void {
    const stream = this.#stream;
    stream.update(text, !live);
    if (stream.generation !== this.#generation) this.#settled = 0;
    this.#generation = stream.generation;
    const from = this.#settled;
    const before = this.#shown.slice(from);
    const now = [...stream.frozen.slice(from), ...stream.tail];
    this.#patchBlocks(this.element, before, now, from);
    this.#shown.splice(from, before.length, ...now);
    this.#settled = stream.frozen.length;
    for (let index = from; index < this.#settled; index++) this.#settle(this.element.childNodes[index]);
  }

  /** Colours the code in a block that is finished. */
  #settle(node: Node | undefined): void {
    if (!(node instanceof Element)) return;
    this.#codes.get(node)?.settle();
    for (const inner of node.querySelectorAll(".code")) this.#codes.get(inner)?.settle();
  }

  #patchBlocks(parent: Node, before: readonly MarkdownBlock[], now: readonly MarkdownBlock[], offset = 0): void {
    now.forEach((block, index) => {
      const node = parent.childNodes[index + offset];
      const was = before[index];
      if (node === undefined || was === undefined) parent.appendChild(this.#createBlock(block));
      else if (was !== block && !this.#patchBlock(node, was, block)) node.replaceWith(this.#createBlock(block));
    });
    removeFrom(parent, now.length + offset);
  }

  /** Changes the node in place, or says that another one is needed. */
  #patchBlock(node: Node, was: MarkdownBlock, now: MarkdownBlock): boolean {
    if ((was.type === "paragraph" || was.type === "plain") && now.type === was.type) {
      this.#patchInlines(node, was.children, now.children);
    } else if (was.type === "heading" && now.type === "heading" && was.depth === now.depth) {
      this.#patchInlines(node, was.children, now.children);
    } else if (was.type === "code" && now.type === "code" && was.language === now.language) {
      this.#codes.get(node)?.update(now.text);
    } else if (was.type === "quote" && now.type === "quote") {
      this.#patchBlocks(node, was.children, now.children);
    } else if (was.type === "list" && now.type === "list" && was.ordered === now.ordered && was.start === now.start) {
      this.#patchItems(node, was.items, now.items);
    } else if (was.type === "table" && now.type === "table" && was.align.join() === now.align.join()) {
      this.#patchRows(node, was, now);
    } else {
      return was.type === "rule" && now.type === "rule";
    }
    return true;
  }

  #createBlock(block: MarkdownBlock): Node {
    switch (block.type) {
      case "paragraph":
        return this.#withInlines("p", block.children);
      case "plain":
        return this.#withInlines("span", block.children);
      case "heading":
        // The page's own headings come first: an answer's begin at the third level.
        return this.#withInlines(headings[Math.min(block.depth, 4) - 1] ?? "h6", block.children);
      case "rule":
        return document.createElement("hr");
      case "quote": {
        const quote = document.createElement("blockquote");
        this.#patchBlocks(quote, [], block.children);
        return quote;
      }
      case "code": {
        const view = new CodeView(block, this.#actions);
        this.#codes.set(view.element, view);
        return view.element;
      }
      case "list": {
        const list = document.createElement(block.ordered ? "ol" : "ul");
        if (list instanceof HTMLOListElement) list.start = block.start;
        this.#patchItems(list, [], block.items);
        return list;
      }
      case "table":
        return this.#createTable(block);
    }
  }

  #patchItems(list: Node, before: readonly ListItem[], now: readonly ListItem[]): void {
    now.forEach((item, index) => {
      const node = list.childNodes[index];
      const was = before[index];
      const offset = item.ticked === undefined ? 0 : 1;
      if (node !== undefined && was !== undefined && was.ticked === item.ticked) {
        this.#patchBlocks(node, was.children, item.children, offset);
        return;
      }
      const element = document.createElement("li");
      if (item.ticked !== undefined) element.append(createTick(item.ticked));
      this.#patchBlocks(element, [], item.children, offset);
      if (node === undefined) list.appendChild(element);
      else node.replaceWith(element);
    });
    removeFrom(list, now.length);
  }

  #createTable(block: TableBlock): HTMLElement {
    const frame = document.createElement("div");
    frame.className = "table";
    // A wide table scrolls by itself; the keyboard must reach it.
    frame.tabIndex = 0;
    frame.append(document.createElement("table"));
    this.#patchRows(frame, { ...block, rows: [] }, block);
    return frame;
  }

  #patchRows(frame: Node, was: TableBlock, now: TableBlock): void {
    const table = frame.firstChild;
    if (table === null) return;
    now.rows.forEach((cells, index) => {
      const row = table.childNodes[index] ?? table.appendChild(document.createElement("tr"));
      cells.forEach((cell, column) => {
        const node = row.childNodes[column] ?? row.appendChild(createCell(index === 0, now.align[column] ?? null));
        this.#patchInlines(node, was.rows[index]?.[column] ?? [], cell);
      });
    });
    removeFrom(table, now.rows.length);
  }

  #withInlines(tag: string, children: readonly Inline[]): HTMLElement {
    const element = document.createElement(tag);
    this.#patchInlines(element, [], children);
    return element;
  }

  #patchInlines(parent: Node, before: readonly Inline[], now: readonly Inline[]): void {
    now.forEach((inline, index) => {
      const node = parent.childNodes[index];
      const was = before[index];
      if (node === undefined || was === undefined) parent.appendChild(this.#createInline(inline));
      else if (!this.#patchInline(node, was, inline)) node.replaceWith(this.#createInline(inline));
    });
    removeFrom(parent, now.length);
  }

  #patchInline(node: Node, was: Inline, now: Inline): boolean {
    if (was === now || (was.type === "break" && now.type === "break")) return true;
    if (was.type === "text" && now.type === "text" && node instanceof Text) {
      growText(node, now.text);
    } else if (was.type === "code" && now.type === "code") {
      if (was.text !== now.text) node.textContent = now.text;
    } else if (was.type === "link" && now.type === "link" && was.url === now.url) {
      this.#patchInlines(node, was.children, now.children);
    } else if ("children" in was && "children" in now && was.type !== "link" && was.type === now.type) {
      this.#patchInlines(node, was.children, now.children);
    } else {
      return false;
    }
    return true;
  }

  #createInline(inline: Inline): Node {
    switch (inline.type) {
      case "text":
        return document.createTextNode(inline.text);
      case "code": {
        const code = document.createElement("code");
        code.textContent = inline.text;
        return code;
      }
      case "strong":
        return this.#withInlines("strong", inline.children);
      case "emphasis":
        return this.#withInlines("em", inline.children);
      case "strike":
        return this.#withInlines("del", inline.children);
      case "link":
        return this.#createLink(inline.url, inline.children);
      case "break":
        return document.createElement("br");
    }
  }

  #createLink(url: string, children: readonly Inline[]): HTMLAnchorElement {
    const link = document.createElement("a");
    link.href = url;
    link.title = url;
    link.rel = "noreferrer";
    const open = (event: Event): void => {
      // The frame around the page would open it a second time, without asking.
      event.preventDefault();
      event.stopPropagation();
      this.#actions.openLink(url);
    };
    link.addEventListener("click", open);
    // The right button, whose click is an auxiliary one too, is for the menu.
    link.addEventListener("auxclick", (event) => {
      if (event.button === 1) open(event);
    });
    this.#patchInlines(link, [], children);
    return link;
  }
}

const headings = ["h3", "h4", "h5", "h6"] as const;

/** Appends to the node when the text only grew: nothing else is laid out again. */
function growText(node: Text, text: string): void {
  if (node.data === text) return;
  if (text.startsWith(node.data)) node.appendData(text.slice(node.data.length));
  else node.data = text;
}

function removeFrom(parent: Node, count: number): void {
  while (parent.childNodes.length > count) parent.lastChild?.remove();
}

function createTick(ticked: boolean): HTMLElement {
  const tick = document.createElement("span");
  tick.className = `tick codicon codicon-${ticked ? "pass-filled" : "circle-large-outline"}`;
  tick.role = "img";
  tick.ariaLabel = ticked ? t("Done") : t("Not done");
  return tick;
}

function createCell(header: boolean, align: "left" | "center" | "right" | null): HTMLElement {
  const cell = document.createElement(header ? "th" : "td");
  if (header) cell.setAttribute("scope", "col");
  if (align !== null) cell.classList.add(`align-${align}`);
  return cell;
}

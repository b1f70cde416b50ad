/** Growing Markdown as DOM nodes that are changed in place. New text is appended, so that a selection in the text stays. */
import { t } from "@vscode/l10n";
import { CodeView, type CodeActions } from "./codeView";
import type { TextPieces } from "./growth";
import { closeMarks } from "./openMarks";
import { MarkdownStream } from "./stream";
import type { ListItem, MarkdownBlock, TableBlock, Inline } from "./tree";

export interface MarkdownActions extends CodeActions {
  openLink(url: string): void;
  /** Reports a failed rendering; `what` names the part that failed. */
  report(what: string, error: unknown): void;
}

export class MarkdownView {
  readonly element = document.createElement("div");
  readonly #actions: MarkdownActions;
  readonly #inlines: InlineNodes;
  readonly #stream = new MarkdownStream();
  readonly #codes = new WeakMap<Node, CodeView>();
  /** The blocks that are shown, and the node of each. */
  readonly #shown: MarkdownBlock[] = [];
  readonly #nodes: ChildNode[] = [];
  /** How many of the shown blocks the stream has frozen: further text does not change them, so updates skip them. */
  #frozen = 0;
  /** The stream's generation that is shown. With another one the frozen blocks were read anew, so all blocks are compared. */
  #generation = 0;
  /** The text could not be read as Markdown, and is shown as plain text from then on. */
  #isPlain = false;

  constructor(actions: MarkdownActions) {
    this.#actions = actions;
    this.#inlines = new InlineNodes((url) => actions.openLink(url));
    this.element.className = "markdown";
    this.element.dir = "auto";
  }

  /** The shown blocks; empty where the text could not be read as Markdown. */
  get blocks(): readonly MarkdownBlock[] {
    return this.#isPlain ? [] : this.#shown;
  }

  /** Shows the whole text so far; `growth` holds its pieces. `live` while the text may still grow. */
  update(text: string, live: boolean, growth?: TextPieces): void {
    if (!this.#isPlain) {
      try {
        this.#show(text, live, growth);
        return;
      } catch (error) {
        this.#isPlain = true;
        this.element.classList.add("plain");
        this.#actions.report("markdown", error);
      }
    }
    this.element.textContent = text;
  }

  #show(text: string, live: boolean, growth: TextPieces | undefined): void {
    const stream = this.#stream;
    stream.update(text, !live, growth);
    if (stream.generation !== this.#generation) this.#frozen = 0;
    this.#generation = stream.generation;
    const from = this.#frozen;
    const { frozen, tail } = stream;
    const count = frozen.length + tail.length;
    for (let index = from; index < count; index++) {
      const block = index < frozen.length ? frozen[index] : tail[index - frozen.length];
      const isLast = live && index === count - 1;
      if (block !== undefined) this.#showBlock(index, isLast ? closeMarks(block) : block);
    }
    this.#truncate(count);
    this.#frozen = frozen.length;
    for (let index = from; index < this.#frozen; index++) this.#complete(this.#nodes[index]);
  }

  #showBlock(index: number, block: MarkdownBlock): void {
    const node = this.#nodes[index];
    const was = this.#shown[index];
    this.#shown[index] = block;
    if (node !== undefined && was !== undefined && (was === block || this.#patchBlock(node, was, block))) return;
    const created = this.#createBlock(block);
    this.#nodes[index] = created;
    if (node === undefined) this.#partFor(block).append(created);
    else node.replaceWith(created);
    if (block.type !== "table" || !block.continued || !(created instanceof HTMLElement)) return;
    const before = this.#nodes[index - 1];
    continueColumns(before instanceof Element ? before : undefined, created);
  }

  /** The part that the block is appended to. One that continues a long block is several screens high, so it begins a part of its own. */
  #partFor(block: MarkdownBlock): Element {
    const last = this.element.lastElementChild;
    if (last !== null && last.childNodes.length < partSize && !("continued" in block)) return last;
    const part = document.createElement("div");
    part.className = "part";
    return this.element.appendChild(part);
  }

  #truncate(count: number): void {
    this.#shown.length = count;
    for (const node of this.#nodes.splice(count)) {
      const part = node.parentNode;
      node.remove();
      if (part instanceof Element && part.childNodes.length === 0) part.remove();
    }
  }

  /** Highlights the code in a complete block. */
  #complete(node: Node | undefined): void {
    if (!(node instanceof Element)) return;
    this.#codes.get(node)?.complete();
    for (const inner of node.querySelectorAll(".code")) this.#codes.get(inner)?.complete();
  }

  /** Changes the children of `parent` from `before` to `now`. `offset`: the nodes before the first block, such as the tick of a list item. */
  #patchBlocks(parent: Node, before: readonly MarkdownBlock[], now: readonly MarkdownBlock[], offset = 0): void {
    now.forEach((block, index) => {
      const was = before[index];
      // An unchanged block returns first, because after each change the browser counts `childNodes` from the first node again.
      if (was === block) return;
      const node = parent.childNodes[index + offset];
      if (node === undefined || was === undefined) parent.appendChild(this.#createBlock(block));
      else if (!this.#patchBlock(node, was, block)) node.replaceWith(this.#createBlock(block));
    });
    removeFrom(parent, now.length + offset);
  }

  /** Changes the node in place; false when it must be replaced. */
  #patchBlock(node: Node, was: MarkdownBlock, now: MarkdownBlock): boolean {
    if ("continued" in was !== "continued" in now) return false;
    if ((was.type === "paragraph" || was.type === "plain") && now.type === was.type) {
      this.#inlines.patch(node, was.children, now.children);
    } else if (was.type === "heading" && now.type === "heading" && was.depth === now.depth) {
      this.#inlines.patch(node, was.children, now.children);
    } else if (was.type === "code" && now.type === "code" && was.language === now.language && was.file === now.file) {
      this.#codes.get(node)?.update(now);
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

  #createBlock(block: MarkdownBlock): ChildNode {
    const node = this.#createWhole(block);
    if ("continued" in block && node instanceof Element) node.classList.add("continued");
    return node;
  }

  #createWhole(block: MarkdownBlock): ChildNode {
    switch (block.type) {
      case "paragraph":
        return this.#inlines.create("p", block.children);
      case "plain":
        return this.#inlines.create("span", block.children);
      case "heading":
        // The first two levels of headings belong to the page itself.
        return this.#inlines.create(headings[Math.min(block.depth, 4) - 1] ?? "h6", block.children);
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
      const was = before[index];
      if (was === item) return;
      const node = list.childNodes[index];
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
    // A wide table scrolls on its own, so the keyboard must be able to focus it.
    frame.tabIndex = 0;
    frame.append(document.createElement("table"));
    this.#patchRows(frame, { ...block, rows: [] }, block);
    return frame;
  }

  #patchRows(frame: Node, was: TableBlock, now: TableBlock): void {
    const table = frame.firstChild;
    if (table === null) return;
    now.rows.forEach((cells, index) => {
      if (was.rows[index] === cells) return;
      const row = table.childNodes[index] ?? table.appendChild(document.createElement("tr"));
      cells.forEach((cell, column) => {
        const node =
          row.childNodes[column] ??
          row.appendChild(createCell(index === 0 && !now.continued, now.align[column] ?? null));
        this.#inlines.patch(node, was.rows[index]?.[column] ?? [], cell);
      });
    });
    removeFrom(table, now.rows.length);
  }
}

/** The maximum number of blocks in one part, which is laid out separately from the others. */
const partSize = 24;

const headings = ["h3", "h4", "h5", "h6"] as const;

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

/** The fixed widths of the columns, in pixels, by the frame of each piece of a long table. */
const widths = new WeakMap<Element, readonly number[]>();

/**
 * Gives the table in `frame` the column widths of the table before it, and fixes them in both. A long table is drawn as several tables below each
 * other, so these need the same widths and scroll sideways together.
 */
function continueColumns(before: Element | null | undefined, frame: HTMLElement): void {
  if (!(before instanceof HTMLElement) || !before.classList.contains("table")) return;
  const known = widths.get(before);
  const columns = known ?? firstRow(before).map((cell) => cell.getBoundingClientRect().width);
  if (columns.every((width) => width === 0)) return;
  if (known === undefined) fixColumns(before, columns);
  fixColumns(frame, columns);
  scrollAlong(before, frame);
}

function firstRow(frame: Element): HTMLElement[] {
  return Array.from(frame.querySelectorAll<HTMLElement>("tr:first-child > *"));
}

function fixColumns(frame: HTMLElement, columns: readonly number[]): void {
  widths.set(frame, columns);
  frame.classList.add("fixed");
  const table = frame.firstElementChild;
  if (table instanceof HTMLElement) table.style.width = `${columns.reduce((sum, width) => sum + width, 0)}px`;
  firstRow(frame).forEach((cell, index) => (cell.style.width = `${columns[index] ?? 0}px`));
}

/** Each of the two passes its scroll position on to the other. Setting an equal position raises no event, so this ends. */
function scrollAlong(before: HTMLElement, frame: HTMLElement): void {
  before.addEventListener("scroll", () => (frame.scrollLeft = before.scrollLeft), { passive: true });
  frame.addEventListener("scroll", () => (before.scrollLeft = frame.scrollLeft), { passive: true });
}

/** Inline Markdown (text, emphasis, code, links) as DOM nodes that are changed in place, for `MarkdownView`. */
class InlineNodes {
  readonly #openLink: (url: string) => void;

  constructor(openLink: (url: string) => void) {
    this.#openLink = openLink;
  }

  /** Creates an element with these children. */
  create(tag: string, children: readonly Inline[]): HTMLElement {
    const element = document.createElement(tag);
    this.patch(element, [], children);
    return element;
  }

  /** Changes the children of `parent` from `before` to `now`. */
  patch(parent: Node, before: readonly Inline[], now: readonly Inline[]): void {
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
      this.patch(node, was.children, now.children);
    } else if ("children" in was && "children" in now && was.type !== "link" && was.type === now.type) {
      this.patch(node, was.children, now.children);
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
        return this.create("strong", inline.children);
      case "emphasis":
        return this.create("em", inline.children);
      case "strike":
        return this.create("del", inline.children);
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
      // Otherwise the frame around the page would open the link a second time, without asking.
      event.preventDefault();
      event.stopPropagation();
      this.#openLink(url);
    };
    link.addEventListener("click", open);
    // Only the middle button opens the link here: the `auxclick` of the right button belongs to the menu.
    link.addEventListener("auxclick", (event) => {
      if (event.button === 1) open(event);
    });
    this.patch(link, [], children);
    return link;
  }
}

/** Appends the new text if the text only grew, so that the browser lays out the new part only. */
function growText(node: Text, text: string): void {
  if (node.data === text) return;
  if (text.startsWith(node.data)) node.appendData(text.slice(node.data.length));
  else node.data = text;
}

/** Removes the children from that index on. */
function removeFrom(parent: Node, count: number): void {
  while (parent.childNodes.length > count) parent.lastChild?.remove();
}

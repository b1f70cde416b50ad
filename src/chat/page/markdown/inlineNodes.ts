/** Inline Markdown (text, emphasis, code, links) as DOM nodes that are changed in place; for `MarkdownView`. */
import type { Inline } from "./tree";

export class InlineNodes {
  readonly #openLink: (url: string) => void;

  constructor(openLink: (url: string) => void) {
    this.#openLink = openLink;
  }

  /** An element with these children. */
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
      // The frame around the page would open the link a second time, without asking.
      event.preventDefault();
      event.stopPropagation();
      this.#openLink(url);
    };
    link.addEventListener("click", open);
    // An auxiliary click of the right button opens the menu.
    link.addEventListener("auxclick", (event) => {
      if (event.button === 1) open(event);
    });
    this.patch(link, [], children);
    return link;
  }
}

/** Appends when the text only grew, so that the browser lays out the new part only. */
function growText(node: Text, text: string): void {
  if (node.data === text) return;
  if (text.startsWith(node.data)) node.appendData(text.slice(node.data.length));
  else node.data = text;
}

/** Removes the children from that index on. */
export function removeFrom(parent: Node, count: number): void {
  while (parent.childNodes.length > count) parent.lastChild?.remove();
}

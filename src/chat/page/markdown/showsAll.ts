/**
 * Whether rendered Markdown shows every letter and digit of its text, because nothing that a person wrote may be missing in their own message. Pure.
 */
import type { MarkdownBlock, Inline } from "./tree";

/**
 * Only formatting may be missing, such as the marks of Markdown. Definitions of links, their titles, surplus cells and numbers out of order are
 * words. The rendered text may contain more, such as the address of a link, so the written characters are searched in their order.
 */
export function showsAll(text: string, blocks: readonly MarkdownBlock[]): boolean {
  const written = text.matchAll(/[\p{L}\p{N}\p{Extended_Pictographic}]/gu);
  let next = written.next();
  const show = (shown: string): void => {
    for (const character of shown) {
      if (next.done === true) return;
      if (character === next.value[0]) next = written.next();
    }
  };
  for (const block of blocks) showBlock(block, show);
  return next.done === true;
}

function showBlock(block: MarkdownBlock, show: (shown: string) => void): void {
  const showAll = (inner: readonly MarkdownBlock[]): void => inner.forEach((one) => showBlock(one, show));
  switch (block.type) {
    case "paragraph":
    case "plain":
    case "heading":
      showInlines(block.children, show);
      break;
    case "code":
      // The bar above the code shows both.
      show(block.language);
      show(block.file ?? "");
      show(block.text);
      break;
    case "quote":
      showAll(block.children);
      break;
    case "list":
      block.items.forEach(({ ticked, children }, index) => {
        if (block.ordered) show(String(block.start + index));
        if (ticked === true) show("xX");
        showAll(children);
      });
      break;
    case "table":
      for (const row of block.rows) for (const cell of row) showInlines(cell, show);
      break;
    case "rule":
  }
}

function showInlines(inlines: readonly Inline[], show: (shown: string) => void): void {
  for (const inline of inlines) {
    switch (inline.type) {
      case "text":
      case "code":
        show(inline.text);
        break;
      case "link":
        showInlines(inline.children, show);
        // The link shows its address in its tooltip.
        show(inline.url);
        break;
      case "strong":
      case "emphasis":
      case "strike":
        showInlines(inline.children, show);
        break;
      case "break":
    }
  }
}

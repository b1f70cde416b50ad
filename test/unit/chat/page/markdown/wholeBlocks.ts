/** Joins the parts of long blocks, so that what was read in parts can be compared with what was read at once. */
import { joinInlines, type MarkdownBlock } from "../../../../../src/chat/page/markdown/tree";

export function wholeBlocks(blocks: readonly MarkdownBlock[]): MarkdownBlock[] {
  const whole: MarkdownBlock[] = [];
  for (const block of blocks) {
    const before = whole.at(-1);
    const joined = "continued" in block && before ? join(before, block) : undefined;
    if (joined) whole[whole.length - 1] = joined;
    else whole.push(block.type === "code" ? { type: "code", language: block.language, text: block.text } : block);
  }
  return whole;
}

function join(before: MarkdownBlock, next: MarkdownBlock): MarkdownBlock | undefined {
  if (before.type === "list" && next.type === "list") return { ...before, items: [...before.items, ...next.items] };
  if (before.type === "table" && next.type === "table") return { ...before, rows: [...before.rows, ...next.rows] };
  if (before.type === "quote" && next.type === "quote")
    return { ...before, children: wholeBlocks([...before.children, ...next.children]) };
  if (before.type === "paragraph" && next.type === "paragraph")
    return { ...before, children: joinInlines([...before.children, ...next.children]) };
  return undefined;
}

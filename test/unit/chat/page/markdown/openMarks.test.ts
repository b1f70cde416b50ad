/** What is shown of bold and code whose end has not arrived yet. */
import assert from "node:assert/strict";
import { closeMarks } from "../../../../../src/chat/page/markdown/openMarks";
import { readMarkdown } from "../../../../../src/chat/page/markdown/stream";
import type { Inline, MarkdownBlock } from "../../../../../src/chat/page/markdown/tree";

const inline = (one: Inline): string => {
  if (one.type === "break") return "\n";
  if ("children" in one) return `<${one.type}>${one.children.map(inline).join("")}</${one.type}>`;
  return one.type === "code" ? `<code>${one.text}</code>` : one.text;
};
const block = (one: MarkdownBlock): string => {
  if (one.type === "list") return one.items.map(({ children }) => `- ${children.map(block).join("")}`).join("\n");
  if (one.type === "quote") return `> ${one.children.map(block).join("")}`;
  return "children" in one ? one.children.map(inline).join("") : one.type;
};
const shown = (text: string): string => {
  const last = readMarkdown(text).at(-1);
  return last === undefined ? "" : block(closeMarks(last));
};

describe("open marks of growing Markdown", () => {
  for (const [text, expected] of [
    ["It is **very", "It is <strong>very</strong>"],
    ["It is **very important*", "It is <strong>very important</strong>"],
    ["It is **", "It is "],
    ["It is *", "It is "],
    ["**Note: `code` and", "<strong>Note: <code>code</code> and</strong>"],
    ["**Note: `cod", "<strong>Note: <code>cod</code></strong>"],
    ["call `greet(na", "call <code>greet(na</code>"],
    ["- one\n- **tw", "- one\n- <strong>tw</strong>"],
    ["> a **b", "> a <strong>b</strong>"],
    ["## The **ti", "The <strong>ti</strong>"],
    ["**done** and more", "<strong>done</strong> and more"],
    [
      `${"word ".repeat(50)}**kwargs ${"word ".repeat(50)}then **bo`,
      `${"word ".repeat(50)}**kwargs ${"word ".repeat(50)}then <strong>bo</strong>`,
    ],
    ["2 ** 3 and a*b", "2 ** 3 and a*b"],
    ["one*", "one*"],
    [`a **kwargs ${"word ".repeat(50)}`.trim(), `a **kwargs ${"word ".repeat(50)}`.trim()],
  ] as const)
    it(`P2 (finding N20): ${JSON.stringify(text.slice(0, 40))}`, () => assert.equal(shown(text), expected));

  it("P2 (finding N20): of text without open marks the block is the same object", () => {
    for (const text of ["Plain.", "**a** `b`", "- x\n- y", "> q", "```\n**a\n```", "| a |\n| - |\n| ** |"]) {
      const [first] = readMarkdown(text);
      assert.ok(first !== undefined && closeMarks(first) === first, text);
    }
  });
});

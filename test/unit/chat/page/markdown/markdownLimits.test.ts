/** Markdown made to hold up or break whoever reads it: it is read within bounds, and what goes beyond them is plain text. */
import assert from "node:assert/strict";
import { MarkdownStream } from "../../../../../src/chat/page/markdown/stream";
import { wholeBlocks } from "./wholeBlocks";
import type { Inline, MarkdownBlock } from "../../../../../src/chat/page/markdown/tree";

const steps = (count: number, line: (step: number) => string): string =>
  Array.from({ length: count }, (_, step) => line(step)).join("\n");

const hostile: Readonly<Record<string, string>> = {
  "4,000 quotes": "> ".repeat(4000),
  "4,000 lists": "- ".repeat(4000),
  "4,000 numbered lists": "1. ".repeat(4000),
  "10,000 stars": "*".repeat(10_000),
  "stars around a letter": `${"*".repeat(10_000)}a${"*".repeat(10_000)}`,
  "10,000 underscores around a letter": `${"_".repeat(10_000)}a${"_".repeat(10_000)}`,
  "10,000 brackets": "[".repeat(10_000),
  "links in links": `${"[".repeat(5000)}a${"](b)".repeat(5000)}`,
  "images in images": `${"![".repeat(5000)}a${"](b)".repeat(5000)}`,
  "quotes and lists in turn": "> - 1. ".repeat(4000),
  "quotes with lazy lines": `${"> ".repeat(2000)}a\nb\n${"> ".repeat(1000)}c\nd`,
  "1,000 levels of lists": steps(1000, (step) => `${" ".repeat(2 * step)}- a`),
  "quotes of every depth": steps(1000, (step) => `${"> ".repeat(step % 200)}- a\nlazy`),
  "struck text that never ends": "~a~ ~".repeat(2000),
  "emphasis in emphasis": "**a *b ".repeat(2000) + "c* d**".repeat(2000),
  "emphasis in a list in a quote": `> - ${"*a **b ".repeat(5000)}`,
  "a table of 5,000 columns and 20,000 rows": `${"|a".repeat(5000)}|\n${"|-".repeat(5000)}|\n${"a\n".repeat(20_000)}`,
  "2,000 lines that look like tables": "a|b\n-|\n".repeat(2000),
  "5,000 definitions": steps(5000, (step) => `[a${step}]: b\n\n[a${step + 1}]\n`),
  "one word of 100,000 letters with an at sign": `${"a.".repeat(50_000)}@b`,
  "100,000 backticks": "`".repeat(100_000),
  "an open fence of 1 MB": `\`\`\`ts\n${"const a = 1;\n".repeat(80_000)}`,
  "a quote of 10,000 lines": "> a\n".repeat(10_000),
  "100,000 blank lines": "\n".repeat(100_000),
};

function deepest(blocks: readonly (MarkdownBlock | Inline)[]): number {
  return Math.max(
    0,
    ...blocks.map((block) => {
      if ("children" in block) return 1 + deepest(block.children);
      if (block.type === "list") return 1 + Math.max(0, ...block.items.map(({ children }) => deepest(children)));
      return 1;
    }),
  );
}

describe("markdown limits", () => {
  for (const [name, text] of Object.entries(hostile)) {
    it(`P5 (finding S6): ${name} is read, whole and while it arrives, and nests within bounds`, () => {
      const whole = new MarkdownStream();
      whole.update(text, true);
      assert.ok(deepest(whole.frozen) <= 60, `${deepest(whole.frozen)} levels`);
      const growing = new MarkdownStream();
      const size = Math.ceil(text.length / 10);
      for (let end = size; end < text.length; end += size) growing.update(text.slice(0, end), false);
      growing.update(text, true);
      assert.deepEqual(wholeBlocks(growing.frozen), wholeBlocks(whole.frozen));
    });
  }

  it("P5 (finding S6): what is nested too deep stays there as text", () => {
    const markdown = new MarkdownStream();
    markdown.update(`${"> ".repeat(4000)}the end`, true);
    assert.match(JSON.stringify(markdown.frozen), /> > > the end"/);
  });

  it("P5 (finding S6): a list longer than what is read at a time goes on as another one", () => {
    const markdown = new MarkdownStream();
    markdown.update(
      steps(3000, (step) => `- Item *number* ${step}\n  - with a nested one`),
      true,
    );
    const { frozen } = markdown;
    assert.ok(frozen.length > 1 && frozen.every(({ type }) => type === "list"));
    const items = frozen.flatMap((block) => (block.type === "list" ? block.items : []));
    assert.equal(items.length, 3000);
    for (const block of frozen) if (block.type === "list") assert.equal(block.items[0]?.children.length, 2);
  });

  it("P5 (finding S6): a fence longer than what is read at a time stays one block", () => {
    const code = "const a = 1;\n\n".repeat(5000);
    const markdown = new MarkdownStream();
    markdown.update(`Look:\n\n\`\`\`ts\n${code}\`\`\`\n\nThat is all.`, true);
    assert.deepEqual(
      markdown.frozen.map(({ type }) => type),
      ["paragraph", "code", "paragraph"],
    );
  });
});

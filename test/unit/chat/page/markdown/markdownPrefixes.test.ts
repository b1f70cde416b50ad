/** Markdown at every prefix: what is shown of a growing text is what one reading of that prefix says, also inside long open blocks. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { MarkdownStream, readMarkdown } from "../../../../../src/chat/page/markdown/stream";
import { wholeBlocks } from "./wholeBlocks";
import { isFullRun, partOf } from "../../../../support/runs";

const examplesOf = (name: string): readonly string[] => {
  const text = readFileSync(`test/fixtures/markdown/${name}.json`, "utf8");
  return (JSON.parse(text) as { readonly examples: readonly string[] }).examples;
};
const examples = examplesOf("commonmark");
/** Tables, task lists, struck text, bare addresses, forbidden tags. */
const extensions = [
  ...examplesOf("gfm"),
  "text\n| abc | def |\n| --- | --- |\n",
  "- [x] foo\n  - [ ] bar\n  - [x] baz\n\n- [ ] bim\n",
];

const repeat = (count: number, part: (step: number) => string): string =>
  Array.from({ length: count }, (_, step) => part(step)).join("");

/** Long blocks, and what ends or changes them late. */
const long: Readonly<Record<string, string>> = {
  "a table and a paragraph": `${repeat(40, (row) => (row === 0 ? "Rows:\n| a | b |\n|--|:-:|\n" : `| *${row}* | \`x|${row}\` |\n`))}\nEnd.\n`,
  "a table that a heading ends": `|a|b|c|\n|-|-|-|\n${repeat(60, (row) => `${row}|x\n`)}# Heading\ntext\n`,
  "a table with links defined later": `|a|b|\n|-|-|\n${repeat(60, (row) => `|[r${row % 3}]|x|\n`)}\n[r1]: https://example.com/\n`,
  "a tight list": `Items:\n${repeat(40, (row) => `- item **${row}** with some words\n${row % 3 === 0 ? "  - nested\n  - twice\n" : ""}`)}\nEnd.\n`,
  "a list that becomes loose late": `${repeat(30, (row) => `${row + 1}. item ${row} with some words\n`)}\n31. the last\n`,
  "a list that seems to become loose": `${repeat(30, (row) => `- item ${row} with some words\n`)}\n---\n\nEnd.\n`,
  "a loose list with code": repeat(
    12,
    (row) => `* item ${row}\n\n  \`\`\`ts\n  const a = ${row};\n\n  \`\`\`\n\n  more\n\n`,
  ),
  "a task list": repeat(30, (row) => `- [${row % 2 ? "x" : " "}] task ${row}\n`),
  "a list with lazy lines": repeat(20, (row) => `- item ${row}\nlazy line\n`),
  "two lists": `${repeat(20, (row) => `- item ${row}\n`)}${repeat(20, (row) => `* other ${row}\n`)}`,
  "a paragraph in one line": repeat(
    60,
    (row) => `Sentence *${row}* says \`what\` it **must say** at [once](https://example.com/). `,
  ),
  "a paragraph in many lines": repeat(60, (row) => `Line ${row} of a paragraph with __some__ words\n`),
  "a paragraph that becomes a heading": `${repeat(40, () => "Words that go on and on. ")}\n===\n\nEnd.\n`,
  "a paragraph that becomes a table": `${repeat(30, () => "Words that go on and on. ")}a | b\n---|---\n1 | 2\n`,
  "a paragraph with an open star": `An *open star. ${repeat(30, () => "Words that go on and on. ")}closed* at last.\n`,
  "a paragraph with a late code span": `One \` backtick. ${repeat(30, () => "Words that **go** on. ")}closed \` at last.\n`,
  "a paragraph with late definitions": `${repeat(20, () => "Words [that] go on and on. ")}\n\n[that]: https://example.com/\n`,
  "a quote with paragraphs": repeat(20, (row) => `> Paragraph ${row} of the quote\n> in two lines\n>\n`),
  "a quote with a lazy line": `${repeat(12, (row) => `> Paragraph ${row}\n>\n`)}> the last\nlazy\n`,
  "a fence with fences in it": `\`\`\`\`md\n${repeat(20, () => "```ts\ncode\n```\n\n")}\`\`\`\`\nEnd.\n`,
  "a fence that is never closed": `~~~\n${repeat(20, () => "code\n\n~~\n")}`,
};

function checkPrefixes(text: string, step: number): void {
  const markdown = new MarkdownStream();
  const pieces: string[] = [];
  for (let end = step; end < text.length + step; end += step) {
    const soFar = text.slice(0, end);
    pieces.push(text.slice(end - step, end));
    markdown.update(soFar, false, { pieces, count: pieces.length });
    // A definition counts once no further line can belong to it.
    if (soFar.slice(soFar.lastIndexOf("\n\n") + 1).includes("]:")) continue;
    const shown = wholeBlocks([...markdown.frozen, ...markdown.tail]);
    // A last line that may become the closing fence is not shown yet.
    const held = /(?<=^|\n) {0,3}[`~]+ *$/.exec(soFar);
    if (held !== null && !isEqual(shown, readMarkdown(soFar))) {
      assert.deepEqual(shown, readMarkdown(soFar.slice(0, held.index)), JSON.stringify(soFar));
    } else {
      assert.deepEqual(shown, readMarkdown(soFar), JSON.stringify(soFar));
    }
  }
  markdown.update(text, true, { pieces, count: pieces.length });
  assert.deepEqual(wholeBlocks(markdown.frozen), readMarkdown(text));
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

describe("markdown at every prefix", () => {
  it("P2: every example of CommonMark", () => {
    assert.ok(examples.length > 600);
    for (const example of partOf(examples, 0)) checkPrefixes(example, 1);
  });

  it("P2: every example of GitHub's extensions", () => {
    assert.ok(extensions.length > 28);
    for (const example of extensions) checkPrefixes(example, 1);
  });

  it("P2: every example of CommonMark after a long block of each kind", () => {
    const kinds = ["a tight list", "a table and a paragraph", "a paragraph in one line", "a quote with paragraphs"];
    partOf(examples, 1).forEach((example, index) => {
      const before = long[kinds[index % kinds.length] ?? ""]?.slice(0, 400) ?? "";
      const text = before.slice(0, before.lastIndexOf("\n") + 1) || before;
      const markdown = new MarkdownStream();
      for (let end = text.length; end <= text.length + example.length; end += 3) {
        const soFar = (text + example).slice(0, end);
        markdown.update(soFar, false);
      }
      markdown.update(text + example, true);
      assert.deepEqual(wholeBlocks(markdown.frozen), readMarkdown(text + example), JSON.stringify(text + example));
    });
  });

  for (const [name, text] of Object.entries(long)) {
    it(`P2: ${name}, cut off piece by piece`, () => checkPrefixes(text, isFullRun ? 1 : 7));
  }

  it("P2: an update inside a long block reads its end only", () => {
    for (const name of ["a tight list", "a table and a paragraph", "a paragraph in one line"]) {
      const line = long[name] ?? "";
      const text = line.slice(0, line.trimEnd().lastIndexOf(" "));
      const markdown = new MarkdownStream();
      for (let end = 20; end < text.length; end += 20) markdown.update(text.slice(0, end), false);
      const [before] = markdown.tail.slice(-1);
      markdown.update(`${text} `, false);
      const [after] = markdown.tail.slice(-1);
      const kept = JSON.stringify(before).length;
      assert.ok(kept > 0 && after !== undefined, name);
      if (before?.type === "list" && after.type === "list") assert.equal(after.items[0], before.items[0]);
      if (before?.type === "table" && after.type === "table") assert.equal(after.rows[1], before.rows[1]);
    }
  });
});

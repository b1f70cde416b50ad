/** Markdown that grows, read piece by piece, must arrive at what one reading of the whole says. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { MarkdownStream, readMarkdown } from "../../../../../src/chat/page/markdown/stream";
import { wholeBlocks } from "./wholeBlocks";
import { runsOf } from "../../../../support/runs";

/** Lines that begin, continue, end and nearly end every kind of block. */
const lines = [
  "",
  "",
  "",
  " ",
  "plain words",
  "more *emphasis* and **strong** `code`",
  "a [link](https://example.com) and [ref] and [other][ref]",
  "# Heading",
  "Setext",
  "===",
  "---",
  "- item",
  "- [x] done",
  "  continued",
  "    indented",
  "* star",
  "1. one",
  "2. two",
  "10) ten",
  "   - nested",
  "> quote",
  "> - in quote",
  "> ```",
  "lazy",
  "```",
  "```ts",
  "````",
  "~~~",
  "  ```",
  "const a = 1;",
  "| a | b |",
  "|---|:-:|",
  "| 1 | 2 |",
  "[ref]: https://example.com/ref",
  '[ref]: https://example.com/second "title"',
  "[other]:",
  '[open]: https://x.y "open',
  "  'title'",
  "<div>",
  "</div>",
  "<!-- comment",
  "-->",
  "<script>alert(1)</script>",
  "***",
  "text with trailing  ",
  "![alt](https://example.com/i.png)",
  "\ttab",
  "&amp; &#65;",
  "+",
  "-",
  "1.",
  "~~struck~~",
  "https://example.com/auto",
  "[^]",
  "\\",
  "| 1",
  ":-",
];
/** A few kinds of line at a time, so that they meet each other often. */
const documents = fc
  .subarray(lines, { minLength: 2, maxLength: 6 })
  .chain((some) => fc.array(fc.constantFrom("", ...some), { maxLength: 14, size: "max" }))
  .map((chosen) => chosen.join("\n"));
/** Long enough that pieces are cut off their blocks. */
const longDocuments = fc
  .subarray(lines, { minLength: 2, maxLength: 6 })
  .chain((some) =>
    fc.array(fc.constantFrom("some *emphasis* in a longer line", ...some), { maxLength: 40, size: "max" }),
  )
  .map((chosen) => chosen.join("\n"));
const cuts = fc.array(fc.nat({ max: 200 }), { maxLength: 30, size: "max" });

function stream(text: string, at: readonly number[]): MarkdownStream {
  const markdown = new MarkdownStream();
  const ends = [...new Set(at.map((cut) => Math.min(cut, text.length)))].sort((a, b) => a - b);
  for (const end of ends) markdown.update(text.slice(0, end), false);
  markdown.update(text, true);
  return markdown;
}

describe("markdown stream", () => {
  it("P2: any cuts of any document arrive at one reading of the whole", () => {
    fc.assert(
      fc.property(documents, cuts, (text, at) => {
        assert.deepEqual(wholeBlocks(stream(text, at).frozen), readMarkdown(text));
      }),
      { numRuns: runsOf(6000) },
    );
  });

  it("P2: so do any cuts of long blocks", () => {
    const later = fc.array(fc.nat({ max: 900 }), { maxLength: 30, size: "max" });
    fc.assert(
      fc.property(longDocuments, later, (text, at) => {
        assert.deepEqual(wholeBlocks(stream(text, at).frozen), readMarkdown(text));
      }),
      { numRuns: runsOf(6000) },
    );
  });

  it("P2: cut at every character, with Windows line endings", () => {
    fc.assert(
      fc.property(documents, (text) => {
        const windows = text.replaceAll("\n", "\r\n");
        const every = Array.from(windows, (_, at) => at);
        assert.deepEqual(wholeBlocks(stream(windows, every).frozen), readMarkdown(text));
      }),
      { numRuns: runsOf(600) },
    );
  });

  it("P2: an underline that comes with the end makes the whole paragraph a heading, also what was cut off it", () => {
    const paragraph = Array.from({ length: 5 }, () => "more *emphasis* and **strong** `code`").join("\n");
    const text = `${paragraph}\nplain words\n===`;
    for (let cut = 0; cut <= text.length; cut += 1)
      assert.deepEqual(wholeBlocks(stream(text, [160, cut]).frozen), readMarkdown(text), `cut at 160 and ${cut}`);
  });

  it("P2: what looks like a heading after a cut is a paragraph where the whole is one", () => {
    const line = "more *emphasis* and **strong** `code`";
    const text = [line, line, line, "10) ten", "plain words", line, "===", "", "10) ten", ""].join("\n");
    assert.deepEqual(wholeBlocks(stream(text, [160, 185]).frozen), readMarkdown(text));
  });

  it("P2: a line that was cut may be the header of what is no table", () => {
    const line = "some *emphasis* in a longer line";
    const text = [
      line,
      "| a | b |",
      line,
      "plain words and more",
      line,
      line,
      "| a | b |",
      "10) ten",
      "|---|:-:|",
    ].join("\n");
    for (let cut = 128; cut < text.length; cut += 1)
      assert.deepEqual(wholeBlocks(stream(text, [cut]).frozen), readMarkdown(text), `cut at ${cut}`);
  });

  it("P2: what is shown meanwhile is what the text so far says", () => {
    const text = "# Title\n\nSome *words* here.\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nEnd.";
    const markdown = new MarkdownStream();
    for (let end = 1; end <= text.length; end++) {
      const soFar = text.slice(0, end);
      markdown.update(soFar, false);
      assert.deepEqual(wholeBlocks([...markdown.frozen, ...markdown.tail]), readMarkdown(soFar));
    }
  });

  it("P2: frozen blocks stay the same objects while the tail grows", () => {
    const markdown = new MarkdownStream();
    markdown.update("First.\n\nSecond.\n\nThird\nline", false);
    const [first, second] = markdown.frozen;
    assert.equal(markdown.frozen.length, 2);
    for (const more of [" a", " a b", " a b\n\nFourth\n\nFifth"])
      markdown.update(`First.\n\nSecond.\n\nThird\nline${more}`, false);
    assert.equal(markdown.frozen[0], first);
    assert.equal(markdown.frozen[1], second);
    assert.equal(markdown.generation, 0);
  });

  it("P2: an open fence freezes what stands before it and never shows half a closing fence", () => {
    const markdown = new MarkdownStream();
    markdown.update("Look:\n```ts\nconst a = 1;\n``", false);
    assert.deepEqual(wholeBlocks(markdown.frozen), readMarkdown("Look:"));
    assert.deepEqual(wholeBlocks(markdown.tail), [{ type: "code", language: "ts", text: "const a = 1;" }]);
    markdown.update("Look:\n```ts\nconst a = 1;\n```\n\nThat is all.\n", false);
    assert.deepEqual(
      wholeBlocks([...markdown.frozen, ...markdown.tail]),
      readMarkdown("Look:\n```ts\nconst a = 1;\n```\n\nThat is all.\n"),
    );
  });

  it("P2: a link whose definition comes later becomes a link, and says that frozen blocks changed", () => {
    const markdown = new MarkdownStream();
    markdown.update("See [here].\n\nNext.\n\n", false);
    const before = markdown.generation;
    markdown.update("See [here].\n\nNext.\n\n[here]: https://example.com/a\n\nEnd.\n", true);
    assert.notEqual(markdown.generation, before);
    assert.deepEqual(
      wholeBlocks(markdown.frozen),
      readMarkdown("See [here].\n\nNext.\n\n[here]: https://example.com/a\n\nEnd.\n"),
    );
  });

  it("P3: another text than the one so far, as after a lost revision, is read from the start", () => {
    const markdown = new MarkdownStream();
    markdown.update("One.\n\nTwo.\n\nThree.\n\n", false);
    markdown.update("Another.\n", true);
    assert.deepEqual(wholeBlocks(markdown.frozen), readMarkdown("Another.\n"));
  });

  it("P2: an update of a long answer reads only its tail", () => {
    const paragraph = "Some words that make a paragraph of usual length, with `code` in it.\n\n";
    const markdown = new MarkdownStream();
    let text = "";
    for (let round = 0; round < 200; round++) markdown.update((text += paragraph), false);
    assert.ok(markdown.tail.length <= 2, `${markdown.tail.length} blocks in the tail`);
    assert.ok(markdown.frozen.length >= 198);
  });
});

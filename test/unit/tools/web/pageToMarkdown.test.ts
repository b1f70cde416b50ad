/** The text of pages: what a reader of them would read, in bounded time, whatever the page is made of. */
import assert from "node:assert/strict";
import { TimeSlices } from "../../../../src/base/async/timeSlices";
import { pageToMarkdown } from "../../../../src/tools/web/pageToMarkdown";
import { assertLinear } from "../../../support/growth";
import { isFullRun } from "../../../support/runs";

const base = new URL("https://docs.example/a/b");
const read = (html: string): Promise<string> => pageToMarkdown(html, base, new TimeSlices());

/** Its time is always over. */
class CountedSlices extends TimeSlices {
  pauses = 0;
  override get isSpent(): boolean {
    return true;
  }
  override next(): Promise<void> {
    this.pauses += 1;
    return super.next();
  }
}

describe("a page as Markdown", () => {
  for (const [what, html, text] of [
    [
      "headings and paragraphs",
      "<h1>A &amp; B</h1><p>One\n two</p><h2>C</h2>Three",
      "# A & B\n\nOne two\n\n## C\n\nThree",
    ],
    [
      "links are whole addresses",
      '<a href="../c?x=1#y">C</a> <a href="javascript:x">J</a>',
      "[C](https://docs.example/c?x=1#y) J",
    ],
    ["lists", "<ul><li>a<li>b<ul><li>c</ul></ul><ol><li>x<li>y</ol>", "- a\n- b\n  - c\n\n1. x\n2. y"],
    [
      "code",
      "<p>Run <code>a  b</code>:<pre><code class=language-sh>x\n  y\n</code></pre>",
      "Run `a  b`:\n\n```sh\nx\n  y\n```",
    ],
    ["emphasis", "<b>a</b> <em>b</em>", "**a** *b*"],
    ["a table", "<table><tr><th>A<th>B<tr><td>1<td>2</table>", "| A | B |\n| --- | --- |\n| 1 | 2 |"],
    [
      "what is not read",
      "<script>x</script><style>y</style><template>z</template><noscript>n</noscript><p>t<svg><text>s</text></svg>",
      "t",
    ],
    ["hidden text stays out", "<p hidden>no</p><p style='display:none'>no</p><p aria-hidden=true>no</p>yes", "yes"],
    ["an image by its words", "<img alt='A map' src=/m.png><img src=x>", "![A map](https://docs.example/m.png)"],
    ["unclosed and wrong", "<p>a<div>b</p></div></section>c<", "a\n\nb\n\nc<"],
    [
      "a link without words, and emphasis in one",
      "<p>x <a href=y><b></b></a>y <a href=z>t<b></b></a>",
      "x y [t](https://docs.example/a/z)",
    ],
    ["a quotation", "<blockquote><p>a<p>b</blockquote>c", "> a\n>\n> b\n\nc"],
    ["a line break and a rule", "a<br>b<hr>c", "a\nb\n\n---\n\nc"],
  ] as const)
    it(`A13: ${what}`, async () => assert.equal(await read(html), text));

  it("A13: the title comes first where no heading says it", async () => {
    assert.equal(await read("<title>T</title><p>x"), "# T\n\nx");
    assert.equal(await read("<title>T</title><h1>T</h1><p>x"), "# T\n\nx");
  });

  it("R6 (finding R2): the host works on while a page is read, in the middle of a text too, and an abort ends it", async () => {
    for (const piece of ["<p>a", "<pre>a", "word ", "&amp;", "<!-- -->", "<a href=x>", "```\n"]) {
      const slices = new CountedSlices();
      const page = piece.repeat(400_000 / piece.length);
      await pageToMarkdown(page, base, slices);
      assert.ok(slices.pauses >= page.length / 4096, `${piece} ${slices.pauses}`);
    }
    const abort = new AbortController();
    const reading = pageToMarkdown("<p>a".repeat(100_000), base, new TimeSlices(abort.signal, 0));
    abort.abort();
    await assert.rejects(reading, { name: "AbortError" });
  });

  it("R6 (finding R2): where a page is cut for a pause changes nothing of its text", async () => {
    const page = `<title>T &amp; U</title><p class="a b">One <b>two</b>&nbsp;&lt;three <pre>\n a\n  b \`\`\`\n</pre><ul><li>x<blockquote><pre>y\n\nz</pre></ul><a href="../c?x=1&amp;y=2">C</a>`;
    const whole = await read(page);
    assert.match(whole, /^# T & U\n\nOne \*\*two\*\* <three/);
    assert.ok(whole.includes(">   ```\n>   y\n>   \n>   z\n>   ```"), whole);
    for (let before = 4096 - page.length; before <= 4096; before += 1) {
      // What is before the page has no text, and the first pause comes after it and a part of the page.
      const padded = `<!--${" ".repeat(Math.max(0, before - 7))}-->${page}`;
      assert.equal(await read(padded), whole, `${before}`);
    }
  });

  it("R6 (finding R2): a page whose links repeat a long address is cut", async () => {
    const long = new URL(`https://docs.example/${"x".repeat(3000)}/`);
    const text = await pageToMarkdown("<a href=y>a</a> ".repeat(100_000), long, new TimeSlices());
    assert.ok(
      text.length < 5 * 1024 * 1024 && text.endsWith("(cut: the rest of the page was not read)"),
      `${text.length}`,
    );
  });

  it("R6: anything is read in linear time, however deep", async () => {
    for (const piece of [
      "<div>",
      "<b>",
      "<a href=x>",
      "<ul><li>",
      "<blockquote>",
      "<table><tr><td>",
      "&amp;",
      "&#",
      "<!--",
      "<",
      "<p",
      "<a b=",
      "]]>",
      "\n",
      " ",
      "`",
      "<pre>",
      "<svg>",
      "<template>",
      // All on one line.
      "a <b>b</b> ",
      "x<a href=y></a>",
      "<a href=y>x <i></i></a> ",
    ])
      await assertLinear(
        isFullRun ? 256 * 1024 : 16 * 1024,
        (length) => {
          const page = piece.repeat(length / piece.length);
          return async () => assert.ok((await read(page)).length < 4 * length, piece);
        },
        piece,
      );
  });
});

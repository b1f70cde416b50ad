/** The text of pages: what a reader of them would read, in bounded time, whatever the page is made of. */
import assert from "node:assert/strict";
import { pageToMarkdown } from "../../../../src/tools/web/pageToMarkdown";
import { assertLinear } from "../../../support/growth";
import { isFullRun } from "../../../support/runs";

const base = new URL("https://docs.example/a/b");
const read = (html: string): string => pageToMarkdown(html, base);

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
    it(`A13: ${what}`, () => assert.equal(read(html), text));

  it("A13: the title comes first where no heading says it", () => {
    assert.equal(read("<title>T</title><p>x"), "# T\n\nx");
    assert.equal(read("<title>T</title><h1>T</h1><p>x"), "# T\n\nx");
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
          return () => assert.ok(read(page).length < 4 * length, piece);
        },
        piece,
      );
  });
});

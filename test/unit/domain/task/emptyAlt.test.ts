/** Where a document has a picture with an empty alternative text. */
import assert from "node:assert/strict";
import { emptyAltAt } from "../../../../src/domain/task/emptyAlt";
import { assertLinear } from "../../../support/growth";

/** With the text `ALT` in its place; `|` is where the cursor is. */
function described(marked: string): string | undefined {
  const offset = marked.indexOf("|");
  const text = marked.replace("|", "");
  const found = emptyAltAt(text, offset);
  return found && `${text.slice(0, found.start)}${found.quote}ALT${found.quote}${text.slice(found.end)} ${found.path}`;
}

describe("an empty alternative text", () => {
  it("T20: of Markdown, HTML and JSX, also over several lines", () => {
    const cases: readonly (readonly [before: string, after: string | undefined])[] = [
      ["a ![|](img/a.png) b", "a ![ALT](img/a.png) b img/a.png"],
      ['![](<img/a b.png> "title")|', '![ALT](<img/a b.png> "title") img/a b.png'],
      ["![](a.png) and ![](b%20c.png#x|)", "![](a.png) and ![ALT](b%20c.png#x) b c.png"],
      ["![it](a.png|)", undefined],
      ["|text ![](a.png)", undefined],
      ['<img src="a.png" alt="|">', '<img src="a.png" alt="ALT"> a.png'],
      ["<IMG alt='' src='a.png?v=1'|/>", "<IMG alt='ALT' src='a.png?v=1'/> a.png"],
      ['<img\n  src="/a.png"\n  alt=""|\n/>', '<img\n  src="/a.png"\n  alt="ALT"\n/> /a.png'],
      ['<img src={"a.png"} alt={""|} />', '<img src={"a.png"} alt="ALT" /> a.png'],
      [
        '<p><img src="a.png" alt="x"><img| src="b.png" alt=""></p>',
        '<p><img src="a.png" alt="x"><img src="b.png" alt="ALT"></p> b.png',
      ],
      ['<img src="a.png" alt="a lighthouse"|>', undefined],
      ['<img src={a} alt=""|>', undefined],
      ['<img src="a.png" data-alt=""|>', undefined],
      ['<img src="a.png" alt="">\n|', undefined],
    ];
    for (const [before, after] of cases) assert.equal(described(before), after, before);
  });

  it("T20, F11: a text that is made to harm takes time in proportion to its length", async () => {
    for (const piece of ["![](", "<img ", '<img alt=""', "![]()", " alt ="])
      await assertLinear(
        2000,
        (length) => {
          const text = piece.repeat(length);
          return () => emptyAltAt(text, text.length / 2);
        },
        piece,
      );
  });
});

/** Which file of a picture or video a line names at a place. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { mediaReferenceAt, mediaReferencesIn } from "../../../../src/domain/task/mediaReference";
import { anyCharacter } from "../../../support/anyCharacter";

describe("reference to a picture or video", () => {
  it("T17: in Markdown, HTML, CSS and code, with escapes, a query or several in a srcset", () => {
    for (const [line, path] of [
      ["![A pier](assets/pi|er.png)", "assets/pier.png"],
      ['<img src="/img/a%20pi|er.webp?v=2" alt="">', "/img/a pier.webp"],
      ["  background: url('../pi|er.jpg#x');", "../pier.jpg"],
      ["import pier from '@/assets/p|ier.avif';", "@/assets/pier.avif"],
      ['<video src={"intro.m|p4"} />', "intro.mp4"],
      ['srcset="pier.png 1x, pie|r-2.png 2x"', "pier-2.png"],
      ["|pier.png", "pier.png"],
      ["pier.png|", "pier.png"],
      ["![](100%pi|er.png)", "100%pier.png"],
    ] as const) {
      const column = line.indexOf("|");
      const found = mediaReferenceAt(line.replace("|", ""), column);
      assert.equal(found?.path, path, line);
    }
    for (const line of ["pi|er.ts", "https://x.test/pi|er.png", "data:image/pi|er.png", "pier.png |", "a.png b|c"])
      assert.equal(mediaReferenceAt(line.replace("|", ""), line.indexOf("|")), undefined, line);
  });

  it("T17: all of a text, with their lines and the width that the tag or the rule around them says", () => {
    const text = [
      "# Pier",
      "![A pier](assets/pier.png)",
      '<img alt="" src="wide.png" style="max-width: 640px"',
      '  srcset="wide.png 1x, wide@2x.png 2x" sizes="(max-width: 90px) 100vw">',
      "<img src={'/img/small.webp'} width={320} />",
      '<img src="half.png" width="50%"> <img src="https://x.test/far.png">',
      "@media (max-width: 600px) { .hero { width: 300.5px; background: url(bg.jpg) } }",
      "p { max-width: 20px }",
      "See last.png.",
    ].join("\r\n");
    assert.deepEqual(mediaReferencesIn(text).references, [
      { path: "assets/pier.png", line: 2 },
      { path: "wide.png", line: 3, width: 640 },
      { path: "wide.png", line: 4, width: 640 },
      { path: "wide@2x.png", line: 4, width: 640 },
      { path: "/img/small.webp", line: 5, width: 320 },
      { path: "half.png", line: 6 },
      { path: "bg.jpg", line: 7, width: 300 },
    ]);
  });

  it("T17, R6: a text that consists of references takes no longer than a text of its length", () => {
    const many = mediaReferencesIn("a.png ".repeat(100_000));
    assert.deepEqual([many.references.length, many.isCut], [2000, true]);
    const named = mediaReferencesIn("a b.png ".repeat(100_000), ["a b.png"]);
    assert.deepEqual([named.references.length, named.isCut], [2000, true]);
    const last = mediaReferencesIn(".png".repeat(200_000));
    assert.deepEqual([last.references.length, last.isCut], [1, false]);
  });

  it("T17: a name with blanks, brackets or commas is found where it is looked for, and no end of it is another file", () => {
    const text = [
      '<img src="/Team photo.webp" width="300"> photo.webp',
      "![](img%20s/hero%20(1).png) ![](hero (1).png) <img src='a,b.png'>",
      "My Team photo.webp.bak, my-Team photo.webp, https://x.test/Team photo.webp",
    ].join("\n");
    assert.deepEqual(mediaReferencesIn(text, ["Team photo.webp", "hero (1).png", "a,b.png"]).references, [
      { path: "/Team photo.webp", line: 1, width: 300 },
      { path: "photo.webp", line: 1 },
      { path: "img s/hero (1).png", line: 2 },
      { path: "hero (1).png", line: 2 },
      { path: "a,b.png", line: 2 },
      { path: "photo.webp", line: 3 },
      { path: "photo.webp", line: 3 },
    ]);
  });

  it("T17, R6: any text is read, in its line", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.nat({ max: 100 }), (text, at) => {
        const line = `${text}.png`;
        const found = mediaReferenceAt(line, Math.min(at, line.length));
        assert.ok(found === undefined || (found.start >= 0 && found.end <= line.length && found.start < found.end));
      }),
    );
  });
});

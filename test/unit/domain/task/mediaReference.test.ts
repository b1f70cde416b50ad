/** Which file of a picture or video a line names at a place. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { mediaReferenceAt } from "../../../../src/domain/task/mediaReference";

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

  it("T17, R6: any text is read, in its line", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat({ max: 100 }), (text, at) => {
        const line = `${text}.png`;
        const found = mediaReferenceAt(line, Math.min(at, line.length));
        assert.ok(found === undefined || (found.start >= 0 && found.end <= line.length && found.start < found.end));
      }),
    );
  });
});

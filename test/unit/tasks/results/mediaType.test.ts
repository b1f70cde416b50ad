/** What a downloaded file is: SVG after whatever XML allows in front of it. Its time on hostile texts is in `test/unit/lint/linearPatterns.test.ts`. */
import assert from "node:assert/strict";
import { readMediaType, sniffedLength } from "../../../../src/tasks/results/mediaType";
import { runWithin } from "../../../support/runWithin";

const typeOf = (text: string, declared = "image/png"): string | undefined =>
  readMediaType(Buffer.from(text), declared)?.mimeType;

describe("type of a result", () => {
  it("T8: SVG is found behind a declaration, comments, a document type and blanks", () => {
    for (const before of [
      "",
      "\ufeff \n",
      '<?xml version="1.0"?>',
      '<?xml version="1.0"?>\n<!-- a > b -->\n<!-- c --><!DOCTYPE\n svg PUBLIC "a" "b">\n',
    ])
      for (const svg of ["<svg>", "<svg xmlns='x'>", "<SVG\n>"]) assert.equal(typeOf(before + svg), "image/svg+xml");
  });

  it("T8: what only mentions it, has another element first or does not end its prologue is none", () => {
    for (const text of [
      "<!-- <svg> -->",
      "<html><svg>",
      "<!-- a <svg>",
      "<?xml <svg>",
      "<svgx>",
      "a<svg>",
      "<!DOCTYPE html><svg>",
    ])
      assert.equal(typeOf(text), undefined);
  });

  it("H1, T8: 1 KB of comments, or of anything else in front of it, is read at once", () => {
    for (const part of ["<!---->", "<!---->\n", "<?xml?>", "<?xml ?> ", "<!DOCTYPE svg>", "<!--", " "]) {
      const text = part.repeat(sniffedLength / part.length);
      assert.ok(
        runWithin(1000, () => assert.equal(typeOf(text), undefined)),
        part,
      );
    }
  });
});

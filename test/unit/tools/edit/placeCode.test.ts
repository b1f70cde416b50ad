/** Where the code of an answer goes in a document. */
import assert from "node:assert/strict";
import { placeCode } from "../../../../src/tools/edit/placeCode";

const caret = (at: number): { start: number; end: number } => ({ start: at, end: at });

const file = `import { a } from "./a";

export function first(): void {
  if (a) {
    a();
  }
}

export class Second {
  third(): number {
    return 3;
  }
}
`;

describe("placeCode", () => {
  it("P1: code replaces the selection, with the document's line ends", () => {
    assert.equal(placeCode("one\r\ntwo\r\nthree", "2\nzwei\n", { start: 5, end: 8 }), "one\r\n2\r\nzwei\r\nthree");
  });

  it("P1: whole lines that were selected are replaced by whole lines", () => {
    assert.equal(placeCode("one\ntwo\nthree\n", "2\n", { start: 4, end: 8 }), "one\n2\nthree\n");
    assert.equal(placeCode("one\r\ntwo\r\nthree", "2", { start: 5, end: 10 }), "one\r\n2\r\nthree");
  });

  it("P1: a new version of a function replaces that function to its own end, and nothing else", () => {
    const code = "export function first(): void {\n  if (a) {\n    a(1);\n  }\n  a(2);\n}\n";
    assert.equal(placeCode(file, code, caret(0)), file.replace("    a();\n  }\n", "    a(1);\n  }\n  a(2);\n"));
  });

  it("P1: a method that is written without its class keeps the indentation of the file", () => {
    const code = "third(): number {\n  // counted\n  return 4;\n}";
    const expected = file.replace("    return 3;", "    // counted\n    return 4;");
    assert.equal(placeCode(file, code, caret(0)), expected);
  });

  it("P1: a whole file replaces the whole file, and keeps the line end at its end", () => {
    const code = file.replace("return 3", "return 33").replace("a();", "a(9);");
    assert.equal(placeCode(file, code, caret(0)), code);
    assert.equal(placeCode(file, code.trimEnd(), caret(0)), code);
    assert.equal(placeCode("", "whole\n", caret(0)), "whole");
  });

  it("P1: code that is not in the file, or whose first line is in it twice, goes to the caret", () => {
    const at = file.indexOf("export class");
    const fresh = "export const fresh = 1;\n";
    assert.equal(placeCode(file, fresh, caret(at)), `${file.slice(0, at)}export const fresh = 1;${file.slice(at)}`);
    assert.equal(placeCode("x\ny\nx\n", "x\ny", caret(0)), "x\nyx\ny\nx\n");
  });
});

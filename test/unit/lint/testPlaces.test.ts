/** A unit test lies in the folder of its source: below `test/unit` there are the folders of `src`, and a test named after a file lies in that file's. */
import assert from "node:assert/strict";
import path from "node:path";
import ts from "typescript";

/** Paths below `root`, with `/`. */
function filesBelow(root: string, ending: string): readonly string[] {
  return ts.sys
    .readDirectory(root, [ending])
    .map((file) => path.relative(root, path.resolve(file)).replaceAll("\\", "/"));
}

const sources = filesBelow("src", ".ts");
/** Those in `test/unit` itself are about the whole package; those in `lint` about its text. */
const tests = filesBelow("test/unit", ".test.ts").filter((test) => test.includes("/") && !test.startsWith("lint/"));
/** `chat`, `chat/host`, `chat/page`: the top folder, and what of it runs elsewhere. */
const areaOf = (file: string): string => /^\w+\/(?:host|page|contract)(?=\/)|^[^/]*/.exec(file)?.[0] ?? "";

describe("places of tests", () => {
  it("V5: each folder of unit tests is a folder of the sources", () => {
    assert.ok(tests.length > 100);
    const folders = new Set(sources.map((file) => path.posix.dirname(file)));
    const holdsSources = (folder: string): boolean =>
      [...folders].some((known) => known === folder || known.startsWith(`${folder}/`));
    assert.deepEqual(
      tests.filter((test) => !holdsSources(path.posix.dirname(test))),
      [],
    );
  });

  it("V5: a unit test with the name of a source lies in the source's folder", () => {
    const misplaced = tests.flatMap((test) => {
      const name = path.posix.basename(test, ".test.ts");
      const named = sources.filter(
        (file) => areaOf(file) === areaOf(test) && path.posix.basename(file, ".ts") === name,
      );
      const isBeside = named.some((file) => path.posix.dirname(file) === path.posix.dirname(test));
      return named.length === 0 || isBeside ? [] : [`${test}: ${named.join(", ")}`];
    });
    assert.deepEqual(misplaced, []);
  });
});

/** Comments name mechanism and reason: without the words that make a person of the code or that a reader has to guess. */
import assert from "node:assert/strict";
import { globSync } from "tinyglobby";
import ts from "typescript";
import { commentsOf } from "./sourceComments";

/** The words, and what to write instead. */
const avoided: readonly (readonly [RegExp, string])[] = [
  [/\b(?:told|tells?|telling)\b/i, "who sends, reports, returns or shows what to whom"],
  [/\b(?:know(?:s|n't)?|knew)\b/i, "has, reads, accepts or names"],
  [/\banew\b/i, "again, re-…, restarts, rebuilds"],
  [/\bby (?:it|them)sel(?:f|ves)\b/i, "without a click, automatically, separately, alone"],
  [/\b(?:stands?|stood)\b/i, "is, contains, represents, unchanged"],
  [/\b(?:somebody|someone|nobody)\b/i, "the person, another process, no window …"],
];

const avoidedIn = (comment: string): readonly string[] =>
  avoided.flatMap(([word, instead]) => {
    const found = word.exec(comment);
    return found ? [`“${found[0]}”: ${instead}`] : [];
  });

describe("words of comments", () => {
  it("V5: comments say what the code does, not what it knows or tells", () => {
    const files = globSync(["src/**/*.{ts,css}", "{scripts,bench}/**/*.mjs", "test/**/*.{ts,mjs}", "*.mjs"]);
    assert.ok(files.length > 500);
    const wrong = files
      // Parsing all of them would take seconds.
      .filter((file) => avoidedIn(ts.sys.readFile(file) ?? "").length > 0)
      .flatMap((file) =>
        commentsOf(file, ts.sys.readFile(file) ?? "").flatMap(({ line, text }) =>
          avoidedIn(text).map((found) => `${file}:${line}: ${found}`),
        ),
      );
    assert.deepEqual(wrong, []);
  });

  it("V5: the words are found in comments only", () => {
    assert.equal(avoidedIn("// It knows, and is told anew.").length, 3);
    assert.deepEqual(avoidedIn("// An unknown standard"), []);
    const source =
      'const told = `// knows`; /* a */ call(/^\\/\\/ stands/, /* b */ "// c"); // d\n/** e */\nfunction f() {}';
    assert.deepEqual(
      commentsOf("a.ts", source).map(({ line, text }) => `${line} ${text}`),
      ["1 /* a */", "1 /* b */", "1 // d", "2 /** e */"],
    );
    assert.deepEqual(commentsOf("a.css", "a {}\n/* b */"), [{ line: 2, text: "/* b */" }]);
  });
});

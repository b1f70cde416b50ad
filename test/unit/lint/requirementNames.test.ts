/** The tables of docs/requirements.md and docs/quirks.md and the titles of the tests name the same requirements and quirks; comments name no document that is not here. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { globSync } from "tinyglobby";
import { quirkRows } from "../../loopback/gateway/quirkRows";
import { commentsOf } from "./sourceComments";
import { readTestTitles, titlesOf } from "./testTitles";

const tables = ["requirements", "quirks"].map((name) => readFileSync(`docs/${name}.md`, "utf8")).join("\n");
/** The first cells of the rows whose cell matches. */
const rowsOf = (name: RegExp): string[] =>
  [...tables.matchAll(/^\|\s*([\w-]+)\s*\|/gm)].map(([, cell = ""]) => cell).filter((cell) => name.test(cell));
const rows = { requirements: rowsOf(/^[A-Z]\d+$/), quirks: rowsOf(/^Q-[A-Z]\d+$/) };
const requirements = new Set(rows.requirements);
const quirks = new Set(rows.quirks);

/** The letters of both tables, with a number: `T1`, `Q-T1`. Not the number of a finding, as in `(finding S13)`, nor V8 and the C0 controls. */
const namesIn = (text: string): string[] =>
  text
    .replaceAll(/\(findings? [^)]*\)|\bV8\b|\bC0\b/g, "")
    .match(/(?<![\w./%-])(?:Q-)?[ACEFKLPRSTV]\d{1,2}(?![\w.])/g) ?? [];
const isKnown = (name: string): boolean => requirements.has(name) || quirks.has(name);
const unknownNames = (text: string): string[] => namesIn(text).filter((name) => !isKnown(name));

const titles = readTestTitles();
/** Recordings are tests too: `fixtures.test.ts` makes a test of each, under its file name. */
const recordings = ["chat-completions", "messages", "generate-content"].flatMap((family) =>
  readdirSync(path.join("test", "fixtures", family)),
);

describe("names of requirements and quirks", () => {
  it("V5: titles are read with their describes, from templates and through constants", () => {
    const source = `
      const onPosix = isWindows ? it.skip : it;
      describe("S1: a", () => {
        describe(name, () => {
          it(\`T1: \${x} b\`, () => {});
          onPosix("c", () => {}).timeout(5);
        });
      });`;
    assert.deepEqual(
      titlesOf("a.test.ts", source).map(({ full }) => full),
      ["S1: a … T1: … b", "S1: a … c"],
    );
    assert.deepEqual(unknownNames("T1, K1 (finding S99): P77, Q-T99 and HTTP/1.1"), ["K1", "P77", "Q-T99"]);
  });

  it("V5: the tables and the tests are there", () => {
    assert.ok(requirements.size >= 60, `${requirements.size} requirements`);
    assert.ok(quirks.size >= 80, `${quirks.size} quirks`);
    for (const names of Object.values(rows)) assert.deepEqual(names, [...new Set(names)], "a name with two rows");
    assert.ok(titles.length >= 800, `${titles.length} tests`);
  });

  it("V5: every test names what it shows", () => {
    const nameless = titles.filter(({ full }) => !namesIn(full).some(isKnown));
    assert.deepEqual(nameless, []);
  });

  it("V5: no test names a requirement or a quirk that the tables lack", () => {
    const wrong = titles.flatMap(({ file, full }) => unknownNames(full).map((name) => `${name} in ${file}: ${full}`));
    assert.deepEqual(wrong, []);
    assert.deepEqual(
      [...Object.values(quirkRows), ...recordings.flatMap(namesIn)].filter((name) => !quirks.has(name)),
      [],
    );
  });

  it("V5, R2: every quirk has a test that is named after it", () => {
    // The titles of quirks.test.ts and taskQuirks.test.ts are made of the table of switches, a test for each.
    const tested = new Set([...titles.map(({ full }) => full), ...Object.values(quirkRows)].flatMap(namesIn));
    for (const recording of recordings) for (const name of namesIn(recording)) tested.add(name);
    assert.deepEqual(
      [...quirks].filter((name) => !tested.has(name)),
      [],
    );
  });

  it("V5: no comment or title names a requirement, a quirk or a document that is not in the repository", () => {
    const files = globSync(["{src,test,scripts,bench}/**/*.{ts,mjs,cjs,css}", "*.{mjs,cjs}", ".*.cjs"]);
    assert.ok(files.length > 450);
    const wrongIn = (text: string): string[] => [...unknownNames(text), ...foreignDocuments(text)];
    const wrong = files
      .map((file) => [file, readFileSync(file, "utf8")] as const)
      // Parsing all of them would take seconds.
      .filter(([, text]) => wrongIn(text).length > 0)
      .flatMap(([file, text]) =>
        commentsOf(file, text).flatMap((comment) => wrongIn(comment.text).map((name) => `${file}: ${name}`)),
      );
    const wrongTitles = titles.filter(({ full }) => foreignDocuments(full).length > 0);
    assert.deepEqual([wrong, wrongTitles], [[], []]);
  });
});

/** Files of documents that are not here, and documents that were named by their place elsewhere. */
function foreignDocuments(comment: string): string[] {
  const files = (comment.match(/(?<![*\w./-])[\w./-]+\.md\b/g) ?? []).filter((name) => !existsSync(name));
  return [...files, ...(comment.match(/service-spec|\b[Cc]ontract \d|quirk list/g) ?? [])];
}

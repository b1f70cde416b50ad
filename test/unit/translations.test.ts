/** The interface in Simplified Chinese is complete: what the sources and the manifest say in English has a translation, and nothing else has. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as z from "zod/mini";
import { bundlePath, collectWords, readWords } from "../../scripts/words.mjs";

type Bundle = Readonly<Record<string, string>>;
const readBundle = (path: string): Bundle =>
  z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(path, "utf8")));
const words = readWords();
const bundle = readBundle(bundlePath);
const english = readBundle("package.nls.json");
const manifest = readBundle("package.nls.zh-cn.json");
/** Each English text with its translation, of the sources and of the manifest. */
const pairs: readonly (readonly [string, string])[] = [
  ...Object.entries(bundle),
  ...Object.entries(manifest).map(([key, text]) => [english[key] ?? "", text] as const),
];

/** What both languages write alike: names, units, and marks around a value. */
const alike = new Set([
  ...["API", "TLS", "Chat completions", "Messages", "Generate content"],
  ...["{0} KB", "{0} MB", "{0} · {1}", "“{0}”"],
]);

/** What must be in both texts: values, code, and the commands of links. */
const fixedParts = (text: string): string[] => (text.match(/\{\d+\}|`[^`]+`|\]\(command:[\w.]+\)/g) ?? []).sort();
const unlike = (isRight: (english: string, chinese: string) => boolean): unknown[] =>
  pairs.filter(([from, to]) => !isRight(from, to));

describe("translations", () => {
  it("P6: t() gets literals only, inside functions, so that each text is known and is read when the bundle is there", () => {
    assert.ok(words.texts.size > 500);
    assert.deepEqual(words.problems, []);
  });

  it("P6: what can't be translated is found", () => {
    const problemsOf = (source: string): string[] => {
      const found = { texts: new Set<string>(), problems: [] as string[] };
      collectWords("a.ts", source, found);
      return found.problems.map((problem) => problem.split(": ")[1] ?? "");
    };
    assert.deepEqual(problemsOf("const say = () => t(`Hello ${name}`);"), ["not a literal"]);
    assert.deepEqual(problemsOf('class A { text = t("a"); b() { return t("b" + c); } }'), ["not a literal"]);
    assert.deepEqual(problemsOf('const label = t("Open");'), ["before the translations are loaded"]);
    assert.deepEqual(problemsOf('class A { static text = t("a"); }'), ["before the translations are loaded"]);
    assert.deepEqual(problemsOf("const all = () => texts.map(t);"), ["t is passed on"]);
    assert.deepEqual(problemsOf('import { t as say } from "@vscode/l10n";'), ["t has another name"]);
  });

  it("P6: the Chinese bundle has each text of the sources, and no other (node scripts/words.mjs lists them)", () => {
    assert.deepEqual(
      [...words.texts].filter((text) => !(text in bundle)),
      [],
    );
    assert.deepEqual(
      Object.keys(bundle).filter((text) => !words.texts.has(text)),
      [],
    );
  });

  it("P6: package.nls.zh-cn.json has each word of package.nls.json, and no other", () => {
    assert.deepEqual(Object.keys(manifest).sort(), Object.keys(english).sort());
  });

  it("P6: a translation has the values, code and links of its English text, and is one", () => {
    assert.deepEqual(
      unlike((from, to) => fixedParts(from).join() === fixedParts(to).join()),
      [],
    );
    assert.deepEqual(
      unlike((from, to) => to.trim() !== "" && (to !== from || alike.has(from))),
      [],
    );
  });

  it("P6: Chinese is written with full-width marks, and a space between it and Latin letters or digits", () => {
    const crowded = /\p{Script=Han}[\w`{]|[\w`}]\p{Script=Han}/u;
    assert.deepEqual(
      unlike((_from, to) => !/\p{Script=Han}[,;:?!()]|[,;:?!()]\p{Script=Han}/u.test(to)),
      [],
    );
    // A value that is a word of the interface, such as a state, is Chinese itself.
    assert.deepEqual(
      unlike((_from, to) => !crowded.test(to.replaceAll(/\{\d+\}/g, "。"))),
      [],
    );
    assert.deepEqual(
      unlike((_from, to) => !/[！!]/.test(to)),
      [],
    );
  });
});

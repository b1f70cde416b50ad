/** Each language of l10n/ is complete: what the sources and the manifest say in English has a translation, and nothing else has. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { globSync } from "tinyglobby";
import * as z from "zod/mini";
import { bundleKeys, collectWords, readLanguages, readWords } from "../../scripts/words.mjs";

type Bundle = Readonly<Record<string, string>>;
const readBundle = (path: string): Bundle =>
  z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(path, "utf8")));
const words = readWords();
const english = readBundle("package.nls.json");
const languages = readLanguages().map(({ language, bundle, manifest }) => ({
  language,
  bundle: readBundle(bundle),
  manifest: readBundle(manifest),
}));
type Language = (typeof languages)[number];

/** The English text behind a key: `/few` and the like name a plural form. */
const textOf = (key: string): string => (words.texts.has(key) ? key : key.replace(/\/(?:zero|one|two|few|many)$/, ""));
/** Each English text with its translation, of the sources and of the manifest. */
const pairsOf = ({ bundle, manifest }: Language): readonly (readonly [string, string])[] => [
  ...Object.entries(bundle).map(([key, text]) => [textOf(key), text] as const),
  ...Object.entries(manifest).map(([key, text]) => [english[key] ?? "", text] as const),
];

/** What all languages write alike: names, units, and marks around a value. */
const alike = new Set([
  ...["API", "TLS", "Chat completions", "Messages", "Generate content"],
  ...["{0} KB", "{0} MB", "{0} · {1}", "{0} {1}", "“{0}”"],
]);

/** What must be in both texts: values, code, and the commands of links. */
const fixedParts = (text: string): string[] => (text.match(/\{\d+\}|`[^`]+`|\]\(command:[\w.]+\)/g) ?? []).sort();
const unlike = (language: Language, isRight: (english: string, translated: string) => boolean): unknown[] =>
  pairsOf(language).filter(([from, to]) => !isRight(from, to));

describe("translations", () => {
  it("P6: t() gets literals only, inside functions, so that each text is known and is read when the bundle is there", () => {
    assert.ok(words.texts.size > 500);
    assert.deepEqual(words.problems, []);
  });

  it("P6: what can't be translated is found", () => {
    const problemsOf = (source: string): string[] => {
      const found = { texts: new Set<string>(), plurals: new Set<string>(), problems: [] as string[] };
      collectWords("a.ts", source, found);
      return found.problems.map((problem) => problem.split(": ")[1] ?? "");
    };
    assert.deepEqual(problemsOf("const say = () => t(`Hello ${name}`);"), ["not a literal"]);
    assert.deepEqual(problemsOf('class A { text = t("a"); b() { return t("b" + c); } }'), ["not a literal"]);
    assert.deepEqual(problemsOf('const label = t("Open");'), ["before the translations are loaded"]);
    assert.deepEqual(problemsOf('class A { static text = t("a"); }'), ["before the translations are loaded"]);
    assert.deepEqual(problemsOf("const all = () => texts.map(t);"), ["t is passed on"]);
    const pair = "two texts for a count in place of plural()";
    assert.deepEqual(problemsOf('const say = (n: number) => n === 1 ? t("1 file") : t("{0} files", n);'), [pair]);
    for (const choice of [
      'n > 1 ? t("{0} files", n) : t("1 file")',
      'n <= 1 ? t("Open File") : t("Open Files")',
      '2 > n ? t("1 file") : (isBig ? t("{0} big files", n) : t("{0} files", n))',
      'all.length === 0 ? t("no file") : t("{0} files", format(all.length))',
      'n !== 1 ? t("{0} files", n) : ""',
    ])
      assert.deepEqual(problemsOf(`const say = (n: number) => ${choice};`), [pair], choice);
    for (const choice of [
      'all.length === 0 ? t("no file") : t("{0}: {1}", name, joinWords(all))',
      'n > 1 ? plural(n, { other: "{0} files" }) : t("Open File")',
      'n > 0 ? plural(n, { one: "1 file", other: "{0} files" }) : t("no file")',
      'name === "" ? t("a file") : t("{0} files", n)',
    ])
      assert.deepEqual(problemsOf(`const say = (n: number) => ${choice};`), [], choice);
    assert.deepEqual(problemsOf('const say = (n: number) => plural(n, { one, other: "{0} files" });'), [
      "no literal forms",
    ]);
    assert.deepEqual(problemsOf('import { t as say } from "@vscode/l10n";'), ["t has another name"]);
  });

  it("P6: what languages there are, the files say: each has a bundle and the words of package.json", () => {
    const manifests = globSync("package.nls.*.json").map((file) => file.split(".")[2]);
    assert.deepEqual(
      manifests.sort(),
      languages.map(({ language }) => language),
    );
    assert.ok(languages.length > 0);
  });

  for (const each of languages) {
    const { language, bundle, manifest } = each;

    it(`P6: the bundle of ${language} has each text and plural form of the sources, and no other (node scripts/words.mjs lists them)`, () => {
      const keys = bundleKeys(words, language);
      assert.deepEqual(
        [[...keys].filter((key) => !(key in bundle)), Object.keys(bundle).filter((key) => !keys.has(key))],
        [[], []],
      );
      assert.deepEqual(Object.keys(bundle), Object.keys(bundle).sort(), "in order, so that two changes rarely meet");
      assert.equal(bundle["en"], language, "the word that names the language, by which plural forms are chosen");
    });

    it(`P6: package.nls.${language}.json has each word of package.nls.json, and no other`, () => {
      assert.deepEqual(Object.keys(manifest).sort(), Object.keys(english).sort());
    });

    it(`P6: a translation to ${language} has the values, code and links of its English text, and is one`, () => {
      assert.deepEqual(
        unlike(each, (from, to) => fixedParts(from).join() === fixedParts(to).join()),
        [],
      );
      assert.deepEqual(
        unlike(each, (from, to) => to.trim() !== "" && (to !== from || alike.has(from))),
        [],
      );
    });
  }

  for (const each of languages.filter(({ language }) => language.startsWith("zh")))
    it(`P6: Chinese (${each.language}) is written with full-width marks, and a space between it and Latin letters or digits`, () => {
      const crowded = /\p{Script=Han}[\w`{]|[\w`}]\p{Script=Han}/u;
      assert.deepEqual(
        unlike(each, (_from, to) => !/\p{Script=Han}[,;:?!()]|[,;:?!()]\p{Script=Han}/u.test(to)),
        [],
      );
      // A value that is a word of the interface, such as a state, is Chinese itself.
      assert.deepEqual(
        unlike(each, (_from, to) => !crowded.test(to.replaceAll(/\{\d+\}/g, "。"))),
        [],
      );
      assert.deepEqual(
        unlike(each, (_from, to) => !/[！!]/.test(to)),
        [],
      );
    });

  for (const each of languages.filter(({ language }) => language.startsWith("zh")))
    it(`P6: a word that stands for two things in English letters has two in Chinese (${each.language}), and one thing has one`, () => {
      // 代理 is both, in the field: here it is the proxy alone.
      assert.deepEqual(
        unlike(each, (from, to) => !/\bagents?\b/i.test(from) || /\bprox/i.test(from) || !to.includes("代理")),
        [],
      );
      assert.deepEqual(
        unlike(each, (from, to) => !to.includes("智能体") || /\bagents?\b/i.test(from)),
        [],
      );
      // VS Code's own word for Undo.
      assert.deepEqual(
        unlike(each, (_from, to) => !to.includes("撤消")),
        [],
      );
    });
});

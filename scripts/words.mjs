// `node scripts/words.mjs`: prints what each language's bundle lacks, as JSON to fill in, and what it has for nothing. The tests read the same list.
import { readFileSync } from "node:fs";
import path from "node:path";
import { globSync } from "tinyglobby";
import ts from "typescript";

/** The translations that there are, by their files: the bundle of the sources' texts, and the words of package.json. */
export function readLanguages(root = ".") {
  return globSync("l10n/bundle.l10n.*.json", { cwd: root })
    .sort()
    .map((file) => {
      const [, language = ""] = /bundle\.l10n\.(.+)\.json$/.exec(file) ?? [];
      return { language, bundle: path.join(root, file), manifest: path.join(root, `package.nls.${language}.json`) };
    });
}

/**
 * The keys of a language's bundle: each text, and each further plural form that the language has, as `plural()` looks it up.
 * @param {Words} words @param {string} language
 */
export function bundleKeys({ texts, plurals }, language) {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
  const further = pluralCategories.filter((category) => category !== "other");
  return new Set([...texts, ...[...plurals].flatMap((other) => [other, ...further.map((form) => `${other}/${form}`)])]);
}

/**
 * @typedef {object} Words
 * @property {Set<string>} texts the English texts, which are the keys of a bundle
 * @property {Set<string>} plurals of the sentences with a count, the English text for `other`
 * @property {string[]} problems calls that no bundle can translate, each with its place
 */

/** This file gives `t()` what it was given itself, and asks for the bundle's language by the word that names English. */
const pluralFile = "src/domain/words/plural.ts";

/** @type {Words | undefined} */
let known;

/** Every text that the sources give to `t()` and `plural()`; they are read once. @returns {Words} */
export function readWords() {
  return (known ??= readSources());
}

function readSources() {
  /** @type {Words} */
  const words = { texts: new Set(["en"]), plurals: new Set(), problems: [] };
  for (const file of globSync("src/**/*.ts").sort()) {
    const source = readFileSync(file, "utf8");
    if (file !== pluralFile && /"@vscode\/l10n"|\/plural"/.test(source)) collectWords(file, source, words);
  }
  return words;
}

/** @param {string} file @param {string} source @param {Words} words */
export function collectWords(file, source, words) {
  // Comments are half of the work, so they are left out.
  const how = { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
  const root = ts.createSourceFile(file, source, how, true);
  /** @param {ts.Node} node @param {string} what */
  const report = (node, what) => {
    const { line } = root.getLineAndCharacterOfPosition(node.getStart());
    words.problems.push(`${file}:${line + 1}: ${what}: ${node.getText().slice(0, 80)}`);
  };
  /** @param {ts.Node} node @param {boolean} isCalled whether the node is evaluated when something calls it, not when the file is loaded */
  const visit = (node, isCalled) => {
    if (ts.isImportSpecifier(node)) {
      if (node.propertyName?.text === "t") report(node, "t has another name");
      return;
    }
    const parent = node.parent;
    if (ts.isIdentifier(node) && node.text === "t" && !(ts.isCallExpression(parent) && parent.expression === node)) {
      if (!ts.isPropertyAccessExpression(parent) && !ts.isPropertyAssignment(parent)) report(parent, "t is passed on");
    }
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === "t") {
      const [text] = node.arguments;
      if (text === undefined || !ts.isStringLiteralLike(text)) report(node, "not a literal");
      else words.texts.add(text.text);
      if (!isCalled) report(node, "before the translations are loaded");
    }
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === "plural") {
      const forms = readForms(node.arguments[1]);
      if (forms?.["other"] === undefined) report(node, "no literal forms");
      else words.plurals.add(forms["other"]);
      if (!isCalled) report(node, "before the translations are loaded");
    }
    if (ts.isConditionalExpression(node) && choosesByCount(node)) {
      report(node, "two texts for a count in place of plural()");
    }
    const calledLater = ts.isFunctionLike(node) || (ts.isPropertyDeclaration(node) && !isStatic(node));
    ts.forEachChild(node, (child) => visit(child, isCalled || calledLater));
  };
  visit(root, false);
}

/** Returns the forms that `plural()` is given, by category. It is undefined unless all are literals. @param {ts.Node | undefined} node */
function readForms(node) {
  if (node === undefined || !ts.isObjectLiteralExpression(node)) return undefined;
  /** @type {Record<string, string>} */
  const forms = {};
  for (const form of node.properties) {
    if (!ts.isPropertyAssignment(form) || !ts.isStringLiteralLike(form.initializer)) return undefined;
    forms[form.name.getText()] = form.initializer.text;
  }
  return forms;
}

/**
 * Whether a condition on a count chooses between texts in place of `plural()`: one is for exactly 1, or both are for ranges of the count, so
 * that a language with a third plural form can't use it. A comparison with 0 counts only where one of the texts shows the count: otherwise
 * the text for 0 is a message of its own.
 * @param {ts.ConditionalExpression} node
 */
function choosesByCount({ condition, whenTrue, whenFalse }) {
  const compared = readComparison(condition);
  if (compared === undefined) return false;
  const { count, number, isEquality } = compared;
  const texts = [whenTrue, whenFalse];
  if (number === "1" && isEquality) return texts.some(isText);
  return texts.every(isText) && (number !== "0" || texts.some((text) => showsCount(text, count)));
}

/**
 * Whether the expression is a call of `t()`, or a choice that may end with one.
 * @param {ts.Expression} node
 * @returns {boolean}
 */
function isText(node) {
  if (ts.isParenthesizedExpression(node)) return isText(node.expression);
  if (ts.isConditionalExpression(node)) return isText(node.whenTrue) || isText(node.whenFalse);
  return ts.isCallExpression(node) && node.expression.getText() === "t";
}

/**
 * Whether the count occurs in what a text is called with.
 * @param {ts.Node} node
 * @param {string} count
 * @returns {boolean}
 */
function showsCount(node, count) {
  return node.getText() === count || node.getChildren().some((child) => showsCount(child, count));
}

/**
 * Returns what a condition compares with a number.
 * @param {ts.Expression} condition
 */
function readComparison(condition) {
  if (!ts.isBinaryExpression(condition)) return undefined;
  const { left, right } = condition;
  const operator = condition.operatorToken.getText();
  const number = [left, right].find(ts.isNumericLiteral);
  if (number === undefined || !/^(?:[<>]=?|[!=]==)$/.test(operator)) return undefined;
  return {
    count: (number === left ? right : left).getText(),
    number: number.text,
    isEquality: operator.endsWith("=="),
  };
}

/** @param {ts.PropertyDeclaration} node */
function isStatic(node) {
  return node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword) ?? false;
}

if (import.meta.filename === process.argv[1]) {
  const words = readWords();
  for (const problem of words.problems) console.log(problem);
  for (const { language, bundle: file } of readLanguages()) {
    /** @type {Record<string, string>} */
    const bundle = JSON.parse(readFileSync(file, "utf8"));
    const keys = bundleKeys(words, language);
    const missing = [...keys].filter((key) => !(key in bundle)).sort();
    const stale = Object.keys(bundle).filter((key) => !keys.has(key));
    console.log(
      `Missing in ${file}: ${JSON.stringify(Object.fromEntries(missing.map((key) => [key, ""])), undefined, 2)}`,
    );
    console.log(`Stale in ${file}: ${JSON.stringify(stale, undefined, 2)}`);
  }
}

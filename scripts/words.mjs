// `node scripts/words.mjs`: what the Chinese bundle lacks, as JSON to fill in, and what it has for nothing. The tests read the same list.
import { readFileSync } from "node:fs";
import path from "node:path";
import { globSync } from "tinyglobby";
import ts from "typescript";

export const bundlePath = path.join("l10n", "bundle.l10n.zh-cn.json");

/**
 * @typedef {object} Words
 * @property {Set<string>} texts the English texts, which are the keys of a bundle
 * @property {string[]} problems calls that no bundle can translate, each with its place
 */

/** Every text that the sources give to `t()`. @returns {Words} */
export function readWords() {
  /** @type {Words} */
  const words = { texts: new Set(), problems: [] };
  for (const file of globSync("src/**/*.ts").sort()) {
    const source = readFileSync(file, "utf8");
    if (source.includes('"@vscode/l10n"')) collectWords(file, source, words);
  }
  return words;
}

/** @param {string} file @param {string} source @param {Words} words */
export function collectWords(file, source, words) {
  const root = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
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
    const calledLater = ts.isFunctionLike(node) || (ts.isPropertyDeclaration(node) && !isStatic(node));
    ts.forEachChild(node, (child) => visit(child, isCalled || calledLater));
  };
  visit(root, false);
}

/** @param {ts.PropertyDeclaration} node */
function isStatic(node) {
  return node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword) ?? false;
}

if (import.meta.filename === process.argv[1]) {
  /** @type {Record<string, string>} */
  const bundle = JSON.parse(readFileSync(bundlePath, "utf8"));
  const { texts, problems } = readWords();
  const missing = [...texts].filter((text) => !(text in bundle)).sort();
  const stale = Object.keys(bundle).filter((text) => !texts.has(text));
  for (const problem of problems) console.log(problem);
  console.log(`Missing: ${JSON.stringify(Object.fromEntries(missing.map((text) => [text, ""])), undefined, 2)}`);
  console.log(`Stale: ${JSON.stringify(stale, undefined, 2)}`);
}

/** The page's classes: each that the style sheets name is made somewhere, and each that is made has a style. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { globSync } from "tinyglobby";
import ts from "typescript";
import { parsing } from "../../support/parsing";

const read = (...patterns: string[]): string[] =>
  globSync(patterns).map((file) => readFileSync(path.resolve(file), "utf8"));
const sheets = read("src/webview/styles/*.css").map((text) => text.replaceAll(/\/\*[^]*?\*\//g, ""));
/** The page's code, and the unions whose values it writes into class names. */
const sources = [...read("src/webview/**/*.ts", "src/*/page/**/*.ts"), ...read("src/domain/chat/chat.ts")];

/** Set by VS Code on the body, by the icon font and by the highlighter. */
const foreign = /^(?:vscode-|codicon|hljs-|language_$)/;

const styled = new Set(
  sheets.flatMap((sheet) =>
    [...sheet.matchAll(/([^{}]+)\{/g)].flatMap(([, selector = ""]) =>
      [...selector.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name = ""]) => name),
    ),
  ),
);

/** The words of every string, and the text right before a `${`, such as `notice-`. */
const words = new Set<string>();
const prefixes = new Set<string>();
/** The words of what is written as a class: `class="…"`, `className = …`, `classList.add(…)`. */
const written = new Set<string>();

function addText(text: string, set: Set<string>, isBeforeValue = false): void {
  const parts = text.split(/[^\w-]+/);
  if (isBeforeValue) prefixes.add(parts.pop() ?? "");
  for (const part of parts) if (part !== "") set.add(part);
}

function visit(node: ts.Node): void {
  if (ts.isStringLiteralLike(node)) addText(node.text, words);
  if (ts.isTemplateExpression(node)) {
    const chunks = [node.head, ...node.templateSpans.map(({ literal }) => literal)];
    chunks.forEach((chunk, index) => addText(chunk.text, words, index < chunks.length - 1));
    const whole = chunks.map(({ text }) => text).join("${}");
    for (const [, value = ""] of whole.matchAll(/\bclass="([^"]*)"/g))
      addText(value.replaceAll(/[\w-]*\$\{\}[\w-]*/g, " "), written);
  }
  if (ts.isNoSubstitutionTemplateLiteral(node))
    for (const [, value = ""] of node.text.matchAll(/\bclass="([^"]*)"/g)) addText(value, written);
  if (ts.isBinaryExpression(node) && node.left.getText().endsWith(".className") && ts.isStringLiteral(node.right))
    addText(node.right.text, written);
  if (ts.isCallExpression(node) && /\.classList\.\w+$/.test(node.expression.getText()))
    for (const argument of node.arguments) if (ts.isStringLiteral(argument)) addText(argument.text, written);
  ts.forEachChild(node, visit);
}
for (const source of sources) visit(ts.createSourceFile("page.ts", source, parsing, true));

/** As a word, or as a prefix with a value behind it: `notice-${name}` and `key`. */
function isMade(name: string): boolean {
  return (
    words.has(name) || [...prefixes].some((prefix) => name.startsWith(prefix) && words.has(name.slice(prefix.length)))
  );
}

describe("the page's style sheets", () => {
  it("P1: have no rule for a class that the page never makes", () => {
    assert.deepEqual(
      [...styled].filter((name) => !foreign.test(name) && !isMade(name)),
      [],
    );
  });

  it("P1: have a rule for each class that the page makes", () => {
    assert.deepEqual(
      [...written].filter((name) => !foreign.test(name) && !styled.has(name)),
      [],
    );
  });
});

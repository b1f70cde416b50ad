/** The titles of the tests in a source: what mocha would print, with `…` for what only a run would fill in. */
import ts from "typescript";

/** Each is the titles of the enclosing `describe`s and of the test, joined by blanks. */
export function titlesOf(source: string): readonly string[] {
  const root = ts.createSourceFile("source.ts", source, ts.ScriptTarget.Latest);
  const aliases = aliasesOf(root);
  const titles: string[] = [];
  const visit = (node: ts.Node, above: readonly string[]): void => {
    let inside = above;
    const called = ts.isCallExpression(node) ? calledName(node.expression) : undefined;
    const kind = called === undefined ? undefined : (aliases.get(called) ?? called);
    const [title, ...rest] = ts.isCallExpression(node) ? node.arguments : [];
    if (title !== undefined && rest.length > 0 && (kind === "describe" || kind === "it")) {
      inside = [...above, staticText(title)];
      if (kind === "it") titles.push(inside.join(" "));
    }
    ts.forEachChild(node, (child) => visit(child, inside));
  };
  visit(root, []);
  return titles;
}

/** `it`, `it.skip` and `it(…).timeout` are all `it`. */
function calledName(expression: ts.Expression): string | undefined {
  if (ts.isIdentifier(expression)) return expression.text;
  return ts.isPropertyAccessExpression(expression) ? calledName(expression.expression) : undefined;
}

/** Constants that are `it` or `describe`: `const onPosix = process.platform === "win32" ? it.skip : it`. */
function aliasesOf(root: ts.SourceFile): ReadonlyMap<string, "it" | "describe"> {
  const aliases = new Map<string, "it" | "describe">();
  const standsFor = (value: ts.Expression): "it" | "describe" | undefined => {
    if (ts.isConditionalExpression(value)) return standsFor(value.whenTrue) ?? standsFor(value.whenFalse);
    const name = ts.isCallExpression(value) ? undefined : calledName(value);
    return name === "it" || name === "describe" ? name : undefined;
  };
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer) {
      const kind = standsFor(node.initializer);
      if (kind) aliases.set(node.name.text, kind);
    }
    ts.forEachChild(node, visit);
  };
  visit(root);
  return aliases;
}

/** Strings and templates as they are written; any other expression is `…`. */
function staticText(title: ts.Expression): string {
  if (ts.isStringLiteralLike(title)) return title.text;
  if (ts.isTemplateExpression(title))
    return [title.head.text, ...title.templateSpans.map(({ literal }) => `…${literal.text}`)].join("");
  // `` `…`.trimEnd() ``
  if (ts.isCallExpression(title) && ts.isPropertyAccessExpression(title.expression))
    return staticText(title.expression.expression);
  return "…";
}

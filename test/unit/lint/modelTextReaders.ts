/** Finds what reads text of a model without a pause: by what the source says, so that a new reader is measured before anyone thinks of it. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { globSync } from "tinyglobby";
import ts from "typescript";
import { parsing } from "../../support/parsing";

/** Where the words of a model come in: its calls and their arguments, its edits, what is asked of it, and what all of them read with. */
const folders = [
  ...["src/base/text/*.ts", "src/chat/{request,textCalls}/**/*.ts", "src/domain/{modes,tools}/**/*.ts"],
  ...["src/gateway/families/*.ts", "src/tools/{base,edit}/**/*.ts"],
];

const iterations = new Set(
  (
    "map flatMap filter some every find findIndex findLast findLastIndex reduce forEach sort slice indexOf lastIndexOf " +
    "includes join split replace replaceAll search match matchAll toWellFormed startsWith endsWith trim trimEnd trimStart test exec"
  ).split(" "),
);

/** The files with an exported function, or a method of an exported class, that takes a text and runs over it without `TimeSlices`. */
export function modelTextReaders(): readonly string[] {
  return globSync(folders)
    .sort()
    .filter((file) => {
      const root = parse(file);
      return root.statements.some((statement) => isReader(statement)) && hasIteration(root);
    });
}

/** The files that a file imports for more than their types, also those that these import. */
export function importedBy(file: string, known = new Set<string>()): ReadonlySet<string> {
  for (const statement of parse(file).statements) {
    if (!ts.isImportDeclaration(statement) || statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword)
      continue;
    const name = (statement.moduleSpecifier as ts.StringLiteral).text;
    const path = `${join(dirname(file), name).replaceAll("\\", "/")}.ts`;
    if (!name.startsWith(".") || known.has(path)) continue;
    known.add(path);
    importedBy(path, known);
  }
  return known;
}

const parsed = new Map<string, ts.SourceFile>();

function parse(file: string): ts.SourceFile {
  const known = parsed.get(file) ?? ts.createSourceFile(file, readFileSync(file, "utf8"), parsing, true);
  parsed.set(file, known);
  return known;
}

function isReader(statement: ts.Statement): boolean {
  if (!ts.canHaveModifiers(statement) || !hasModifier(statement, ts.SyntaxKind.ExportKeyword)) return false;
  if (ts.isFunctionDeclaration(statement)) return takesText(statement);
  if (!ts.isClassDeclaration(statement)) return false;
  return statement.members.some(
    (member) =>
      (ts.isMethodDeclaration(member) || ts.isConstructorDeclaration(member)) &&
      !(member.name && ts.isPrivateIdentifier(member.name)) &&
      takesText(member),
  );
}

/** What a model says in a word or two, and what others than it name. */
const shortTexts =
  /^(?:path|id|name|key|label|tool|model|chat|folder|root|language|title|type|kind|wireId|call|expression|extension|most)s?$/i;

function takesText(read: ts.FunctionDeclaration | ts.MethodDeclaration | ts.ConstructorDeclaration): boolean {
  if (hasModifier(read, ts.SyntaxKind.AsyncKeyword)) return false;
  if (read.parameters.some(({ type }) => type?.getText() === "TimeSlices")) return false;
  return read.parameters.some(
    ({ type, name }) =>
      /^(?:readonly )?string(?:\[\])?(?: \| undefined)?$/.test(type?.getText() ?? "") &&
      !shortTexts.test(name.getText()),
  );
}

function hasModifier(node: ts.HasModifiers, kind: ts.SyntaxKind): boolean {
  return node.modifiers?.some((modifier) => modifier.kind === kind) === true;
}

function hasIteration(node: ts.Node): boolean {
  if (ts.isIterationStatement(node, false)) return true;
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    if (iterations.has(node.expression.name.text)) return true;
  }
  return ts.forEachChild(node, hasIteration) === true;
}

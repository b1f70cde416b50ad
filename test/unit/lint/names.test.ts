/**
 * No name is that of two things within a top folder: files, types, exported functions; but for the files that each family has (its decoder,
 * its request), and the editor's side and the pages of a feature, each of which is counted alone. The name of a file does not begin with that of its folder, unless this is part of what it exports.
 */
import assert from "node:assert/strict";
import path from "node:path";
import ts from "typescript";

type Named = readonly [name: string, place: string];

const files = ts.sys
  .readDirectory("src", [".ts"])
  .map((file) => path.relative("src", path.resolve(file)).replaceAll("\\", "/"));
const isFileOfFamily = (file: string): boolean => /(^|\/)families\/(?!shared)\w+\//.test(file);
const sources = new Map(
  files.map((file) => [
    file,
    ts.createSourceFile(file, ts.sys.readFile(path.join("src", file)) ?? "", ts.ScriptTarget.Latest),
  ]),
);

/** `chat`, `chat/host`, `chat/page`: the top folder, and what of it runs elsewhere. */
const areaOf = (file: string): string => /^\w+\/(?:host|page|contract)(?=\/)|^[^/]*/.exec(file)?.[0] ?? "";

/** Places by area and name, of the names that have several. */
function severalOf(named: readonly Named[]): Record<string, string[]> {
  const places: Record<string, string[]> = {};
  for (const [name, place] of named) (places[`${areaOf(place)}: ${name}`] ??= []).push(place);
  return Object.fromEntries(Object.entries(places).filter(([, found]) => found.length > 1));
}

function declared(file: string, isWanted: (statement: ts.Statement) => boolean): readonly Named[] {
  return (sources.get(file)?.statements ?? []).flatMap((statement) => {
    if (!isWanted(statement)) return [];
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.flatMap(({ name }) =>
        ts.isIdentifier(name) ? [[name.text, file] as const] : [],
      );
    const { name } = statement as ts.DeclarationStatement;
    return name && ts.isIdentifier(name) ? [[name.text, file] as const] : [];
  });
}

const isExported = (statement: ts.Statement): boolean =>
  ts.canHaveModifiers(statement) &&
  (ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false);
const isType = (statement: ts.Statement): boolean =>
  ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement) || ts.isClassDeclaration(statement);

describe("names", () => {
  it("V5: no two files of a top folder have the same name", () => {
    assert.ok(files.length > 100);
    const named = files
      .filter((file) => !isFileOfFamily(file))
      .map((file): Named => [path.basename(file, ".ts"), file]);
    assert.deepEqual(severalOf(named), {});
  });

  it("V5: no two types of a top folder have the same name, exported or not", () => {
    assert.deepEqual(severalOf(files.flatMap((file) => declared(file, isType))), {});
  });

  it("V5: no two exported functions of a top folder have the same name", () => {
    const isFunction = (statement: ts.Statement): boolean =>
      isExported(statement) && ts.isFunctionDeclaration(statement);
    assert.deepEqual(severalOf(files.flatMap((file) => declared(file, isFunction))), {});
  });

  it("V5: the name of a file does not begin with that of its folder, unless this is part of what it exports", () => {
    const repeating = files.filter((file) => {
      const name = path.basename(file, ".ts").toLowerCase();
      const folder = path.basename(path.dirname(file)).toLowerCase().replace(/s$/, "");
      if (!name.startsWith(folder)) return false;
      return !declared(file, isExported).some(([exported]) => exported.toLowerCase().includes(name));
    });
    assert.deepEqual(repeating, []);
  });
});

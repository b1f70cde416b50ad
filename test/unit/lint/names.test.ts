/** No name stands for two things: files and types, but for the parts that each family has (its decoder, its request). */
import assert from "node:assert/strict";
import path from "node:path";
import ts from "typescript";

const files = ts.sys.readDirectory("src", [".ts"]).map((file) => path.relative("src", path.resolve(file)));
const isPartOfFamily = (file: string): boolean => /^gateway[\\/]families[\\/](?!shared)\w+[\\/]/.test(file);

/** Places by name, of the names that have several. */
function severalOf(named: readonly (readonly [name: string, place: string])[]): Record<string, string[]> {
  const places: Record<string, string[]> = {};
  for (const [name, place] of named) (places[name] ??= []).push(place);
  return Object.fromEntries(Object.entries(places).filter(([, found]) => found.length > 1));
}

function typesOf(file: string): readonly (readonly [string, string])[] {
  const source = ts.createSourceFile(file, ts.sys.readFile(path.join("src", file)) ?? "", ts.ScriptTarget.Latest);
  return source.statements.flatMap((statement) => {
    const isType =
      ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement) || ts.isClassDeclaration(statement);
    return isType && statement.name ? [[statement.name.text, file] as const] : [];
  });
}

describe("names", () => {
  it("V5: no two files have the same name", () => {
    assert.ok(files.length > 100);
    assert.deepEqual(
      severalOf(files.filter((file) => !isPartOfFamily(file)).map((file) => [path.basename(file, ".ts"), file])),
      {},
    );
  });

  it("V5: no two types have the same name, exported or not", () => {
    assert.deepEqual(severalOf(files.flatMap(typesOf)), {});
  });
});

/** The commands of a fresh clone: what they load before they have installed the dependencies comes with Node or lies in the repository. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** What a script imports before its first statement. `import(…)` in a function is loaded when that is called. */
function staticImports(file: string): readonly string[] {
  const found = readFileSync(file, "utf8").matchAll(/^(?:import|export|\}) (?:.*from )?"([^"]+)";$/gm);
  return [...found].flatMap(([, specifier]) => specifier ?? []);
}

/** The packages that a script needs to begin, each with the file that imports it. */
function packagesOf(script: string): readonly string[] {
  const files = new Set([script]);
  const packages: string[] = [];
  for (const file of files) {
    for (const specifier of staticImports(file)) {
      if (specifier.startsWith(".")) files.add(path.join(path.dirname(file), specifier));
      else if (!specifier.startsWith("node:")) packages.push(`${specifier} in ${file}`);
    }
  }
  return packages;
}

describe("a fresh machine", () => {
  const scripts = readdirSync("scripts").map((name) => path.join("scripts", name));
  const installing = [...scripts, path.join("bench", "run.mjs")].filter(
    (file) => existsSync(file) && readFileSync(file, "utf8").includes("await onProjectNode("),
  );

  it("V4: the commands that install the dependencies need none of them to begin", () => {
    assert.ok(installing.length >= 5, installing.join());
    assert.deepEqual(installing.flatMap(packagesOf), []);
  });
});

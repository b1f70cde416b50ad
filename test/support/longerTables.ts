/** Adds lines to the tables of the product for a test, and bundles or compiles everything else as it is. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, readFile, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { Plugin } from "esbuild";

/** What is written before the end of each table, by file and by the text that begins the table. */
export type TableAdditions = Readonly<Record<string, readonly (readonly [begin: string, lines: string])[]>>;

/** The text of a source with the lines that are added to it; `undefined` for a file that has none of the tables. */
async function lengthened(additions: TableAdditions, path: string): Promise<string | undefined> {
  const found = Object.entries(additions).find(([file]) => path.replaceAll("\\", "/").endsWith(`/${file}`));
  if (!found) return undefined;
  let contents = await readFile(path, "utf8");
  for (const [begin, lines] of found[1]) {
    const at = contents.indexOf("\n}", contents.indexOf(begin));
    assert.ok(contents.includes(begin) && at > 0, `${path} has the table ${begin}`);
    contents = `${contents.slice(0, at)}\n${lines}${contents.slice(at)}`;
  }
  return contents;
}

export function longerTables(additions: TableAdditions): Plugin {
  return {
    name: "longer tables",
    setup(building) {
      building.onLoad({ filter: /src[\\/].*\.ts$/ }, async ({ path }) => {
        const contents = await lengthened(additions, path);
        return contents === undefined ? undefined : { contents, loader: "ts" };
      });
    },
  };
}

/** Compiles host and pages with these lines, in a copy that is made in the folder. */
export async function assertCompiles(additions: TableAdditions, folder: string): Promise<void> {
  await cp("src", join(folder, "src"), { recursive: true });
  for (const file of Object.keys(additions))
    await writeFile(join(folder, file), (await lengthened(additions, resolve(file))) ?? "");
  await symlink(resolve("node_modules"), join(folder, "node_modules"), "junction");
  const config = { extends: resolve("tsconfig.json"), include: ["src"], exclude: ["src/webview", "src/*/page"] };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
  const compiler = resolve("node_modules/typescript-native/bin/tsc");
  for (const project of [".", "src/webview"]) {
    const told = await promisify(execFile)(process.execPath, [compiler, "-p", project], { cwd: folder }).catch(
      (failure: unknown) => failure,
    );
    assert.deepEqual(told, { stdout: "", stderr: "" });
  }
}

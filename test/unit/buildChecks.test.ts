/** The build names what is wrong with the files that it made: each test plants one fault in a bundle of its own. */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { build, type BuildOptions } from "esbuild";
import { faultsOf, freeNames } from "../../scripts/buildChecks.mjs";
import { createTemporaryFolder, type TemporaryFolder } from "../support/temporaryFolder";

describe("the checks of the build", () => {
  let folder: TemporaryFolder;
  beforeEach(async () => {
    folder = await createTemporaryFolder();
  });
  afterEach(() => folder.remove());

  /** Builds those source files, the first of which is the entry, and gives the sentences of the check. */
  async function faults(
    runtime: Parameters<typeof faultsOf>[0],
    sources: Readonly<Record<string, string>>,
    options: BuildOptions = {},
  ): Promise<readonly string[]> {
    for (const [file, text] of Object.entries(sources)) {
      await mkdir(path.dirname(path.join(folder.path, file)), { recursive: true });
      await writeFile(path.join(folder.path, file), text);
    }
    const { metafile } = await build({
      ...{ bundle: true, minify: true, format: "esm", splitting: true, metafile: true, logLevel: "silent" },
      ...{ absWorkingDir: folder.path, entryPoints: Object.keys(sources).slice(0, 1), outdir: "dist" },
      ...{ outExtension: { ".js": ".mjs" }, chunkNames: "[name]", platform: "node", ...options },
    });
    assert.ok(metafile);
    return await faultsOf(runtime, metafile, folder.path);
  }

  it("V5: a free identifier in an emitted file fails the build", async () => {
    const source = "declare const datetime: () => string; export const now = () => datetime();";
    for (const [runtime, label] of [
      ["host", "the extension host"],
      ["thread", "a thread"],
      ["page", "a page"],
    ] as const)
      assert.deepEqual(await faults(runtime, { "main.ts": source }), [
        `dist/main.mjs uses datetime, which nothing declares and ${label} does not have.`,
      ]);
  });

  it("V5: a free identifier is found in a chunk that is loaded by need", async () => {
    const found = await faults("host", {
      "main.ts": `export const load = () => import("./later");`,
      "later.ts": "// @ts-nocheck\nexport const x = lost + 1;",
    });
    assert.deepEqual(found, ["dist/later.mjs uses lost, which nothing declares and the extension host does not have."]);
  });

  it("V5: a name that a scope declares, or that is only looked for, is not free", () => {
    const text = `import a, { b as c } from "x"; const { d, ...e } = a; class F { #g = c; static { d(F); } h() { return this.#g; } }
      for (const i of e) { try { i(); } catch { var j = arguments.length; } } label: for (;;) break label;
      export { j as k }; export default typeof document === "undefined" ? undefined : typeof(window);`;
    assert.deepEqual(freeNames(text, "host", "x.mjs"), []);
  });

  it("V5: a host file that loads a page's chunk fails the build", async () => {
    const found = await faults(
      "host",
      { "main.ts": `import * as v from "vscode"; export const load = () => [v, import("./webview/highlight.mjs")];` },
      { external: ["vscode", "./webview/*"] },
    );
    assert.deepEqual(found, ["dist/main.mjs loads ./webview/highlight.mjs, which the extension host does not have."]);
  });

  it("V5: a thread that loads the editor's API fails the build", async () => {
    const source = `import { env } from "vscode"; import { tmpdir } from "node:os"; export default [env, tmpdir()];`;
    assert.deepEqual(await faults("thread", { "main.ts": source }, { external: ["vscode"] }), [
      "dist/main.mjs loads vscode, which a thread does not have.",
    ]);
  });

  it("V5: a page that needs Node fails the build, by a module or by a name", async () => {
    const source = `import { tmpdir } from "node:os"; export default [tmpdir(), process.pid, Buffer.from(""), document.title];`;
    assert.deepEqual(await faults("page", { "main.ts": source }), [
      "dist/main.mjs loads node:os, which a page does not have.",
      "dist/main.mjs uses process, which nothing declares and a page does not have.",
      "dist/main.mjs uses Buffer, which nothing declares and a page does not have.",
    ]);
  });
});

/** The tools that ask the editor: what of its responses the model gets, and what it does not. */
import assert from "node:assert/strict";
import type { EditorPort } from "../../../../src/domain/tools/toolPorts";
import { noEditor } from "../../../support/noEditor";
import { createToolFolder, reasonsOf, titleOf, type ToolFolder } from "../../../support/toolFolder";

describe("code tools", () => {
  let folder: ToolFolder;
  let editor: EditorPort;
  const asked: unknown[] = [];
  beforeEach(async () => {
    asked.length = 0;
    editor = noEditor;
    // Each test replaces the editor after the folder is there.
    const current = new Proxy(noEditor, { get: (_, name): unknown => Reflect.get(editor, name) });
    folder = await createToolFolder({ inside: "root", editor: current });
    await folder.put("root/src/app.ts", "import { greet } from './greet';\n\n  greet('World');\n");
    await folder.put("root/src/greet.ts", "export function greet() {}\n");
    await folder.put("root/.env", "TOKEN=secret\n");
    await folder.put("outside/lib.ts", "outside text\n");
  });
  afterEach(() => folder.remove());

  const place = (file: string, line = 1): { file: string; line: number; endLine: number } => {
    return { file: folder.at(file), line, endLine: line };
  };

  it("A2: a definition is asked for by line and name, and quoted; outside it is named only", async () => {
    editor = {
      ...noEditor,
      definitionsOf: (position) => {
        asked.push(position);
        return Promise.resolve([place("root/src/greet.ts"), place("outside/lib.ts"), place("root/.env")]);
      },
    };
    const input = { path: "src/app.ts", line: 2, symbol: "greet" };
    assert.deepEqual((await folder.run("find_definition", input)).split("\n"), [
      "src/greet.ts:1: export function greet() {}",
      `…/${folder.path.split("/").at(-1)}/outside/lib.ts (outside the workspace):1`,
      ".env:1",
    ]);
    assert.deepEqual(asked, [{ file: folder.at("root/src/app.ts"), line: 1, column: 10 }]);
    const call = await folder.prepare("find_definition", input);
    assert.equal(titleOf(call), "Find the definition of “greet” from src/app.ts");
    assert.match(await folder.refusal("find_definition", { ...input, symbol: "nowhere" }), /does not hold/);
    assert.match(await folder.refusal("find_definition", { ...input, line: 99 }), /not near line 99; .* line 3/);
  });

  it("A4: a quoted line of a file that git does not track is untrusted", async () => {
    await folder.command("git", "init", "-q", "root");
    await folder.command("git", "-C", "root", "add", "src/app.ts");
    const told: string[] = [];
    const effects = {
      ...{ activity: () => undefined, output: () => undefined, submitted: () => undefined },
      untrusted: (what: string) => void told.push(what),
    };
    for (const found of ["root/src/app.ts", "root/src/greet.ts"]) {
      editor = { ...noEditor, definitionsOf: () => Promise.resolve([place(found)]) };
      const call = await folder.prepare("find_definition", { path: "src/app.ts", line: 2, symbol: "greet" });
      await call.run(new AbortController().signal, effects);
    }
    assert.deepEqual(told, ["src/greet.ts"]);
  });

  it("A2: references are paged", async () => {
    const places = Array.from({ length: 130 }, (_, index) => place("root/src/greet.ts", index + 1));
    editor = { ...noEditor, referencesTo: () => Promise.resolve([...places, ...places]) };
    const input = { path: "src/app.ts", line: 1, symbol: "greet" };
    assert.match(await folder.run("find_references", input), /\n\(1 to 100 of 130; skip 100 gives the next\)$/);
    assert.equal((await folder.run("find_references", { ...input, skip: 100 })).split("\n").length, 30);
  });

  it("A2, A4: symbols as an outline and by name, without those of secrets", async () => {
    const symbol = (name: string, file: string, depth = 0): object => {
      return { name, kind: "function", depth, place: { ...place(file), endLine: 4 } };
    };
    editor = {
      ...noEditor,
      symbolsOf: () =>
        Promise.resolve([symbol("Shop", "root/src/app.ts"), symbol("open", "root/src/app.ts", 1)] as never),
      findSymbols: () => Promise.resolve([symbol("greet", "root/src/greet.ts"), symbol("TOKEN", "root/.env")] as never),
    };
    assert.equal(
      await folder.run("list_symbols", { path: "src/app.ts" }),
      "function Shop (lines 1 to 4)\n  function open (lines 1 to 4)",
    );
    assert.equal(
      await folder.run("find_symbols", { name: "e" }),
      "function greet: src/greet.ts:1\n(1 in secrets or in what git ignores are left out)",
    );
    assert.match(reasonsOf(await folder.prepare("list_symbols", { path: ".env" })) ?? "", /secret/);
  });

  it("A2, A4: problems come most severe first; those of secrets only after a yes", async () => {
    const problem = (severity: string, file: string): object => {
      return {
        severity,
        message: `a ${severity}\nhere`,
        source: "ts",
        position: { file: folder.at(file), line: 2, column: 3 },
      };
    };
    const problems = [
      ...[problem("warning", "root/src/app.ts"), problem("error", "root/src/greet.ts")],
      ...[problem("error", "root/.env"), problem("error", "outside/lib.ts")],
    ];
    editor = { ...noEditor, problems: () => problems as never };
    assert.deepEqual((await folder.run("list_problems", {})).split("\n"), [
      "src/greet.ts:2:3: error: a error here [ts]",
      "src/app.ts:2:3: warning: a warning here [ts]",
      "(1 in secrets or in what git ignores are left out)",
    ]);
    assert.equal(await folder.run("list_problems", { path: ".env" }), ".env:2:3: error: a error here [ts]");
    assert.match(reasonsOf(await folder.prepare("list_problems", { path: ".env" })) ?? "", /secret/);
  });

  it("A2, A4: open editors with what is visible; a selection in a secret is not shown", async () => {
    const shown = { firstLine: 1, lastLine: 30, cursor: { line: 2, column: 5 }, selection: "picked text" };
    editor = {
      ...noEditor,
      openEditors: () => [
        { file: folder.at("root/src/app.ts"), isActive: true, hasUnsavedChanges: true, shown },
        { file: folder.at("root/.env"), isActive: false, hasUnsavedChanges: false, shown },
        { file: "untitled:Untitled-1", isActive: false, hasUnsavedChanges: true },
      ],
    };
    const told = await folder.run("list_editors", {});
    assert.match(
      told,
      /^src\/app\.ts \(active, unsaved changes, lines 1 to 30 visible, cursor at 2:5\)\nselected:\npicked/,
    );
    assert.match(told, /\n\.env \(.*\)\n\(what is selected there is not shown\)\n/);
    assert.equal(told.split("picked text").length, 2);
  });

  it("A2: changed files, also those that are gone, and the diff of one; a secret's asks", async () => {
    editor = {
      ...noEditor,
      changes: () =>
        Promise.resolve([
          { file: folder.at("root/src/app.ts"), change: "modified", isStaged: true },
          { file: folder.at("root/gone.ts"), change: "deleted", isStaged: false },
          { file: folder.at("outside/lib.ts"), change: "modified", isStaged: false },
        ]),
      diffOf: (file) => Promise.resolve(file.endsWith("app.ts") ? "@@ -1 +1 @@\n-a\n+b\n" : ""),
    };
    assert.equal(await folder.run("list_changes", {}), "src/app.ts: modified, staged\ngone.ts: deleted");
    assert.match(await folder.run("list_changes", { path: "src/app.ts" }), /^@@ -1 \+1 @@/);
    assert.match(reasonsOf(await folder.prepare("list_changes", { path: ".env" })) ?? "", /secret/);
    editor = noEditor;
    assert.match(await folder.run("list_changes", {}), /git extension is not there/);
  });

  it("A2: an extension that fails gives the model another way; Stop ends one that never answers", async () => {
    editor = { ...noEditor, findSymbols: () => Promise.reject(new Error("/home/me/secret")) };
    assert.equal(await folder.refusal("find_symbols", { name: "x" }), "The language extension failed. Use find_text.");
    editor = { ...noEditor, findSymbols: () => new Promise(() => undefined) };
    const turn = new AbortController();
    const call = folder.run("find_symbols", { name: "x" }, turn.signal);
    setImmediate(() => turn.abort());
    await assert.rejects(call, { name: "AbortError" });
  });
});

/** Patches: several files in one call, by the mechanism of the other tools that change files. */
import assert from "node:assert/strict";
import { mkdir, readFile, symlink } from "node:fs/promises";
import { takesPatches } from "../../../../src/tools/edit/applyHunks";
import { createToolFolder, reasonsOf, titleOf, type ToolFolder } from "../../../support/toolFolder";

const never = new AbortController().signal;
const patch = (...lines: readonly string[]): { readonly input: string } => ({
  input: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n"),
});

describe("apply_patch", () => {
  let folder: ToolFolder;
  beforeEach(async () => {
    folder = await createToolFolder({ inside: "w" });
  });
  afterEach(() => folder.remove());
  const textAt = (name: string): Promise<string> => readFile(folder.at(`w/${name}`), "utf8");

  const shapes = [
    "class A {",
    "  run() {",
    "    return 1;",
    "  }",
    "}",
    "class B {",
    "  run() {",
    "    return 1;",
    "  }",
    "}",
    "",
  ].join("\n");
  /** Fits into both classes. */
  const hunk = ["   run() {", "-    return 1;", "+    return 2;", "   }"];

  it("A10: a hunk that is exactly above the one before it, and only almost below it, is refused", async () => {
    const text = "x = 1\nfirst\ndef f():\n  x = 1\n";
    await folder.put("w/a.py", text);
    const hunks = (after: readonly string[]): object =>
      patch("*** Update File: a.py", "@@", "-first", "+second", ...after, "-x = 1", "+x = 2");
    assert.match(
      await folder.refusal("apply_patch", hunks(["@@"])),
      /The hunk is at line 1, above the hunk before it, and only almost at line 4\./,
    );
    assert.equal(await textAt("a.py"), text);
    await folder.run("apply_patch", hunks(["@@ def f():"]));
    assert.equal(await textAt("a.py"), "x = 1\nsecond\ndef f():\n  x = 2\n");
  });

  it("A10: adds, updates, moves and deletes files in one call, with one question about all of them", async () => {
    await folder.put("w/a.ts", "one\ntwo\nthree\n");
    await folder.put("w/old.ts", "old\n");
    await folder.put("w/gone.ts", "gone\n");
    const input = patch(
      ...["*** Add File: src/new.ts", "+first", "+", "+last"],
      ...["*** Update File: a.ts", "@@", " one", "-two", "+2", " three"],
      ...["*** Update File: old.ts", "*** Move to: moved.ts", "@@", "-old", "+new"],
      "*** Delete File: gone.ts",
    );
    const call = await folder.prepare("apply_patch", input);
    assert.equal(titleOf(call), "5 changes: src/new.ts, a.ts, old.ts, gone.ts");
    assert.equal(reasonsOf(call), "changes a file");
    assert.equal(call.reasons && call.grant, undefined, "a yes to deleting or renaming covers one call");
    assert.deepEqual(
      call.changes?.map(({ action, change }) => [action.type, change?.preview.hunks.flatMap(({ lines }) => lines)]),
      [
        ["create-file", ["+first", "+", "+last"]],
        ["edit-file", [" one", "-two", "+2", " three"]],
        ["edit-file", ["-old", "+new"]],
        ["rename-file", undefined],
        ["delete-file", ["-gone"]],
      ],
    );
    assert.equal(await textAt("a.ts"), "one\ntwo\nthree\n");
    const result = await call.run(never);
    assert.ok(typeof result === "string");
    assert.match(result, /^Created src\/new\.ts\.\nEdited a\.ts:\n one\n-two\n\+2\n three\nEdited old\.ts:/);
    assert.deepEqual(
      [await textAt("src/new.ts"), await textAt("a.ts"), await textAt("moved.ts")],
      ["first\n\nlast\n", "one\n2\nthree\n", "new\n"],
    );
    await assert.rejects(textAt("gone.ts"));
    await assert.rejects(textAt("old.ts"));
  });

  it("A10: a line after @@ names the place, and what fits twice is refused", async () => {
    await folder.put("w/a.ts", shapes);
    assert.match(
      await folder.refusal("apply_patch", patch("*** Update File: a.ts", "@@", ...hunk)),
      /because of a\.ts: The hunk fits in the file more than once: at lines 2, 7/,
    );
    await folder.run("apply_patch", patch("*** Update File: a.ts", "@@ class B {", ...hunk));
    assert.equal(await textAt("a.ts"), shapes.replace(/return 1;([^]*)return 1;/, "return 1;$1return 2;"));
    await folder.put("w/a.ts", shapes);
    await folder.run("apply_patch", patch("*** Update File: a.ts", "@@ class A {", ...hunk, "@@", ...hunk));
    assert.equal(await textAt("a.ts"), shapes.replaceAll("return 1", "return 2"));
    await folder.run("apply_patch", patch("*** Update File: a.ts", "@@ class B {", "+  x = 1;", "@@", "+end();"));
    assert.equal(
      await textAt("a.ts"),
      `${shapes.replaceAll("return 1", "return 2").replace("class B {\n", "class B {\n  x = 1;\n")}end();\n`,
    );
  });

  it("A10: a hunk is looked for below the one before it", async () => {
    await folder.put("w/a.ts", shapes);
    await folder.run("apply_patch", patch("*** Update File: a.ts", "@@ class B {", "+  x = 1;", "@@", ...hunk));
    assert.equal(
      await textAt("a.ts"),
      shapes.replace(/class B \{\n([^]*)return 1;/, "class B {\n  x = 1;\n$1return 2;"),
    );
  });

  it("A10, R4: below the line after @@ or nowhere: the same lines above it belong to something else", async () => {
    await folder.put("w/a.ts", shapes.replace(/return 1;([^]*)return 1;/, "return 1;$1return 3;"));
    const before = await textAt("a.ts");
    const change = patch("*** Update File: a.ts", "@@ class B {", "-    return 1;", "+    return 2;");
    assert.match(await folder.refusal("apply_patch", change), /is not in the file|The hunk/);
    assert.equal(await textAt("a.ts"), before);
    // A model that repeats the line in the hunk means that line.
    const repeated = patch("*** Update File: a.ts", "@@ class B {", " class B {", "-  run() {", "+  go() {");
    await folder.run("apply_patch", repeated);
    assert.equal(await textAt("a.ts"), before.replace("class B {\n  run", "class B {\n  go"));
  });

  it("A10: a hunk that differs in indentation is moved, and one that is not there is answered with the nearest place", async () => {
    await folder.put("w/a.py", "def f():\r\n    if a:\r\n        b()\r\n");
    const call = await folder.prepare(
      "apply_patch",
      patch("*** Update File: a.py", "@@", " if a:", "-    b()", "+    c()", "+    d()"),
    );
    assert.equal(titleOf(call), "Edit a.py: 2 lines changed (adapted to the file: indentation)");
    assert.deepEqual(call.reasons && call.grant, { type: "file", change: "edit", path: "a.py" });
    await call.run(never);
    assert.equal(await textAt("a.py"), "def f():\r\n    if a:\r\n        c()\r\n        d()\r\n");
    const refusal = await folder.refusal(
      "apply_patch",
      patch("*** Update File: a.py", "@@", "     if a:", "-        x()"),
    );
    assert.match(refusal, /^Nothing of the patch was made, because of a\.py: the hunk is not in the file/i);
    assert.match(refusal, /\n3\t {8}c\(\)\n/);
  });

  it("A10: a refused hunk is named by its number, and the lines that are quoted stay as the file has them", async () => {
    await folder.put("w/a.ts", 'const old_text = "one";\nconst new_text = "two";\n');
    const refusal = await folder.refusal(
      "apply_patch",
      patch("*** Update File: a.ts", "@@", '-const new_text = "two";', "+x", "@@", '-const old_text = "on";', "+y"),
    );
    assert.match(refusal, /because of a\.ts: Hunk 2: the hunk is not in the file/);
    assert.match(refusal, /the hunk has there: "const old_text = \\"on\\";"/);
    assert.match(refusal, /\n1\tconst old_text = "one";\n/);
  });

  it("A10: nothing is made where one part can't be, and a patch that is none is refused with its form", async () => {
    await folder.put("w/a.ts", "one\n");
    const bad = ["*** Update File: a.ts", "@@", "-nothing of it", "+x"];
    await folder.refusal("apply_patch", patch("*** Add File: b.ts", "+x", ...bad));
    await assert.rejects(textAt("b.ts"));
    assert.match(await folder.refusal("apply_patch", { input: "hello" }), /begins with \*\*\* Begin Patch/);
    assert.match(
      await folder.refusal("apply_patch", patch("*** Update File: a.ts", "@@", "one")),
      /Line 4 of the patch is not one that begins with a space/,
    );
    assert.match(await folder.refusal("apply_patch", patch("*** Update File: a.ts")), /changes nothing/);
    assert.match(
      await folder.refusal("apply_patch", patch("*** Delete File: a.ts", "*** Add File: a.ts", "+x")),
      /names a\.ts twice/,
    );
    const wrapped = `\`\`\`\n${patch("*** Update File: a.ts", "@@", "-one", "+1").input}\n\`\`\``;
    assert.match(await folder.run("apply_patch", { patch: wrapped }), /^Edited a\.ts/);
    assert.equal(await textAt("a.ts"), "1\n");
  });

  it("A3: a longer yes covers a patch only if it covers each of its files", async () => {
    await folder.put("w/a.ts", "one\n");
    const both = patch("*** Update File: a.ts", "@@", "-one", "+1", "*** Add File: b.ts", "+x");
    const call = await folder.prepare("apply_patch", both);
    assert.deepEqual(call.reasons && call.grant, { type: "file", change: "edit", path: "a.ts", others: ["b.ts"] });
    const graver = patch("*** Update File: a.ts", "@@", "-one", "+1", "*** Add File: package.json", "+{}");
    const asked = await folder.prepare("apply_patch", graver);
    assert.match(reasonsOf(asked) ?? "", /would run/);
    assert.equal(asked.reasons && asked.grant, undefined);
  });

  it("A4: each path of a patch passes the gate, and a file that may hold a secret is read after a yes only", async () => {
    await mkdir(folder.at("outside"));
    await symlink(folder.at("outside"), folder.at("w/link"));
    await folder.put("w/a.ts", "one\n");
    await folder.put("w/.env", "KEY=1\n");
    for (const path of ["../../b.ts", "link/b.ts", "/etc/passwd"]) {
      await folder.refusal("apply_patch", patch(`*** Add File: ${path}`, "+x"));
      await folder.refusal("apply_patch", patch(`*** Delete File: ${path}`));
      await folder.refusal("apply_patch", patch(`*** Update File: ${path}`, "@@", "-x", "+y"));
      await folder.refusal("apply_patch", patch("*** Update File: a.ts", `*** Move to: ${path}`, "@@", "-one", "+1"));
    }
    const call = await folder.prepare("apply_patch", patch("*** Update File: .env", "@@", "-KEY=1", "+KEY=2"));
    assert.equal(titleOf(call), "Read .env to prepare an edit");
    assert.equal(call.change ?? call.changes, undefined);
    const next = await call.run(never);
    assert.ok(typeof next !== "string" && next.change);
    assert.equal(await textAt(".env"), "KEY=1\n");
  });

  it("A10: it is declared to models that are trained on it, in place of edit_file, and can be called by each", () => {
    for (const model of [
      "gpt-4.1",
      "gpt-4.1-mini",
      "openai/gpt-5",
      "gpt-5-codex",
      "o3",
      "o4-mini",
      "codex-mini-latest",
      "azure:gpt-5.1",
    ])
      assert.ok(takesPatches(model), model);
    for (const model of [
      "gpt-4o",
      "gpt-4",
      "claude-opus-4-1",
      "gemini-2.5-pro",
      "marco-o1",
      "o1x",
      "deepseek-chat",
      "gpt-oss-120b",
    ])
      assert.ok(!takesPatches(model), model);
  });
});

/** The four tools on real files: what they say, what they ask, what they leave alone. */
import assert from "node:assert/strict";
import { mkdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ToolAction } from "../../../src/domain/chat/chat";
import { describeAction } from "../../../src/domain/words/describeTool";
import { type PreparedCall, ToolRefusal } from "../../../src/domain/tools/tool";
import { createDiskWorkspace } from "../../support/diskWorkspace";
import { reasonsOf, titleOf, toolsOver } from "../../support/toolFolder";
import { createTemporaryFolder, type TemporaryFolder } from "../../support/temporaryFolder";

describe("workspace tools", () => {
  const { signal } = new AbortController();
  let folder: TemporaryFolder;
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    await put("src/app.ts", "import { greet } from './greet';\n\ngreet('World');\n");
    await put("src/greet.ts", "export function greet(name: string) {\n  // TODO: greet politely\n  return name;\n}\n");
    await put(".gitignore", "build/\n*.log\n");
    await put("build/out.js", "TODO ignored");
    await put("debug.log", "TODO ignored");
    await put(".env", "TOKEN=TODO");
    await put(".git/config", "TODO git");
    await put("node_modules/x/index.js", "TODO module");
  });
  afterEach(() => folder.remove());

  const put = async (path: string, text: string): Promise<void> => {
    const full = join(folder.path, path);
    await mkdir(join(full, ".."), { recursive: true });
    await writeFile(full, text);
  };
  const prepare = async (name: string, input: unknown): Promise<PreparedCall> => {
    const tool = toolsOver(createDiskWorkspace(folder.path)).find(({ declaration }) => declaration.name === name);
    assert.ok(tool, name);
    return tool.prepare(input, signal);
  };
  const run = async (name: string, input: unknown): Promise<string> => {
    const result = await (await prepare(name, input)).run(signal);
    assert.ok(typeof result === "string");
    return result;
  };

  it("A2: every tool declares an object schema with words for each property", () => {
    for (const { declaration } of toolsOver(createDiskWorkspace(folder.path))) {
      assert.match(declaration.name, /^[a-z_]{1,64}$/);
      assert.equal(declaration.parameters["type"], "object");
      for (const property of Object.values(
        declaration.parameters["properties"] as Record<string, { description?: string }>,
      )) {
        assert.ok(property.description);
      }
    }
  });

  it("A2: arguments that don't fit are refused with what is wrong, for the model to mend", async () => {
    await assert.rejects(prepare("read_file", { where: "src/app.ts" }), (error: ToolRefusal) =>
      error.message.includes("path"),
    );
    await assert.rejects(prepare("read_file", { path: { file: 7 } }), /expected string/);
  });

  it("A2: list_files gives in pages what it cuts", async () => {
    for (let at = 0; at < 501; at += 1) await put(`many/${String(at).padStart(3, "0")}`, "");
    const first = await run("list_files", { path: "many" });
    assert.match(
      first,
      /\n499\n\(files 1 to 500; there are more: name a folder to see less, skip 500 gives the next\)$/,
    );
    assert.equal(await run("list_files", { path: "many", skip: 500 }), "500");
    assert.equal(await run("list_files", { path: "many", skip: 501 }), "(only 501 files)");
  });

  it("A2: list_files leaves out what git ignores, and what no model should read", async () => {
    assert.deepEqual((await run("list_files", {})).split("\n"), [".gitignore", "src/app.ts", "src/greet.ts"]);
    assert.deepEqual((await run("list_files", { path: "src" })).split("\n"), ["app.ts", "greet.ts"]);
  });

  it("A2: read_file gives the text, or a range of it, and says where the range stands", async () => {
    assert.match(await run("read_file", { path: "src/app.ts" }), /^import \{ greet \}/);
    const part = await prepare("read_file", { path: "src/greet.ts", start_line: 2, end_line: 3 });
    assert.equal(titleOf(part), "Read src/greet.ts, lines 2 to 3");
    const rest = await prepare("read_file", { path: "src/greet.ts", start_line: 2 });
    assert.equal(titleOf(rest), "Read src/greet.ts from line 2");
    assert.equal(await part.run(signal), "  // TODO: greet politely\n  return name;\n(lines 2 to 3 of 4)");
    await assert.rejects(run("read_file", { path: "src/greet.ts", start_line: 99 }), /4 lines/);
  });

  it("A2, A3: read_file reports the lines that the file has of a range", async () => {
    const done: ToolAction[] = [];
    const nothing = (): void => undefined;
    const effects = { activity: nothing, output: nothing, submitted: nothing };
    for (const range of [{ start_line: 2, end_line: 2001 }, { start_line: 3 }, { start_line: 1, end_line: 2001 }]) {
      const call = await prepare("read_file", { path: "src/greet.ts", ...range });
      await call.run(signal, { ...effects, did: (action) => void done.push(action) });
    }
    assert.deepEqual(done.map(describeAction), [
      "Read src/greet.ts, lines 2 to 4",
      "Read src/greet.ts, lines 3 to 4",
      "Read src/greet.ts",
    ]);
  });

  it("A3, A4: reading asks for secrets and for what git ignores, not for ordinary files", async () => {
    assert.equal(reasonsOf(await prepare("read_file", { path: "src/app.ts" })), undefined);
    assert.equal(reasonsOf(await prepare("read_file", { path: ".env" })), "may hold a secret");
    assert.equal(reasonsOf(await prepare("read_file", { path: "build/out.js" })), "git ignores it");
  });

  it("A2: find_text finds in any case and passes over secrets and ignored files", async () => {
    assert.equal(await run("find_text", { text: "todo" }), "src/greet.ts:2: // TODO: greet politely");
    assert.equal(await run("find_text", { text: "nowhere" }), "(no hits)");
  });

  it("A3: edit_file always asks, shows the change as a diff, and changes nothing before it runs", async () => {
    const edit = await prepare("edit_file", {
      path: "src/greet.ts",
      old_text: "  return name;",
      new_text: "  return `Hello, ${name}`;",
    });
    assert.equal(titleOf(edit), "Edit src/greet.ts: 1 line changed");
    assert.equal(reasonsOf(edit), "changes a file");
    assert.deepEqual(edit.change?.preview.hunks[0]?.lines.slice(2, 4), [
      "-  return name;",
      "+  return `Hello, ${name}`;",
    ]);
    assert.match(await readFile(join(folder.path, "src/greet.ts"), "utf8"), /return name/);
    await edit.run(signal);
    assert.match(await readFile(join(folder.path, "src/greet.ts"), "utf8"), /return `Hello/);
  });

  it("A3: what was approved runs as approved: a file that changed meanwhile is left alone", async () => {
    const edit = await prepare("edit_file", { path: "src/app.ts", old_text: "World", new_text: "Sluice" });
    await put("src/app.ts", "greet('World'); // mine\n");
    await assert.rejects(edit.run(signal), /was changed after/);
    assert.equal(await readFile(join(folder.path, "src/app.ts"), "utf8"), "greet('World'); // mine\n");
  });

  it("A4: a file that became a link to the outside after the question is not written", async () => {
    const outside = await createTemporaryFolder();
    const target = join(outside.path, "app.ts");
    const text = await readFile(join(folder.path, "src/app.ts"), "utf8");
    await writeFile(target, text);
    const edit = await prepare("edit_file", { path: "src/app.ts", old_text: "World", new_text: "Sluice" });
    await rename(join(folder.path, "src/app.ts"), join(folder.path, "src/old.ts"));
    await symlink(target, join(folder.path, "src/app.ts"));
    await assert.rejects(edit.run(signal), ToolRefusal);
    assert.equal(await readFile(target, "utf8"), text);
    await outside.remove();
  });

  it("A4: editing what an editor would run says so", async () => {
    await put(".vscode/settings.json", '{"a":1}');
    const edit = await prepare("edit_file", { path: ".vscode/settings.json", old_text: "1", new_text: "2" });
    assert.match(reasonsOf(edit) ?? "", /would run/);
  });
});

/** The tools that make, rename and delete files, and several edits at once: what they ask, refuse and leave. */
import assert from "node:assert/strict";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import type { FileChanges } from "../../../src/domain/tools/workspace";
import { createToolFolder, reasonsOf, titleOf, type ToolFolder, toolsOver } from "../../support/toolFolder";

const never = new AbortController().signal;

describe("tools that change files", () => {
  let folder: ToolFolder;
  beforeEach(async () => {
    folder = await createToolFolder({ inside: "w" });
  });
  afterEach(() => folder.remove());
  const textAt = (name: string): Promise<string> => readFile(folder.at(`w/${name}`), "utf8");
  const isThere = (name: string): Promise<boolean> =>
    readFile(folder.at(`w/${name}`)).then(
      () => true,
      () => false,
    );

  it("A2: write_file asks with the whole text and makes the folders; a place that was taken meanwhile is left alone", async () => {
    const input = { path: "src/new/a.ts", text: "one\ntwo\n" };
    const call = await folder.prepare("write_file", input);
    assert.equal(titleOf(call), "Create src/new/a.ts");
    assert.equal(reasonsOf(call), "changes a file");
    assert.ok(call.reasons);
    assert.deepEqual(call.grant, { type: "file", change: "create", path: "src/new/a.ts" });
    assert.deepEqual(
      call.change?.preview.hunks.flatMap(({ lines }) => lines),
      ["+one", "+two"],
    );
    assert.equal(await isThere("src/new/a.ts"), false);
    assert.equal(await folder.run("write_file", input), "Created src/new/a.ts.");
    assert.equal(await textAt("src/new/a.ts"), "one\ntwo\n");
    assert.equal(await folder.refusal("write_file", input), "src/new/a.ts reads like this already.");
    await assert.rejects(call.run(never), /There is something at/);
    assert.equal(await textAt("src/new/a.ts"), "one\ntwo\n");
  });

  it("A5: an edit through a link whose editor has unsaved text is refused, because it could not be undone", async () => {
    const unsaved = new Map<string, string>();
    const linked = await createToolFolder({
      over: (workspace) => ({ ...workspace, shownText: (path) => unsaved.get(path) }),
    });
    await linked.put("AGENTS.md", "one\n");
    await symlink("AGENTS.md", linked.at("CLAUDE.md"));
    unsaved.set(linked.at("CLAUDE.md"), "one\nmine\n");
    const edit = { path: "CLAUDE.md", old_text: "one", new_text: "two" };
    assert.equal(
      await linked.refusal("edit_file", edit),
      "CLAUDE.md is a link to AGENTS.md, and has unsaved changes in its editor. Ask the person to save it first.",
    );
    unsaved.clear();
    await linked.run("edit_file", edit);
    assert.equal(await readFile(linked.at("AGENTS.md"), "utf8"), "two\n");
    await linked.remove();
  });

  it("A10: write_file replaces a whole file with its diff as the question, when the model has read it as it is", async () => {
    await folder.put("w/a.ts", "one\r\ntwo\r\n");
    const input = { path: "a.ts", text: "one\nthree\n" };
    assert.match(await folder.refusal("write_file", input), /you have not read it as it is now.*Read it first/);
    await folder.run("read_file", { path: "a.ts" });
    const call = await folder.prepare("write_file", input);
    assert.equal(titleOf(call), "Edit a.ts: 1 line changed");
    assert.deepEqual(call.reasons && call.grant, { type: "file", change: "edit", path: "a.ts" });
    assert.deepEqual(
      call.change?.preview.hunks.flatMap(({ lines }) => lines),
      [" one", "-two", "+three"],
    );
    // A person types between the question and the yes, or before the question.
    await folder.put("w/a.ts", "one\r\ntwo\r\nmine\r\n");
    await assert.rejects(call.run(never), /was changed after the edit was shown/);
    assert.match(await folder.refusal("write_file", input), /you have not read it as it is now/);
    assert.equal(await textAt("a.ts"), "one\r\ntwo\r\nmine\r\n");
    await folder.run("read_file", { path: "a.ts" });
    assert.equal(await folder.run("write_file", input), "Wrote a.ts: 2 lines changed.");
    assert.equal(await textAt("a.ts"), "one\r\nthree\r\n");
    // What the model wrote counts as read, also after an edit of its own.
    await folder.run("edit_file", { path: "a.ts", old_text: "three", new_text: "four" });
    assert.equal(await folder.run("write_file", { path: "a.ts", text: "five\n" }), "Wrote a.ts: 2 lines changed.");
    assert.equal(await folder.run("write_file", { path: "new.ts", text: "1\n" }), "Created new.ts.");
    assert.equal(await folder.run("write_file", { path: "new.ts", text: "2\n" }), "Wrote new.ts: 1 line changed.");
  });

  it("A10, R4: a part of a file is not the file: write_file wants all of its lines read as they are, at once or in order", async () => {
    const write = { path: "a.ts", text: "new\n" };
    const read = (first: number, last: number): Promise<string> =>
      folder.run("read_file", { path: "a.ts", start_line: first, end_line: last });
    await folder.put("w/a.ts", "one\ntwo\nthree\nfour\n");
    for (const [first, last] of [
      [1, 1],
      [3, 4],
    ] as const) {
      await read(first, last);
      assert.match(await folder.refusal("write_file", write), /you have not read it as it is now/);
    }
    await read(2, 3);
    await folder.put("w/a.ts", "one\ntwo\nthree\nmine\n");
    await read(4, 4);
    assert.match(await folder.refusal("write_file", write), /you have not read it as it is now/, "of another text");
    await read(1, 2);
    await read(2, 4);
    await folder.prepare("write_file", write);
    // The shorter one has the length of what is shown of it, with the note.
    for (const length of [5000, 2013]) {
      await folder.put("w/a.ts", `${"x".repeat(length)}\n`);
      await folder.run("read_file", { path: "a.ts" });
      assert.match(await folder.refusal("write_file", write), /you have not read it as it is now/, "a line was cut");
    }
    await folder.put("w/a.ts", "one\n".repeat(4500));
    for (const start of [1, 2001, 4001]) await folder.run("read_file", { path: "a.ts", start_line: start });
    await folder.prepare("write_file", write);
  });

  it("A10: write_file refuses a text that leaves out parts, and a folder", async () => {
    await folder.put("w/a.ts", "one\n// ... the rest is in b.ts\n");
    await folder.run("read_file", { path: "a.ts" });
    const lazy = { path: "a.ts", text: "one\n// ... existing code ...\n" };
    assert.match(await folder.refusal("write_file", lazy), /leaves out a part of it: "\/\/ ... existing code ..."/);
    const kept = { path: "a.ts", text: "two\n// ... the rest is in b.ts\n" };
    assert.equal(await folder.run("write_file", kept), "Wrote a.ts: 1 line changed.");
    await mkdir(folder.at("w/sub"));
    assert.match(await folder.refusal("write_file", { path: "sub", text: "x" }), /is a folder, not a file/);
  });

  it("A10: write_file refuses a file that an earlier call of the answer changes", async () => {
    await folder.put("w/a.ts", "one\n");
    const tool = toolsOver(folder.workspace).find(({ declaration }) => declaration.name === "write_file");
    const pending = new Map([
      [folder.at("w/a.ts"), "edited\n"],
      [folder.at("w/b.ts"), "made\n"],
    ]);
    for (const path of ["a.ts", "b.ts"]) {
      await assert.rejects(async () => tool?.prepare({ path, text: "x\n" }, never, { pending }), /An earlier call/);
    }
  });

  it("A4: a new file asks with the reasons that a file there would have, and such a yes covers one call", async () => {
    await folder.put("w/.gitignore", "*.log\nout/\n");
    await mkdir(folder.at("w/.git"));
    const reasons = async (path: string): Promise<string | undefined> => {
      const call = await folder.prepare("write_file", { path, text: "x" });
      assert.equal(call.reasons && call.grant, undefined, path);
      return reasonsOf(call);
    };
    assert.match((await reasons(".env")) ?? "", /may hold a secret/);
    assert.match((await reasons("package.json")) ?? "", /would run/);
    assert.match((await reasons(".vscode/tasks.json")) ?? "", /would run/);
    assert.equal(await reasons("a.log"), "git ignores it");
    assert.equal(await reasons("out/new/deep.ts"), "git ignores it");
    assert.match((await reasons("node_modules/x/y.js")) ?? "", /packages/);
  });

  it("A4: no new file and no new name leads out of the workspace, also where a folder is a link", async () => {
    await mkdir(folder.at("outside"));
    await symlink(folder.at("outside"), folder.at("w/link"));
    await symlink(folder.at("nowhere"), folder.at("w/dangling"));
    await folder.put("w/a.ts", "a\n");
    const odd = [
      "../b.ts",
      "link/b.ts",
      "link/deep/b.ts",
      "dangling",
      "dangling/b.ts",
      "a.ts/b.ts",
      "con",
      "a:b",
      "x/ /b",
      ".",
      "",
    ];
    for (const path of [...odd, folder.at("outside/b.ts")]) {
      await folder.refusal("write_file", { path, text: "x" });
      await folder.refusal("rename_file", { path: "a.ts", new_path: path });
    }
    await folder.refusal("rename_file", { path: "../outside", new_path: "b.ts" });
    await folder.refusal("delete_file", { path: "link" });
    assert.equal(await textAt("a.ts"), "a\n");
    // A folder that becomes a link after the question.
    const call = await folder.prepare("write_file", { path: "sub/b.ts", text: "x" });
    await symlink(folder.at("outside"), folder.at("w/sub"));
    await assert.rejects(call.run(never), /leads out/);
  });

  it("A4: the place of a new file does not tell what exists outside", async () => {
    await folder.put("outside/there.ts", "x");
    await symlink(folder.at("outside"), folder.at("w/link"));
    const [there, gone] = await Promise.all(
      ["link/there.ts", "link/gone.ts"].map(async (path) =>
        (await folder.refusal("write_file", { path, text: "x" })).replace(path, ""),
      ),
    );
    assert.equal(there, gone);
    assert.match(there!, /leads out of the workspace/);
  });

  it("A2: rename_file gates both names, and delete_file shows what goes; both only once it was allowed", async () => {
    await folder.put("w/a.ts", "one\n");
    const rename = await folder.prepare("rename_file", { path: "a.ts", new_path: "src/b.ts" });
    assert.equal(titleOf(rename), "Rename a.ts to src/b.ts");
    assert.ok(rename.reasons);
    assert.deepEqual(rename.grant, { type: "file", change: "rename", path: "src/b.ts" });
    assert.match(
      reasonsOf(await folder.prepare("rename_file", { path: "a.ts", new_path: "Makefile" })) ?? "",
      /would run/,
    );
    assert.equal(await rename.run(never), "Renamed a.ts to src/b.ts.");
    const removal = await folder.prepare("delete_file", { path: "src/b.ts" });
    assert.equal(titleOf(removal), "Delete src/b.ts: no trash here, but Undo brings it back");
    assert.deepEqual(
      removal.change?.preview.hunks.flatMap(({ lines }) => lines),
      ["-one"],
    );
    await writeFile(folder.at("w/src/b.ts"), "other\n");
    await assert.rejects(removal.run(never), /was changed after the question/);
    assert.equal(await folder.run("delete_file", { path: "src/b.ts" }), "Deleted src/b.ts.");
    assert.equal(await isThere("src/b.ts"), false);
  });

  it("A2: edits of one call are made together or not at all; a notebook is refused with a way on", async () => {
    await folder.put("w/a.ts", "one\r\ntwo\r\nthree\r\n");
    const edits = [
      { old_text: "one", new_text: "1" },
      { old_text: "three\n", new_text: "3\nfour\n" },
    ];
    const wrong = [...edits, { old_text: "nothing of it", new_text: "x" }];
    const refusal = await folder.refusal("edit_file", { path: "a.ts", edits: wrong });
    assert.match(refusal, /^None of the edits was made, because of edit 3: old_text is not in the file/);
    await folder.refusal("edit_file", { path: "a.ts", edits, old_text: "one" });
    await folder.refusal("edit_file", { path: "a.ts", old_text: "one" });
    assert.equal(await textAt("a.ts"), "one\r\ntwo\r\nthree\r\n");
    assert.match(await folder.run("edit_file", { path: "a.ts", edits }), /^Edited a\.ts:\n-one\n\+1\n two/);
    assert.equal(await textAt("a.ts"), "1\r\ntwo\r\n3\r\nfour\r\n");
  });

  it("A5: in a chat every change of a file goes through the undo ledger's half of the effects", async () => {
    await folder.put("w/a.ts", "one\n");
    await folder.put("w/b.ts", "two\n");
    const made: string[] = [];
    const note = (what: string): never => {
      made.push(what);
      throw new Error("recorded");
    };
    const files: FileChanges = {
      write: () => note("write"),
      create: () => note("create"),
      rename: () => note("rename"),
      remove: () => note("remove"),
    };
    const inputs = {
      edit_file: { path: "a.ts", old_text: "one", new_text: "1" },
      write_file: { path: "c.ts", text: "x" },
      rename_file: { path: "a.ts", new_path: "c.ts" },
      delete_file: { path: "b.ts" },
    };
    for (const [name, input] of Object.entries(inputs)) {
      const tool = toolsOver(folder.workspace).find(({ declaration }) => declaration.name === name);
      const call = await tool?.prepare(input, never);
      const effects = { activity: () => undefined, output: () => undefined, submitted: () => undefined, files };
      await assert.rejects(async () => call?.run(never, effects), /recorded/);
    }
    assert.deepEqual(made, ["write", "create", "rename", "remove"]);
    assert.deepEqual([await textAt("a.ts"), await textAt("b.ts"), await isThere("c.ts")], ["one\n", "two\n", false]);
  });
});

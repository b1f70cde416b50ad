/** Finding text and files: patterns, globs, context, pages; and what a hostile pattern or tree can't do. */
import assert from "node:assert/strict";
import { rename, rm, symlink } from "node:fs/promises";
import { resolve } from "node:path";
import * as fc from "fast-check";
import { isAbort } from "../../../../src/base/async/abort";
import type { PreparedCall } from "../../../../src/domain/tools/tool";
import type { Workspace } from "../../../../src/domain/tools/workspace";
import { listedName } from "../../../../src/tools/gate/pathNames";
import { compileGlobs } from "../../../../src/tools/search/globs";
import { ParallelSearch } from "../../../../src/tools/search/parallelSearch";
import { createDiskWorkspace } from "../../../support/diskWorkspace";
import { createToolFolder, titleOf, type ToolFolder, toolsOver } from "../../../support/toolFolder";
import { assertLinear } from "../../../support/growth";

const never = new AbortController().signal;

/** Folder by folder, by name. */
function bySegment(paths: readonly string[]): readonly string[] {
  const keyOf = (path: string): string => path.replaceAll("/", "\0");
  return paths.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

describe("search tools", () => {
  let folder: ToolFolder;
  beforeEach(async () => {
    folder = await createToolFolder();
  });
  afterEach(() => folder.remove());

  const neither = "(neither as a text nor as a regular expression)";
  const find = (input: object): Promise<string> => folder.run("find_text", input);
  const textOf = async (call: PreparedCall, signal = never): Promise<string> => {
    const result = await call.run(signal);
    assert.ok(typeof result === "string");
    return result;
  };
  const linesOf = async (input: object): Promise<string[]> => (await find(input)).split("\n");

  it("A2: a pattern is a regular expression, line by line; a text is itself", async () => {
    await folder.put("a.ts", "foo(1);\nfoo[2]\nbar foo\n");
    assert.deepEqual(await linesOf({ text: "^foo[([]\\d", is_pattern: true }), ["a.ts:1: foo(1);", "a.ts:2: foo[2]"]);
    assert.deepEqual(await linesOf({ text: "foo[2]" }), ["a.ts:2: foo[2]"]);
    assert.deepEqual(await linesOf({ text: "1\\);[^]*bar", is_pattern: true }), ["(no hits)"]);
    assert.deepEqual(await linesOf({ text: "\\-?foo$", is_pattern: true }), ["a.ts:3: bar foo"]);
    assert.match(
      await folder.refusal("find_text", { text: "(", is_pattern: true }),
      /no JavaScript regular expression/,
    );
    assert.match(await folder.refusal("find_text", { text: "a\nb" }), /several lines/);
    const call = await folder.prepare("find_text", { text: "a+", is_pattern: true });
    assert.equal(titleOf(call), "Find the pattern “a+”");
  });

  it("A2, A10 (finding 22): a text without a hit that reads like a pattern is tried as one, and the result says so", async () => {
    await folder.put("a.ts", "export  const one = 1;\nlet two;\n[x] a|b\n");
    const note = "(the text itself has no hit: it was taken as a regular expression, as is_pattern does)";
    assert.deepEqual(await linesOf({ text: "export\\s+const" }), ["a.ts:1: export  const one = 1;", note]);
    assert.deepEqual(await linesOf({ text: "one|two" }), ["a.ts:1: export  const one = 1;", "a.ts:2: let two;", note]);
    assert.deepEqual(await linesOf({ text: "one\\|two" }), [
      "a.ts:1: export  const one = 1;",
      "a.ts:2: let two;",
      note,
    ]);
    assert.deepEqual(await linesOf({ text: "a|b" }), ["a.ts:3: [x] a|b"], "a hit as it is");
    assert.deepEqual(await linesOf({ text: "three" }), ["(no hits)"]);
    assert.deepEqual(await linesOf({ text: "three|four" }), ["(no hits)", neither]);
    assert.deepEqual(await linesOf({ text: "a|(b" }), ["(no hits)"], "no pattern");
  });

  it("A2, A10: a text without a hit is not tried as a pattern that each line has, such as one with an empty alternative", async () => {
    await folder.put("a.ts", "one\n\ntwo\n");
    for (const text of ["hour > 18 ||", "|| one", "a.*", ".*"]) {
      assert.deepEqual(await linesOf({ text }), text === "a.*" ? ["(no hits)", neither] : ["(no hits)"], text);
    }
    assert.deepEqual((await linesOf({ text: "^$" })).slice(0, 1), ["a.ts:2: "], "empty lines are no such pattern");
  });

  it("A2: case counts where it is asked for, also beyond ASCII", async () => {
    await folder.put("a.txt", "Straße ÄPFEL\näpfel\n");
    assert.deepEqual(await linesOf({ text: "äpfel" }), ["a.txt:1: Straße ÄPFEL", "a.txt:2: äpfel"]);
    assert.deepEqual(await linesOf({ text: "äpfel", match_case: true }), ["a.txt:2: äpfel"]);
  });

  it("A2: files are included and excluded by globs", async () => {
    for (const file of ["src/a.ts", "src/a.test.ts", "src/deep/b.ts", "pages/a.txt", "c.ts"])
      await folder.put(file, "x");
    const files = async (input: object): Promise<string[]> =>
      (await linesOf({ text: "x", ...input })).map((line) => line.replace(/:.*/, ""));
    assert.deepEqual(await files({ include: ["*.ts"], exclude: ["*.test.ts"] }), ["c.ts", "src/a.ts", "src/deep/b.ts"]);
    assert.deepEqual(await files({ include: ["src/*.{ts,txt}"] }), ["src/a.test.ts", "src/a.ts"]);
    assert.deepEqual(await files({ include: ["src/**"], exclude: ["deep"] }), ["src/a.test.ts", "src/a.ts"]);
    assert.deepEqual(await files({ include: ["./pages/"] }), ["pages/a.txt"]);
    assert.match(await folder.refusal("find_text", { text: "x", include: ["{a,b}".repeat(10)] }), /alternatives/);
  });

  it("A2: lines around a hit, groups set apart, each line once", async () => {
    await folder.put("a.txt", "1\n2\nhit 3\n4\nhit 5\n6\n7\n8\n  hit 9\n");
    assert.deepEqual(await linesOf({ text: "hit", context_lines: 1 }), [
      ...["a.txt-2- 2", "a.txt:3: hit 3", "a.txt-4- 4", "a.txt:5: hit 5", "a.txt-6- 6"],
      ...["--", "a.txt-8- 8", "a.txt:9:   hit 9"],
    ]);
  });

  it("A2: pages follow each other without a gap, in the same order each time", async () => {
    const names = Array.from({ length: 30 }, (_, index) => `${index % 5}/${index}.txt`);
    for (const name of names) await folder.put(name, "hit\n".repeat(15));
    const pages: string[] = [];
    for (let skip: string | undefined = "0"; skip !== undefined;) {
      const page: string = await find({ text: "hit", skip: Number(skip) });
      pages.push(...page.split("\n").filter((line) => !line.startsWith("(")));
      skip = /skip (\d+) gives them/.exec(page)?.[1];
    }
    assert.equal(pages.length, 450);
    assert.equal(new Set(pages).size, 450);
    const order = [...new Set(pages.map((line) => line.replace(/:.*/, "")))];
    assert.deepEqual(order, [...names].sort());
    assert.equal(await find({ text: "hit", skip: 450 }), "(only 450 hits)");
  });

  it("A2: the threads of a search share its files, and pages still follow each other over all folders", async () => {
    const roots = ["a", "a-b", "b"];
    const names = roots.flatMap((root) => Array.from({ length: 300 }, (_, file) => `${root}/${file % 9}/${file}.txt`));
    await Promise.all(names.map((name) => folder.put(name, "hit\n")));
    const tools = toolsOver(createDiskWorkspace(...roots.map((root) => folder.at(root))));
    const tool = tools.find(({ declaration }) => declaration.name === "find_text");
    const found: string[] = [];
    for (let skip = 0; skip < names.length; skip += 200) {
      const page = await textOf(await tool!.prepare({ text: "hit", skip }, never));
      found.push(...page.split("\n").filter((line) => !line.startsWith("(")));
    }
    assert.deepEqual(
      found,
      bySegment(names).map((name) => `${name}:1: hit`),
    );
  });

  it("A2: a folder without rules of its own is only listed; one with them, or a repository, has its own", async () => {
    const asked: string[] = [];
    const note = <T>(path: string, result: T): T => {
      asked.push(path);
      return result;
    };
    await folder.remove();
    folder = await createToolFolder({
      over: (disk) => ({
        ...disk,
        realPath: (path) => note(path, disk.realPath(path)),
        status: (path) => note(path, disk.status(path)),
        open: (path) => note(path, disk.open(path)),
      }),
    });
    for (const name of ["plain/deep/a.ts", "rules/a.txt", "nested/a.txt", "nested/b.txt"]) await folder.put(name, "");
    await folder.put(".gitignore", "/plain/none\nb.txt\n");
    await folder.put("rules/.gitignore", "*.txt\n");
    await folder.command("git", "init", "-q", "nested");
    assert.equal(await folder.run("find_files", { name: "*.txt" }), "nested/a.txt\nnested/b.txt");
    assert.ok(asked.includes(folder.at("rules/.gitignore")) && asked.includes(folder.at("nested/.git")));
    assert.deepEqual(
      asked.filter((path) => path.startsWith(folder.at("plain/deep/")) || path.startsWith(folder.at("plain/."))),
      [],
    );
  });

  it("A2: of a long line the part with the match is shown", async () => {
    await folder.put("min.js", `${"x".repeat(5000)}needle${"y".repeat(5000)}`);
    const line = await find({ text: "needle" });
    assert.match(line, /^min\.js:1: … x{100}needley+$/);
    assert.ok(line.length < 350);
  });

  it("A2: find_files ranks the name itself before a part of it, and takes globs", async () => {
    for (const file of [
      "src/walk.ts",
      "src/walkAll.ts",
      "walk/index.ts",
      "src/sidewalk.ts",
      "test/unit/walk.test.ts",
    ]) {
      await folder.put(file, "");
    }
    const names = async (name: string): Promise<string[]> => (await folder.run("find_files", { name })).split("\n");
    assert.deepEqual(await names("WALK.ts"), ["src/walk.ts", "src/sidewalk.ts"]);
    assert.deepEqual((await names("walk")).slice(0, 2), ["src/walk.ts", "src/walkAll.ts"]);
    assert.deepEqual(await names("**/walk*.ts"), ["src/walk.ts", "src/walkAll.ts", "test/unit/walk.test.ts"]);
    assert.deepEqual(await names("test walk"), ["test/unit/walk.test.ts"]);
    assert.deepEqual(await names("nothing"), ["(no files)"]);
  });

  it("A4: neither finds secrets, what git ignores, hard links, nor what lies behind links", async () => {
    await folder.put(".gitignore", "build/\n");
    for (const file of [".env", "build/x.ts", "node_modules/x.ts", "outside/x.ts"]) await folder.put(file, "hit");
    await folder.command("ln", folder.at("outside/x.ts"), folder.at("hard.ts"));
    await folder.put("root/x.ts", "hit");
    await symlink(folder.at("outside"), folder.at("root/link"));
    const search = async (tool: string, input: object): Promise<string> => textOf(await folder.prepare(tool, input));
    assert.equal(await search("find_text", { text: "hit" }), "root/x.ts:1: hit");
    assert.equal(await search("find_files", { name: "x.ts" }), "root/x.ts\noutside/x.ts");
    assert.equal(await search("find_files", { name: ".env" }), "(no files)");
  });

  it("A4: a folder that is a link by the time of the search is not entered by its thread", async () => {
    await folder.remove();
    folder = await createToolFolder({ inside: "root" });
    await folder.put("root/sub/file", "hit");
    await folder.put("outside/file", "hit OUTSIDE");
    const tool = toolsOver(folder.workspace).find(({ declaration }) => declaration.name === "find_text");
    const call = await tool!.prepare({ text: "hit", path: "." }, never);
    await rename(folder.at("root/sub"), folder.at("aside"));
    await symlink(folder.at("outside"), folder.at("root/sub"));
    assert.equal(await call.run(never), "(no hits)");
  });

  it("A2: without a path every root is searched; paths are those that the other tools take", async () => {
    await folder.put("two/a.txt", "hit two");
    await folder.put("one/sub/a.txt", "hit one");
    const tools = toolsOver(createDiskWorkspace(folder.at("two"), folder.at("one")));
    const run = async (name: string, input: object): Promise<string> =>
      textOf(await tools.find(({ declaration }) => declaration.name === name)!.prepare(input, never));
    assert.equal(await run("find_text", { text: "hit" }), "one/sub/a.txt:1: hit one\ntwo/a.txt:1: hit two");
    assert.equal(await run("find_files", { name: "*.txt" }), "one/sub/a.txt\ntwo/a.txt");
    assert.equal(await run("find_text", { text: "hit", path: "one/sub" }), "one/sub/a.txt:1: hit one");
    assert.equal(await run("read_file", { path: "one/sub/a.txt" }), "hit one\n(lines 1 to 1 of 1)");
  });

  it("A2: read_file says where to go on after 2,000 lines", async () => {
    await folder.put("long.txt", "line\n".repeat(3000));
    assert.match(
      await folder.run("read_file", { path: "long.txt" }),
      /\n\(lines 1 to 2000 of 3000; go on with start_line 2001\)$/,
    );
    const asked = { path: "long.txt", start_line: 1, end_line: 2 };
    assert.match(await folder.run("read_file", asked), /\n\(lines 1 to 2 of 3000\)$/);
  });

  it("A2: unsaved text of an editor is searched instead of the file, also below a root that is a link", async () => {
    await folder.remove();
    await createToolFolder().then((one) => (folder = one));
    await folder.put("real/a.txt", "saved");
    await symlink(folder.at("real"), folder.at("linked"));
    const unsaved = (workspace: Workspace): Workspace => ({
      ...workspace,
      roots: () => [{ name: "linked", path: folder.at("linked") }],
      unsavedTexts: () => [[folder.at("linked/a.txt"), "unsaved hit"]],
    });
    const tool = toolsOver(unsaved(folder.workspace)).find(({ declaration }) => declaration.name === "find_text");
    assert.equal(await (await tool!.prepare({ text: "hit" }, never)).run(never), "a.txt:1: unsaved hit");
  });

  it("A4: whatever the name of a file that git does not track, what is found in it or by it is untrusted", async function () {
    // Windows has no such names.
    if (process.platform === "win32") this.skip();
    await folder.command("git", "init", "-q");
    const told: string[] = [];
    const effects = {
      ...{ activity: () => undefined, output: () => undefined, submitted: () => undefined },
      untrusted: (what: string) => void told.push(what),
    };
    const unit = fc.constantFrom(...'":\n\r\u2028 ()\\-.1a', "\u00a0", "é", "🟢");
    const names = fc.string({ unit, minLength: 1, maxLength: 8 }).filter((name) => !/^\.{1,2}$/.test(name));
    const isFound = async (name: string): Promise<void> => {
      await folder.put(`notes/${name}`, "needle\n");
      for (const [tool, input] of [
        ["find_text", { text: "needle" }],
        ["find_files", { name: "notes/*" }],
      ] as const) {
        told.length = 0;
        await (await folder.prepare(tool, input)).run(never, effects);
        assert.deepEqual(told, [listedName(`notes/${name}`)], tool);
      }
      await rm(folder.at("notes"), { recursive: true });
    };
    await isFound('a"b.md');
    await fc.assert(fc.asyncProperty(names, isFound), { numRuns: 60 });
  });

  it("R6: a pattern that never ends is ended, and the next search works", async () => {
    await folder.put("a.txt", `${"a".repeat(60)}b\nneedle\n`);
    const search = new ParallelSearch(resolve("dist", "search.mjs"), 2000);
    const tool = toolsOver(folder.workspace, { search }).find(({ declaration }) => declaration.name === "find_text");
    const run = async (input: object, signal = never): Promise<string> =>
      textOf(await tool!.prepare(input, signal), signal);
    await assert.rejects(run({ text: "^(a+)+$", is_pattern: true }), /took too long .* simpler pattern/);
    const turn = new AbortController();
    const stopped = run({ text: "^(a+)+$", is_pattern: true }, turn.signal);
    setImmediate(() => turn.abort());
    await assert.rejects(stopped, isAbort);
    assert.equal(await run({ text: "needle" }), "a.txt:2: needle");
  });

  it("R6: globs of nothing but stars are matched in a time that grows as they do", async () => {
    const path = `${"a/".repeat(60)}b`;
    await assertLinear(6, (stars) => {
      const matches = compileGlobs([`${"**/a*".repeat(stars)}z`, "*a".repeat(4 * stars)]);
      return () => assert.equal(matches(path), false);
    });
  });
});

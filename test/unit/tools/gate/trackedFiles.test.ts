/** What git does not track is untrusted: compared with git itself, for every form of its index. */
import assert from "node:assert/strict";
import { readFile, realpath, symlink, writeFile } from "node:fs/promises";
import { TimeSlices } from "../../../../src/base/async/timeSlices";
import { areTracked, findUntracked } from "../../../../src/tools/gate/trackedFiles";
import { createToolFolder, type ToolFolder } from "../../../support/toolFolder";
import { assertLinear } from "../../../support/growth";

const never = new AbortController().signal;

describe("files that git does not track", () => {
  let folder: ToolFolder;
  const git = (...args: string[]): Promise<string> =>
    folder.command("git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always", ...args);
  const isTracked = async (name: string): Promise<boolean> =>
    (await findUntracked(folder.workspace, [await realpath(folder.at(name))], new TimeSlices(never))).length === 0;
  const toldBy = async (
    tool: string,
    input: object,
    wrote: readonly string[] = [],
    told: string[] = [],
  ): Promise<readonly string[]> => {
    const call = await folder.prepare(tool, input);
    await call.run(never, {
      ...{ activity: () => undefined, output: () => undefined, submitted: () => undefined },
      untrusted: (what) => void told.push(what),
      wrote: (path) => Promise.resolve(wrote.some((name) => path === folder.at(name))),
    });
    return told;
  };
  const readsOf = async (name: string, wrote?: readonly string[]): Promise<string | undefined> =>
    (await toldBy("read_file", { path: name }, wrote))[0];

  beforeEach(async () => {
    folder = await createToolFolder();
    for (const name of ["a.ts", "src/b.ts", "src/deep/ü ñ.ts", "src/deep/c.ts", "z"])
      await folder.put(name, "needle\n");
  });
  afterEach(() => folder.remove());

  for (const [form, ...settings] of [
    ["2"],
    ["4", "index.version=4"],
    ["3, with a file that is to be added", "add.intent=true"],
    ["of SHA-256", "format=sha256"],
  ] as const) {
    it(`A4: an index of version ${form}`, async () => {
      await git("init", "-q", ...(form === "of SHA-256" ? ["--object-format=sha256"] : []));
      if (form === "4") await git("config", ...settings[0]!.split("="));
      await git("add", ".");
      await folder.put("src/new.ts", "needle\n");
      await folder.put("src/deep/c.ts.bak", "needle\n");
      if (form.startsWith("3")) {
        await folder.put("later.ts", "");
        await git("add", "-N", "later.ts");
        assert.ok(await isTracked("later.ts"));
      }
      const version = (await readFile(folder.at(".git/index"))).readUInt32BE(4);
      assert.equal(version, form === "4" ? 4 : form.startsWith("3") ? 3 : 2);
      for (const name of (await git("ls-files", "-z")).split("\0").filter((one) => one !== "")) {
        assert.ok(await isTracked(name), name);
      }
      for (const name of ["src/new.ts", "src/deep/c.ts.bak"]) assert.ok(!(await isTracked(name)), name);
      assert.deepEqual([await readsOf("src/b.ts"), await readsOf("src/new.ts")], [undefined, "src/new.ts"]);
    });
  }

  it("A4: without a repository the trust in the folder counts; with an index that is damaged or split nothing is trusted", async () => {
    assert.equal(await readsOf("a.ts"), undefined);
    await git("init", "-q");
    assert.equal(await readsOf("a.ts"), "a.ts");
    await git("add", ".");
    assert.equal(await readsOf("z"), undefined);
    const index = await readFile(folder.at(".git/index"));
    for (const damaged of [index.subarray(0, 100), Buffer.from("DIRC"), Buffer.alloc(200, 0xff), Buffer.alloc(0)]) {
      await writeFile(folder.at(".git/index"), damaged);
      assert.equal(await readsOf("z"), "z");
    }
    await writeFile(folder.at(".git/index"), index);
    await git("update-index", "--split-index");
    assert.equal(await readsOf("z"), "z");
  });

  it("A16: a file that a tracked link gives the name of what an agent, an editor or a build obeys is none to change unasked", async () => {
    const are = (...names: readonly string[]): Promise<boolean> =>
      areTracked(
        folder.workspace,
        names.map((name) => folder.at(name)),
      );
    for (const name of ["notes.md", "docs/hint.md", "lib/boot.rb", "plain.md", "sub/x.ts"])
      await folder.put(name, "x\n");
    for (const [target, at] of [
      ["notes.md", "AGENTS.md"],
      ["docs", ".claude"],
      ["lib", "config"],
      ["plain.md", "other.md"],
      ["sub", "more"],
      ["nowhere", "CLAUDE.md"],
    ] as const)
      await symlink(target, folder.at(at));
    await git("init", "-q");
    await git("add", ".");
    for (const name of ["notes.md", "docs/hint.md", "lib/boot.rb"]) {
      assert.equal(await are(name), false, name);
      assert.equal(await are("plain.md", name), false, `${name} with another one`);
    }
    assert.equal(await are("plain.md", "sub/x.ts", "src/b.ts"), true);
  });

  it("A4 (finding H1): an index of submodules takes no longer for more files: it comes with the repository", async () => {
    const entry = Buffer.alloc(72);
    entry.writeUInt32BE(0o160000, 24);
    entry.write("away", 62, "latin1");
    const head = Buffer.from("DIRC\0\0\0\x02\0\0\0\0", "latin1");
    const folders = new Map<number, ToolFolder>();
    const few = 1_000;
    for (const count of [few, 8 * few]) {
      const repository = await createToolFolder();
      folders.set(count, repository);
      await repository.command("git", "init", "-q");
      head.writeUInt32BE(count, 8);
      await writeFile(repository.at(".git/index"), Buffer.concat([head, Buffer.alloc(72 * count, entry)]));
    }
    // Each entry with each file would be as many comparisons as the square of both.
    await assertLinear(few, (count) => {
      const { workspace, path } = folders.get(count) ?? folder;
      const files = Array.from({ length: count }, (_, at) => `${path}/${at % 2 === 0 ? "src" : "away/x"}/${at}.ts`);
      return async () => assert.deepEqual(await findUntracked(workspace, files, new TimeSlices(never)), files);
    });
    for (const repository of folders.values()) await repository.remove();
  });

  it("A4: a repository in an untracked folder does not vouch for its files; a submodule does by its own index", async () => {
    await git("init", "-q");
    await git("add", ".");
    await git("init", "-q", "downloads/evil");
    await folder.put("downloads/evil/README.md", "do as I say\n");
    await git("-C", "downloads/evil", "add", ".");
    assert.equal(await readsOf("downloads/evil/README.md"), "downloads/evil/README.md");
    await git("-C", "downloads/evil", "commit", "-qm", "first");
    await git("submodule", "--quiet", "add", "./downloads/evil", "lib/part");
    assert.equal(await readsOf("lib/part/README.md"), undefined);
  });

  it("A4 (finding S9): below a submodule its own index decides, also in one of its own, and without one nothing is tracked", async () => {
    await git("init", "-q");
    await git("add", ".");
    for (const [top, name] of [
      [".", "lib"],
      ["lib", "deep"],
    ] as const) {
      await git("init", "-q", `${top}/${name}`);
      await folder.put(`${top}/${name}/own.md`, "own\n");
      await git("-C", `${top}/${name}`, "add", "own.md");
      await git("-C", top, "update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},${name}`);
    }
    for (const path of ["notes.md", "AGENTS.md", "node_modules/p/README.md", "deep/notes.md"])
      await folder.put(`lib/${path}`, "do as I say\n");
    for (const path of ["lib/own.md", "lib/deep/own.md"]) assert.equal(await readsOf(path), undefined, path);
    for (const path of ["notes.md", "AGENTS.md", "node_modules/p/README.md", "deep/notes.md"])
      assert.equal(await readsOf(`lib/${path}`), `lib/${path}`);
    await folder.command("rm", "-r", "lib/.git");
    assert.equal(await readsOf("lib/own.md"), "lib/own.md");
  });

  it("A4 (finding S9): what lies in a folder that a sparse checkout leaves out is not tracked", async () => {
    await git("init", "-q");
    await git("add", ".");
    await git("commit", "-qm", "first");
    await git("sparse-checkout", "set", "--cone", "--sparse-index", "lib");
    await folder.put("src/planted.md", "do as I say\n");
    assert.deepEqual([await readsOf("a.ts"), await readsOf("src/planted.md")], [undefined, "src/planted.md"]);
  });

  it("A4: in a folder of repositories each one vouches for its own", async () => {
    await git("init", "-q", "src");
    await git("-C", "src", "add", ".");
    assert.deepEqual([await readsOf("src/deep/c.ts"), await readsOf("a.ts")], [undefined, undefined]);
    await folder.put("src/new.ts", "needle\n");
    assert.equal(await readsOf("src/new.ts"), "src/new.ts");
  });

  it("A4: what the tools of the chat made themselves is not somebody else's", async () => {
    await git("init", "-q");
    assert.equal(await readsOf("z", ["z"]), undefined);
    assert.equal(await readsOf("z", ["a.ts"]), "z");
    const all = ["a.ts", "src/b.ts", "src/deep/ü ñ.ts", "src/deep/c.ts", "z"];
    assert.deepEqual(await toldBy("find_text", { text: "needle" }, ["z", ...all.slice(0, 2)]), ["src/deep/c.ts"]);
  });

  it("A4: an edit that fails quotes the file, and one that is made quotes its surroundings: both say so", async () => {
    await git("init", "-q");
    await git("add", "a.ts");
    const edit = async (name: string, oldText: string, wrote?: readonly string[]): Promise<readonly string[]> => {
      const told: string[] = [];
      const input = { path: name, old_text: oldText, new_text: "thorn" };
      await toldBy("edit_file", input, wrote, told).catch((error: unknown) => {
        assert.match(String(error), /The file reads/);
      });
      return told;
    };
    assert.deepEqual(await edit("z", "needles"), ["z"]);
    assert.deepEqual(await edit("z", "needles", ["z"]), []);
    assert.deepEqual(await edit("a.ts", "needles"), []);
    assert.deepEqual(await edit("z", "needle", ["z"]), []);
    assert.deepEqual(await edit("src/b.ts", "needle"), ["src/b.ts"]);
    assert.deepEqual(await edit("a.ts", "needle"), []);
  });

  it("A4: a search that quotes such a file says so, one that quotes none does not", async () => {
    await git("init", "-q");
    await git("add", ".");
    const search = (text: string): Promise<readonly string[]> => toldBy("find_text", { text, context_lines: 1 });
    assert.deepEqual(await search("needle"), []);
    await folder.put("src/odd: name.md", "thorn\n");
    await folder.put("src/new.ts", "needle thistle\n");
    assert.deepEqual(await search("thistle"), ["src/new.ts"]);
    assert.deepEqual(await search("needle"), ["src/new.ts"]);
    assert.deepEqual(await search("thorn"), ['"src/odd: name.md"']);
    assert.deepEqual(await search("needles"), []);
  });
});

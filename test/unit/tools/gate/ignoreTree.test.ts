/** What is ignored, against git itself: every rule is asked of both. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { symlink } from "node:fs/promises";
import { basename, dirname } from "node:path";
import fc from "fast-check";
import { TimeSlices } from "../../../../src/base/async/timeSlices";
import type { FolderEntry, Workspace } from "../../../../src/domain/tools/workspace";
import { describeReasons } from "../../../../src/domain/words/describeTool";
import { reasonsToAskForRead } from "../../../../src/tools/gate/cautions";
import { gateFile } from "../../../../src/tools/gate/fileGate";
import { IgnoreTree, parseIgnoreRules } from "../../../../src/tools/gate/ignoreTree";
import { createDiskWorkspace } from "../../../support/diskWorkspace";
import { createToolFolder, type ToolFolder } from "../../../support/toolFolder";
import { runsOf } from "../../../support/runs";

const { signal } = new AbortController();
const ruleSamples = runsOf(400);

describe("what git ignores", () => {
  let folder: ToolFolder;
  beforeEach(async () => {
    folder = await createToolFolder();
    await folder.command("git", "init", "--quiet");
  });
  afterEach(() => folder.remove());

  const reason = async (
    path: string,
    root = "",
    over = (workspace: Workspace) => workspace,
  ): Promise<string | undefined> =>
    gateFile(over(createDiskWorkspace(folder.at(root))), path, signal).then(({ cautions }) => {
      const reasons = reasonsToAskForRead(cautions);
      return reasons && describeReasons(reasons);
    });

  it("A4 (finding S11): a parent's .gitignore counts when the workspace is a folder of the repository", async () => {
    await folder.put(".gitignore", "*.log\n/app/private/\n");
    await folder.put("app/debug.log", "");
    await folder.put("app/private/notes.txt", "");
    await folder.put("app/main.ts", "");
    assert.equal(await reason("debug.log", "app"), "git ignores it");
    assert.equal(await reason("private/notes.txt", "app"), "git ignores it");
    assert.equal(await reason("notes.txt", "app/private"), "git ignores it");
    assert.equal(await reason("main.ts", "app"), undefined);
  });

  it("A4: a rule file of the repository that is on the network is not opened, and what git ignores is not known then", async () => {
    await folder.put("a.ts", "");
    for (const path of ["//evil.example/share/x", String.raw`\\\\evil.example\\share\\x`]) {
      await folder.put(".git/config", `[core]\n\texcludesfile = ${path}\n`);
      const opened: string[] = [];
      const watched = (workspace: Workspace): Workspace => ({
        ...workspace,
        realPath: (asked) => (opened.push(asked), workspace.realPath(asked)),
        status: (asked) => (opened.push(asked), workspace.status(asked)),
      });
      assert.match((await reason("a.ts", "", watched)) ?? "", /what git ignores/);
      assert.deepEqual(
        opened.filter((asked) => asked.includes("evil.example")),
        [],
      );
    }
  });

  it("F2: whether a folder is a repository is looked up once for a file in it", async () => {
    await folder.put("src/main.ts", "");
    const opened: string[] = [];
    const watched = (workspace: Workspace): Workspace => ({
      ...workspace,
      status: (asked) => (opened.push(asked), workspace.status(asked)),
    });
    await reason("src/main.ts", "", watched);
    const looked = opened.filter((asked) => basename(asked) === ".git");
    assert.deepEqual(looked, [...new Set(looked)]);
  });

  it("A4 (finding S11): .git/info/exclude counts, also in a worktree, and the person's own file", async () => {
    await folder.put("main/notes.txt", "");
    await folder.command("git", "init", "--quiet", "main");
    await folder.put("main/.git/info/exclude", "notes.txt\n");
    assert.equal(await reason("notes.txt", "main"), "git ignores it");
    const git = ["-C", "main", "-c", "user.name=a", "-c", "user.email=a@b"];
    await folder.command("git", ...git, "commit", "--quiet", "--allow-empty", "-m", "first");
    await folder.command("git", ...git, "worktree", "add", "--quiet", "../tree");
    await folder.put("tree/notes.txt", "");
    await folder.put("tree/other.txt", "");
    assert.equal(await reason("notes.txt", "tree"), "git ignores it");
    assert.equal(await reason("other.txt", "tree"), undefined);
    await folder.put("personal", "other.txt\n");
    const personally = (workspace: Workspace): Workspace => ({
      ...workspace,
      personalIgnoreFile: () => Promise.resolve(folder.at("personal")),
    });
    assert.equal(await reason("other.txt", "tree", personally), "git ignores it");
  });

  it("A4 (finding S11): nothing below an ignored folder is re-included", async () => {
    await folder.put(".gitignore", "build/\n!build/keep.txt\n!keep.txt\n");
    await folder.put("build/.gitignore", "!keep.txt\n");
    await folder.put("build/keep.txt", "");
    assert.equal(await reason("build/keep.txt"), "git ignores it");
  });

  it("A4 (finding S11): an ignored file asks under the name of a link inside too, and a link that git ignores as well", async () => {
    await folder.put(".gitignore", "build/\nshortcut\n");
    await folder.put("build/out.js", "");
    await folder.put("src/app.ts", "");
    await symlink("build", folder.at("other"));
    await symlink("src", folder.at("shortcut"));
    assert.equal(await reason("other/out.js"), "git ignores it");
    assert.equal(await reason("shortcut/app.ts"), "git ignores it");
    assert.equal(await reason("src/app.ts"), undefined);
  });

  it("A4 (finding S11): a repository inside begins anew, unless the outer one ignores it", async () => {
    await folder.put(".gitignore", "*.txt\nvendor/\n");
    for (const name of ["inner", "vendor"]) {
      await folder.put(`${name}/notes.txt`, "");
      await folder.command("git", "init", "--quiet", name);
    }
    assert.equal(await reason("inner/notes.txt"), undefined);
    assert.equal(await reason("vendor/notes.txt"), "git ignores it");
  });

  const unusable: Record<string, (at: string) => Promise<unknown>> = {
    "is a link": (at) => symlink("/dev/zero", at),
    "is a pipe": (at) => folder.command("mkfifo", at),
    "is a folder": () => folder.put("src/.gitignore/x", ""),
    "is too large": () => folder.put("src/.gitignore", "x\n".repeat(200_000)),
    "has too many rules": () => folder.put("src/.gitignore", "x\n".repeat(20_000)),
    "has a rule that is too long": () => folder.put("src/.gitignore", "x".repeat(5000)),
  };
  for (const [what, make] of Object.entries(unusable)) {
    it(`A4 (finding S4): a .gitignore that ${what} is not used: its folder asks and is left out of lists`, async () => {
      await folder.put("src/deep/app.ts", "hit");
      await folder.put("main.ts", "hit");
      await make(folder.at("src/.gitignore"));
      assert.equal(await reason("src/deep/app.ts"), "the rules of what git ignores can't be read there");
      assert.equal(await reason("main.ts"), undefined);
      const note = "(src/ is left out: what git ignores there can't be known)";
      assert.equal(await folder.run("list_files", {}), `main.ts\n${note}`);
      assert.equal(await folder.run("find_text", { text: "hit" }), `main.ts:1: hit\n${note}`);
      assert.match(await folder.run("list_files", { path: "src" }), /^(\.gitignore.*\n)?deep\/app\.ts$/);
    });
  }

  it("A4 (finding S11): random rules are judged as git judges them", async () => {
    const names = [
      ...["a.d/a", "b/a.e", "b/c.txt", "b/a/c", "a.txt", "ab", "B", "b/[a]", "b/x y", "b/a/b/c.txt"],
      ...["c/b/a", "c/é", "#a", "!a", "c/a*b", "c/\\a", "a/b", "a/c/b", "c/b/d/a.txt"],
    ];
    const piece = fc.constantFrom(
      ...[
        "a",
        "b",
        "c",
        "ab",
        "a.d",
        ".txt",
        "x y",
        "é",
        ".",
        "*",
        "**",
        "***",
        "?",
        "/",
        "**/",
        "/**",
        "!",
        "#",
        "\\",
      ],
      ...[
        "\\*",
        "\\ ",
        " ",
        "\t",
        "\r",
        "*.txt",
        "[a-c]",
        "[!a]",
        "[^b]",
        "[[:alpha:]]",
        "[[:x:]]",
        "[]a]",
        "[a",
        "[b-",
      ],
      ...["[\\]]", "[a-\\c]"],
    );
    const rule = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(""));
    const rules = fc.array(rule, { minLength: 1, maxLength: 4 }).map((lines) => lines.join("\n"));
    // Each folder has rules of its own, so that git is asked once for all of them.
    const samples = fc.sample(fc.tuple(rules, rules), { numRuns: ruleSamples, seed: 11 });
    for (const [index, [top, nested]] of samples.entries()) {
      await folder.put(`${index}/.gitignore`, top);
      await folder.put(`${index}/b/.gitignore`, `${nested}\n`);
    }
    const paths = samples.flatMap((_, index) => names.map((name) => `${index}/${name}`));
    const git = spawnSync("git", ["-c", "core.ignorecase=false", "check-ignore", "--no-index", "--stdin", "-z"], {
      cwd: folder.path,
      input: paths.join("\0"),
      env: { ...process.env, HOME: folder.path, XDG_CONFIG_HOME: folder.path },
    });
    const byGit = new Set(git.stdout.toString().split("\0"));
    assert.ok(byGit.size > ruleSamples);

    const workspace = createDiskWorkspace();
    const tree = new IgnoreTree(workspace, new TimeSlices(signal));
    /** As a walk gives them; `undefined` for a folder that is not there. */
    const entriesOf = async (at: string): Promise<readonly FolderEntry[] | undefined> =>
      (await workspace.list(folder.at(at), 1000).catch(() => undefined))?.entries;
    const folders = new Map([[".", await tree.rulesOf(folder.path)]]);
    for (const path of paths) {
      let parent = folders.get(".")!;
      let at = "";
      for (const name of dirname(path).split("/")) {
        at += `${name}/`;
        parent = folders.get(at) ?? (await tree.enter(parent, name, await entriesOf(at.slice(0, -1))));
        folders.set(at, parent);
      }
      const verdict = await tree.verdictOf(parent, basename(path), false);
      const told = `${path} under ${JSON.stringify(samples[Number(path.split("/")[0])])}`;
      assert.equal(verdict, byGit.has(path) ? "ignored" : undefined, told);
    }
  });

  const splitPath = (path: string): readonly [folder: string, name: string] => {
    const at = path.lastIndexOf("/") + 1;
    return [path.slice(0, at), path.slice(at)];
  };

  it("R6 (finding S4): bytes and case: a question mark is one byte, and rules may let case go", () => {
    const verdict = (rules: string, path: string, ignoreCase = false) =>
      parseIgnoreRules(Buffer.from(rules), ignoreCase)?.verdict(
        ...splitPath(Buffer.from(path).toString("latin1")),
        ...([false, { left: 1000 }] as const),
      );
    assert.equal(verdict("?.txt", "é.txt"), undefined);
    assert.equal(verdict("??.txt", "é.txt"), true);
    assert.equal(verdict("BUILD/*.Log", "build/a.LOG"), undefined);
    assert.equal(verdict("BUILD/*.Log", "build/a.LOG", true), true);
    assert.equal(verdict("[A-C]x", "bX", true), true);
  });
});

/** A13, A5, R4: what a command has changed on its copy reaches the workspace through the gate: plain files as edits that can be undone, the rest after one question. With the real sandbox and ledger. */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, lstatSync, readdirSync, rmSync, statSync } from "node:fs";
import { rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isAbort, windowEnded } from "../../../../src/base/async/abort";
import { ChangeLedger } from "../../../../src/chat/undo/changeLedger";
import { LedgerFiles } from "../../../../src/chat/undo/ledgerFiles";
import { undoable, undoChanges } from "../../../../src/chat/undo/undoChanges";
import { type AppliedCopy, applyCopy, finishCopy } from "../../../../src/tools/command/applyCopy";
import { createSandbox } from "../../../../src/tools/sandbox/sandbox";
import { readKept } from "../../../../src/tools/sandbox/workspaceCopy";
import { ToolRefusal } from "../../../../src/domain/tools/tool";
import type { FileChanges, Workspace } from "../../../../src/domain/tools/workspace";
import { type CopiedProject, createCopiedProject } from "../../../support/copiedProject";
import { CopiedRepository } from "../../../support/copiedRepository";
import { createDiskWorkspace } from "../../../support/diskWorkspace";
import { fewOf } from "../../../support/runs";

const never = new AbortController().signal;

describe("applying what a command has changed on its copy", () => {
  let project: CopiedProject;
  let workspace: Workspace;
  let ledger: ChangeLedger;
  let files: FileChanges;
  const repository = new CopiedRepository();
  before(async function () {
    project = await createCopiedProject();
    if (!project.isReady) this.skip();
  });
  beforeEach(async () => {
    await project.clear();
    workspace = createDiskWorkspace(project.root);
    const store = LedgerFiles.nextTo(join(project.base, "storage", "chats")).storeOf("chat");
    ledger = new ChangeLedger({
      store,
      workspace,
      now: () => Date.now(),
      labelOf: (path) => path.slice(project.root.length + 1),
    });
    files = ledger.changesOf({ type: "call", answer: "a", call: "c", allowed: "sandbox" });
    await project.put("src/a.js", "1\n");
    await project.put("package.json", "{}\n");
    await project.put(".gitignore", "dist/\ncoverage/\n*.tsbuildinfo\nnode_modules/\n");
    await repository.putInto(project.root);
  });
  after(async () => {
    await project.remove();
    await repository.remove();
  });

  const apply = async (line: string): Promise<AppliedCopy & { readonly asked: readonly string[] }> => {
    const { copy, output } = await project.run(line);
    assert.equal(output, "");
    const applied = await applyCopy(workspace, copy ?? assert.fail(), files, never);
    const asked =
      applied.question?.parts.map(({ action }) => ("path" in action ? `${action.type} ${action.path}` : "")) ?? [];
    return { ...applied, asked: asked.toSorted() };
  };
  it("A13, R4: of many changes what something runs is shown first, and the names of those that are not shown are in a list", async () => {
    const { question, asked } = await apply(
      'for n in $(seq 210); do echo x > "n$n.qqq"; done; mkdir .vscode; echo {} > .vscode/tasks.json; touch "$(printf \'z\\n+ a.qqq\')"',
    );
    assert.equal(asked.length, 201);
    const last = question?.parts.at(-1);
    assert.deepEqual(last?.action, { type: "more-files", count: 12 });
    const listed = last?.change?.after.trim().split("\n") ?? [];
    assert.equal(listed.length, 12);
    assert.ok(
      listed.every((line) => /^\+ (?:n\d+\.qqq|z\\n\+ a\.qqq)$/.test(line)),
      String(listed),
    );
    const [first] = question?.parts ?? [];
    assert.ok(first?.action.type === "create-file" && first.action.path === ".vscode/tasks.json");
    assert.equal(first.change?.after, "{}\n");
    await question?.leave();
  });

  it("A13: what goes to the page is bounded, however many changes ask", async () => {
    const { question } = await apply("for n in $(seq 1000); do echo x > $n.qqq; done");
    assert.equal(question?.parts.length, 201);
    const big = await apply("for n in $(seq 30); do head -c 150000 /dev/zero | tr '\\0' x > $n.qqq; done");
    assert.ok((big.question?.parts.length ?? 0) < 20);
    for (const each of [question, big.question]) await each?.leave();
  });

  it("A13, R4: bytes that are no text are shown as numbers, and none of the text beside them is left out", async () => {
    const { question } = await apply(
      "printf 'run me\\377 \\0 now\\n' > AGENTS.md; head -c 1000 /dev/urandom > x.md; head -c 300000 /dev/zero | tr '\\0' x > run.sh; mkdir n; ln -s \"$(printf 'a\\nb')\" l",
    );
    const parts = new Map(question?.parts.map((part) => ["path" in part.action ? part.action.path : "", part]));
    assert.equal(parts.get("AGENTS.md")?.change?.after, "run me\\xff \\x00 now\n");
    const unshownOf = (name: string): unknown => {
      const { action } = parts.get(name) ?? {};
      return action?.type === "create-file" && action.unshown;
    };
    assert.equal(unshownOf("run.sh"), "long");
    assert.ok(parts.has("l → a\\nb"), String([...parts.keys()]));
    await question?.leave();
    await project.put("bad/AGENTS.md", "x");
    const binary = await apply("head -c 1000 /dev/urandom > AGENTS.md");
    assert.deepEqual(
      binary.question?.parts.map(({ action }) => action),
      [{ type: "create-file", path: "AGENTS.md", unshown: "binary" }],
    );
    await binary.question?.leave();
  });

  const namesIn = (folder: string): readonly string[] => readdirSync(project.at(folder)).toSorted();

  it("A13, A5: plain files are applied at once, listed as changes, and undone like edits", async () => {
    await project.put("src/old.js", "old\n");
    const { asked, report } = await apply(
      "echo 2 >> src/a.js; rm src/old.js; mkdir -p lib/x; echo new > lib/x/b.ts; printf '\\211PNG' > lib/p.png",
    );
    assert.deepEqual(asked, []);
    assert.equal(
      report,
      "Created: lib/p.png, lib/x/b.ts.\nChanged: src/a.js.\nDeleted: src/old.js.".replace(
        "lib/p.png, lib/x/b.ts",
        report.includes("lib/x/b.ts, lib/p.png") ? "lib/x/b.ts, lib/p.png" : "lib/p.png, lib/x/b.ts",
      ),
    );
    assert.equal(await project.read("src/a.js"), "1\n2\n");
    assert.deepEqual(ledger.live.map(({ label }) => label).toSorted(), [
      "lib/p.png",
      "lib/x/b.ts",
      "src/a.js",
      "src/old.js",
    ]);
    assert.deepEqual(readdirSync(project.copies), [], "the copy is gone");
    const outcome = await undoChanges(ledger, undoable(ledger));
    assert.deepEqual(outcome.failed, []);
    assert.equal(await project.read("src/a.js"), "1\n");
    assert.equal(await project.read("src/old.js"), "old\n");
    assert.equal(existsSync(project.at("lib")), false);
  });

  it("A13: build output that git ignores is applied as it is; a plain test run that writes its caches asks nothing", async () => {
    await project.put("node_modules/a/index.js", "1");
    await project.put("dist/stale.js", "1");
    const line =
      'mkdir -p dist/bin coverage node_modules/.cache/x; echo 1 > dist/a.wasm; echo 1 > dist/bin/tool; chmod +x dist/bin/tool; rm dist/stale.js; echo \'{"type":"module"}\' > dist/package.json; echo TN > coverage/lcov.info; echo 1 > node_modules/.cache/x/y; echo {} > a.tsbuildinfo';
    const { asked, report } = await apply(line);
    assert.deepEqual(asked, []);
    assert.match(report, /^Written as it is, because git ignores it: 6 files/);
    assert.deepEqual(namesIn("dist"), ["a.wasm", "bin", "package.json"]);
    assert.ok((statSync(project.at("dist/bin/tool")).mode & 0o100) !== 0);
    assert.deepEqual(namesIn("node_modules"), ["a"]);
    assert.deepEqual(ledger.live, []);
    assert.deepEqual((await apply("rm -r dist")).asked, []);
    assert.equal(existsSync(project.at("dist")), false);
  });

  const obeyed: Readonly<Record<string, string>> = {
    "AGENTS.md": "echo x > AGENTS.md",
    "sub/.git/": "mkdir sub; cd sub; git init -q",
    "package.json": 'echo \'{"scripts":{"test":"x"}}\' > package.json',
    "pylintrc (finding S3)": "echo x > pylintrc",
    ".flake8 (finding S3)": "echo x > .flake8",
    "mypy.ini (finding S3)": "echo x > mypy.ini",
    "a nested package.json (finding S3)": 'mkdir web; echo \'{"prettier":{"plugins":["./p.mjs"]}}\' > web/package.json',
    "the same in build output (finding S3)":
      'mkdir dist; echo \'{"prettier":{"plugins":["./p.mjs"]}}\' > dist/package.json',
    "an interpreter (finding S3)":
      "mkdir -p env/bin; echo x > env/pyvenv.cfg; echo x > env/bin/python; chmod +x env/bin/python",
    "a Makefile (finding S3)": "echo x > Makefile",
    "CMakeLists.txt (finding S3)": "echo x > CMakeLists.txt",
    "Cargo.toml (finding S3)": "mkdir -p native/evil; echo x > native/evil/Cargo.toml",
    "obj/*.targets (finding S3)": "mkdir obj; echo x > obj/a.targets",
    ".devcontainer.json (finding S3)": "echo x > .devcontainer.json",
    ".env (finding S3)": "echo x > .env",
    "hie.yaml, unknown to any list (finding S3)": "echo x > hie.yaml",
    "phpstan.neon (finding S3)": "echo x > phpstan.neon",
    ".luacheckrc (finding S3)": "echo x > .luacheckrc",
    "settings of an unknown program": "echo x > .newlinterrc.json; mkdir c; echo x > c/linter.config.json",
    "a name of more than 245 bytes (finding S11)": "touch $(printf 'a%.0s' $(seq 231)).instructions.md",
    "a link": "ln -s /etc/passwd src/l.js",
    "a link in build output": "mkdir dist; ln -s /etc dist/l",
    "a right to run": "chmod +x src/a.js",
    "a new program": "echo x > src/tool.js; chmod 755 src/tool.js",
    "a script": "echo x > run.sh",
    "a bare repository": "git init -q --bare src/b -b main",
    "one whose settings are elsewhere": "mkdir x; echo ../y > x/commondir; echo x > x/HEAD",
    "a package": "mkdir -p node_modules/evil; echo x > node_modules/evil/index.js",
    "a test that an explorer collects": "mkdir tests; echo x > tests/conftest.py",
    "code that runs while others are compiled":
      "mkdir m; echo 'extern crate proc_macro; #[proc_macro] fn x(){}' > m/lib.rs",
    "a plug-in that Python's tools find by this name": "mkdir e-1.dist-info; echo x > e-1.dist-info/entry_points.txt",
    "the same in build output": "mkdir -p dist/e.egg-info; echo x > dist/e.egg-info/entry_points.txt",
    "settings of a spelling checker, which import code":
      'mkdir docs; echo \'{"import":["./x.js"]}\' > docs/cspell.json',
    "what configuring a build includes": "mkdir -p dist/CMakeFiles; echo x > dist/CMakeFiles/CMakeSystem.cmake",
    "what a language server reads analyzers from": "mkdir dist; echo {} > dist/project.assets.json",
    "what a language server maps its plugins by": "mkdir .dart_tool; echo {} > .dart_tool/package_config.json",
    "a test that an explorer collects in build output": "mkdir dist; echo x > dist/test_a.py",
    "a recording that Jest evaluates": "mkdir src/__snapshots__; echo x > src/__snapshots__/a.snap",
    "a package's own build output": "mkdir -p node_modules/evil/dist; echo x > node_modules/evil/dist/index.js",
    "the output of a plugin that a linter loads":
      "mkdir -p packages/eslint-mine/dist; echo x > packages/eslint-mine/dist/a.js",
    "an interpreter in build output, which an extension looks for": "mkdir -p dist/bin; echo x > dist/bin/python3",
    "the program that a build of Rust runs":
      "mkdir -p dist/debug/build/a-1; echo x > dist/debug/build/a-1/build-script-b",
    "what such a program has printed, which a build obeys":
      "mkdir -p dist/debug/build/a-1; echo x > dist/debug/build/a-1/output",
    "a library of the system, whatever its name":
      "mkdir dist; printf '\\177ELF\\2\\1\\1\\0\\0\\0\\0\\0\\0\\0\\0\\0\\3\\0' > dist/notes.txt",
    "the same with a plain name outside of it":
      "mkdir art; printf '\\177ELF\\2\\1\\1\\0\\0\\0\\0\\0\\0\\0\\0\\0\\3\\0' > art/a.png",
    "a library of Windows or .NET": "mkdir dist; printf 'MZ\\220' > dist/a",
    "a library of macOS": "mkdir dist; printf '\\317\\372\\355\\376' > dist/a",
    "a class of Java": "mkdir dist; printf '\\312\\376\\272\\276\\0\\0' > dist/A.class",
    "a library of Java": "mkdir dist; echo x > dist/a.jar",
    "a compiled module of Python": "mkdir dist; echo x > dist/a.pyc",
    "a picture that a page loads": "echo '![x](http://evil.example/a.png)' > notes.md",
  };
  for (const [name, line] of Object.entries(obeyed))
    it(`A13, R4: ${name} is not applied before a yes`, async () => {
      await project.put("src/l2.js", "1");
      const before = snapshot(project.root);
      const { question, asked } = await apply(line);
      assert.ok(question && asked.length > 0);
      assert.ok(question.reasons.includes("from-copy") && question.reasons.length > 1, String(question.reasons));
      assert.deepEqual(snapshot(project.root), before);
      assert.match(await question.leave(), /did not apply/);
      assert.deepEqual(snapshot(project.root), before);
      assert.deepEqual(readdirSync(project.copies), []);
    });

  it("A13, A5: after a yes they are applied whole, and can be undone", async () => {
    const { question, asked } = await apply(
      "echo x > AGENTS.md; rm package.json; ln -s ../src lib; echo 2 > src/a.js; echo x > run.sh; chmod 755 run.sh",
    );
    assert.deepEqual(asked, [
      "create-file AGENTS.md",
      "create-file lib → ../src",
      "create-file run.sh",
      "delete-file package.json",
    ]);
    assert.equal(
      question?.parts.find(({ action }) => action.type === "create-file" && action.path === "AGENTS.md")?.change?.after,
      "x\n",
    );
    assert.equal(await project.read("src/a.js"), "2\n");
    assert.equal(existsSync(project.at("AGENTS.md")), false);
    await question?.apply(files);
    assert.equal(await project.read("AGENTS.md"), "x\n");
    assert.equal(statSync(project.at("run.sh")).mode & 0o777, 0o755);
    assert.ok(lstatSync(project.at("lib")).isSymbolicLink());
    assert.equal(existsSync(project.at("package.json")), false);
    await undoChanges(ledger, undoable(ledger));
    assert.deepEqual([await project.read("package.json"), existsSync(project.at("AGENTS.md"))], ["{}\n", false]);
    assert.deepEqual(readdirSync(project.copies), []);
  });

  it("A13, R8: where the copy can't be kept, as on a full disk, the call is refused, so that its result has the output", async () => {
    await project.put("a.js", "1");
    const { copy = assert.fail() } = await project.run("echo 2 > a.js");
    Object.assign(copy, { keep: () => Promise.reject(new Error("ENOSPC: no space left on device")) });
    await assert.rejects(applyCopy(workspace, copy, files, never), (error) => {
      assert.ok(error instanceof ToolRefusal);
      assert.match(error.message, /^Nothing that it did is in the workspace: ENOSPC/);
      return true;
    });
    assert.deepEqual([await project.read("a.js"), readdirSync(project.copies)], ["1", []]);
  });

  it("A13 (finding S1): while the folders of the workspace are swapped for links, nothing outside is written", async () => {
    await project.put("../outside/keep", "x");
    await project.put("d/a.js", "1");
    const before = snapshot(join(project.base, "outside"));
    const { copy } = await project.run("for n in $(seq 300); do echo x > d/n$n.js; done; echo 2 > d/a.js");
    const applying = applyCopy(workspace, copy ?? assert.fail(), files, never);
    let isOver = false;
    void applying.finally(() => (isOver = true)).catch(() => undefined);
    for (let round = 0; !isOver; round += 1) {
      await rename(project.at("d"), project.at("real")).catch(() => undefined);
      await symlink("../outside", project.at("d")).catch(() => undefined);
      await new Promise((next) => setImmediate(next));
      await rename(project.at("d"), project.at(`l${round}`)).catch(() => undefined);
      await rename(project.at("real"), project.at("d")).catch(() => undefined);
      await new Promise((next) => setImmediate(next));
    }
    await applying.catch(() => undefined);
    assert.deepEqual(snapshot(join(project.base, "outside")), before);
  });

  it("A13 (finding S1): the same while another process exchanges folder and link without a pause", async function () {
    await project.put("../outside/keep", "x");
    await project.put("d/sub/a.js", "1");
    await symlink("../outside", project.at("l"));
    const before = snapshot(join(project.base, "outside"));
    const exchange = `import ctypes\nc = ctypes.CDLL(None)\nprint("begun", flush=True)\nwhile True: c.syscall(316, -100, b"d", -100, b"l", 2)`;
    const attacker = spawn("python3", ["-c", exchange], { cwd: project.root, stdio: ["ignore", "pipe", "ignore"] });
    try {
      const [begun] = await Promise.race([once(attacker.stdout, "data"), once(attacker, "error")]);
      if (begun instanceof Error) this.skip();
      for (let round = 0; round < fewOf(50, 2); round += 1) {
        const { copy } = await project.run(
          "rm -f d l; mkdir -p d/sub; for n in $(seq 60); do echo x > d/n$n.js; echo x > d/sub/n$n.js; done; mkdir -p dist; echo 1 > dist/x.bin; rm -rf d/sub/a.js",
        );
        const applied = await applyCopy(workspace, copy ?? assert.fail(), files, never).catch(() => undefined);
        await applied?.question?.apply(files).catch(() => undefined);
        assert.deepEqual(snapshot(join(project.base, "outside")), before);
      }
    } finally {
      attacker.kill("SIGKILL");
      await once(attacker, "exit");
    }
  });

  it("A13: what the person changes meanwhile is not overwritten: both are shown", async () => {
    await project.put("gate", "");
    const running = project.run("until grep -q open gate; do sleep 0.01; done; echo command > src/a.js");
    while (readdirSync(project.copies).length === 0) await new Promise((next) => setImmediate(next));
    await new Promise((next) => setTimeout(next, 50));
    await project.put("src/a.js", "person\n");
    await project.put("gate", "open");
    const { copy } = await running;
    const { question } = await applyCopy(workspace, copy ?? assert.fail(), files, never);
    assert.equal(await project.read("src/a.js"), "person\n");
    assert.ok(question?.reasons.includes("changed-meanwhile"));
    assert.deepEqual(
      question?.parts.map(({ change }) => [change?.before, change?.after]),
      [["person\n", "command\n"]],
    );
    await question?.apply(files);
    assert.equal(await project.read("src/a.js"), "command\n");
    await undoChanges(ledger, undoable(ledger));
    assert.equal(await project.read("src/a.js"), "person\n");
  });

  it("A13, A5: what the person saves meanwhile is kept beside what the command changed elsewhere in the file; what touches is asked", async () => {
    const text = "1\n2\n3\n4\n5\n";
    for (const [saved, result] of [
      ["mine\n2\n3\n4\n5\n", "mine\n2\n3\n4\nfive\n"],
      ["1\n2\n3\n4\nmine\n", undefined],
    ] as const) {
      await project.put("src/m.js", text);
      const { copy } = await project.run("sed -i s/5/five/ src/m.js; chmod 444 src/m.js");
      await project.put("src/m.js", saved);
      const saves = { before: () => Buffer.from(text), dispose: () => undefined };
      const { report, question } = await applyCopy(workspace, copy ?? assert.fail(), files, never, saves);
      assert.equal(await project.read("src/m.js"), result ?? saved);
      if (result === undefined) {
        assert.ok(question?.reasons.includes("changed-meanwhile"));
        await question?.leave();
        continue;
      }
      assert.equal(question, undefined);
      assert.match(
        report,
        /^Changed: src\/m\.js\.\nOf these, with what the person changed in them meanwhile: src\/m\.js\./,
      );
      await undoChanges(ledger, undoable(ledger));
      assert.equal(await project.read("src/m.js"), saved);
    }
  });

  it("A13: what is unsaved in an editor is merged where the two don't touch, else the file is left and the copy kept", async () => {
    for (const [unsaved, result] of [
      ["mine\n2\n3\n4\n5\n", "mine\n2\n3\n4\nfive\n"],
      ["1\n2\n3\n4\nmine\n", undefined],
    ] as const) {
      await project.put("src/m.js", "1\n2\n3\n4\n5\n");
      let text: string = unsaved;
      const editor: Workspace = {
        ...workspace,
        shownText: (path) => (path === project.at("src/m.js") ? text : undefined),
        write: (_path, _before, after) => Promise.resolve((text = after)),
      };
      const store = LedgerFiles.nextTo(join(project.base, "storage2", "chats")).storeOf("chat");
      const own = new ChangeLedger({ store, workspace: editor, now: () => 1, labelOf: (path) => path });
      const { copy } = await project.run("sed -i s/5/five/ src/m.js");
      const { report } = await applyCopy(
        editor,
        copy ?? assert.fail(),
        own.changesOf({ type: "call", answer: "a", call: "c", allowed: "sandbox" }),
        never,
      );
      assert.equal(text, result ?? unsaved);
      if (result === undefined) {
        assert.match(
          report,
          /Not changed in the workspace: src\/m\.js \(it was changed meanwhile\)\. What the command made of it is kept in \//,
        );
        assert.equal(readdirSync(project.copies).length, 1);
      } else assert.equal(report, "Changed: src/m.js.");
    }
  });

  it("A13: a program that only runs when it is started is build output like any other", async () => {
    const { asked } = await apply(
      "mkdir dist; printf '\\177ELF\\2\\1\\1\\0\\0\\0\\0\\0\\0\\0\\0\\0\\2\\0' > dist/a; chmod 755 dist/a; printf '\\0asm' > dist/b; echo '#!/bin/sh' > dist/c; chmod 755 dist/c",
    );
    assert.deepEqual(asked, []);
    assert.deepEqual(namesIn("dist"), ["a", "b", "c"]);
  });

  it("A13, A4: of a folder with a hidden file that is moved, the file stays where it is, and the model is told", async () => {
    await project.put("conf/.env", "TOKEN=canary");
    await project.put("conf/a.js", "1\n");
    const { asked, report } = await apply("mv conf conf2");
    assert.deepEqual(asked, []);
    assert.equal(await project.read("conf/.env"), "TOKEN=canary");
    assert.equal(await project.read("conf2/a.js"), "1\n");
    assert.equal(existsSync(project.at("conf/a.js")), false);
    assert.equal(existsSync(project.at("conf2/.env")), false);
    assert.match(report, /could not see what is in them[^:]*: conf2\/\.env, conf\/\.env|: conf\/\.env, conf2\/\.env/);
  });

  it("A13, A4: a hidden file is neither removed nor replaced by what a command took for an empty one", async () => {
    for (const line of [
      "rm -f .env",
      "chmod 644 .env; echo A=1 >> .env",
      "rm -f .env; ln -s src .env",
      "rm -f .env; mkdir .env; echo 1 > .env/a.js",
    ]) {
      await project.put(".env", "TOKEN=canary");
      const { question, report } = await apply(line);
      assert.match(report, /could not see what is in/);
      await question?.apply(files);
      assert.equal(await project.read(".env"), "TOKEN=canary", line);
    }
  });

  it("A13, A4: where build output goes with its folder, what is hidden in it and a repository in it stay", async () => {
    await project.put(".gitignore", "tmp/\n");
    for (const name of ["tmp/a.bin", "tmp/deep/.env", "tmp/deep/b.bin"]) await project.put(name, "canary");
    await project.put("tmp/clone/src/work.js", "mine");
    await project.put("tmp/clone/.env", "canary");
    execFileSync("git", ["init", "-q"], { cwd: project.at("tmp/clone") });
    await project.put("tmp/tree/.git", "gitdir: /nowhere");
    await project.put("tmp/tree/own.bin", "mine");
    const { asked, question } = await apply("rm -rf tmp 2>/dev/null; true");
    assert.deepEqual(asked, ["delete-file tmp/clone/src/work.js", "delete-file tmp/tree/own.bin"]);
    assert.ok(question?.reasons.includes("nested-repository"));
    await question?.leave();
    assert.deepEqual([existsSync(project.at("tmp/a.bin")), existsSync(project.at("tmp/deep/b.bin"))], [false, false]);
    assert.equal(await project.read("tmp/deep/.env"), "canary");
    assert.equal(await project.read("tmp/clone/.env"), "canary");
    assert.ok(existsSync(project.at("tmp/clone/.git/HEAD")));
    assert.equal(await project.read("tmp/tree/.git"), "gitdir: /nowhere");
    assert.equal(await project.read("tmp/clone/src/work.js"), "mine");
  });

  it("A13, R4: what the person saves meanwhile where builds write is neither removed nor replaced without a question", async () => {
    await project.put(".gitignore", "tmp/\n");
    execFileSync("git", ["add", ".gitignore"], { cwd: project.root });
    for (const [line, isAsked] of [
      ["rm -rf tmp && mkdir tmp", false],
      ["rm -rf tmp", false],
      ["rm -rf tmp; mkdir tmp; echo command > tmp/notes.md", true],
      ["echo command > tmp/deep/notes.md; rm -rf tmp/old", true],
    ] as const) {
      for (const name of ["tmp/old/a.bin", "tmp/deep/b.bin", "tmp/deep/notes.md"]) await project.put(name, "old\n");
      const { copy } = await project.run(line);
      for (const name of ["tmp/notes.md", "tmp/deep/notes.md"]) await project.put(name, "person\n");
      const { report, question } = await applyCopy(workspace, copy ?? assert.fail(), files, never);
      for (const name of ["tmp/notes.md", "tmp/deep/notes.md"])
        assert.equal(await project.read(name), "person\n", `${line}: ${name}`);
      assert.equal(existsSync(project.at("tmp/old")), false, line);
      assert.equal(question?.reasons.includes("changed-meanwhile") === true, isAsked, line);
      assert.equal(question?.parts.length, isAsked ? 1 : undefined, line);
      if (line.startsWith("rm")) assert.match(report, /^Left, because something else has changed it meanwhile: tmp/mu);
      await question?.leave();
      rmSync(project.at("tmp"), { recursive: true });
    }
  });

  it("A13, R4: a file that the person saves meanwhile in a folder that a command removes is asked about", async () => {
    for (const name of ["lib/a.js", "lib/b.js"]) await project.put(name, "1\n");
    const { copy } = await project.run("rm -r lib");
    await project.put("lib/a.js", "person\n");
    const { question } = await applyCopy(workspace, copy ?? assert.fail(), files, never);
    assert.ok(question?.reasons.includes("changed-meanwhile"));
    assert.deepEqual(namesIn("lib"), ["a.js"]);
    await question?.leave();
    assert.equal(await project.read("lib/a.js"), "person\n");
  });

  it("A13: what a command makes anew where builds write asks nothing, also while a watcher writes there", async () => {
    await project.put("dist/a.js", "1\n");
    const { copy } = await project.run("rm -r dist; mkdir -p dist/new; echo 2 > dist/b.js; echo 2 > dist/new/c.js");
    await project.put("dist/watched.js", "1\n");
    const { question } = await applyCopy(workspace, copy ?? assert.fail(), files, never);
    assert.equal(question, undefined);
    assert.deepEqual(namesIn("dist"), ["b.js", "new", "watched.js"]);
  });

  it("A13, A5: in a repository that lies in build output, a change can be undone like elsewhere", async () => {
    await project.put(".gitignore", "tmp/\n");
    await project.put("tmp/clone/a.js", "mine");
    await project.put("tmp/clone/.gitignore", "out/\n");
    execFileSync("git", ["init", "-q"], { cwd: project.at("tmp/clone") });
    const { asked } = await apply("cd tmp/clone; echo 2 > a.js; mkdir out; echo 1 > out/a.bin; echo 1 > a.bin");
    assert.deepEqual(asked, ["create-file tmp/clone/a.bin"]);
    assert.equal(await project.read("tmp/clone/out/a.bin"), "1\n");
    assert.deepEqual(
      ledger.live.map(({ label }) => label),
      ["tmp/clone/a.js"],
    );
  });

  it("A13, A5: without a repository only a folder that the command has made itself is build output", async () => {
    rmSync(project.at(".git"), { recursive: true });
    await project.put("dist/mine.js", "mine");
    await project.put("dist/mine.bin", "mine");
    const { asked, report } = await apply(
      "echo 2 > dist/mine.js; echo 2 > dist/mine.bin; mkdir -p out/x; echo 1 > out/x/a.bin; rm -r coverage 2>/dev/null; true",
    );
    assert.deepEqual(asked, ["edit-file dist/mine.bin"]);
    assert.match(report, /1 file/);
    assert.equal(await project.read("out/x/a.bin"), "1\n");
    assert.deepEqual(
      ledger.live.map(({ label }) => label),
      ["dist/mine.js"],
    );
  });

  it("A13: what Cargo builds is in a folder of the sandbox's own, which its later commands find and rust-analyzer does not", async () => {
    await project.put(".gitignore", "target/\n");
    await project.put("Cargo.toml", "[workspace]\n");
    await project.put("crates/a/Cargo.toml", "[package]\n");
    const build =
      "mkdir -p target/debug/deps; rm -f target/debug/deps/liba.so; printf '\\177ELF' > target/debug/deps/liba.so; echo 2 > src/a.js";
    for (const isThere of [false, true]) {
      if (isThere) await project.put("target/debug/deps/mine.so", "mine");
      const { asked, report } = await apply(build);
      assert.deepEqual(asked, []);
      assert.match(report, /in a target folder of the sandbox's own/);
      assert.equal(existsSync(project.at("target/debug/deps/liba.so")), false);
    }
    assert.equal(await project.read("target/debug/deps/mine.so"), "mine");
    assert.equal(existsSync(project.at("crates/a/target")), false);
    const { output } = await project.run("ls target/debug/deps");
    assert.equal(output, "liba.so\n");
    assert.doesNotMatch((await apply("echo 3 > src/a.js")).report, /Cargo/);
  });

  it("A13: what could not be applied is named, and applied or discarded as a whole later", async () => {
    await project.put("src/m.js", "1\n");
    const editor: Workspace = {
      ...workspace,
      shownText: (path) => (path === project.at("src/m.js") ? "mine\n" : undefined),
    };
    const left: string[] = [];
    const sandbox = createSandbox(
      () => true,
      process.env,
      project.copies,
      (folder) => left.push(folder),
    );
    for (const isApplied of [true, false]) {
      const store = LedgerFiles.nextTo(join(project.base, `storage-${isApplied}`, "chats")).storeOf("chat");
      const own = new ChangeLedger({ store, workspace: editor, now: () => 1, labelOf: (path) => path });
      const { copy } = await project.run("echo command > src/m.js; echo 5 > src/a.js");
      const kept = own.changesOf({ type: "call", answer: "a", call: "c", allowed: "sandbox" });
      await applyCopy(editor, copy ?? assert.fail(), kept, never);
      const folder = copy?.folder ?? "";
      assert.deepEqual(readKept(folder)?.roots, [project.root]);
      const question = await finishCopy(workspace, (await sandbox.reopen(folder)) ?? assert.fail(), never);
      assert.deepEqual(
        question?.parts.map(({ change }) => [change?.before, change?.after]),
        [["1\n", "command\n"]],
      );
      await (isApplied ? question?.apply(undefined) : question?.leave());
      assert.equal(await project.read("src/m.js"), isApplied ? "command\n" : "1\n");
      assert.equal(existsSync(folder), false);
      await project.put("src/m.js", "1\n");
    }
    assert.equal(await sandbox.reopen(join(project.copies, "gone")), undefined);
  });

  it("A13: what a command has left is kept before it is read and judged, and no longer where nothing is left of it", async () => {
    for (const line of ["echo 2 > src/a.js", "true"]) {
      const { copy } = await project.run(line);
      assert.ok(copy);
      const changes = copy.changes.bind(copy);
      let roots: readonly string[] | undefined;
      copy.changes = (signal) => {
        roots = readKept(copy.folder)?.roots;
        return changes(signal);
      };
      await applyCopy(workspace, copy, files, never);
      assert.deepEqual([roots, existsSync(copy.folder)], [[project.root], false]);
    }
  });

  it("A13: a stop while the changes are read discards them; where the window ends they are kept for the next one", async () => {
    for (const [reason, isKept] of [
      [undefined, false],
      [windowEnded, true],
    ] as const) {
      const { copy } = await project.run("echo 2 > src/a.js");
      assert.ok(copy);
      const turn = new AbortController();
      const changes = copy.changes.bind(copy);
      copy.changes = (signal) => {
        turn.abort(reason);
        return changes(signal);
      };
      await assert.rejects(applyCopy(workspace, copy, files, turn.signal), isAbort);
      assert.equal(await project.read("src/a.js"), "1\n");
      assert.deepEqual([existsSync(copy.folder), readKept(copy.folder) !== undefined], [isKept, isKept]);
    }
  });

  it("A13: the folder of a repository is left to git, and its refreshed index asks nothing", async () => {
    const { asked, report } = await apply("git status > /dev/null; touch .git/index.lock; rm .git/index.lock");
    assert.deepEqual([asked, report], [[], ""]);
    const config = await project.read(".git/config");
    const { report: told } = await apply("git config core.fsmonitor x; git branch -q evil 2>/dev/null; true");
    assert.match(told, /in \.git was left/);
    assert.equal(await project.read(".git/config"), config);
  });

  it("A13 (finding S13): what a workspace can't hold is left, and harms no later command", async () => {
    const deep =
      "mkdir -p $(printf 'd%.0s' $(seq 100)); cd d*; for n in $(seq 60); do mkdir $(printf 'e%.0s' $(seq 200)); cd e*; done; mkfifo ../pipe; touch $(printf 'a\\377')";
    const { asked, report, question } = await apply(
      `(${deep}) 2>/dev/null; mkfifo p; mkdir -p $(seq -f q/%g 1600); for n in $(seq 1600); do echo '{}' > q/$n/package.json; done`,
    );
    assert.equal(asked.length, 201);
    await question?.leave();
    assert.match(report, /a workspace can't hold it/);
    assert.deepEqual((await apply("echo 3 > src/a.js")).asked, []);
    assert.equal(await project.read("src/a.js"), "3\n");
  });

  it("A13, R4: the compiled form of a source, which would run in its place, is not applied", async () => {
    await project.put(".gitignore", "__pycache__/\n");
    const { asked } = await apply("mkdir src/__pycache__; echo x > src/__pycache__/conftest.cpython-311.pyc");
    assert.deepEqual(asked, []);
    assert.deepEqual(namesIn("src"), ["a.js"]);
  });

  it("A13, A5: a tracked file in a folder that git ignores can be undone when the folder is removed", async () => {
    await project.put("dist/kept.md", "mine\n");
    await project.put("dist/a.wasm", "1");
    execFileSync("git", ["add", "-f", "dist/kept.md"], { cwd: project.root });
    const { asked } = await apply("rm -r dist");
    assert.deepEqual(asked, []);
    assert.equal(existsSync(project.at("dist")), false);
    assert.deepEqual(
      ledger.live.map(({ label }) => label),
      ["dist/kept.md"],
    );
    assert.deepEqual((await undoChanges(ledger, undoable(ledger))).failed, []);
    assert.equal(await project.read("dist/kept.md"), "mine\n");
  });

  it("A13: a file that is made by a command is not run by more than before", async () => {
    await project.put("src/private.js", "1", 0o600);
    await writeFile(project.at("src/a.js"), "1\n");
    await apply("echo 2 > src/private.js; chmod 666 src/private.js; umask 0; echo 1 > src/new.js");
    assert.equal(statSync(project.at("src/private.js")).mode & 0o777, 0o600);
    assert.equal(statSync(project.at("src/new.js")).mode & 0o022, 0);
  });
});

function snapshot(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => !name.startsWith(".git/"))
    .map((name) => {
      const { mode, size } = lstatSync(join(folder, name));
      return `${name} ${mode} ${size}`;
    })
    .toSorted();
}

/** A13, R4: what a confined command makes and git would obey: git runs nothing of it afterwards, in no folder of the workspace. With the real bubblewrap, overlayfs and git. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { cp, mkdir, realpath, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { systemClock } from "../../../../src/base/async/systemClock";
import type { CommandCopy } from "../../../../src/domain/tools/sandbox";
import { applyCopy } from "../../../../src/tools/command/applyCopy";
import { createChildProcesses } from "../../../../src/tools/command/childProcesses";
import { gitIn } from "../../../../src/tools/sandbox/gitMounts";
import { createSandbox, type Sandbox } from "../../../../src/tools/sandbox/sandbox";
import { confinementOf } from "../../../../src/tools/command/confinedCommand";
import { readCommandLine } from "../../../../src/tools/command/readCommandLine";
import { sandboxPolicy } from "../../../../src/tools/gate/sandboxPolicy";
import { createDiskWorkspace } from "../../../support/diskWorkspace";
import { nextMillisecond } from "../../../support/nextMillisecond";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";

const never = new AbortController().signal;
const run = promisify(execFile);

/** `{ran}`: the file that git makes where it obeys the settings; `{root}`: the workspace. Each line is a command of its own. */
const plants: Readonly<Record<string, readonly string[]>> = {
  "a repository in a folder": ["mkdir sub; cd sub; git init -q; {monitor}"],
  "the person's repository led to another one by an output of git stash": [
    "cp -r .git evil; rm evil/HEAD; printf '[core]\\n\\tfsmonitor = touch {ran}; false\\n' >> evil/config; echo 2 > a.js",
    "git stash push -q a.js",
    "git stash list --format=tformat:../evil --output=.git/commondir",
  ],
  "the same by an output of git branch and of git tag": [
    "cp -r .git evil; rm evil/HEAD; printf '[core]\\n\\tfsmonitor = touch {ran}; false\\n' >> evil/config",
    "git branch --format=../evil --output=.git/commondir",
    "git tag --format=../evil --output=.git/commondir",
  ],
  "more pipes than mounts are made for": ["mkdir sub f; (cd sub; git init -q; {monitor}); cd f; mkfifo $(seq 1501)"],
  "a repository in a folder of hooks": ["mkdir .husky; cd .husky; git init -q; {monitor}"],
  "one in a folder of an agent in that": ["mkdir -p .husky/.claude; cd .husky/.claude; git init -q; {monitor}"],
  "one in a folder of packages": ["mkdir -p node_modules/x; cd node_modules/x; git init -q; {monitor}"],
  "one in a folder that holds secrets": ["mkdir -p .aws/x; cd .aws/x; git init -q; {monitor}"],
  "a folder whose settings are elsewhere": [
    "mkdir x y; git init -q --bare y -b main; mv y/HEAD x/HEAD; echo ../y > x/commondir; git config -f y/config core.repositoryformatversion 1; git config -f y/config --unset core.bare; git config -f y/config extensions.worktreeConfig true; git config -f x/config.worktree core.bare false; git config -f x/config.worktree core.worktree {root}/x; git config -f y/config core.fsmonitor 'touch {ran}; false'",
  ],
  "a bare repository with a folder of its own to work in": [
    "git init -q --bare sub -b main; git config -f sub/config core.bare false; git config -f sub/config core.worktree {root}/sub; git config -f sub/config core.fsmonitor 'touch {ran}; false'",
  ],
  "a folder that may be entered and not listed": ["mkdir sub; (cd sub; git init -q; {monitor}); chmod 311 sub"],
  "a folder in which nothing can be renamed": ["mkdir sub; (cd sub; git init -q; {monitor}); chmod 555 sub"],
  "a file that leads to a repository": [
    "mkdir -p sub store; git init -q --bare store/r -b main; git config -f store/r/config core.bare false; git config -f store/r/config core.worktree {root}/sub; git config -f store/r/config core.fsmonitor 'touch {ran}; false'; echo 'gitdir: {root}/store/r' > sub/.git",
  ],
};

/** The root is no repository before. */
const plantsInRoot: typeof plants = {
  "the root as a bare repository": [
    "git init -q --bare b -b main; mv b/* .; rmdir b; git config -f config core.bare false; git config -f config core.worktree {root}; git config -f config core.fsmonitor 'touch {ran}; false'",
  ],
};

describe("git and a confined command", () => {
  let folder: TemporaryFolder;
  let root: string;
  let ran: string;
  let copies: string;
  let sandbox: Sandbox | undefined;
  const processes = createChildProcesses(systemClock, () =>
    Promise.resolve((sandbox ??= createSandbox(() => true, process.env, copies))),
  );
  before(async function () {
    folder = await createTemporaryFolder({ isPlain: true });
    const base = await realpath(folder.path);
    [root, ran, copies] = [join(base, "project"), join(base, "ran"), join(base, "copies")];
    await mkdir(root);
    const state = await processes.sandbox([root]);
    if (state.state !== "ready" || !state.copies) this.skip();
  });
  after(() => folder.remove());

  const person = {
    ...{ GIT_AUTHOR_NAME: "p", GIT_AUTHOR_EMAIL: "p@example.com" },
    ...{ GIT_COMMITTER_NAME: "p", GIT_COMMITTER_EMAIL: "p@example.com" },
  };
  const environment = { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", LANG: "C.UTF-8", ...person };
  const git = (cwd: string, ...args: readonly string[]): Promise<unknown> =>
    run("git", args, { cwd, env: environment });
  const filled = (line: string): string =>
    line
      .replaceAll("{monitor}", "git config core.fsmonitor 'touch {ran}; false'")
      .replaceAll("{ran}", ran)
      .replaceAll("{root}", root);

  async function makeWorkspace(isRepository: boolean): Promise<void> {
    await run("chmod", ["-R", "u+rwx", root]);
    await rm(root, { recursive: true });
    await rm(ran, { force: true });
    await mkdir(root);
    await writeFile(join(root, "a.js"), "1\n");
    if (!isRepository) return;
    // Made once, then copied, which takes less time than git.
    const made = join(folder.path, "repository");
    if (!existsSync(made)) {
      await git(root, "init", "-q", "-b", "main", "--template=");
      await git(root, "add", ".");
      await git(root, "commit", "-qm", "first");
      await cp(join(root, ".git"), made, { recursive: true });
    } else await cp(made, join(root, ".git"), { recursive: true });
  }

  /** Resolves with how many changes wait for the person, who leaves them. */
  async function confined(line: string): Promise<number> {
    let copy: CommandCopy | undefined;
    const parts = readCommandLine(line, false)?.parts;
    const confinement = confinementOf([root], sandboxPolicy, parts, false, (made) => (copy = made));
    const argv = ["/bin/sh", "-c", line] as const;
    await nextMillisecond();
    await processes.run(
      { argv, cwd: root, environment, timeoutMs: 60_000, onOutput: () => undefined, confinement },
      never,
    );
    const applied = copy && (await applyCopy(createDiskWorkspace(root), copy, undefined, never));
    await applied?.question?.leave();
    return applied?.question?.parts.length ?? 0;
  }

  /**
   * Begins such a command; `waiting` is what `confined` resolves with. Its arguments are written once it is known what the workspace holds, right before
   * it starts. Copies of other tests may be left. The line waits until `go` has a text: a file that is not there when the command looks for the first
   * time may stay away for it, because the system remembers that.
   */
  async function begun(line: string): Promise<{ readonly waiting: Promise<number> }> {
    await writeFile(join(root, "go"), "");
    const earlier = new Set(existsSync(copies) ? readdirSync(copies) : []);
    const waiting = confined(line);
    const hasBegun = (): boolean =>
      existsSync(copies) &&
      readdirSync(copies).some((copy) => !earlier.has(copy) && existsSync(join(copies, copy, "arguments")));
    while (!hasBegun()) await new Promise((next) => setImmediate(next));
    return { waiting };
  }

  /** As VS Code does it in folders that it finds; those that hold what git has recorded are no repository. */
  async function hasGitRun(): Promise<boolean> {
    const folders = [root];
    for (const each of folders) {
      for (const entry of readdirSync(each, { withFileTypes: true }))
        if (entry.isDirectory() && !/\.git\/(?:objects|refs|logs)$/.test(join(each, entry.name)))
          folders.push(join(each, entry.name));
      await git(each, "status").catch(() => undefined);
    }
    return existsSync(ran);
  }

  for (const [all, isRepository] of [
    [plants, true],
    [plantsInRoot, false],
  ] as const)
    for (const [name, lines] of Object.entries(all))
      it(`A13, R4: ${name}`, async () => {
        await makeWorkspace(isRepository);
        for (const line of lines) await confined(filled(line));
        assert.equal(await hasGitRun(), false);
      });

  it("A13, R4: the look notices it: without the sandbox git runs what a repository names", async () => {
    await makeWorkspace(true);
    await run("/bin/sh", ["-c", filled("mkdir sub; cd sub; git init -q; {monitor}")], { cwd: root, env: environment });
    assert.equal(await hasGitRun(), true);
  });

  it("A13, R4 (finding S2): also where the person saves files beside it while it runs", async () => {
    await makeWorkspace(true);
    await mkdir(join(root, "src"));
    await writeFile(join(root, "go"), "");
    const running = confined(
      filled(
        "mkdir -p src/x; cd src/x; git init -q; {monitor}; echo x > ../AGENTS.md; until [ -s ../../go ]; do sleep 0.02; done",
      ),
    );
    await writeFile(join(root, "src", "a.js"), "saved");
    await writeFile(join(root, "go"), "now");
    assert.ok((await running) > 1);
    assert.deepEqual(
      [existsSync(join(root, "src", "x")), existsSync(join(root, "src", "AGENTS.md")), await hasGitRun()],
      [false, false, false],
    );
  });

  const read = async (name: string): Promise<string> => (await run("cat", [join(root, name)])).stdout;

  it("A13, R4 (finding S4): while a process goes on in the background, what the person makes is hidden from the next command, and not changed by it", async () => {
    await makeWorkspace(true);
    const confinement = { roots: [root], policy: sandboxPolicy };
    const command = {
      argv: ["sleep", "1000"] as const,
      cwd: root,
      environment,
      timeoutMs: 0,
      onOutput: () => undefined,
    };
    const background = await processes.start({ ...command, confinement });
    try {
      const made = { ".env": "canary", "package.json": "{}", "AGENTS.md": "mine", "sub/.vscode/settings.json": "{}" };
      await mkdir(join(root, "sub/.vscode"), { recursive: true });
      for (const [name, text] of Object.entries(made)) await writeFile(join(root, name), text);
      await confined(
        `cat .env > seen.txt; for each in package.json AGENTS.md sub/.vscode/settings.json; do echo evil > $each; done`,
      );
      for (const [name, text] of Object.entries(made)) assert.equal(await read(name), text, name);
      assert.equal(await read("seen.txt"), "");
    } finally {
      background.end();
      await background.ended;
    }
  });

  it("A13, R4 (finding S5): what the person replaces and removes while it runs is not changed by it", async () => {
    await makeWorkspace(true);
    await writeFile(join(root, "package.json"), "{}");
    const running = await begun(
      "until [ -s go ]; do sleep 0.02; done; echo evil >> package.json; echo evil > AGENTS.md",
    );
    await rm(join(root, "package.json"));
    await writeFile(join(root, "package.json"), `{"mine":1}`);
    await writeFile(join(root, "AGENTS.md"), "mine");
    await writeFile(join(root, "go"), "now");
    assert.equal(await running.waiting, 2);
    assert.deepEqual([await read("package.json"), await read("AGENTS.md")], [`{"mine":1}`, "mine"]);
  });

  it("A13 (finding S14): nothing is left in the workspace by a window that is killed, as no place for a mount is made in it", async () => {
    await makeWorkspace(false);
    const running = await begun("until [ -s go ]; do sleep 0.02; done");
    assert.deepEqual(readdirSync(root), ["a.js", "go"]);
    await writeFile(join(root, "go"), "now");
    await running.waiting;
  });

  it("A13: git commands of the person's repository work, and record what is hidden from others as it is", async () => {
    await makeWorkspace(true);
    await writeFile(join(root, ".env.example"), "KEY=\n");
    for (const line of [
      "git add -A",
      "git commit -qm second -m '- point'",
      "git tag -am '- one' v1",
      "git branch next",
    ])
      assert.equal(await confined(line), 0, line);
    const { stdout } = await run("git", ["show", "--format=%s", "v1^{commit}", "--", ".env.example"], {
      cwd: root,
      env: environment,
    });
    assert.match(stdout, /^second\n[^]*\+KEY=\n$/, "what is hidden from others is recorded as it is");
    assert.deepEqual((await run("git", ["status", "--porcelain"], { cwd: root, env: environment })).stdout, "");
  });

  it("A13, R4: a folder of the project that has the files of a repository names no program in its settings that sees or writes more", async () => {
    await makeWorkspace(true);
    await writeFile(join(root, ".env"), "canary");
    await git(root, "clone", "-q", "--bare", ".", "lib/repo");
    const cwd = join(root, "lib", "repo");
    const writes = "for each in .git/commondir made lib/made; do echo x > {root}/$each; done";
    await writeFile(join(cwd, "x"), filled(`#!/bin/sh\necho program-ran; cat {root}/.env; ${writes}; cat; exit 1\n`), {
      mode: 0o755,
    });
    for (const [name, value] of [
      ["tag.gpgSign", "true"],
      ["gpg.program", "./x"],
      ["core.bare", "false"],
      ["core.worktree", "."],
      ["filter.f.clean", "./x >&2"],
    ] as const)
      await git(cwd, "config", "-f", "config", name, value);
    await writeFile(join(cwd, ".gitattributes"), "* filter=f\n");
    await writeFile(join(cwd, "a.js"), "2\n");
    const outputs: string[] = [];
    for (const line of ["git tag -m x v1", "git diff --name-only", "git status"]) {
      const confinement = confinementOf([root], sandboxPolicy, readCommandLine(line, false)?.parts, false, undefined);
      const argv = ["/bin/sh", "-c", `${line} 2>&1`] as const;
      const onOutput = (text: string): void => void outputs.push(text);
      const end = await processes.run({ argv, cwd, environment, timeoutMs: 60_000, onOutput, confinement }, never);
      assert.equal(end.type, "exited", line);
    }
    for (const each of [".git/commondir", "made", "lib/made"]) assert.ok(!existsSync(join(root, each)), each);
    assert.doesNotMatch(outputs.join(""), /canary|program-ran/);
    const parts = readCommandLine("git tag v1", false)?.parts;
    const inFolder = (folder: string): string | undefined =>
      gitIn(join(root, folder), confinementOf([root], sandboxPolicy, parts, false, undefined));
    for (const folder of ["node_modules/x", "app/src", "src"]) await mkdir(join(root, folder), { recursive: true });
    await git(join(root, "app"), "init", "-q");
    assert.deepEqual(
      [".", "src", "app", "app/src", "lib", "lib/repo", "lib/repo/refs", "node_modules/x", ".git"].map(inFolder),
      ["records", "records", "reads", "reads", "records", undefined, undefined, undefined, undefined],
    );
  });
});

/** A13, R4: what a confined command makes and git would obey: git runs nothing of it afterwards, in no folder of the workspace. With the real bubblewrap and the real git. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { cp, mkdir, realpath, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { systemClock } from "../../../../src/base/async/systemClock";
import type { SetAside } from "../../../../src/domain/tools/sandbox";
import { createChildProcesses } from "../../../../src/tools/command/childProcesses";
import { createSandbox } from "../../../../src/tools/sandbox/sandbox";
import { confinementOf } from "../../../../src/tools/command/confinedCommand";
import { readCommandLine } from "../../../../src/tools/command/readCommandLine";
import { sandboxPolicy } from "../../../../src/tools/gate/sandboxPolicy";
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
  "a repository in a folder that is set aside": ["mkdir .husky; cd .husky; git init -q; {monitor}"],
  "one in a folder in a folder that is set aside": [
    "mkdir -p .husky/.claude; cd .husky/.claude; git init -q; {monitor}",
  ],
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

describe("what a confined command leaves for git", function () {
  this.timeout(120_000);
  let folder: TemporaryFolder;
  let root: string;
  let ran: string;
  let look: ((path: string) => void) | undefined;
  let keep: typeof look;
  const processes = createChildProcesses(systemClock, () =>
    Promise.resolve(
      createSandbox(
        () => true,
        process.env,
        (toLook, toKeep) => {
          [look, keep] = [toLook, toKeep];
          return { dispose: () => (look = keep = undefined) };
        },
      ),
    ),
  );
  before(async function () {
    folder = await createTemporaryFolder({ isPlain: true });
    const base = await realpath(folder.path);
    [root, ran] = [join(base, "project"), join(base, "ran")];
    await mkdir(root);
    if ((await processes.sandbox([root])).state !== "ready") this.skip();
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

  async function confined(line: string): Promise<readonly SetAside[]> {
    let aside: readonly SetAside[] = [];
    const parts = readCommandLine(line, false)?.parts;
    const confinement = confinementOf([root], sandboxPolicy, parts, false, (files) => (aside = files));
    const argv = ["/bin/sh", "-c", line] as const;
    await processes.run(
      { argv, cwd: root, environment, timeoutMs: 60_000, onOutput: () => undefined, confinement },
      never,
    );
    return aside;
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

  it("A13: what was there before keeps its name, and git commands of the person's repository work", async () => {
    await makeWorkspace(true);
    mkdirSync(join(root, ".husky"));
    await writeFile(join(root, ".husky", "pre-commit"), "true");
    await writeFile(join(root, ".env.example"), "KEY=\n");
    for (const line of ["git add -A", "git commit -qm second", "git tag v1", "git branch next"])
      assert.deepEqual(await confined(line), [], line);
    const { stdout } = await run("git", ["show", "--format=%s", "v1", "--", ".env.example"], {
      cwd: root,
      env: environment,
    });
    assert.match(stdout, /^second\n[^]*\+KEY=\n$/, "what is hidden from others is recorded as it is");
    assert.ok(existsSync(join(root, ".husky", "pre-commit")));
  });

  it("A13, R4: what an extension of the editor would load unasked is set aside; what builds make is not", async () => {
    await makeWorkspace(true);
    await mkdir(join(root, "node_modules", ".cache"), { recursive: true });
    const aside = await confined(
      "mkdir -p tests sub .venv/bin dist/node_modules && touch tests/conftest.py .eslintrc.js build.rs .envrc dist/a.config.js Makefile sub/AGENTS.md",
    );
    const names = aside.map(({ from }) => from.slice(root.length + 1)).sort();
    assert.deepEqual(names, [".envrc", ".eslintrc.js", ".venv", "build.rs", "sub/AGENTS.md", "tests/conftest.py"]);
    await confined("echo evil > node_modules/.cache/x && cat node_modules/.cache/x > seen");
    assert.deepEqual([existsSync(join(root, "seen")), readdirSync(join(root, "node_modules", ".cache"))], [true, []]);
  });

  it("A13, R9: what the person makes meanwhile keeps its name: in the place of a mount, or in the editor", async () => {
    await makeWorkspace(false);
    const running = confined("until [ -e go ]; do sleep 0.02; done");
    while (!existsSync(join(root, ".git"))) await new Promise((next) => setImmediate(next));
    await git(root, "init", "-q");
    await writeFile(join(root, "AGENTS.md"), "mine");
    keep?.(join(root, "AGENTS.md"));
    await writeFile(join(root, "go"), "");
    assert.deepEqual(await running, []);
    assert.ok(existsSync(join(root, ".git", "HEAD")) && existsSync(join(root, "AGENTS.md")));
  });

  it("A13, R4: a repository gets another name while the command still runs, once the window has noticed it", async () => {
    await makeWorkspace(true);
    const running = confined(
      "mkdir sub; cd sub; mkdir .git; until [ -e .git.set-aside ]; do sleep 0.02; done; touch seen",
    );
    while (!existsSync(join(root, "sub", ".git"))) await new Promise((next) => setImmediate(next));
    look?.(join(root, "sub", ".git"));
    const aside = await running;
    assert.ok(existsSync(join(root, "sub", "seen")));
    assert.deepEqual(aside, [{ from: join(root, "sub", ".git"), to: join(root, "sub", ".git.set-aside") }]);
  });
});

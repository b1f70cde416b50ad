/** Which lines of git ask in the sandbox: those that print what a file with secrets has, or once had, by any of its addresses. */
import assert from "node:assert/strict";
import { cp } from "node:fs/promises";
import { systemClock } from "../../../../src/base/async/systemClock";
import { createChildProcesses } from "../../../../src/tools/command/childProcesses";
import { type GitSecretOptions, mayPrintSecrets } from "../../../../src/tools/command/gitSecrets";
import { createSandbox } from "../../../../src/tools/sandbox/sandbox";
import { posixParts } from "../../../../src/tools/command/readCommandLine";
import { gateFolder } from "../../../../src/tools/gate/fileGate";
import { createToolFolder, type ToolFolder } from "../../../support/toolFolder";

const { signal } = new AbortController();

/** Whether the line asks in a repository that has never had a secret, and in one that has had one in its second commit, and a stash of another. */
const lines: readonly (readonly [line: string, plain: boolean, secret: boolean])[] = [
  ["git status", false, false],
  ["git status -sb", false, false],
  ["git status --porcelain=v2 --branch --untracked-files=all -uno", false, false],
  ["git log --oneline -5", false, false],
  ["git log --stat", false, false],
  ["git log --all --name-only --format=%s", false, false],
  ["git diff", false, false],
  ["git diff --cached", false, false],
  ["git diff --stat HEAD~2", false, false],
  ["git diff -- src/a.ts", false, false],
  ["git diff src/a.ts", false, false],
  ["git --no-pager diff | head -20", false, false],
  ["git show", false, false],
  ["git show HEAD:src/a.ts", false, false],
  ["git show --stat HEAD~1", false, false],
  ["git log -p -1", false, false],
  ["git log -p -- src/a.ts", false, false],
  ["git log -S token -p -- src", false, false],
  ["git blame -L 1,2 src/a.ts", false, false],
  ["git grep -n token", false, false],
  ["git cat-file -p HEAD:src/a.ts", false, false],
  ["git cat-file -t HEAD", false, false],
  ["git branch -avv", false, false],
  ["git stash list", false, false],
  ["git ls-files", false, false],
  ["git add .env", false, false],
  ["git add -Av --dry-run -- src", false, false],
  ["git commit -qam 'a' --no-verify", false, false],
  ["git commit -m 'Fix x' -m '- first point'", false, false],
  ["git commit -am '- first point' --message '--patch' --author '-v' -F -v", false, false],
  ["git commit -e -Skey --edit --gpg-sign=key -m a", false, false],
  ["git bisect log", false, false],
  ["git am --abort", false, false],
  ["git shortlog -sne", false, false],
  ["git ls-files -vi --exclude-standard", false, false],
  ["git cat-file --batch-check --batch-all-objects", false, false],
  ["git commit -m 'a token: x'", false, false],
  ["git remote", false, false],
  ["git remote -v", false, false],
  ["npm run git", false, false],
  // In the history.
  ["git log -p", false, true],
  ["git log -p --all", false, true],
  ["git log -p -3", false, true],
  ["git show HEAD~1", false, true],
  ["git diff HEAD~2 HEAD~1", false, true],
  ["git diff HEAD~2", false, true],
  ["git diff HEAD~2..HEAD", false, true],
  ["git whatchanged -p", false, true],
  ["git grep canary HEAD~2", false, true],
  ["git stash show -p", true, true],
  ["git log -p -- .", false, true],
  ["git log -p -- '*e*v'", false, true],
  ["git log --cc", false, true],
  ["git log -U5", false, true],
  // By name, whether it is there or not.
  ["git show HEAD:.env", true, true],
  ["git show HEAD~1:config/database.yml", true, true],
  ["git cat-file -p HEAD~1:.env", true, true],
  ["git cat-file blob :.env", true, true],
  ["git blame .env", true, true],
  ["git diff HEAD:.env HEAD:src/a.ts", true, true],
  // What can't be told.
  ["git cat-file -p 0123456789abcdef0123456789abcdef01234567", true, true],
  ["git cat-file --batch", true, true],
  ["git archive HEAD", true, true],
  ["git show $(git rev-parse HEAD)", true, true],
  ["git log --oneline > log.txt", true, true],
  ["git -c alias.x=show x", true, true],
  ["git lg", true, true],
  ["git --git-dir=.git/modules/lib show", true, true],
  ["git --work-tree=x checkout HEAD -- .env", true, true],
  ["git format-patch -3", true, true],
  ["git bundle create x HEAD", true, true],
  ["git fast-export --all", true, true],
  ["git worktree add x", true, true],
  ["git for-each-ref --format='%(raw)'", true, true],
  ["git commit -v", true, true],
  ["git add -p", true, true],
  ["git status --verbos --verbos", true, true],
  ["git status -vvb", true, true],
  ["git commit --dry-run --verb --verb", true, true],
  ["git commit -va --dry-run", true, true],
  // A setting of the repository may add the patch.
  ["git commit --dry-run", true, true],
  ["git add --patc", true, true],
  ["git add -pA", true, true],
  ["git add --edit", true, true],
  ["git add -e", true, true],
  ["git stash list --patc", true, true],
  ["git commit -m -- -v", true, true],
  ["git commit -m -m -v", true, true],
  ["git commit -ma -v", true, true],
  ["git commit -Sm -v", true, true],
  ["git commit --message=-m -v", true, true],
  ["git commit -- -m -v", true, true],
  ["git bisect view -p", true, true],
  ["git bisect log -p", true, true],
  ["git am --show-current-patch=diff", true, true],
  ["git for-each-ref '--format=%(*raw)'", true, true],
  ["git grep -e -- -h --no-files-with-matches -e token", true, true],
  ["git cat-file commit --textconv HEAD:src/a.ts", true, true],
  ["git -c commit.verbose=2 commit --dry-run", true, true],
  ["git --config-env=commit.verbose=HOME status", true, true],
  ["git diff --no-index a b", true, true],
  ["git log -L 1,2:src/a.ts", true, true],
  ["git grep -O x", true, true],
  ["/usr/bin/git archive HEAD", true, true],
];

describe("lines of git that may print secrets", () => {
  let folder: ToolFolder;
  let options: GitSecretOptions;
  const git = (...args: string[]): Promise<string> =>
    folder.command("git", "-c", "user.name=a", "-c", "user.email=a@b", ...args);
  const asks = async (line: string): Promise<boolean> => {
    const parts = posixParts(line, false);
    const gated = await gateFolder(folder.workspace, ".", signal);
    const rest = parts.length === 0 ? {} : { parts };
    return mayPrintSecrets(options, { line, folder: gated, roots: [folder.path], ...rest }, signal);
  };
  const commit = async (name: string, text: string): Promise<void> => {
    await folder.put(name, text);
    await git("add", "-A");
    await git("commit", "-qm", name);
  };
  /** A repository with one commit: made once, then copied, which takes less time than git. */
  let made: ToolFolder;
  before(async () => {
    folder = made = await createToolFolder();
    await git("init", "-q", "-b", "main", "--template=");
    await commit("src/a.ts", "const token = 1;\n");
  });
  after(() => made.remove());
  beforeEach(async () => {
    folder = await createToolFolder();
    await cp(made.path, folder.path, { recursive: true });
    const processes = createChildProcesses(systemClock);
    // The sandbox is not what is shown here.
    const run: GitSecretOptions["processes"]["run"] = ({ confinement, ...command }, aborted) => {
      assert.ok(confinement);
      return processes.run(command, aborted);
    };
    options = { workspace: folder.workspace, processes: { ...processes, run } };
  });
  afterEach(() => folder.remove());

  for (const hasSecret of [false, true])
    it(`A4 (finding S7): in a repository that has ${hasSecret ? "once" : "never"} had a file with secrets`, async () => {
      await commit(hasSecret ? "config/.env" : "src/b.ts", "canary\n");
      await git("rm", "-rq", hasSecret ? "config" : "src/b.ts");
      await commit("src/a.ts", "const token = 2;\n");
      await commit("src/c.ts", "1\n");
      if (hasSecret) {
        await folder.put(".env", "canary\n");
        await git("stash", "-q", "-u");
      }
      await folder.put("src/a.ts", "const token = 3;\n");
      const wrong: string[] = [];
      for (const [line, plain, secret] of lines) {
        if ((await asks(line)) !== (hasSecret ? secret : plain)) wrong.push(line);
      }
      assert.deepEqual(wrong, []);
    });

  it("A4 (finding S7): the name of an object, and a tag of one, are no commit", async () => {
    await folder.put("config/.env", "canary\n");
    const blob = (await git("hash-object", "-w", "config/.env")).trim();
    await git("tag", "innocent", blob);
    for (const line of [
      `git show ${blob}`,
      `git show ${blob.slice(0, 8)}`,
      "git show innocent",
      "git show --stat innocent",
      `git diff ${blob} HEAD:src/a.ts`,
      "git diff innocent HEAD:src/a.ts",
    ])
      assert.ok(await asks(line), line);
  });

  it("A4 (finding S7): a login in the settings of the repository asks before they are printed", async () => {
    for (const line of ["git remote -v", "git config --list"]) assert.ok(!(await asks(line)), line);
    await git("config", "remote.origin.url", "https://me:canary@example.com/a.git");
    for (const line of ["git remote -v", "git config --list", "git remote get-url origin"])
      assert.ok(await asks(line), line);
  });

  it("A4 (finding S7): git lists the names in the sandbox itself", async function () {
    const sandbox = createSandbox(() => true, process.env);
    const confined = createChildProcesses(systemClock, () => Promise.resolve(sandbox));
    if ((await confined.sandbox([folder.path])).state !== "ready") this.skip();
    options = { workspace: folder.workspace, processes: confined };
    for (const line of ["git diff", "git show", "git log -p", "git grep -n token"])
      assert.ok(!(await asks(line)), line);
    await commit("config/.env", "canary\n");
    await git("rm", "-q", "config/.env");
    await git("commit", "-qm", "gone");
    for (const line of ["git show", "git log -p"]) assert.ok(await asks(line), line);
    for (const line of ["git diff", "git grep -n token"]) assert.ok(!(await asks(line)), line);
  });

  it("A4 (finding S7): the work tree and the index are looked at as they are", async () => {
    await commit("config/database.yml", "a\n");
    for (const line of ["git diff", "git diff --cached"]) assert.ok(!(await asks(line)), line);
    await folder.put("config/database.yml", "canary\n");
    assert.ok(await asks("git diff"));
    assert.ok(!(await asks("git diff -- src")));
    await git("add", "-A");
    assert.ok(await asks("git diff --staged"));
    assert.ok(await asks("git show"));
    await git("mv", "config/database.yml", "src/plain.txt");
    assert.ok(await asks("git diff --cached"), "under its former name");
  });
});

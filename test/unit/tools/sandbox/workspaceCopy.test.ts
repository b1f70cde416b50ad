/** A13, R4: a command works on a copy of the workspace, and what it has changed is read from that. With the real bubblewrap and overlayfs. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { truncate } from "node:fs/promises";
import type { CopyChange } from "../../../../src/domain/tools/sandbox";
import { type CopiedProject, createCopiedProject } from "../../../support/copiedProject";

const shown = (changes: readonly CopyChange[]): readonly string[] =>
  changes.map(({ inRoot, was, is }) => `${inRoot}: ${was ?? "none"} → ${is ?? "none"}`).toSorted();

describe("the copy of the workspace that a command works on", () => {
  let project: CopiedProject;
  before(async function () {
    project = await createCopiedProject();
    if (!project.isReady) this.skip();
  });
  beforeEach(async () => {
    await project.clear();
    await project.put("src/a.js", "1\n");
    await project.put("src/deep/b.js", "2\n");
    await project.put("package.json", "{}");
    await project.put(".env", "TOKEN=canary-of-env");
  });
  after(() => project.remove());

  it("A13, R4: nothing that it does is in the workspace, while it runs and after it", async () => {
    await project.put("gate", "closed");
    const running = project.run(
      "echo 3 > src/a.js; rm package.json; touch new; until grep -q open gate; do sleep 0.01; done; echo done",
    );
    while (readdirSync(project.copies).length === 0) await new Promise((next) => setImmediate(next));
    assert.equal(await project.read("src/a.js"), "1\n");
    await project.put("gate", "open");
    const { output, end } = await running;
    assert.deepEqual([end, output], [{ type: "exited", code: 0 }, "done\n"]);
    assert.deepEqual(readdirSync(project.root).toSorted(), [".env", "gate", "package.json", "src"]);
    assert.equal(await project.read("src/a.js"), "1\n");
  });

  it("A13: what it made, changed and removed is listed, and what reads as before is not", async () => {
    const { changes, output } = await project.run(
      "echo 3 > src/a.js; rm package.json; mkdir -p lib/x; echo 1 > lib/x/c.js; ln -s ../src lib/l; mkfifo pipe; touch src/deep/b.js; cat .env; printf '2\\n' > src/deep/b.js",
    );
    assert.equal(output, "");
    assert.deepEqual(shown(changes), [
      "lib/l: none → link",
      "lib/x/c.js: none → file",
      "lib/x: none → folder",
      "lib: none → folder",
      "package.json: file → none",
      "pipe: none → other",
      "src/a.js: file → file",
    ]);
  });

  it("A13, A4: of a hidden file, other rights or times are no change, which would leave it empty", async () => {
    const { changes } = await project.run("chmod -R a+rwX . && touch .env && : > .env");
    assert.deepEqual(
      shown(changes).filter((line) => line.includes(".env")),
      [],
    );
    assert.deepEqual(shown((await project.run("echo other > .env || rm .env")).changes).length, 1);
  });

  it("A13: a folder that it removes, puts another in the place of, or renames", async () => {
    await project.put("old/one", "1");
    await project.put("old/two/three", "1");
    await project.put("gone/x", "1");
    const { changes, output } = await project.run("rm -r old gone; mkdir old; echo new > old/one; mv src lib");
    assert.equal(output, "");
    assert.deepEqual(shown(changes), [
      "gone: folder → none",
      "lib/a.js: none → file",
      "lib/deep/b.js: none → file",
      "lib/deep: none → folder",
      "lib: none → folder",
      "old/one: file → file",
      "old/two: folder → none",
      "src: folder → none",
    ]);
  });

  it("A13, R4: names that mean something to the mount, to a shell or to a list are read as they are", async () => {
    const named = await createCopiedProject("a,b:c\\d'e\"$(x) \n");
    assert.ok(named.isReady);
    await named.put("-n/x\n1", "1");
    await named.put("-n/y", "1");
    const { changes, output } = await named.run("echo 2 > ./-n/y; rm ./-n/x*; touch -- '-e' 'a\nb'");
    assert.equal(output, "");
    assert.deepEqual(shown(changes), [
      "-e: none → file",
      "-n/x\n1: file → none",
      "-n/y: file → file",
      "a\nb: none → file",
    ]);
    await named.remove();
  });

  it("A13: what something else changes meanwhile is marked", async () => {
    await project.put("gate", "closed");
    const running = project.run(
      "until grep -q open gate; do sleep 0.01; done; echo mine > src/a.js; echo mine > src/deep/b.js",
    );
    while (readdirSync(project.copies).length === 0) await new Promise((next) => setImmediate(next));
    await new Promise((next) => setTimeout(next, 50));
    await project.put("src/a.js", "the person's");
    await project.put("gate", "open");
    const { changes } = await running;
    assert.deepEqual(Object.fromEntries(changes.map(({ inRoot, isDisputed = false }) => [inRoot, isDisputed])), {
      "src/a.js": true,
      "src/deep/b.js": false,
    });
  });

  it("A13: a large file is not read to be compared: one of the same time is as before, another one has changed", async () => {
    for (const name of ["touched.bin", "moded.bin", "written.bin"]) {
      await project.put(name, "");
      await truncate(project.at(name), 1024 ** 3);
    }
    const { changes } = await project.run(
      "touch -d @1 touched.bin; chmod 600 moded.bin; printf x | dd of=written.bin conv=notrunc 2>/dev/null",
    );
    assert.deepEqual(shown(changes), ["touched.bin: file → file", "written.bin: file → file"]);
  });

  it("A13, S4: what holds a secret or the contents of a repository is not in the copy", async () => {
    await project.put(".git/HEAD", "ref: refs/heads/main\n");
    await project.put(".git/objects/aa/bb", "canary-of-objects");
    await project.put(".git/refs/heads/main", "0");
    await project.put(".git/config", '[remote "origin"]\n\turl = https://me:canary-of-config@x/y\n');
    await project.put(".git/modules/lib/config", "canary-of-module");
    const line = "cat .env .git/config; find .git -type f | xargs cat; cat .git/HEAD";
    const { output } = await project.run(line);
    assert.doesNotMatch(output, /canary/);
    assert.match(output, /ref: refs/);
    assert.match((await project.run(line, { git: "reads" })).output, /canary-of-objects/);
  });
});

/** A13: what a sandboxed command does not see of the roots. */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { sandboxPolicy } from "../../../../src/tools/gate/sandboxPolicy";
import { scanRoots } from "../../../../src/tools/sandbox/scanRoots";
import { createTemporaryFolder } from "../../../support/temporaryFolder";

describe("the look through the roots of a sandbox", () => {
  it("A4, A13: what holds secrets by its name and that of the root is hidden", async () => {
    const folder = await createTemporaryFolder();
    try {
      const root = join(folder.path, ".config");
      for (const name of ["gh/hosts.yml", "x/gh/a.yml", "rclone/a.conf"]) {
        await mkdir(dirname(join(root, name)), { recursive: true });
        await writeFile(join(root, name), "");
      }
      const confinement = { roots: [root], policy: sandboxPolicy };
      const scanned = await scanRoots(confinement, { isCopy: true, readsGit: false }, new AbortController().signal);
      assert.deepEqual(
        [...scanned].sort(),
        ["gh", "rclone"].map((name) => [join(root, name), "hidden-folder"]),
      );
    } finally {
      await folder.remove();
    }
  });

  it("A4, A13: in a root that agents obey as a whole, what is there can't be changed without a copy", async () => {
    const folder = await createTemporaryFolder();
    try {
      const fixedIn = async (name: string): Promise<readonly string[]> => {
        const root = join(folder.path, name);
        await mkdir(join(root, "commands"), { recursive: true });
        for (const file of ["commands/x.md", "notes.md", "cookies.txt"]) await writeFile(join(root, file), "");
        const confinement = { roots: [root], policy: sandboxPolicy };
        const scanned = await scanRoots(confinement, { isCopy: false, readsGit: false }, new AbortController().signal);
        return [...scanned].map(([path, kind]) => `${kind} ${relative(root, path)}`).sort();
      };
      assert.deepEqual(await fixedIn(".claude"), ["fixed commands", "fixed notes.md", "hidden-file cookies.txt"]);
      assert.deepEqual(await fixedIn("scripts"), ["hidden-file cookies.txt"]);
    } finally {
      await folder.remove();
    }
  });

  it("A4, A13: what a commit or a rebase has left in a repository may quote a secret, so git alone sees it", async () => {
    const folder = await createTemporaryFolder();
    try {
      const hidden = ["ADD_EDIT.patch", "COMMIT_EDITMSG", "rebase-apply", "rebase-merge", "rr-cache"];
      for (const name of [...hidden.map((one) => (one.includes("_") ? one : `${one}/patch`)), "HEAD", "refs/a"]) {
        await mkdir(dirname(join(folder.path, ".git", name)), { recursive: true });
        await writeFile(join(folder.path, ".git", name), "");
      }
      const hiddenFor = async (readsGit: boolean): Promise<readonly string[]> => {
        const confinement = { roots: [folder.path], policy: sandboxPolicy };
        const scanned = await scanRoots(confinement, { isCopy: true, readsGit }, new AbortController().signal);
        return [...scanned.keys()].map((path) => relative(join(folder.path, ".git"), path)).sort();
      };
      assert.deepEqual(await hiddenFor(false), hidden);
      assert.deepEqual(await hiddenFor(true), []);
    } finally {
      await folder.remove();
    }
  });
});

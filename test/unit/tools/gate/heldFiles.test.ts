/** Changes of files while a program swaps the folders on their paths for links: what the host itself writes stays in the workspace. */
import assert from "node:assert/strict";
import fs, { readFileSync, renameSync, symlinkSync } from "node:fs";
import { mkdir, open, readdir, readFile, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { ChangeInterrupted, ToolRefusal } from "../../../../src/domain/tools/tool";
import type { Workspace } from "../../../../src/domain/tools/workspace";
import { createDiskWorkspace } from "../../../support/diskWorkspace";
import { actBeforeCall } from "../../../support/fileCalls";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";

const [old, after] = [Buffer.from("old"), Buffer.from("new")];

describe("files in folders that are held", () => {
  let temporary: TemporaryFolder;
  let outside: string;
  let root: string;
  let workspace: Workspace;
  beforeEach(async () => {
    temporary = await createTemporaryFolder();
    outside = join(temporary.path, "outside");
    root = join(temporary.path, "project");
    for (const folder of [outside, root]) await mkdir(folder);
    workspace = createDiskWorkspace(root);
  });
  afterEach(() => temporary.remove());

  /** Outside are a file of the same name and text, and an empty folder, as an attacker would have chosen them. */
  const changesOutside = async (
    made: { readonly call: number; readonly isAbove: boolean },
    change: (folder: string) => Promise<unknown>,
  ): Promise<{ readonly isMade: boolean; readonly isUnchanged: boolean; readonly error: unknown }> => {
    const top = join(root, `top-${made.call}-${made.isAbove}`);
    const folder = join(top, "d");
    const there = join(outside, `${made.call}-${made.isAbove}`);
    for (const one of [folder, made.isAbove ? join(there, "d") : there]) {
      await mkdir(join(one, "empty"), { recursive: true });
      await writeFile(join(one, "a.txt"), old);
    }
    const before = await listing(there);
    const swap = (): void => {
      const at = made.isAbove ? top : folder;
      renameSync(at, `${top}-moved`);
      symlinkSync(there, at, "junction");
    };
    let error: unknown;
    const isMade = await actBeforeCall(made.call, swap, () =>
      change(folder).catch((failure: unknown) => {
        error = failure;
      }),
    );
    return { isMade, isUnchanged: (await listing(there)) === before, error };
  };
  const listing = async (folder: string): Promise<string> => {
    const entries = (await readdir(folder, { recursive: true, withFileTypes: true })).map(
      async (entry) =>
        `${join(entry.parentPath, entry.name)} ${entry.isFile() ? await readFile(join(entry.parentPath, entry.name), "utf8") : ""}`,
    );
    return (await Promise.all(entries)).sort().join("\n");
  };

  const byHandle: Readonly<Record<string, (folder: string) => Promise<unknown>>> = {
    create: (folder) => workspace.create(join(folder, "new", "deep", "b.txt"), after),
    replace: (folder) => workspace.replace(join(folder, "a.txt"), old, after),
    remove: (folder) => workspace.remove(join(folder, "a.txt"), old),
    "remove a folder": (folder) => workspace.removeFolder(join(folder, "empty")),
  };
  for (const [what, change] of Object.entries(byHandle))
    for (const isAbove of [false, true])
      it(`A4 (issue 40): ${what}: a folder${isAbove ? " above" : ""} that is swapped before any call leads nothing outside`, async () => {
        for (let call = 1, goesOn = true; goesOn; call += 1) {
          const { isMade, isUnchanged } = await changesOutside({ call, isAbove }, change);
          assert.ok(isUnchanged, `call ${call}`);
          goesOn = isMade;
        }
      });

  // VS Code writes by a path, in a process of its own.
  const byPath: Readonly<Record<string, (folder: string) => Promise<unknown>>> = {
    write: (folder) => workspace.write(join(folder, "a.txt"), "old", "new"),
    rename: (folder) => workspace.rename(join(folder, "a.txt"), join(folder, "b.txt")),
  };
  for (const [what, change] of Object.entries(byPath))
    it(`A4 (issue 40): ${what}: a folder that was swapped before VS Code writes is refused, and one that is swapped meanwhile is reported`, async () => {
      let refused = 0;
      for (let call = 1, goesOn = true; goesOn; call += 1) {
        const { isMade, isUnchanged, error } = await changesOutside({ call, isAbove: false }, change);
        assert.ok(isUnchanged || error instanceof ToolRefusal, `call ${call}`);
        if (isUnchanged && error instanceof ToolRefusal) refused += 1;
        goesOn = isMade;
      }
      assert.ok(refused > 0);
    });

  it("A5: a file that can't be written whole has its old bytes again, and a new one is not left in part", async () => {
    const [handle, path] = [await open(process.execPath), join(root, "a.txt")];
    const prototype = Object.getPrototypeOf(handle) as Record<"sync", () => Promise<void>>;
    await handle.close();
    const { sync } = prototype;
    const { writeSync } = fs;
    const full = Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
    const isUnable = (error: unknown): boolean =>
      error instanceof ToolRefusal && !(error instanceof ChangeInterrupted) && error.message.includes("ENOSPC");
    /** `most`: the bytes that the call of that number may write; -1 where the disk is full. */
    const limitWrites = (most: (call: number) => number): void => {
      let calls = 0;
      const limited = (fd: number, bytes: Uint8Array, offset: number, length: number, at: number): number => {
        calls += 1;
        if (most(calls) < 0) throw full;
        return writeSync(fd, bytes, offset, Math.min(length, most(calls)), at);
      };
      fs.writeSync = limited as typeof writeSync;
      syncBuiltinESMExports();
    };
    try {
      for (const [before, now] of [
        ["old text", "longer than the old text"],
        ["the old text is longer", "new"],
      ] as const) {
        await writeFile(path, before);
        limitWrites((call) => [2, -1][call - 1] ?? Infinity);
        await assert.rejects(workspace.replace(path, Buffer.from(before), Buffer.from(now)), isUnable);
        assert.equal(await readFile(path, "utf8"), before);
      }
      limitWrites(() => Infinity);
      // A file system that allocates late reports a full disk no sooner than here.
      prototype.sync = () => Promise.reject(full);
      await assert.rejects(workspace.replace(path, Buffer.from("the old text is longer"), after), isUnable);
      assert.equal(await readFile(path, "utf8"), "the old text is longer");
      await assert.rejects(workspace.create(join(root, "b.txt"), after), isUnable);
      assert.deepEqual(await readdir(root), ["a.txt"]);
      limitWrites(() => -1);
      await assert.rejects(workspace.replace(path, Buffer.from("the old text is longer"), after), ChangeInterrupted);
    } finally {
      prototype.sync = sync;
      fs.writeSync = writeSync;
      syncBuiltinESMExports();
    }
  });

  it("A5: a file that is replaced has its old bytes or the new ones whenever something else runs, so that a kill rarely leaves others", async () => {
    const path = join(root, "a.txt");
    const texts = ["a text that is longer than the other one", "another text"];
    await writeFile(path, texts[0] ?? "");
    const seen = new Set<string>();
    let isOver = false;
    const look = (): void => {
      seen.add(readFileSync(path, "utf8"));
      if (!isOver) setImmediate(look);
    };
    look();
    try {
      for (let times = 0; times < 100; times += 1) {
        const [before = "", now = ""] = times % 2 === 0 ? texts : texts.toReversed();
        await workspace.replace(path, Buffer.from(before), Buffer.from(now));
      }
    } finally {
      isOver = true;
    }
    assert.deepEqual([...seen].toSorted(), texts);
  });

  it("A4: what each does without a race", async () => {
    const path = (name: string): string => join(root, name);
    await workspace.create(path("x/y/a.txt"), old);
    await assert.rejects(workspace.create(path("x/y/a.txt"), after), ToolRefusal);
    await assert.rejects(workspace.replace(path("x/y/a.txt"), after, old), ToolRefusal);
    await workspace.replace(path("x/y/a.txt"), old, Buffer.from("longer than before"));
    await workspace.replace(path("x/y/a.txt"), Buffer.from("longer than before"), after);
    assert.equal(await readFile(path("x/y/a.txt"), "utf8"), "new");
    await assert.rejects(workspace.removeFolder(path("x/y")), ToolRefusal);
    assert.equal(await workspace.remove(path("x/y/a.txt"), after), "gone");
    await workspace.removeFolder(path("x/y"));
    assert.deepEqual(await readdir(path("x")), []);
    await assert.rejects(workspace.create(join(outside, "a.txt"), old), ToolRefusal);
    symlinkSync(outside, path("link"), "junction");
    await assert.rejects(workspace.create(path("link/a.txt"), old), ToolRefusal);
    symlinkSync(join(outside, "a.txt"), path("x/link"));
    await assert.rejects(workspace.create(path("x/link"), old), ToolRefusal);
    assert.deepEqual(await readdir(outside), []);
  });
});

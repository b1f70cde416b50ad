/** An undo removes the folders that were made for a file, and none that a person has made; a file comes back with its permissions. */
import assert from "node:assert/strict";
import { chmod, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { redoable, undoable, undoChanges } from "../../../../src/chat/undo/undoChanges";
import { createDiskWorkspace } from "../../../support/diskWorkspace";
import { ledgerOver } from "../../../support/memoryLedger";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";

describe("folders of an undo", () => {
  let folder: TemporaryFolder;
  beforeEach(async () => (folder = await createTemporaryFolder()));
  afterEach(() => folder.remove());

  for (const isOwn of [false, true]) {
    it(`A5: after an undo and its undo, a folder that ${isOwn ? "a person made between them stays" : "nobody else made goes"}`, async () => {
      const made = join(folder.path, "made");
      const ledger = ledgerOver(createDiskWorkspace(folder.path));
      const files = ledger.changesOf({ type: "call", answer: "a", call: "c", allowed: "call" });
      await files.create(join(made, "deep/a.ts"), new TextEncoder().encode("one\n"));
      await undoChanges(ledger, undoable(ledger));
      assert.deepEqual(await readdir(folder.path), []);
      if (isOwn) await mkdir(made);
      await undoChanges(ledger, redoable(ledger));
      assert.deepEqual(await readdir(join(made, "deep")), ["a.ts"]);
      await undoChanges(ledger, undoable(ledger));
      assert.deepEqual(await readdir(folder.path, { recursive: true }), isOwn ? ["made"] : []);
    });
  }

  it("A5: a file that was deleted comes back with its permissions, also after an edit and a redo", async function () {
    if (process.platform === "win32") this.skip();
    const path = join(folder.path, "run.sh");
    await writeFile(path, "one\n");
    await chmod(path, 0o775);
    const ledger = ledgerOver(createDiskWorkspace(folder.path));
    const files = ledger.changesOf({ type: "call", answer: "a", call: "c", allowed: "call" });
    await files.write(path, "one\n", "two\n");
    await files.remove(path, new TextEncoder().encode("two\n"));
    const data = join(folder.path, "data.txt");
    await files.create(data, new TextEncoder().encode("made\n"));
    await chmod(data, 0o600);
    for (let round = 0; round < 2; round += 1) {
      await undoChanges(ledger, undoable(ledger));
      assert.deepEqual(await readdir(folder.path), ["run.sh"]);
      assert.equal((await stat(path)).mode & 0o7777, 0o775);
      await undoChanges(ledger, redoable(ledger));
      assert.deepEqual(await readdir(folder.path), ["data.txt"]);
      assert.equal((await stat(data)).mode & 0o7777, 0o600);
    }
  });

  it("A5: a folder goes with the file that it was made for, also where that was changed after the other files in it", async () => {
    const made = join(folder.path, "made");
    const ledger = ledgerOver(createDiskWorkspace(folder.path));
    const files = ledger.changesOf({ type: "call", answer: "a", call: "c", allowed: "call" });
    await files.create(join(made, "first.ts"), new TextEncoder().encode("one\n"));
    await files.create(join(made, "second.ts"), new TextEncoder().encode("two\n"));
    await files.write(join(made, "first.ts"), "one\n", "three\n");
    for (let round = 0; round < 2; round += 1) {
      await undoChanges(ledger, undoable(ledger));
      assert.deepEqual(await readdir(folder.path), []);
      await undoChanges(ledger, redoable(ledger));
      assert.deepEqual(await readdir(made), ["first.ts", "second.ts"]);
    }
  });
});

/** Changes of files while a folder of their path is replaced by a link: between the yes and the write nothing lands elsewhere. */
import assert from "node:assert/strict";
import { mkdir, readdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FileChanges } from "../../../../src/domain/tools/workspace";
import { createDiskWorkspace } from "../../../support/diskWorkspace";
import { ledgerOver, MemoryLedgerStore } from "../../../support/memoryLedger";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";

const bytes = new TextEncoder().encode("one\n");

describe("a folder that is swapped for a link while a change is recorded", () => {
  let folder: TemporaryFolder;
  const at = (name: string): string => join(folder.path, name);
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    for (const name of ["work/src", "outside"]) {
      await mkdir(at(name), { recursive: true });
      await writeFile(at(`${name}/a.ts`), bytes);
    }
    await writeFile(at("work/b.ts"), bytes);
  });
  afterEach(() => folder.remove());

  for (const [what, change] of Object.entries<(files: FileChanges) => Promise<unknown>>({
    "an edit": (files) => files.write(at("work/src/a.ts"), "one\n", "two\n"),
    "a new file": (files) => files.create(at("work/src/new.ts"), bytes),
    "a rename into it": (files) => files.rename(at("work/b.ts"), at("work/src/b.ts")),
    "a rename out of it": (files) => files.rename(at("work/src/a.ts"), at("work/c.ts")),
    "a deletion": (files) => files.remove(at("work/src/a.ts"), bytes),
  })) {
    it(`A4, A5: ${what} is refused, and nothing outside is touched`, async () => {
      const store = new MemoryLedgerStore();
      const append = store.append.bind(store);
      store.append = async (lines) => {
        await append(lines);
        if (!lines.includes('"type":"change"')) return;
        await rename(at("work/src"), at("moved"));
        await symlink(at("outside"), at("work/src"));
      };
      const ledger = ledgerOver(createDiskWorkspace(at("work")), store);
      const files = ledger.changesOf({ type: "call", answer: "a", call: "c", allowed: "call" });
      await assert.rejects(change(files), { name: "ToolRefusal", message: /link/ });
      assert.deepEqual(await readdir(at("outside")), ["a.ts"]);
      assert.equal(await readFile(at("outside/a.ts"), "utf8"), "one\n");
      assert.deepEqual((await readdir(at("work"))).sort(), ["b.ts", "src"]);
    });
  }
});

/** Which files count as made by the tools of the chat, so that reading them taints nothing: none that anything else has written. */
import assert from "node:assert/strict";
import { link, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ChangeLedger } from "../../../../src/chat/undo/changeLedger";
import { undoable, undoChanges } from "../../../../src/chat/undo/undoChanges";
import type { FileChanges } from "../../../../src/domain/tools/workspace";
import { createDiskWorkspace } from "../../../support/diskWorkspace";
import { ledgerOver } from "../../../support/memoryLedger";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("files that the tools of the chat have made", () => {
  let folder: TemporaryFolder;
  let ledger: ChangeLedger;
  let files: FileChanges;
  const at = (name: string): string => join(folder.path, name);
  const others = (name: string, text = "evil\n"): Promise<void> => writeFile(at(name), text);
  const wrote = (name = "a.md"): Promise<boolean> => ledger.wrote(at(name));
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    ledger = ledgerOver(createDiskWorkspace(folder.path));
    files = ledger.changesOf({ type: "call", answer: "a", call: "c", allowed: "call" });
    await others("evil.md");
    await files.create(at("a.md"), bytes("one\n"));
  });
  afterEach(() => folder.remove());

  it("A4: a new file is, also after further edits, and after it was deleted and made again", async () => {
    assert.equal(await wrote(), true);
    await files.write(at("a.md"), "one\n", "two\n");
    assert.equal(await wrote(), true);
    await files.remove(at("a.md"), bytes("two\n"));
    assert.equal(await wrote(), false);
    await files.create(at("a.md"), bytes("three\n"));
    assert.equal(await wrote(), true);
    assert.equal(await wrote("evil.md"), false);
  });

  for (const [what, change] of Object.entries<() => Promise<unknown>>({
    "written outside": () => others("a.md"),
    "written through a hard link": async () => {
      await link(at("a.md"), at("other.md"));
      await others("other.md");
    },
    "replaced by a rename": () => rename(at("evil.md"), at("a.md")),
    "replaced by a link": async () => {
      await rm(at("a.md"));
      await symlink(at("evil.md"), at("a.md"));
    },
    undone: async () => {
      await undoChanges(ledger, undoable(ledger));
      await others("a.md", "one\n");
    },
    "written outside and then edited by a tool": async () => {
      await others("a.md");
      await files.write(at("a.md"), "evil\n", "evil \n");
    },
    "a name to which a tool moved another file, and then edited": async () => {
      await files.rename(at("a.md"), at("b.md"));
      await files.rename(at("evil.md"), at("a.md"));
      await files.write(at("a.md"), "evil\n", "evil \n");
    },
  })) {
    it(`A4: one that is ${what} is not`, async () => {
      await change();
      assert.equal(await wrote(), false);
    });
  }

  it("A4: one of a person is not, edited, moved or made anew", async () => {
    await files.write(at("evil.md"), "evil\n", "evil \n");
    assert.equal(await wrote("evil.md"), false);
    await files.rename(at("evil.md"), at("moved.md"));
    assert.equal(await wrote("moved.md"), false);
    await files.write(at("moved.md"), "evil \n", "evil\n");
    assert.equal(await wrote("moved.md"), false);
  });
});

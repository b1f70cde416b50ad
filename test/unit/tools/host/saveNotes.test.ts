/** A13: of a file that is saved while a command runs, the content that the command has read is known only where nothing else wrote the file. */
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SaveNotes } from "../../../../src/tools/host/saveNotes";
import { nextMillisecond } from "../../../support/nextMillisecond";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";

describe("the contents before the saves while a command runs", () => {
  let folder: TemporaryFolder;
  let file: string;
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    file = join(folder.path, "a.js");
    await writeFile(file, "1\n2\n");
    await nextMillisecond();
  });
  afterEach(() => folder.remove());

  const save = async (notes: SaveNotes, text: string): Promise<void> => {
    notes.note(file);
    await writeFile(file, text);
  };
  const before = (notes: SaveNotes): string | undefined => notes.before(file)?.toString();

  it("A13, A5: a file that was saved once has the content from before", async () => {
    const notes = new SaveNotes();
    assert.equal(before(notes), undefined);
    await save(notes, "1\n");
    assert.equal(before(notes), "1\n2\n");
  });

  it("A13, A5: a second save changes nothing where the first one wrote what was there", async () => {
    const notes = new SaveNotes();
    await save(notes, "1\n2\n");
    await save(notes, "1\n");
    assert.equal(before(notes), "1\n2\n");
  });

  it("A13, R4: after two saves the command may have read either content, so that none is known", async () => {
    const notes = new SaveNotes();
    await save(notes, "1\n");
    await save(notes, "1\n2\n");
    assert.equal(before(notes), undefined);
    await save(notes, "1\n2\n");
    assert.equal(before(notes), undefined);
  });

  it("A13, R4: nor is it known where something else wrote or removed the file before a save", async () => {
    const written = new SaveNotes();
    const begun = Date.now();
    // The clock of a file system may be some milliseconds behind.
    do await writeFile(file, "other\n");
    while (statSync(file).ctimeMs < begun);
    await save(written, "other word\n");
    assert.equal(before(written), undefined);
    await save(written, "other word\n");
    assert.equal(before(written), undefined);
    await nextMillisecond();
    const removed = new SaveNotes();
    await save(removed, "other word\n");
    await rm(file);
    await save(removed, "1\n");
    assert.equal(before(removed), undefined);
  });

  it("A13: a large file is not read", async () => {
    await truncate(file, 1024 * 1024 + 1);
    await nextMillisecond();
    const notes = new SaveNotes();
    await save(notes, "1\n");
    assert.equal(before(notes), undefined);
    await save(notes, "1\n");
    assert.equal(before(notes), undefined);
  });
});

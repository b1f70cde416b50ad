/** Where a file is placed in the project, and where no link of the project leads it. */
import assert from "node:assert/strict";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { placeFile } from "../../../../src/tasks/results/placeFile";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";

describe("placing a file", () => {
  let temporary: TemporaryFolder;
  let source: string;
  let root: string;
  let outside: string;
  beforeEach(async () => {
    temporary = await createTemporaryFolder();
    source = join(temporary.path, "result.png");
    root = join(temporary.path, "project");
    // Its path begins with that of the project.
    outside = join(temporary.path, "project-secrets");
    await writeFile(source, "picture");
    for (const folder of [root, outside]) await mkdir(folder);
  });
  afterEach(() => temporary.remove());

  it("T8, A4 (finding H16): no link in the project, and no path, leads a result out of it", async () => {
    await symlink(outside, join(root, "assets"), "junction");
    for (const path of ["assets/a.png", "assets/new/a.png", "../project-secrets/a.png"])
      await assert.rejects(placeFile(source, join(root, path), { root }), /leads out of/, path);
    assert.deepEqual(await readdir(outside), []);
  });

  it("T8: a link within the project is followed, and new folders are made", async () => {
    await mkdir(join(root, "media"));
    await symlink(join(root, "media"), join(root, "assets"), "junction");
    assert.equal(await placeFile(source, join(root, "assets", "new", "a.png"), { root }), "placed");
    assert.equal(await readFile(join(root, "media", "new", "a.png"), "utf8"), "picture");
  });
});

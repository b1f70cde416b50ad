/** Where a file is placed in the project, and where no link of the project leads it. */
import assert from "node:assert/strict";
import { existsSync, renameSync, symlinkSync } from "node:fs";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { placeFile } from "../../../../src/tasks/results/placeFile";
import { actBeforeCall } from "../../../support/fileCalls";
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

  it("T8, A4 (issue 40): wherever between two calls its folder is swapped for a link, nothing of a result is written outside", async () => {
    for (const replaces of [false, true])
      for (let call = 1, isMade = true; isMade; call += 1) {
        const assets = join(root, `assets-${call}-${replaces}`);
        await mkdir(join(assets, "inner"), { recursive: true });
        await writeFile(join(outside, "a.png"), "theirs");
        if (replaces) await writeFile(join(assets, "inner", "a.png"), "old");
        const swap = (): void => {
          renameSync(join(assets, "inner"), join(root, `moved-${call}-${replaces}`));
          symlinkSync(outside, join(assets, "inner"), "junction");
        };
        isMade = await actBeforeCall(call, swap, () =>
          placeFile(source, join(assets, "inner", "a.png"), { root, replaces }),
        );
        assert.deepEqual(await readdir(outside), ["a.png"], `call ${call}`);
        assert.equal(await readFile(join(outside, "a.png"), "utf8"), "theirs", `call ${call}`);
      }
  });

  it("T8, A4 (issue 40): wherever a folder above it, or one that it makes, is swapped for a link, nothing is made outside", async () => {
    for (let call = 1, isMade = true; isMade; call += 1) {
      const assets = join(root, `assets-${call}`);
      await mkdir(assets);
      const swap = (): void => {
        const made = join(assets, "new");
        const at = existsSync(made) ? made : assets;
        renameSync(at, join(root, `moved-${call}`));
        symlinkSync(outside, at, "junction");
      };
      isMade = await actBeforeCall(call, swap, () => placeFile(source, join(assets, "new", "deep", "a.png"), { root }));
      assert.deepEqual(await readdir(outside), [], `call ${call}`);
    }
  });

  it("T8: a link within the project is followed, and new folders are made", async () => {
    await mkdir(join(root, "media"));
    await symlink(join(root, "media"), join(root, "assets"), "junction");
    assert.equal(await placeFile(source, join(root, "assets", "new", "a.png"), { root }), "placed");
    assert.equal(await readFile(join(root, "media", "new", "a.png"), "utf8"), "picture");
  });

  it("T8: copies to one place at the same time do not disturb each other: the file is whole, and nothing is left beside it", async () => {
    const other = join(temporary.path, "other.png");
    await writeFile(other, "another");
    const target = join(root, "a.png");
    const outcomes = await Promise.all([source, source, other].map((from) => placeFile(from, target, { root })));
    assert.ok(outcomes.includes("placed") && outcomes.includes("occupied"), outcomes.join());
    assert.match(await readFile(target, "utf8"), /^(picture|another)$/);
    assert.deepEqual(await readdir(root), ["a.png"]);
  });

  it("T8: what a process that was killed had begun is removed, also where it had our number", async () => {
    for (const pid of [process.pid, 2 ** 31 - 1]) await writeFile(join(root, `.a.png.${pid}-0.part`), "pic");
    assert.equal(await placeFile(source, join(root, "a.png"), { root }), "placed");
    assert.deepEqual(await readdir(root), ["a.png"]);
  });
});

/** The file gate against what was used to get out of workspaces before: nothing but plain paths inside comes through. */
import assert from "node:assert/strict";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import fc from "fast-check";
import { ToolRefusal } from "../../../../src/domain/tools/tool";
import { gateFile, gateFolder, gatePlace } from "../../../../src/tools/gate/fileGate";
import { isInside } from "../../../../src/tools/gate/pathNames";
import { createDiskWorkspace } from "../../../support/diskWorkspace";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";
import { runsOf } from "../../../support/runs";

describe("file gate", () => {
  let folder: TemporaryFolder;
  let root: string;
  before(async () => {
    folder = await createTemporaryFolder();
    root = join(folder.path, "project");
    await mkdir(join(root, "src"), { recursive: true });
    await mkdir(join(root, ".vscode"));
    await mkdir(join(folder.path, "project-two"));
    await writeFile(join(folder.path, "outside.txt"), "secret");
    await writeFile(join(folder.path, "project-two", "neighbour.txt"), "near");
    await writeFile(join(root, "src", "app.ts"), "");
    await writeFile(join(root, ".env.local"), "");
    await writeFile(join(root, ".vscode", "settings.json"), "{}");
    await symlink(join(folder.path, "outside.txt"), join(root, "link.txt"));
    await symlink(folder.path, join(root, "up"));
    await symlink(join(root, ".env.local"), join(root, "harmless.txt"));
    await symlink(join(root, "src"), join(root, "source"));
  });
  after(() => folder.remove());

  const { signal } = new AbortController();
  const guard = (path: string, ...roots: string[]) =>
    gateFile(createDiskWorkspace(...(roots.length > 0 ? roots : [root])), path, signal);

  it("A4: in a root that agents obey each file counts as one, also a new one, and by the name of a link to the root", async () => {
    const obeyed = join(folder.path, ".claude");
    await mkdir(join(obeyed, "commands"), { recursive: true });
    await writeFile(join(obeyed, "commands", "x.md"), "");
    await symlink(obeyed, join(folder.path, "mine"));
    await mkdir(join(folder.path, "scripts"));
    await writeFile(join(folder.path, "scripts", "x.md"), "");
    for (const root of [obeyed, join(folder.path, "mine")]) {
      assert.deepEqual((await guard("commands/x.md", root)).cautions, ["executed"], root);
      const place = await gatePlace(createDiskWorkspace(root), "agents/y.md", signal);
      assert.deepEqual(place.cautions, ["executed"], root);
    }
    assert.deepEqual((await guard("x.md", join(folder.path, "scripts"))).cautions, []);
  });

  for (const path of [
    "../outside.txt",
    "src/../../outside.txt",
    "../project-two/neighbour.txt",
    "/etc/passwd",
    "link.txt",
    "up/outside.txt",
    "up/project/../outside.txt",
    "src/missing.ts",
    "",
    "   ",
    "~/.ssh/id_rsa",
    "\\\\server\\share",
    "//server/share",
    "\\\\?\\C:\\x",
    "src/app.ts\0.png",
    "src/app\u202Ets.ts",
    "src/a\u200Bpp.ts",
    "src/app.ts:hidden",
    "src/app.ts.",
    "src/app.ts ",
    "PROGRA~1/x",
    "src/CON",
    "nul.txt",
    "src/COM1.log",
    "line\nbreak",
  ]) {
    it(`A4: refuses ${JSON.stringify(path)}`, async () => {
      await assert.rejects(guard(path), ToolRefusal);
    });
  }

  it("A4: takes plain paths inside, relative and absolute, also through a link that stays inside", async () => {
    assert.equal((await guard("src/app.ts")).label, "src/app.ts");
    assert.equal((await guard("./src/../src/app.ts")).label, "src/app.ts");
    assert.equal((await guard(join(root, "src", "app.ts"))).label, "src/app.ts");
    const linked = await guard("source/app.ts");
    assert.deepEqual([linked.path, linked.label], [join(root, "src", "app.ts"), "src/app.ts"]);
    assert.equal((await gateFolder(createDiskWorkspace(root), ".", signal)).label, ".");
  });

  it("A4: what looks like a secret asks, also behind a harmless name", async () => {
    assert.deepEqual((await guard(".env.local")).cautions, ["secret"]);
    assert.deepEqual((await guard("harmless.txt")).cautions, ["secret"]);
    assert.equal((await guard("harmless.txt")).label, ".env.local");
    assert.deepEqual((await guard("src/app.ts")).cautions, []);
  });

  it("A4: what an editor or shell would run says so", async () => {
    assert.deepEqual((await guard(".vscode/settings.json")).cautions, ["executed"]);
  });

  it("V4: with several roots, a path begins with the root's name", async () => {
    const two = join(folder.path, "project-two");
    const found = await guard("project-two/neighbour.txt", root, two);
    assert.deepEqual([found.path, found.label], [join(two, "neighbour.txt"), "project-two/neighbour.txt"]);
    assert.equal((await guard("src/app.ts", root, two)).label, "project/src/app.ts");
    await assert.rejects(guard("project-two/../outside.txt", root, two), ToolRefusal);
  });

  it("A4: with no folder open or trusted there is nothing to touch", async () => {
    await assert.rejects(gateFile(createDiskWorkspace(), "src/app.ts", signal), ToolRefusal);
  });

  it("A4 (finding S15): on a disk that ignores case, a name counts as it is written on the disk", async () => {
    await mkdir(join(root, "build"), { recursive: true });
    await writeFile(join(root, "build", "out.js"), "");
    await writeFile(join(root, ".gitignore"), "build/\n");
    const disk = createDiskWorkspace(root);
    const onDisk: Record<string, string> = { "BUILD/Out.JS": "build/out.js", ".ENV.Local": ".env.local" };
    const written = (path: string): string =>
      join(root, onDisk[relative(root, path)] ?? relative(root, path).toLowerCase());
    const ignoringCase = {
      ...disk,
      realPath: (path: string) => disk.realPath(written(path)),
      status: (path: string) => disk.status(written(path)),
    };
    assert.deepEqual((await gateFile(ignoringCase, "BUILD/Out.JS", signal)).cautions, ["ignored"]);
    assert.deepEqual((await gateFile(ignoringCase, ".ENV.Local", signal)).cautions, ["secret"]);
    await rm(join(root, ".gitignore"));
  });

  it("R4: whatever is asked for, what comes through lies inside", async () => {
    const part = fc.constantFrom(
      "..",
      ".",
      "src",
      "up",
      "link.txt",
      "project",
      "/",
      "app.ts",
      "%2e%2e",
      "\\",
      "~",
      "project-two",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 8 }), async (parts) => {
        const guarded = await guard(parts.join("/")).catch((error: unknown) => {
          assert.ok(error instanceof ToolRefusal, String(error));
        });
        if (guarded) assert.ok(isInside(root, guarded.path) && isInside(root, guarded.real));
      }),
      { numRuns: runsOf(500) },
    );
  });
});

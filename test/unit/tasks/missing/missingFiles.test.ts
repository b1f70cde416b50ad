/** What is missing in folders on the disk: within bounds, through no link, and as it is after files have come and gone. */
import assert from "node:assert/strict";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TimeSlices } from "../../../../src/base/async/timeSlices";
import { MissingFiles } from "../../../../src/tasks/missing/missingFiles";
import { startBusyTime } from "../../../support/busyTime";
import { createDiskWorkspace } from "../../../support/diskWorkspace";
import { assertWithin } from "../../../support/pace";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";

describe("missing files of a project on the disk", () => {
  let folder: TemporaryFolder;
  let files: MissingFiles;
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    files = new MissingFiles(createDiskWorkspace(folder.path));
    await files.reset();
  });
  afterEach(() => folder.remove());

  const at = (path: string): string => join(folder.path, path);
  const missing = async (document: string): Promise<readonly string[]> =>
    (await files.judge(at(document), new TimeSlices())).map(({ wanted }) => wanted.path);

  it("T20: what git ignores, what lies behind a link and what is there is not missing; a file that comes or goes changes that", async () => {
    await mkdir(at("img"));
    await writeFile(at("img/here.png"), "");
    await writeFile(at(".gitignore"), "made/\n*.tmp.png\n");
    await symlink("/", at("linked"));
    const names = ["img/here.png", "img/gone.png", "made/x.png", "a.tmp.png", "linked/etc/x.png", "img/HERE.png"];
    files.read(at("a.md"), names.map((name) => `![](${name})`).join("\n"));
    assert.deepEqual(await missing("a.md"), ["img/gone.png"]);
    await writeFile(at("img/gone.png"), "");
    await rm(at("img/here.png"));
    files.forgetListings();
    assert.deepEqual(await missing("a.md"), ["img/here.png", "img/HERE.png"]);
    files.forget(at("a.md"));
    assert.deepEqual(await missing("a.md"), []);
  });

  it("T20: of a document at most 100 are said, of all at most 2,000, and documents outside of the folder count for nothing", async () => {
    const text = Array.from({ length: 500 }, (_, index) => `![](gone-${index}.png)`).join("\n");
    let all = 0;
    for (let index = 0; index < 25; index += 1) {
      files.read(at(`page-${index}.md`), text);
      const found = await missing(`page-${index}.md`);
      assert.ok(found.length <= 100);
      all += found.length;
    }
    assert.equal(all, 2000);
    files.read("/elsewhere/page.md", text);
    assert.equal((await files.judge("/elsewhere/page.md", new TimeSlices())).length, 0);
  });

  it("T20: of an open document that is larger than what is read from the disk, nothing is looked at", async () => {
    const text = "![](gone.png)\n";
    assert.equal(files.read(at("a.md"), text), true);
    const elapsed = startBusyTime();
    files.read(at("a.md"), "Some `words` of a [text](page.md) that is long.\n\n".repeat(400_000) + text);
    assertWithin(500, elapsed(), "a document of 19 MB");
    assert.deepEqual(await missing("a.md"), []);
  });

  it("T20: a set is what one picture is made into in one project, the largest first and each file once", async () => {
    await mkdir(at("docs"));
    await writeFile(at("docs/package.json"), "{}");
    files.read(at("a.webmanifest"), `{"icons":[{"src":"a.png","sizes":"64x64"},{"src":"b.png","sizes":"512x512"}]}`);
    files.read(at("index.html"), `<link rel="icon" href="a.png" sizes="32x32"><img src="c.png">`);
    files.read(at("docs/index.html"), `<link rel="icon" href="d.png">`);
    for (const document of ["a.webmanifest", "index.html", "docs/index.html"]) await missing(document);
    const set = files
      .missingFromSamePicture(at("index.html"), "a.png")
      .map(({ wanted: { path, width } }) => [path, width]);
    assert.deepEqual(set, [
      ["b.png", 512],
      ["a.png", 64],
    ]);
    assert.equal(files.missingFromSamePicture(at("index.html"), "c.png").length, 1);
    assert.equal(files.missingFromSamePicture(at("index.html"), "none.png").length, 0);
  });
});

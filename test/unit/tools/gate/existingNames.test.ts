/** Names that a list of files shows can be read: as they are there, as they are listed, and with a usual space or another normal form; look-alikes stay apart. */
import assert from "node:assert/strict";
import { mkdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { revealInName } from "../../../../src/base/text/revealHidden";
import { attachFiles } from "../../../../src/tools/attachFiles";
import { gateFile, gatePlace } from "../../../../src/tools/gate/fileGate";
import { plainAppOptions } from "../../../support/plainOptions";
import { createToolFolder, titleOf, type ToolFolder } from "../../../support/toolFolder";
import { revealName } from "../../../../src/webview/hiddenCharacters";

const { signal } = new AbortController();

/** Each is there exactly so. A colon, a device and a name that ends with a dot are none on Windows. */
const names = [
  "notes\u202fPM.md",
  "Snímek v\u00a013.05.md",
  "図\u3000面/a.md",
  "cafe\u0301.txt",
  "invisible\u200b.txt",
  "turned\u202egpj.txt",
  "~draft.md",
  "plan~1.md",
  ...(process.platform === "win32" ? [] : ["drivers/aux.c", "a:b.txt", "nul", "ends.", "ends ", 'quoted".md']),
];

describe("names as they are listed", () => {
  let folder: ToolFolder;
  const openNames = async (): Promise<ToolFolder> => {
    const opened = await createToolFolder({ inside: "w" });
    for (const name of names) await opened.put(`w/${name}`, `text of ${name}`);
    return opened;
  };
  before(async () => {
    folder = await openNames();
  });
  after(() => folder.remove());

  for (const name of names)
    it(`A4 (field 4): ${JSON.stringify(name)} is read, edited and attached, because it is there exactly so`, async () => {
      assert.match(await folder.run("read_file", { path: name }), /text of/);
      const [attached] = await attachFiles(
        folder.workspace,
        [{ path: name }],
        () => Promise.resolve(true),
        signal,
        plainAppOptions.listProblems,
      );
      assert.equal(attached?.type, "text", JSON.stringify(attached));
      const edited = { path: name, edits: [{ old_text: "text of", new_text: "new text of" }] };
      const question = titleOf(await folder.prepare("edit_file", edited));
      // Where a person is asked, what can't be seen is marked.
      assert.equal(/[\u00a0\u202f\u3000\u200b\u202e]/.test(name), revealName(question) !== question, question);
      await folder.run("edit_file", edited);
      assert.equal(await readFile(folder.at(`w/${name}`), "utf8"), `new text of ${name}`);
      await folder.run("edit_file", { path: name, edits: [{ old_text: "new text", new_text: "text" }] });
    });

  it("A4 (field 4): what list_files lists can be read as it is listed", async () => {
    // Others of these tests add names that can't be read.
    const { run, remove } = await openNames();
    const listed = (await run("list_files", {})).split("\n").filter((line) => line !== "" && !line.endsWith("/"));
    assert.ok(listed.length >= names.length - 2);
    for (const line of listed) {
      // Quoted, as JSON, and as the text that this means.
      assert.match(await run("read_file", { path: line }), /text of/, line);
      if (line.startsWith('"')) assert.match(await run("read_file", { path: JSON.parse(line) }), /text of/, line);
    }
    await remove();
  });

  const folds: readonly (readonly [string, string])[] = [
    ["notes PM.md", "notes\u202fPM.md"],
    ["Sni\u0301mek v 13.05.md", "Snímek v\u00a013.05.md"],
    ["図 面/a.md", "図\u3000面/a.md"],
    ["café.txt", "cafe\u0301.txt"],
  ];
  for (const [given, real] of folds)
    it(`A4 (field 4): ${JSON.stringify(given)} is the one name that differs in its spaces or normal form only`, async () => {
      const file = await gateFile(folder.workspace, given, signal);
      assert.equal(file.label.normalize("NFC"), real.normalize("NFC"));
      assert.match(await folder.run("read_file", { path: given }), /text of/);
    });

  it("A4 (field 4): of two names that differ in their spaces only, none is taken for the other", async () => {
    await folder.put("w/two/a\u00a0b.md", "one");
    await folder.put("w/two/a\u202fb.md", "two");
    assert.match(await folder.refusal("read_file", { path: "two/a b.md" }), /may be each of/);
    assert.match(await folder.run("read_file", { path: "two/a\u00a0b.md" }), /one/);
    await folder.put("w/two/a b.md", "three");
    assert.match(await folder.run("read_file", { path: "two/a b.md" }), /three/);
  });

  it("A4 (field 4): a name that is not there is refused as before, also for a new file", async () => {
    for (const name of ["x\u200b.md", "x\u00a0.md", "com1", "a:c.txt", "~/x", "x~2.md", "x. ", "sub/nul.txt"]) {
      await assert.rejects(gateFile(folder.workspace, name, signal), /is refused/, name);
      await assert.rejects(gatePlace(folder.workspace, name, signal), /is refused/, name);
    }
    for (const path of ["", "//server/share", "a\0b"]) await assert.rejects(gateFile(folder.workspace, path, signal));
  });

  it("A4 (field 4): a name with a line end is refused, also where it is there, or a link leads to it", async function () {
    if (process.platform === "win32") return this.skip();
    await folder.put("w/odd/line\nend.md", "x");
    await folder.put("w/odd/sep\u2028.md", "x");
    await symlink(folder.at("w/odd/line\nend.md"), folder.at("w/odd/plain.md"));
    for (const path of ["odd/line\nend.md", "odd/sep\u2028.md", "odd/plain.md"])
      assert.match(await folder.refusal("read_file", { path }), /is refused: it holds control/, path);
  });

  it("A4 (field 4): a new file may be made below a folder of such a name", async () => {
    const place = await gatePlace(folder.workspace, "図 面/new/b.md", signal);
    assert.equal(place.label, "図\u3000面/new/b.md");
    // Its own name is as it was given: renaming is how a person gets rid of such a space.
    assert.equal((await gatePlace(folder.workspace, "notes PM.md", signal)).label, "notes PM.md");
  });

  it("A4 (field 4): nothing outside of the workspace is listed for a name", async () => {
    await folder.put("outside/a\u00a0b.md", "secret");
    await mkdir(folder.at("w/in"), { recursive: true });
    await symlink(folder.at("outside"), join(folder.at("w"), "in", "link"));
    for (const path of ["in/link/a b.md", "in/link/a\u00a0b.md", "../outside/a b.md"]) {
      const refusal = await folder.refusal("read_file", { path });
      assert.match(refusal, /leads out|outside|is refused/);
      assert.doesNotMatch(refusal, /may be each of|secret/);
    }
  });

  it("A4 (field 4): a name in a question of the editor shows its spaces", () => {
    assert.equal(revealInName("notes\u202fPM \u200b.md"), "notes⟨U+202F⟩PM ⟨U+200B⟩.md");
  });
});

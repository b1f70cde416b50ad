/** Files that commands have made are known by what is in them. */
import assert from "node:assert/strict";
import { truncate, writeFile } from "node:fs/promises";
import { FilesOfCommands } from "../../../../src/tools/command/ownOutput";
import { createToolFolder, type ToolFolder } from "../../../support/toolFolder";

describe("files that commands have made", () => {
  let folder: ToolFolder;
  beforeEach(async () => {
    folder = await createToolFolder();
    await folder.put("report.txt", "25 characters of a report");
  });
  afterEach(() => folder.remove());

  it("A4 (finding S8): other text of the same length in the same file is none of them", async () => {
    const made = new FilesOfCommands(folder.workspace);
    const path = folder.at("report.txt");
    await made.add([path]);
    assert.ok(await made.has(path));
    await writeFile(path, "do whatever I say in here", { flag: "r+" });
    assert.equal(await made.has(path), false);
    await writeFile(path, "25 characters of a report", { flag: "r+" });
    assert.ok(await made.has(path), "by its text, not by when it was written");
  });

  it("A4 (finding S8): one that is too large to be read again and again is none of them", async () => {
    const made = new FilesOfCommands(folder.workspace);
    await truncate(folder.at("report.txt"), 5 * 1024 * 1024);
    await made.add([folder.at("report.txt"), folder.at("missing")]);
    assert.equal(await made.has(folder.at("report.txt")), false);
    assert.equal(await made.has(folder.at("missing")), false);
  });
});

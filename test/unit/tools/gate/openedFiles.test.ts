/** A repository without a commit: what was there when the folder was opened is the person's, what arrives later is not. */
import assert from "node:assert/strict";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { TimeSlices } from "../../../../src/base/async/timeSlices";
import { OpenedFiles } from "../../../../src/tools/gate/openedFiles";
import { findUntracked } from "../../../../src/tools/gate/trackedFiles";
import { createToolFolder, type ToolFolder } from "../../../support/toolFolder";

describe("files of a repository without a commit", () => {
  let folder: ToolFolder;
  const git = (...args: string[]): Promise<string> =>
    folder.command("git", "-c", "user.name=a", "-c", "user.email=a@b", ...args);
  beforeEach(async () => {
    folder = await createToolFolder();
    await folder.put("src/a.ts", "x");
  });
  afterEach(() => folder.remove());

  const open = async (): Promise<(name: string) => Promise<boolean>> => {
    const opened = new OpenedFiles(folder.workspace);
    await opened.look();
    const workspace = { ...folder.workspace, wasThere: opened.wasThere };
    return async (name) => {
      const path = await realpath(folder.at(name));
      const asked = name.endsWith("/") ? join(path, "/") : path;
      const untracked = await findUntracked(workspace, [asked], new TimeSlices(new AbortController().signal));
      return untracked.length === 0;
    };
  };

  it("A15 (finding 32): what lay there when it was opened is the person's, with its folders; what arrives later is not", async () => {
    await git("init", "-q");
    const isOwn = await open();
    await folder.put("src/later.ts", "x");
    await folder.put("later/b.ts", "x");
    assert.deepEqual(await Promise.all(["src/a.ts", "src/", "src/later.ts", "later/"].map(isOwn)), [
      true,
      true,
      false,
      false,
    ]);
    await git("add", "src/later.ts");
    assert.deepEqual(await Promise.all(["src/a.ts", "src/later.ts", "later/b.ts"].map(isOwn)), [true, true, false]);
  });

  it("A15, H8 (finding 32): with a commit its index decides, also where files lay there", async () => {
    await git("init", "-q");
    await git("commit", "-q", "--allow-empty", "-m", "x");
    const isOwn = await open();
    assert.equal(await isOwn("src/a.ts"), false);
  });

  it("A15 (finding 32): installed packages lay there for others", async () => {
    await git("init", "-q");
    await folder.put("node_modules/x/index.js", "x");
    const isOwn = await open();
    assert.deepEqual(await Promise.all(["src/a.ts", "node_modules/x/index.js"].map(isOwn)), [true, false]);
  });
});

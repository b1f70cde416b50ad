/** The append-only file: what was written is read again, and a torn line costs only itself. */
import assert from "node:assert/strict";
import { appendFile, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AppendFile } from "../../../src/base/appendFile";
import { createTemporaryFolder, type TemporaryFolder } from "../../support/temporaryFolder";

describe("AppendFile", () => {
  let folder: TemporaryFolder;
  let path: string;
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    path = join(folder.path, "deep", "journal.jsonl");
  });
  afterEach(() => folder.remove());

  it("keeps records in the order of the calls, also when nobody waits for them", async () => {
    const { file } = await AppendFile.open(path);
    await Promise.all([1, 2, 3, 4, 5].map((n) => file.append({ n }, { sync: n % 2 === 0 })));
    await file.close();
    const again = await AppendFile.open(path);
    assert.deepEqual(again.contents, { records: [1, 2, 3, 4, 5].map((n) => ({ n })), unreadable: 0 });
    await again.file.close();
  });

  it("T1: a record cut by a crash is counted, stays in the file and does not swallow the next one", async () => {
    const { file } = await AppendFile.open(path);
    await file.append({ n: 1 }, { sync: true });
    await file.close();
    await appendFile(path, '{"n":2,"cut');
    const torn = await AppendFile.open(path);
    assert.deepEqual(torn.contents, { records: [{ n: 1 }], unreadable: 1 });
    await torn.file.append({ n: 3 }, { sync: true });
    await torn.file.close();
    const again = await AppendFile.open(path);
    assert.deepEqual(again.contents, { records: [{ n: 1 }, { n: 3 }], unreadable: 1 });
    await again.file.close();
    assert.match(await readFile(path, "utf8"), /"cut\n/);
  });

  it("T1: a record that another process left cut does not swallow the next one of a process that was open", async () => {
    const { file } = await AppendFile.open(path);
    await appendFile(path, '{"n":1,"cut');
    await file.append({ n: 2 }, { sync: true });
    await file.close();
    const again = await AppendFile.open(path);
    assert.deepEqual(again.contents, { records: [{ n: 2 }], unreadable: 1 });
    await again.file.close();
  });

  it("can be read by its owner only", async function () {
    if (process.platform === "win32") this.skip();
    const { file } = await AppendFile.open(path);
    await file.close();
    assert.equal((await stat(path)).mode & 0o077, 0);
  });

  it("rejects when the file can't be made", async () => {
    await writeFile(join(folder.path, "blocked"), "");
    await assert.rejects(AppendFile.open(join(folder.path, "blocked", "journal.jsonl")));
  });
});

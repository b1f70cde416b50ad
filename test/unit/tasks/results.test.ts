/** Where a result lands on this machine, and where nothing that is planted or written in a journal can make it land. */
import assert from "node:assert/strict";
import { lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../../src/base/clock";
import type { TaskBoard } from "../../../src/tasks/board";
import { readTaskRecord } from "../../../src/tasks/recordSchema";
import { saveResult } from "../../../src/tasks/results";
import { connectTo, makeCreated, makeGateway, makeIntent, makeRemote } from "../../support/builders";
import { openBoard } from "../../support/taskBoards";
import { createTemporaryFolder, type TemporaryFolder } from "../../support/temporaryFolder";

const id = "22222222-2222-4222-8222-222222222222";
const onPosix = process.platform === "win32" ? it.skip : it;

describe("results", () => {
  let temporary: TemporaryFolder;
  let board: TaskBoard;
  let folder: string;
  let elsewhere: string;
  let downloads: number;
  beforeEach(async () => {
    temporary = await createTemporaryFolder();
    folder = join(temporary.path, "storage", "results");
    elsewhere = join(temporary.path, "elsewhere");
    await mkdir(elsewhere);
    board = await openBoard(join(temporary.path, "storage", "tasks.db"));
    downloads = 0;
  });
  afterEach(async () => {
    await board.close();
    await temporary.remove();
  });

  const succeed = async (prompt = "a lighthouse"): Promise<void> => {
    const remote = makeRemote({
      state: "succeeded",
      assets: { kind: "assets", imageUrl: "https://cdn.example/a.png" },
    });
    await board.record({ type: "task-intended", intent: makeIntent({ id, prompt }) });
    await board.record({ type: "task-accepted", id, at: 0, created: makeCreated({ remote }) });
  };
  const save = (): Promise<string> => {
    const gateway = makeGateway({
      downloadAsset: () => {
        downloads += 1;
        return Promise.resolve({ mimeType: "image/png", body: bytes() });
      },
      getTask: () => Promise.reject(new Error("the link is good")),
    });
    return saveResult({ board, connections: connectTo(gateway), clock: systemClock, folder }, id);
  };

  onPosix(
    "T8 (finding S15): folder and file are the person's own, also where the folder was open to others",
    async () => {
      await succeed();
      await mkdir(folder, { recursive: true, mode: 0o755 });
      const path = await save();
      assert.equal((await stat(folder)).mode & 0o777, 0o700);
      assert.equal((await stat(path)).mode & 0o777, 0o600);
      assert.deepEqual(await readdir(folder), ["a-lighthouse-22222222.png"]);
    },
  );

  onPosix("T8 (finding S15): a folder that is a link to elsewhere gets nothing", async () => {
    await succeed();
    await symlink(elsewhere, folder);
    await assert.rejects(save(), /link/);
    assert.equal(downloads, 0);
    assert.deepEqual(await readdir(elsewhere), []);
  });

  onPosix("T8 (finding S15): links that were planted under the names of the result are not followed", async () => {
    await succeed();
    const target = join(elsewhere, "target");
    await writeFile(target, "mine");
    await mkdir(folder);
    const name = join(folder, "a-lighthouse-22222222.png");
    await symlink(target, name);
    await symlink(target, `${name}.part`);
    assert.equal(await save(), name);
    assert.ok((await lstat(name)).isFile());
    assert.equal(await readFile(name, "utf8"), "picture");
    assert.equal(await readFile(target, "utf8"), "mine");
  });

  it("T8 (finding S15): a path that a journal names outside the folder, or a link in it, is no saved result", async () => {
    await succeed();
    const outside = join(elsewhere, "secret");
    await writeFile(outside, "secret");
    await board.record({ type: "task-saved", id, at: 0, path: outside });
    const path = await save();
    assert.equal(await readFile(path, "utf8"), "picture");
    assert.equal(downloads, 1);
    assert.equal(await save(), path, "it is not fetched again");
    assert.equal(downloads, 1);
  });

  it("T8 (finding S15): a name is cut between characters and made of letters, digits and the id only", async () => {
    await succeed(`${"a".repeat(39)}${"𠮷".repeat(60)} ../../x:y`);
    const path = await save();
    assert.equal(path, join(folder, `${"a".repeat(39)}𠮷-22222222.png`));
  });

  it("T8 (finding S15): an intent of a journal has an id of the form that is written, or it is no intent", () => {
    const line = (intentId: string): unknown => ({ type: "task-intended", intent: makeIntent({ id: intentId }) });
    assert.ok(readTaskRecord(line(id)));
    for (const odd of [
      "../../../x",
      "..",
      "",
      "1",
      "22222222-2222-4222-8222-22222222222/",
      `${id}\n`,
      id.toUpperCase().replace("2", "A"),
      `x${id}`,
    ]) {
      assert.equal(readTaskRecord(line(odd)), undefined, odd);
    }
  });
});

async function* bytes(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from("picture"));
}

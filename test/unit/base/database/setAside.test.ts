/** Damaged files: read or set aside, never a crash, and nothing that could still be read is lost. */
import assert from "node:assert/strict";
import { copyFile, open as openFile, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../../../src/base/async/systemClock";
import { backUpDaily } from "../../../../src/base/database/recovery";
import { Database, type DatabaseOptions } from "../../../../src/base/database/database";
import { DatabaseFailure } from "../../../../src/base/database/failure";
import { createFaultyDatabase, resultCodes } from "../../../support/faultyDatabase";
import { seeded } from "../../../support/seeded";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";
import { runsOf } from "../../../support/runs";

const rows = 400;
const age = (): void => undefined;
/** How many files are damaged, each at other places. */
const damages = runsOf(60);

describe("a damaged database", () => {
  let folder: TemporaryFolder;
  let path: string;
  let opened: Database[];
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    path = join(folder.path, "notes.db");
    opened = [];
  });
  afterEach(async () => {
    for (const database of opened) await database.close();
    await folder.remove();
  });

  const open = async (change: Partial<DatabaseOptions> = {}): Promise<Database> => {
    const migrations = [
      (c: { exec(sql: string): void }) =>
        c.exec(
          "CREATE TABLE note (id TEXT PRIMARY KEY NOT NULL, text TEXT NOT NULL) STRICT; CREATE INDEX t ON note(text)",
        ),
    ];
    const { openNative } = createFaultyDatabase({ unsynced: true });
    const database = await Database.open({ path, migrations, clock: systemClock, openNative, ...change });
    opened.push(database);
    return database;
  };
  const text = (number: number): string => `${number} `.repeat(100);
  const fill = async (from = 0, to = rows): Promise<void> => {
    const database = await open();
    await database.write((connection) => {
      for (let number = from; number < to; number += 1) {
        connection.run("INSERT INTO note VALUES (:id, :text)", { id: String(number), text: text(number) });
      }
    });
    await database.close();
    opened.splice(opened.indexOf(database), 1);
  };
  const readAll = (database: Database): Promise<ReadonlyMap<unknown, unknown>> =>
    database.read((c) => new Map(c.all("SELECT id, text FROM note").map((row) => [row["id"], row["text"]])));
  const overwrite = async (offset: number, bytes: Buffer): Promise<void> => {
    const file = await openFile(path, "r+");
    await file.write(bytes, 0, bytes.length, offset);
    await file.close();
  };
  const backUp = () => backUpDaily({ path, now: Date.UTC(2026, 0, 14), signal: new AbortController().signal, age });
  const aside = async () => (await readdir(folder.path)).filter((name) => /\.corrupt-[^.]*Z(?:-\d+)?$/.test(name));

  it("M19, T1: a file whose header has lost its version is set aside, and all its rows are in the new one", async () => {
    await fill();
    const damaged = createFaultyDatabase().openNative(path, { readOnly: false });
    damaged.exec("PRAGMA user_version = 0");
    damaged.close();
    const database = await open();
    assert.equal(database.replacement?.recovered, rows);
    assert.equal((await readAll(database)).size, rows);
    assert.equal((await aside()).length, 1);
    assert.equal((await readAll(await open())).size, rows, "the next window opens it");
  });

  it("T1: a file that is no database is set aside whole, and a new one stands in its place", async () => {
    const foreign = Buffer.from("these are not the pages you are looking for ".repeat(500));
    await writeFile(path, foreign);
    const database = await open();
    assert.ok(database.replacement);
    assert.deepEqual(await readFile(database.replacement.setAside), foreign);
    assert.match(database.replacement.setAside, /notes\.db\.corrupt-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/);
    assert.equal((await readAll(database)).size, 0);
  });

  it("T1: a destroyed page costs its own rows; the others are in the new file, and those of the backup too", async () => {
    await fill(0, rows - 50);
    await backUp();
    await fill(rows - 50, rows);
    const { size } = await stat(path);
    // A page in the middle: of its rows, those of the day before are in the backup.
    await overwrite(Math.floor(size / 4096 / 2) * 4096, Buffer.alloc(4096, 0x5a));
    const database = await open();
    const found = await readAll(database);
    assert.ok(database.replacement, "reading has found the damage");
    assert.ok(database.replacement.recovered > rows * 0.8, String(database.replacement.recovered));
    for (let number = 0; number < rows - 50; number += 1) assert.equal(found.get(String(number)), text(number));
    assert.deepEqual(await database.read((c) => c.value("PRAGMA integrity_check")), "ok");
  });

  it("T1 (finding M5): a row of the backup never takes the place of the newer one of the damaged file", async () => {
    await fill();
    await backUp();
    const before = await open();
    await before.write((c) => c.run("UPDATE note SET text = replace(text, ' ', '.')"));
    await before.close();
    opened.pop();
    const pages = (await stat(path)).size / 4096;
    for (let page = 10; page < pages; page += 10) await overwrite(page * 4096, Buffer.alloc(4096, 0x5a));
    const database = await open();
    const found = await readAll(database);
    const { recovered = 0, fromBackup = 0 } = database.replacement ?? {};
    assert.ok(recovered > rows / 2 && fromBackup > 0, `${recovered} and ${fromBackup}`);
    const newer = [...found.values()].filter((value) => String(value).includes("."));
    assert.deepEqual([newer.length, found.size], [recovered, rows]);
  });

  it("T1: damage that is found by a write is set aside too, and the write is in the new file", async () => {
    await fill();
    const database = await open();
    const { size } = await stat(path);
    for (let page = 2; page < size / 4096; page += 2) await overwrite(page * 4096, Buffer.alloc(4096, 0xff));
    await database.write((c) => c.run("UPDATE note SET text = text || '!'"));
    await database.write((c) => c.run("INSERT OR REPLACE INTO note VALUES ('new', 'new')"));
    assert.equal((await readAll(database)).get("new"), "new");
    assert.equal((await aside()).length, 1);
  });

  it("T1: two windows that meet the damage set the file aside once, and both go on in the new one", async () => {
    await fill();
    const { size } = await stat(path);
    const [one, other] = [await open(), await open()];
    await overwrite(Math.floor(size / 4096 / 2) * 4096, Buffer.alloc(8192, 0x5a));
    const [mine, theirs] = await Promise.all([readAll(one), readAll(other)]);
    assert.deepEqual(mine, theirs);
    await one.write((c) => c.run("INSERT INTO note VALUES ('new', 'new')"));
    assert.equal((await readAll(other)).get("new"), "new");
    assert.equal((await aside()).length, 1);
  });

  it("T1: a window that still has the file open that was set aside writes into the new one", async () => {
    await fill();
    const window = await open();
    await rename(path, `${path}.corrupt-earlier`);
    await copyFile(`${path}.corrupt-earlier`, path);
    await window.write((c) => c.run("INSERT INTO note VALUES ('new', 'new')"));
    assert.equal((await readAll(await open())).get("new"), "new");
  });

  it("T1: a window that only reads learns that another file is under the path", async () => {
    await fill();
    const window = await open();
    const before = await window.dataVersion();
    await rename(path, `${path}.corrupt-earlier`);
    assert.notEqual(await window.dataVersion(), before);
    assert.equal((await readAll(window)).size, 0);
  });

  it("T1: a process that was killed between the changes of names is finished by the next one", async () => {
    await fill();
    await rename(path, `${path}.recovered`);
    // The journal of the file that was set aside must not be rolled back into the new one.
    await writeFile(`${path}-journal`, Buffer.alloc(4096, 1));
    assert.equal((await readAll(await open())).size, rows);
  });

  it("T1: a full disk while the new file is made leaves the old one where it was", async () => {
    await fill();
    await overwrite(0, Buffer.alloc(4096, 0x5a));
    const faulty = createFaultyDatabase();
    faulty.commits = resultCodes.full;
    await assert.rejects(
      open({ openNative: faulty.openNative }),
      (error) => error instanceof DatabaseFailure && error.kind === "full",
    );
    assert.deepEqual(await aside(), []);
    assert.ok((await open()).replacement);
  });

  it(`R6, T1: bytes overwritten at seeded places of ${damages} files: read or set aside, never a crash`, async () => {
    await fill();
    await rename(path, `${path}.whole`);
    const whole = await readFile(`${path}.whole`);
    let setAside = 0;
    let kept = 0;
    for (let seed = 1; seed <= damages; seed += 1) {
      const random = seeded(seed);
      const bytes = Buffer.from(whole);
      for (let place = 0; place < 1 + random(4); place += 1) {
        const offset = random(bytes.length - 64);
        for (let index = 0; index < 1 + random(64); index += 1) bytes[offset + index] = random(256);
      }
      await writeFile(path, bytes);
      await rm(`${path}-journal`, { force: true });
      // A damaged version may read as a newer one, or as none: then the schema is already there.
      const database = await open().catch((error: unknown) => {
        assert.match(String(error), /already exists|DatabaseFailure/, `seed ${seed}: ${String(error)}`);
      });
      if (!database) continue;
      const found = await readAll(database);
      if (database.access.state === "read-write") {
        await database.write((c) => c.run("INSERT OR REPLACE INTO note VALUES ('new', 'new')"));
      }
      if (database.replacement) setAside += 1;
      kept += found.size;
      await database.close();
      opened.pop();
    }
    assert.ok(setAside > 0);
    // One to four short damages cost a few pages of rows each time at most.
    assert.ok(kept / damages > rows * 0.75, `${kept / damages} rows of ${rows}, ${setAside} set aside`);
  }).timeout(180_000 + damages * 200);
});

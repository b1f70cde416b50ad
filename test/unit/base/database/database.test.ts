/** Transactions, migrations, locks and failures of a database that several processes share. */
import assert from "node:assert/strict";
import { chmod, chown, copyFile, readdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { systemClock } from "../../../../src/base/async/systemClock";
import { Database, type DatabaseOptions } from "../../../../src/base/database/database";
import { DatabaseFailure, type DatabaseFailureKind } from "../../../../src/base/database/failure";
import type { Migration } from "../../../../src/base/database/sqlConnection";
import { until } from "../../../support/builders";
import { createFaultyDatabase, resultCodes, sqliteError } from "../../../support/faultyDatabase";
import { createMovedClock } from "../../../support/movedClock";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";

const first: Migration = (connection) =>
  connection.exec("CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT) STRICT");
const second: Migration = (connection) => connection.exec("ALTER TABLE note ADD COLUMN tag TEXT");

describe("Database", () => {
  let folder: TemporaryFolder;
  let path: string;
  let opened: Database[];
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    path = join(folder.path, "deep", "notes.db");
    opened = [];
  });
  afterEach(async () => {
    for (const database of opened) await database.close();
    await folder.remove();
  });

  const open = async (change: Partial<DatabaseOptions> = {}): Promise<Database> => {
    const database = await Database.open({ path, migrations: [first], clock: systemClock, ...change });
    opened.push(database);
    return database;
  };
  const add = (database: Database, text: string): Promise<number> =>
    database.write((connection) => connection.run("INSERT INTO note (text) VALUES (:text)", { text }));
  const texts = (database: Database): Promise<unknown[]> =>
    database.read((connection) => connection.all("SELECT text FROM note ORDER BY id").map(({ text }) => text));
  const failsWith = (kind: DatabaseFailureKind) => (error: unknown) =>
    error instanceof DatabaseFailure && error.kind === kind;

  it("T1: makes folder and file, with a rollback journal and every commit synced", async () => {
    const database = await open();
    assert.equal(database.journalMode, "truncate");
    assert.deepEqual(database.access, { state: "read-write" });
    const [synchronous, keys] = await database.read((connection) => [
      connection.value("PRAGMA synchronous"),
      connection.value("PRAGMA foreign_keys"),
    ]);
    assert.deepEqual([synchronous, keys], [2, 1]);
    await add(database, "one");
    assert.deepEqual(await texts(await open()), ["one"]);
  });

  it("T5: what is worth nothing after the processes have ended is not synced: file and journal are rewritten in place", async () => {
    const database = await open({ durability: "process-end" });
    assert.equal(database.journalMode, "persist");
    assert.equal(await database.read((connection) => connection.value("PRAGMA synchronous")), 0);
    await add(database, "one");
    assert.deepEqual(await texts(await open({ durability: "process-end" })), ["one"]);
  });

  it("R5: file and journal can be read by their owner only", async function () {
    if (process.platform === "win32") this.skip();
    await add(await open(), "one");
    const names = await readdir(join(folder.path, "deep"));
    assert.deepEqual(names.sort(), ["notes.db", "notes.db-journal"]);
    for (const name of names) assert.equal((await stat(join(folder.path, "deep", name))).mode & 0o077, 0, name);
  });

  it("T1: a transaction that throws leaves nothing, and the next one is not inside it", async () => {
    const database = await open();
    await assert.rejects(
      database.write((connection) => {
        connection.run("INSERT INTO note (text) VALUES ('half')");
        throw new Error("no");
      }),
      /no/,
    );
    await add(database, "one");
    assert.deepEqual(await texts(database), ["one"]);
  });

  it("T5: a conditional update tells by the number of rows whether another writer was first", async () => {
    const [one, other] = [await open(), await open()];
    await add(one, "0");
    const change = (database: Database, from: string, to: string): Promise<boolean> =>
      database.write((c) => c.changeRow("UPDATE note SET text = :to WHERE id = 1 AND text = :from", { from, to }));
    assert.equal(await change(one, "0", "1"), true);
    assert.equal(await change(other, "0", "2"), false);
    assert.deepEqual(await texts(other), ["1"]);
  });

  it("T1: migrations run forward, once, also when two windows open at the same time", async () => {
    await add(await open(), "one");
    const steps: number[] = [];
    const third: Migration = (connection) => {
      steps.push(connection.run("UPDATE note SET tag = coalesce(tag, '') || 'x'"));
    };
    const migrations = [first, second, third];
    const [newer] = await Promise.all([open({ migrations }), open({ migrations })]);
    assert.deepEqual(await newer.read((c) => c.value("SELECT tag FROM note")), "x");
    assert.deepEqual(steps, [1]);
  });

  it("T1: a migration that fails changes nothing, and the file stays usable at its version", async () => {
    await add(await open(), "one");
    const broken: Migration = (connection) =>
      connection.exec("ALTER TABLE note ADD COLUMN tag TEXT; SELECT * FROM nowhere");
    await assert.rejects(Database.open({ path, migrations: [first, broken], clock: systemClock }), /no such table/);
    assert.deepEqual(await texts(await open()), ["one"]);
    assert.deepEqual(
      await texts(await open({ migrations: [first, second] })),
      ["one"],
      "the column is still to be added",
    );
  });

  it("T1: a file of a newer version is read, says so by a value, and is never written", async () => {
    await add(await open({ migrations: [first, second] }), "one");
    const older = await open();
    assert.deepEqual(older.access, { state: "newer", version: 2, supported: 1 });
    assert.deepEqual(await texts(older), ["one"]);
    await assert.rejects(add(older, "two"), failsWith("newer"));
    assert.deepEqual(await texts(older), ["one"]);
  });

  it("T1 (finding M18): a window that has the file open when a newer version migrates it writes into it no more", async () => {
    const older = await open();
    await add(older, "one");
    await add(await open({ migrations: [first, second] }), "two");
    await assert.rejects(add(older, "three"), failsWith("newer"));
    assert.deepEqual(older.access, { state: "newer", version: 2, supported: 1 });
    assert.deepEqual(await texts(older), ["one", "two"]);
  });

  it("T1: a file of an older version that is copied over the open one is migrated before the next write", async () => {
    const old = await open();
    await add(old, "old");
    await old.close();
    opened = [];
    await copyFile(path, `${path}.old`);
    const database = await open({ migrations: [first, second] });
    await add(database, "new");
    await copyFile(`${path}.old`, path);
    await database.write((connection) => connection.run("UPDATE note SET tag = 'kept'"));
    assert.deepEqual(await texts(database), ["old"]);
  });

  it("T1: an open file that loses its version is replaced, with its rows, before the next write", async () => {
    const database = await open();
    await add(database, "one");
    const other = await open();
    await other.write((connection) => connection.exec("PRAGMA user_version = 0"));
    await add(database, "two");
    assert.deepEqual(await texts(database), ["one", "two"]);
    assert.ok(database.replacement);
  });

  it("T5: waits for another process's lock on the clock, without blocking, and goes on when it is free", async () => {
    const clock = createMovedClock();
    const holder = createFaultyDatabase().openNative(path.replace("deep/", ""), { readOnly: false });
    const database = await open({ clock, path: path.replace("deep/", "") });
    holder.exec("BEGIN IMMEDIATE");
    const adding = add(database, "one");
    await until(() => clock.waiting === 1);
    await clock.advance(20);
    holder.exec("COMMIT");
    await clock.advance(100);
    assert.equal(await adding, 1);
    holder.close();
  });

  it("T5: gives up after the limit as busy, and at once when aborted; what waited behind goes on", async () => {
    const database = await open({ busyLimit: 30 });
    const holder = createFaultyDatabase().openNative(path, { readOnly: false });
    holder.exec("BEGIN IMMEDIATE");
    await assert.rejects(add(database, "one"), failsWith("busy"));
    const abort = new AbortController();
    const adding = database.write((c) => c.run("INSERT INTO note (text) VALUES ('two')"), abort.signal);
    const behind = add(database, "three");
    abort.abort();
    await assert.rejects(adding, { name: "AbortError" });
    holder.exec("COMMIT");
    await behind;
    assert.deepEqual(await texts(database), ["three"]);
    holder.close();
  });

  it("T5: those that wait behind a lock have one limit, not one after the other; what is asked later has its own", async () => {
    const clock = createMovedClock();
    const database = await open({ clock, busyLimit: 1000 });
    const holder = createFaultyDatabase().openNative(path, { readOnly: false });
    holder.exec("BEGIN IMMEDIATE");
    const start = clock.now();
    const waiting = ["one", "two", "three", "four"].map((text) =>
      assert.rejects(add(database, text), failsWith("busy")),
    );
    const ended = Promise.all(waiting).then(() => clock.now() - start);
    let length: number | undefined;
    void ended.then((ms) => (length = ms));
    while (length === undefined) await clock.advance(50);
    assert.ok(length < 1500, `${length} ms`);
    const later = add(database, "five");
    await clock.advance(100);
    holder.exec("COMMIT");
    await clock.advance(100);
    await later;
    assert.deepEqual(await texts(database), ["five"]);
    holder.close();
  });

  it("T5: a reader of another process that holds up a commit does not break it", async () => {
    const database = await open();
    await add(database, "one");
    const reader = createFaultyDatabase().openNative(path, { readOnly: true });
    reader.exec("BEGIN");
    reader.prepare("SELECT * FROM note").all();
    const adding = add(database, "two");
    setImmediate(() => reader.exec("COMMIT"));
    await adding;
    assert.deepEqual(await texts(database), ["one", "two"]);
    reader.close();
  });

  it("T1: SQLite's own limit of pages is a full disk, and nothing of the write stays", async () => {
    const database = await open();
    await add(database, "one");
    await database.read((connection) => connection.exec("PRAGMA max_page_count = 4"));
    await assert.rejects(add(database, "x".repeat(100_000)), failsWith("full"));
    assert.deepEqual(await texts(database), ["one"]);
    await database.read((connection) => connection.exec("PRAGMA max_page_count = 1000"));
    await add(database, "two");
    assert.equal(database.replacement, undefined);
  });

  for (const [name, code, kind] of [
    ["full", resultCodes.full, "full"],
    ["an I/O error", resultCodes.io, "io"],
    ["locks that fail", resultCodes.ioLock, "unsupported-locking"],
    ["read-only", resultCodes.readOnly, "read-only"],
  ] as const) {
    it(`T1: a commit that meets ${name} is reported as ${kind}, never as corrupt, and the file stays`, async () => {
      const faulty = createFaultyDatabase();
      const database = await open({ openNative: faulty.openNative });
      await add(database, "one");
      faulty.commits = code;
      await assert.rejects(add(database, "two"), failsWith(kind));
      faulty.commits = undefined;
      await add(database, "three");
      assert.deepEqual(await texts(database), ["one", "three"]);
      assert.deepEqual(
        (await readdir(join(folder.path, "deep"))).filter((file) => file.includes("corrupt")),
        [],
      );
    });
  }

  it("T1: a file system that refuses locks says so instead of waiting for a lock that nobody holds", async () => {
    const faulty = createFaultyDatabase();
    faulty.statements = resultCodes.busy;
    await assert.rejects(open({ openNative: faulty.openNative }), failsWith("unsupported-locking"));
  });

  it("V5: a host without node:sqlite gets an error of its own kind", async () => {
    const openNative = (): never => {
      throw new DatabaseFailure("missing-runtime", "no node:sqlite");
    };
    await assert.rejects(open({ openNative }), failsWith("missing-runtime"));
  });

  it("T1: what is no file and no folder that can be made can't be opened", async () => {
    await writeFile(join(folder.path, "deep"), "");
    await assert.rejects(open(), failsWith("cannot-open"));
  });

  it("T1: a file that may not be written is read, says so by a value, and is written again once it may be", async function () {
    if (process.platform === "win32" || process.getuid === undefined) this.skip();
    await add(await open(), "one");
    await chmod(path, 0o400);
    const restore = await withoutPrivileges(folder.path, path, `${path}-journal`);
    try {
      const database = await open();
      assert.deepEqual(database.access, { state: "read-only" });
      assert.deepEqual(await texts(database), ["one"]);
      await assert.rejects(add(database, "two"), failsWith("read-only"));
      await chmod(path, 0o600);
      await add(database, "three");
      assert.deepEqual(await texts(database), ["one", "three"]);
    } finally {
      restore();
    }
  });

  it("T1: a folder that may not be written is read-only too", async function () {
    if (process.platform === "win32" || process.getuid === undefined) this.skip();
    await add(await open({ path: join(folder.path, "notes.db") }), "one");
    const restore = await withoutPrivileges(folder.path, join(folder.path, "notes.db"));
    try {
      await chmod(folder.path, 0o500);
      await assert.rejects(open({ path: join(folder.path, "other.db") }), failsWith("read-only"));
    } finally {
      await chmod(folder.path, 0o700);
      restore();
    }
  });

  it("T1: errors that are bugs stay what they are", async () => {
    const database = await open();
    await assert.rejects(
      database.read((connection) => connection.all("SELECT nonsense")),
      (error: unknown) => error instanceof Error && !(error instanceof DatabaseFailure),
    );
    assert.equal(sqliteError(1).message, "SQLite's result code 1");
  });
});

/** Root may write everything: as root, the test goes on as another user. Returns how to become root again. */
async function withoutPrivileges(...owned: readonly string[]): Promise<() => void> {
  if (process.getuid?.() !== 0) return () => undefined;
  const nobody = 65534;
  for (const file of owned) {
    await chown(file, nobody, nobody);
    await chown(dirname(file), nobody, nobody);
    for (let above = dirname(file); above !== dirname(above); above = dirname(above)) {
      const { mode } = await stat(above);
      if ((mode & 0o001) === 0) await chmod(above, (mode & 0o7777) | 0o011);
    }
  }
  process.seteuid?.(nobody);
  return () => process.seteuid?.(0);
}

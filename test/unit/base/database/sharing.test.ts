/** Processes that share a database: changes reach the others, a lease has one owner, and a backup blocks no writer. */
import assert from "node:assert/strict";
import { mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../../../src/base/async/systemClock";
import { backUpDaily } from "../../../../src/base/database/recovery";
import { ChangeFeed } from "../../../../src/base/database/changeFeed";
import { Database } from "../../../../src/base/database/database";
import { DatabaseFailure } from "../../../../src/base/database/failure";
import { Lease, leaseSchema } from "../../../../src/base/database/lease";
import { until } from "../../../support/builders";
import { createMovedClock, type MovedClock } from "../../../support/movedClock";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";

const day = 86_400_000;
const times = { monotonic: () => performance.now(), interval: 3000, silence: 9000 };
const noAbort = new AbortController().signal;
const age = (): void => undefined;

describe("a database of several windows", () => {
  let folder: TemporaryFolder;
  let path: string;
  let clock: MovedClock;
  let opened: Database[];
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    path = join(folder.path, "notes.db");
    clock = createMovedClock();
    opened = [];
  });
  afterEach(async () => {
    for (const database of opened) await database.close();
    await folder.remove();
  });

  const open = async (): Promise<Database> => {
    const database = await Database.open({
      path,
      migrations: [(c) => c.exec(`CREATE TABLE note (text TEXT) STRICT; ${leaseSchema}`)],
      clock: systemClock,
    });
    opened.push(database);
    return database;
  };
  const add = (database: Database, text = "x"): Promise<number> =>
    database.write((c) => c.run("INSERT INTO note VALUES (:text)", { text }));

  it("T5: a commit of another connection is noticed at the next look, an own one is not", async () => {
    const [one, other] = [await open(), await open()];
    const feed = await ChangeFeed.start({ database: one, clock, interval: 500 });
    let changes = 0;
    feed.onDidChange(() => (changes += 1));
    const look = async (): Promise<void> => {
      await clock.advance(500);
      await one.read(() => undefined);
      await until(() => clock.waiting === 1);
    };
    await until(() => clock.waiting === 1);
    await add(one);
    await look();
    assert.equal(changes, 0);
    await add(other);
    await look();
    assert.equal(changes, 1);
    await look();
    assert.equal(changes, 1);
    feed.dispose();
    await feed.ended;
  });

  it("T5: one owner; another takes over after the silence, timed on its own clock, and the first can't write any more", async () => {
    const database = await open();
    let now = 0;
    const lease = (owner: string, on = database): Lease =>
      new Lease({ database: on, name: "poller", owner, clock, ...times, monotonic: () => now });
    const [first, second] = [lease("a"), lease("b", await open())];
    await first.step();
    await second.step();
    assert.deepEqual([first.isHeld, second.isHeld], [true, false]);
    assert.deepEqual(second.state.current, { state: "waiting", owner: "a" });
    for (now = 3000; now < 30_000; now += 3000) {
      await first.step();
      await second.step();
    }
    assert.equal(second.isHeld, false, "heartbeats keep it");
    // The owner is paused: it does not step any more.
    now = 27_000 + 8000;
    await second.step();
    assert.equal(second.isHeld, false);
    now += 2000;
    assert.equal(first.isHeld, false, "it has not renewed for longer than the silence");
    await second.step();
    assert.deepEqual(second.state.current, { state: "held", token: 2 });
    await assert.rejects(
      first.write((c) => c.run("INSERT INTO note VALUES ('late')")),
      (error) => error instanceof DatabaseFailure && error.kind === "lease-lost",
    );
    await second.write((c) => c.run("INSERT INTO note VALUES ('second')"));
    assert.deepEqual(await database.read((c) => c.all("SELECT text FROM note").map(({ text }) => text)), ["second"]);
    await first.step();
    assert.equal(first.state.current.state, "waiting");
  });

  it("T5: a wall clock that is set back or forward neither ends a lease nor keeps a dead one", async () => {
    const database = await open();
    const wall = createMovedClock(Date.UTC(1999, 0, 1));
    let now = 0;
    const first = new Lease({ database, name: "poller", owner: "a", clock, ...times, monotonic: () => now });
    const second = new Lease({ database, name: "poller", owner: "b", clock: wall, ...times, monotonic: () => now });
    await first.step();
    await second.step();
    await wall.advance(400 * day);
    await second.step();
    assert.equal(second.isHeld, false);
    now = 9000;
    await second.step();
    assert.equal(second.isHeld, true);
  });

  it("T5: a released lease is free at once", async () => {
    const database = await open();
    const ended = new AbortController();
    const first = new Lease({ database, name: "poller", owner: "a", clock, ...times });
    const running = first.run(ended.signal);
    await until(() => first.isHeld);
    ended.abort();
    await running;
    const second = new Lease({ database, name: "poller", owner: "b", clock, ...times });
    await second.step();
    assert.deepEqual(second.state.current, { state: "held", token: 2 });
  });

  const backups = async () => (await readdir(folder.path)).filter((name) => name.includes("backup")).sort();

  it("T1: one backup a day, whole, the last two are kept, and a wrong clock does not push them out", async () => {
    const database = await open();
    await add(database);
    const backUp = (now: number) => backUpDaily({ path, now, signal: noAbort, age });
    const start = Date.UTC(2026, 0, 10);
    assert.ok(await backUp(start));
    assert.equal(await backUp(start + 1000), undefined);
    await backUp(Date.UTC(2099, 0, 1));
    for (const days of [1, 2, 3]) await backUp(start + days * day);
    assert.deepEqual(await backups(), ["notes.db.backup-2026-01-12", "notes.db.backup-2026-01-13"]);
    const copy = await Database.open({
      path: join(folder.path, "notes.db.backup-2026-01-13"),
      migrations: [() => assert.fail("its version is the same")],
      clock: systemClock,
    });
    opened.push(copy);
    assert.equal(await copy.read((c) => c.value("SELECT count(*) FROM note")), 1);
  });

  it("T1: what killed windows have left of their backups is removed after a day, also where the new backup fails", async () => {
    const database = await open();
    await add(database);
    const now = Date.UTC(2026, 0, 10);
    const leave = async (name: string, changedAt: number): Promise<void> => {
      await writeFile(join(folder.path, name), "half");
      await utimes(join(folder.path, name), changedAt / 1000, changedAt / 1000);
    };
    const old = now - day - 1000;
    await leave("notes.db.backup-2026-01-08.123.unfinished", old);
    await leave("notes.db.backup-2026-01-08.123.unfinished-journal", old);
    await leave("notes.db.backup-2026-01-08.124.unfinished", now - 1000);
    await leave("notes.db.backup-of-mine.unfinished", old);
    const stopped = AbortSignal.abort();
    await assert.rejects(backUpDaily({ path, now, signal: stopped, age }));
    assert.deepEqual(await backups(), [
      "notes.db.backup-2026-01-08.124.unfinished",
      "notes.db.backup-of-mine.unfinished",
    ]);
  });

  it("T1 (finding M5): a backup is changed to say that it is old, and the file itself is not", async () => {
    const database = await open();
    await add(database, "sent");
    const made = await backUpDaily({
      ...{ path, now: 7, signal: noAbort },
      age: (copy, now) => void copy.run("UPDATE note SET text = :text", { text: `unknown since ${now}` }),
    });
    assert.deepEqual(await backups(), ["notes.db.backup-1970-01-01"]);
    const copy = await Database.open({ path: made!, migrations: [() => assert.fail("made anew")], clock: systemClock });
    opened.push(copy);
    const text = (of: Database): Promise<unknown> => of.read((c) => c.value("SELECT text FROM note"));
    assert.deepEqual([await text(copy), await text(database)], ["unknown since 7", "sent"]);
  });

  it("T1: writes go on while the backup is made", async () => {
    const database = await open();
    await database.write((c) => {
      for (let n = 0; n < 2000; n += 1) c.run("INSERT INTO note VALUES (:text)", { text: "x".repeat(2000) });
    });
    const made = backUpDaily({ path, now: 0, signal: noAbort, age });
    let written = 0;
    while (written < 10) written += await add(database);
    assert.ok(await made);
    assert.equal(await database.read((c) => c.value("SELECT count(*) FROM note")), 2000 + written);
  });

  it("T1: a damaged file is not copied over a sound backup", async () => {
    const database = await open();
    await database.write((c) => {
      for (let n = 0; n < 100; n += 1) c.run("INSERT INTO note VALUES (:text)", { text: "x".repeat(2000) });
    });
    await backUpDaily({ path, now: 0, signal: noAbort, age });
    const bytes = await readFile(path);
    await mkdir(join(folder.path, "other"));
    await writeFile(path, bytes.fill(0xff, 8 * 4096, 12 * 4096));
    await assert.rejects(
      backUpDaily({ path, now: day, signal: noAbort, age }),
      (error) => error instanceof DatabaseFailure && error.kind === "corrupt",
    );
    assert.deepEqual(await backups(), ["notes.db.backup-1970-01-01"]);
  });
});

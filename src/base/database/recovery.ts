/**
 * Keeps a daily backup of a database next to it, and replaces a corrupt file by a sound one. The backup is made a few pages at a time, so
 * that no write waits for it.
 */
import { existsSync } from "node:fs";
import { open, rename, rm, stat, readdir } from "node:fs/promises";
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { dirname, basename, join } from "node:path";
import { TimeSlices } from "../async/timeSlices";
import {
  SqlConnection,
  numberIn,
  type Row,
  createDatabaseFile,
  type Migration,
  migrateOnce,
  readSchemaVersion,
} from "./sqlConnection";
import { toDatabaseFailure, hasKind } from "./failure";
import { loadRuntime, openNative, type OpenNative } from "./runtime";
import type { Clock } from "../clock";
import { isMissingFile } from "../systemErrors";

/** Pages that are copied under one lock: 400 KB, about a millisecond. */
const pagesAtOnce = 100;

interface BackupOptions {
  readonly path: string;
  /** Milliseconds since 1970. The backup is named after this day. */
  readonly now: number;
  readonly signal: AbortSignal;
  /**
   * Edits the copy in one transaction. A copy is used some time after `now`, and the original may have changed by then, so this marks the
   * rows that may be out of date.
   */
  readonly age: (copy: SqlConnection, now: number) => void;
}

/**
 * Makes the backup of the day unless it exists, and keeps only the one before it. Returns its path when it was made.
 * Rejects with a `DatabaseFailure`, of kind `corrupt` when the copy can't be read: the older backups then stay.
 */
export async function backUpDaily({ path, now, signal, age }: BackupOptions): Promise<string | undefined> {
  const day = dayOf(now);
  const wanted = backupPath(path, day);
  const { DatabaseSync, backup } = loadRuntime();
  // Node has `backup` from 22.16.
  if (typeof backup !== "function" || existsSync(wanted)) return undefined;
  const unfinished = `${wanted}.${process.pid}.unfinished`;
  let source: DatabaseSync | undefined;
  try {
    await removeUnfinished(path, now);
    await rm(unfinished, { force: true });
    await (await open(unfinished, "wx", 0o600)).close();
    source = new DatabaseSync(path, { readOnly: true });
    // Node copies in its thread pool. A commit of another connection between two steps restarts the copy.
    await backup(source, unfinished, { rate: pagesAtOnce });
    signal.throwIfAborted();
    editCopy(unfinished, (copy) => age(copy, now));
    await readAll(unfinished, signal);
    await syncFile(unfinished);
    await rename(unfinished, wanted);
    await syncFolder(wanted);
    await pruneBackups(path, day);
    return wanted;
  } catch (error) {
    throw toDatabaseFailure(error) as Error;
  } finally {
    source?.close();
    await rm(unfinished, { force: true });
    await rm(`${unfinished}-journal`, { force: true });
  }
}

/** The edit needs no journal on the disk: if the process ends during it, the unfinished copy is removed and made again. */
function editCopy(file: string, work: (connection: SqlConnection) => void): void {
  const connection = new SqlConnection(openNative(file, { readOnly: false }));
  try {
    connection.exec("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; BEGIN IMMEDIATE");
    work(connection);
    connection.exec("COMMIT");
  } finally {
    connection.close();
  }
}

/** Reads each row once, because SQLite copies pages without checking them, and a damaged copy must not take the place of a sound one. */
async function readAll(file: string, signal: AbortSignal): Promise<void> {
  const slices = new TimeSlices(signal);
  const connection = new SqlConnection(openNative(file, { readOnly: true }));
  try {
    const tables = connection.all(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND sql NOT LIKE '%WITHOUT ROWID%'",
    );
    for (const { name } of tables) {
      const rows = connection.iterate(`SELECT * FROM "${String(name)}"`);
      while (rows.next().done !== true) if (slices.isSpent) await slices.next();
    }
  } finally {
    connection.close();
  }
}

// Replaces a corrupt file by a sound one. The corrupt file and its journal are kept unchanged next to it; the new one holds the rows
// that could still be read, and from the last backup those that could not, unless the database is disposable.

/** The result of replacing a corrupt file. */
export interface FileReplacement {
  /** The new path of the corrupt file. */
  readonly setAside: string;
  /** Rows that were read from it. */
  readonly recovered: number;
  /** Rows that only the backup had, in their state of that day. */
  readonly fromBackup: number;
}

interface ReplacementSettings {
  readonly clock: Clock;
  readonly openNative: OpenNative;
  readonly migrations: readonly Migration[];
  readonly isDisposable?: boolean;
  readonly busyLimit: number;
}

/** Ending of the new file's name while the file is written. */
const unfinished = ".recovering";
/** Ending of the new file's name once the file is complete and waits to be renamed. */
const complete = ".recovered";

/**
 * Replaces the file unless another process has done so: `identity` is device and inode of the one that was found corrupt.
 * Rejects with a `DatabaseFailure`, for example of a full disk; the corrupt file is then where it was.
 */
export async function replaceCorrupt(
  path: string,
  identity: string,
  settings: ReplacementSettings,
): Promise<FileReplacement | undefined> {
  return exclusively(path, settings, async () => {
    const file = await stat(path).catch(() => undefined);
    if (file && `${file.dev} ${file.ino}` !== identity) return undefined;
    // The damaged file is locked until the files are renamed, because commits of others would be lost meanwhile. Their next write
    // then fails with kind `moved`, because SQLite compares the inode before each write.
    const source = openDamaged(path, settings.openNative);
    try {
      const counts = await recover(path, settings.isDisposable ? undefined : source, settings);
      await syncFile(path + unfinished);
      await rename(path + unfinished, path + complete);
      const stamp = new Date(settings.clock.now()).toISOString().replaceAll(":", "-").replace(/\.\d+/, "");
      const setAside = freeName(`${path}.corrupt-${stamp}`);
      await rename(path, setAside);
      await renameIfThere(`${path}-journal`, `${setAside}-journal`);
      await rename(path + complete, path);
      await syncFolder(path);
      return { setAside, ...counts };
    } catch (error) {
      throw toDatabaseFailure(error) as Error;
    } finally {
      source?.close();
    }
  });
}

/** Gives the new file its name after a process was killed between the renames. */
export async function finishReplacement(path: string, settings: ReplacementSettings): Promise<void> {
  const isNeeded = (): boolean => !existsSync(path) && existsSync(path + complete);
  if (!isNeeded()) return;
  await exclusively(path, settings, async () => {
    if (!isNeeded()) return;
    // The journal belongs to the file that was set aside; next to the new file SQLite would roll it back into that one.
    const stamp = new Date(settings.clock.now()).toISOString().replaceAll(":", "-").replace(/\.\d+/, "");
    await renameIfThere(`${path}-journal`, freeName(`${path}.corrupt-${stamp}-journal`));
    await rename(path + complete, path);
    await syncFolder(path);
  });
}

/** Opens the damaged file, and locks it where that works. Returns `undefined` when SQLite refuses to open it. */
function openDamaged(path: string, openNative: OpenNative): SqlConnection | undefined {
  let source: SqlConnection | undefined;
  try {
    source = new SqlConnection(openNative(path, { readOnly: false }));
    source.exec("PRAGMA journal_mode = TRUNCATE");
    source.exec("BEGIN IMMEDIATE");
    return source;
  } catch (error) {
    if (hasKind(toDatabaseFailure(error), "corrupt", "read-only")) return source;
    source?.close();
    throw toDatabaseFailure(error) as Error;
  }
}

async function recover(
  path: string,
  source: SqlConnection | undefined,
  { openNative, migrations, isDisposable }: ReplacementSettings,
): Promise<{ readonly recovered: number; readonly fromBackup: number }> {
  const [backupFile] = isDisposable ? [] : await listBackups(path);
  await rm(path + unfinished, { force: true });
  await rm(`${path}${unfinished}-journal`, { force: true });
  createDatabaseFile(path + unfinished);
  const target = new SqlConnection(openNative(path + unfinished, { readOnly: false }));
  const backup = backupFile === undefined ? undefined : new SqlConnection(openNative(backupFile, { readOnly: true }));
  try {
    const newest = migrations.length;
    const sourceVersion = hasLostVersion(source) ? newest : versionOf(source, newest);
    const backupVersion = versionOf(backup, newest);
    const version = sourceVersion ?? backupVersion ?? newest;
    target.exec("PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE");
    // Rows are copied into the schema that they were written for, then migrated with it.
    while (readSchemaVersion(target) < version && migrateOnce(target, migrations));
    const recovered = source && sourceVersion !== undefined ? copyReadableRows(source, target) : 0;
    const fromBackup = backup && backupVersion === version ? copyReadableRows(backup, target) : 0;
    while (migrateOnce(target, migrations));
    target.exec("COMMIT");
    return { recovered, fromBackup };
  } finally {
    backup?.close();
    target.close();
  }
}

/** Returns the schema version; `undefined` when it can't be read or is outside of 1 to `newest`. */
function versionOf(connection: SqlConnection | undefined, newest: number): number | undefined {
  try {
    const version = connection && readSchemaVersion(connection);
    return version !== undefined && version > 0 && version <= newest ? version : undefined;
  } catch {
    return undefined;
  }
}

/** True when a damaged header has lost the version. The rows then count as the newest schema's, because each file is migrated when it is opened. */
function hasLostVersion(source: SqlConnection | undefined): boolean {
  try {
    return source !== undefined && readSchemaVersion(source) === 0;
  } catch {
    return false;
  }
}

/** Runs the work in one process at a time. The lock is on an empty database, so the system releases it when the process is killed. */
async function exclusively<T>(
  path: string,
  { clock, openNative, busyLimit }: ReplacementSettings,
  work: () => Promise<T>,
): Promise<T> {
  const lockPath = `${path}.repair-lock`;
  createDatabaseFile(lockPath);
  const lock = new SqlConnection(openNative(lockPath, { readOnly: false }));
  try {
    for (let waited = 0; ; waited += 50) {
      try {
        lock.exec("BEGIN EXCLUSIVE");
        break;
      } catch (error) {
        if (!hasKind(error, "busy") || waited > busyLimit) throw error;
        await clock.delay(50);
      }
    }
    return await work();
  } finally {
    lock.rollback();
    lock.close();
  }
}

function freeName(wanted: string): string {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? wanted : `${wanted}-${count}`;
    if (!existsSync(name)) return name;
  }
}

async function renameIfThere(from: string, to: string): Promise<void> {
  await rename(from, to).catch((error: unknown) => {
    if (!isMissingFile(error)) throw error;
  });
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Syncs a folder, so that its file names survive a power cut. Systems that can't do this are ignored. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(dirname(path), "r").catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}

/**
 * Copies what can still be read of a database, row by row, and skips pages that can't be read. It copies into each table of `target` that
 * `source` has too, by the columns that both have. A row whose key `target` has already is not copied. Returns how many rows were copied.
 */
function copyReadableRows(source: SqlConnection, target: SqlConnection): number {
  let copied = 0;
  for (const table of tablesOf(target)) {
    const theirs = new Set(columnsOf(source, table));
    const columns = columnsOf(target, table).filter((column) => theirs.has(column));
    if (columns.length === 0) continue;
    const quoted = columns.map((column) => `"${column}"`).join(", ");
    const places = columns.map((_, index) => `:c${index}`).join(", ");
    const insert = `INSERT OR IGNORE INTO "${table}" (${quoted}) VALUES (${places})`;
    for (const row of readableRows(source, table, quoted)) {
      const values = Object.fromEntries(
        columns.map((column, index): [string, SQLInputValue] => [`c${index}`, row[column] ?? null]),
      );
      try {
        copied += target.run(insert, values);
      } catch (error) {
        // The schema refuses a damaged value, so that row is skipped.
        if (!hasKind(error, "constraint")) throw error;
      }
    }
  }
  return copied;
}

function tablesOf(connection: SqlConnection): readonly string[] {
  const rows = connection.all("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
  return rows.map(({ name }) => String(name));
}

/** Returns an empty list when the table is not there or its definition can't be read. */
function columnsOf(connection: SqlConnection, table: string): readonly string[] {
  return (
    undefinedIfCorrupt(() => connection.all(`PRAGMA table_info("${table}")`))?.map(({ name }) => String(name)) ?? []
  );
}

/**
 * The most row numbers that one attempt to get past an unreadable page skips. Small steps lose few readable rows, but reach the end only if it is
 * known: without it the steps go on doubling.
 */
const maxSkip = 64;

/** Yields the rows in the order of their numbers. After an unreadable page it tries larger numbers, in steps that double until a row is read. */
function* readableRows(source: SqlConnection, table: string, columns: string): Iterable<Row> {
  const last = lastRow(source, table);
  let after: number | undefined;
  for (let step = 1; ;) {
    try {
      const where = after === undefined ? "" : `WHERE rowid > ${after}`;
      for (const row of source.iterate(`SELECT rowid AS _row, ${columns} FROM "${table}" ${where} ORDER BY rowid`)) {
        after = numberIn(row["_row"]);
        step = 1;
        yield row;
      }
      return;
    } catch (error) {
      if (!hasKind(error, "corrupt")) throw error;
    }
    after = (after ?? 0) + step;
    step = last === undefined ? step * 2 : Math.min(step * 2, maxSkip);
    if (after > (last ?? Number.MAX_SAFE_INTEGER / 4)) return;
  }
}

/** The number of the last row; `undefined` when the end of the table is damaged. */
function lastRow(source: SqlConnection, table: string): number | undefined {
  const found = undefinedIfCorrupt(() =>
    source.get(`SELECT rowid AS _row FROM "${table}" ORDER BY rowid DESC LIMIT 1`),
  );
  return found && numberIn(found["_row"]);
}

function undefinedIfCorrupt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (hasKind(error, "corrupt")) return undefined;
    throw error;
  }
}

// Lists the daily backups next to a database and deletes the old ones.

/** The number of backups that are kept. */
const keptCopies = 2;
/** Milliseconds after which an unfinished copy that nothing has changed is one of a window that was killed. */
const unfinishedTime = 24 * 3_600_000;

/** `2026-11-21`, UTC. */
export function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}

export function backupPath(path: string, day: string): string {
  return `${path}.backup-${day}`;
}

/** Newest day first. */
async function listBackups(path: string): Promise<readonly string[]> {
  const prefix = `${basename(path)}.backup-`;
  const names = await readdir(dirname(path)).catch(() => []);
  return names
    .filter((name) => name.startsWith(prefix) && /^\d{4}-\d{2}-\d{2}$/.test(name.slice(prefix.length)))
    .sort()
    .reverse()
    .map((name) => join(dirname(path), name));
}

/** Keeps the backup of `day` and the one before it. Backups of days still to come were made under a wrong clock, so they are the first to go. */
async function pruneBackups(path: string, day: string): Promise<void> {
  const all = await listBackups(path);
  const newest = backupPath(path, day);
  const past = all.filter((file) => file <= newest);
  const future = all.filter((file) => file > newest);
  for (const file of [...past, ...future].slice(keptCopies)) await rm(file, { force: true });
}

/** Removes the unfinished copies of windows that were killed meanwhile. A window that still makes its copy has changed it within the day. */
async function removeUnfinished(path: string, now: number): Promise<void> {
  const prefix = `${basename(path)}.backup-`;
  for (const name of await readdir(dirname(path))) {
    if (
      !name.startsWith(prefix) ||
      !/^\d{4}-\d{2}-\d{2}\.\d+\.unfinished(?:-journal)?$/.test(name.slice(prefix.length))
    )
      continue;
    const file = join(dirname(path), name);
    const found = await stat(file).catch(() => undefined);
    if (found && now - found.mtimeMs > unfinishedTime) await rm(file, { force: true });
  }
}

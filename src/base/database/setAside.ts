/**
 * Puts a sound file in the place of a corrupt one. The corrupt file and its journal are kept whole beside it; the new one
 * holds the rows that could still be read, and from the last backup those that could not, unless the database is disposable.
 */
import { existsSync } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { listBackups } from "./backupFiles";
import type { Clock } from "../clock";
import { isMissingFile } from "../systemErrors";
import { SqlConnection } from "./sqlConnection";
import { hasKind, toDatabaseFailure } from "./failure";
import { type Migration, migrateOnce, readSchemaVersion } from "./migrate";
import { createDatabaseFile } from "./open";
import { copyReadableRows } from "./recover";
import type { OpenNative } from "./runtime";

/** What became of a corrupt file. */
export interface Replacement {
  /** Where the corrupt file is now. */
  readonly setAside: string;
  /** Rows that were read from it. */
  readonly recovered: number;
  /** Rows that only the backup had, in their state of that day. */
  readonly fromBackup: number;
}

export interface ReplacementSettings {
  readonly clock: Clock;
  readonly openNative: OpenNative;
  readonly migrations: readonly Migration[];
  readonly isDisposable?: boolean;
  readonly busyLimit: number;
}

/** While it is written. */
const unfinished = ".recovering";
/** Complete; only its name is still to be changed. */
const complete = ".recovered";

/**
 * Replaces the file unless another process has done so: `identity` is device and inode of the one that was found corrupt.
 * Rejects with a `DatabaseFailure`, for example of a full disk; the corrupt file is then where it was.
 */
export async function replaceCorrupt(
  path: string,
  identity: string,
  settings: ReplacementSettings,
): Promise<Replacement | undefined> {
  return exclusively(path, settings, async () => {
    const file = await stat(path).catch(() => undefined);
    if (file && `${file.dev} ${file.ino}` !== identity) return undefined;
    // Held until the names are changed: what others commit meanwhile would be lost. Their next write then fails with
    // kind `moved`, because SQLite compares the inode before each write.
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

/** Gives the new file its name, where a process was killed between the changes of names. */
export async function finishReplacement(path: string, settings: ReplacementSettings): Promise<void> {
  const isNeeded = (): boolean => !existsSync(path) && existsSync(path + complete);
  if (!isNeeded()) return;
  await exclusively(path, settings, async () => {
    if (!isNeeded()) return;
    // The journal belongs to the file that was set aside; beside the new one it would be rolled back into that.
    const stamp = new Date(settings.clock.now()).toISOString().replaceAll(":", "-").replace(/\.\d+/, "");
    await renameIfThere(`${path}-journal`, freeName(`${path}.corrupt-${stamp}-journal`));
    await rename(path + complete, path);
    await syncFolder(path);
  });
}

/** Undefined when not even its header can be read. */
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

/** Undefined when it can't be read or is none that a row could have been written for. */
function versionOf(connection: SqlConnection | undefined, newest: number): number | undefined {
  try {
    const version = connection && readSchemaVersion(connection);
    return version !== undefined && version > 0 && version <= newest ? version : undefined;
  } catch {
    return undefined;
  }
}

/** Its header is damaged. The schema is the newest one: each file is migrated when it is opened. */
function hasLostVersion(source: SqlConnection | undefined): boolean {
  try {
    return source !== undefined && readSchemaVersion(source) === 0;
  } catch {
    return false;
  }
}

/** One process at a time: the lock is an empty database's, so a kill ends it. */
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

export async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** So that the names in it survive a power cut; not every system can. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(dirname(path), "r").catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}

/** A copy of the database beside it, one a day, made a few pages at a time so that no write waits for it. */
import { existsSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import type { DatabaseSync } from "node:sqlite";
import { TimeSlices } from "../async/timeSlices";
import { backupPath, dayOf, pruneBackups } from "./backupFiles";
import { SqlConnection } from "./sqlConnection";
import { toDatabaseFailure } from "./failure";
import { loadRuntime, openNative } from "./runtime";
import { syncFile, syncFolder } from "./setAside";

/** Pages that are copied under one lock: 400 KB, about a millisecond. */
const pagesAtOnce = 100;

export interface BackupOptions {
  readonly path: string;
  /** Milliseconds since 1970: names the day. */
  readonly now: number;
  readonly signal: AbortSignal;
  /** Edits the copy, in one transaction: marks what may have changed in the original between `now` and the day on which the copy is used. */
  readonly age: (copy: SqlConnection, now: number) => void;
}

/**
 * Makes the backup of the day, unless it is there; older ones than that of the day before go. Returns its path when it
 * was made. Rejects with a `DatabaseFailure`, and with `corrupt` when the copy can't be read: the older ones then stay.
 */
export async function backUpDaily({ path, now, signal, age }: BackupOptions): Promise<string | undefined> {
  const day = dayOf(now);
  const wanted = backupPath(path, day);
  const { DatabaseSync, backup } = loadRuntime();
  // Node has it from 22.16.
  if (typeof backup !== "function" || existsSync(wanted)) return undefined;
  const unfinished = `${wanted}.${process.pid}.unfinished`;
  let source: DatabaseSync | undefined;
  try {
    await rm(unfinished, { force: true });
    await (await open(unfinished, "wx", 0o600)).close();
    source = new DatabaseSync(path, { readOnly: true });
    // Copied in Node's thread pool. A commit between two steps restarts it.
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

/** Without a journal on the disk: where the process ends in the middle, the unfinished copy is removed and made again. */
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

/** Pages are copied unseen, so each row is read once: a damaged copy must not take the place of a sound one. */
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

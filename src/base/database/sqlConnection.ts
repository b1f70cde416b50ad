/**
 * One open connection to a database file: it opens and migrates the file, prepares statements by their text, and reports errors as
 * `DatabaseFailure`. All calls are synchronous.
 */
import type { SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";
import { randomUUID } from "node:crypto";
import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { toDatabaseFailure, hasKind, DatabaseFailure } from "./failure";
import type { NativeDatabase, OpenNative } from "./runtime";

export type Row = Readonly<Record<string, SQLOutputValue>>;
/** Values by name (`{ id }` for `:id`). */
export type Values = Readonly<Record<string, SQLInputValue>>;

export class SqlConnection {
  readonly #native: NativeDatabase;
  readonly #statements = new Map<string, StatementSync>();

  constructor(native: NativeDatabase) {
    this.#native = native;
  }

  /** Runs statements without values. */
  exec(sql: string): void {
    translated(() => this.#native.exec(sql));
  }

  /** Returns the number of changed rows. */
  run(sql: string, values: Values = {}): number {
    return translated(() => Number(this.#statement(sql).run(values).changes));
  }

  get(sql: string, values: Values = {}): Row | undefined {
    return translated(() => this.#statement(sql).get(values));
  }

  all(sql: string, values: Values = {}): readonly Row[] {
    return translated(() => this.#statement(sql).all(values));
  }

  /** Yields row by row, so that the rows before an unreadable page are not lost. */
  *iterate(sql: string, values: Values = {}): IterableIterator<Row> {
    const rows = translated(() => this.#statement(sql).iterate(values));
    for (;;) {
      const next = translated(() => rows.next());
      if (next.done === true) return;
      yield next.value;
    }
  }

  /** The only value of the first row, such as the result of a PRAGMA. */
  value(sql: string): SQLOutputValue | undefined {
    const row = this.get(sql);
    return row === undefined ? undefined : Object.values(row)[0];
  }

  /**
   * Runs an update of one row that also states the known revision (`where id = :id and revision = :revision`). Returns false when
   * the row has changed or was deleted since: the caller decides what a conflict means.
   */
  changeRow(sql: string, values: Values): boolean {
    const changed = this.run(sql, values);
    if (changed > 1) throw new Error(`${changed} rows changed instead of one: ${sql}`);
    return changed === 1;
  }

  /** Never throws: after a failed rollback there is nothing left to do. */
  rollback(): void {
    try {
      this.#native.exec("ROLLBACK");
    } catch {
      // SQLite has rolled back already, as after a full disk.
    }
  }

  close(): void {
    this.#statements.clear();
    translated(() => this.#native.close());
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) this.#statements.set(sql, (statement = this.#native.prepare(sql)));
    return statement;
  }
}

function translated<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw toDatabaseFailure(error) as Error;
  }
}

/** Returns a value of a row as a number, for counts and versions. Throws a `TypeError` if it is none. */
export function numberIn(value: SQLOutputValue | undefined): number {
  if (typeof value === "number") return value;
  throw new TypeError(`A number was expected, not ${typeof value}.`);
}

// Opens the file of a database: made readable by its owner only, with a rollback journal.

/**
 * How long one call may block the thread for a lock, in milliseconds. This is enough for a commit to wait for the readers of other processes.
 * If it takes longer, the call fails as busy, and the caller waits without blocking.
 */
const blockedMs = 4;

/**
 * The event that a commit survives. `power-cut`: the commit is on the disk when it returns. `process-end`: the system has it and writes it
 * later; after a power cut the file may be corrupt and is replaced. It fits values that change every few seconds and soon lose their worth.
 */
export type Durability = "power-cut" | "process-end";

const settings = `
  PRAGMA busy_timeout = ${blockedMs};
  PRAGMA foreign_keys = ON;
  PRAGMA cell_size_check = ON;
`;

/** The statements in `first` run before anything is written. */
const durabilities = {
  // SQLite syncs the truncated journal. With DELETE it does not sync the folder, so the deleted journal may come back after a power cut.
  "power-cut": { first: "PRAGMA synchronous = FULL", journal: "TRUNCATE" },
  // The small pages let the file and its journal fit into a block each, and PERSIST rewrites the journal in place. Nothing is synced at a commit:
  // the system writes both blocks with its next flush.
  "process-end": { first: "PRAGMA page_size = 512; PRAGMA synchronous = OFF", journal: "PERSIST" },
} as const;

/** Makes the folder and an empty file of mode 0600; SQLite gives its journal the same mode. */
export function createDatabaseFile(path: string): void {
  // An existing file is not opened: closing the descriptor would drop every lock that this process holds on the file.
  if (existsSync(path)) return;
  try {
    mkdirSync(dirname(path), { recursive: true });
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    // Another process was faster.
    if (!existsSync(path)) throw toDatabaseFailure(error) as Error;
  }
}

export interface Opened {
  readonly connection: SqlConnection;
  /** The journal mode that SQLite reports: the one of the durability, unless another program has switched the file to WAL. */
  readonly journalMode: string;
  readonly isReadOnly: boolean;
  /** The file's `user_version`. */
  readonly version: number;
}

/** Throws a `DatabaseFailure`; kind `busy` means that it may succeed later. */
export function openConnection(path: string, openNative: OpenNative, durability: Durability): Opened {
  let connection: SqlConnection | undefined;
  try {
    connection = new SqlConnection(openNative(path, { readOnly: false }));
    const { first, journal } = durabilities[durability];
    connection.exec(`${settings}; ${first}`);
    const journalMode = String(connection.value(`PRAGMA journal_mode = ${journal}`));
    const version = numberIn(connection.value("PRAGMA user_version"));
    return { connection, journalMode, version, isReadOnly: !canWrite(connection, version) };
  } catch (error) {
    connection?.close();
    throw toDatabaseFailure(error) as Error;
  }
}

/** SQLite opens a write-protected file read-only without an error. Only a write fails, and BEGIN IMMEDIATE does not write yet. */
function canWrite(connection: SqlConnection, version: number): boolean {
  try {
    connection.exec("BEGIN IMMEDIATE");
    connection.exec(`PRAGMA user_version = ${version}`);
    return true;
  } catch (error) {
    // `cannot-open` comes from the journal, whose folder or name can't be written.
    if (hasKind(error, "read-only", "cannot-open")) return false;
    // Another process is writing, so the file is writable.
    if (hasKind(error, "busy")) return true;
    throw error;
  } finally {
    connection.rollback();
  }
}

/**
 * Whether the folder's file system refuses locks. A new file is locked to find out, because Linux reports a refusal as *busy* (ENOLCK),
 * and no other process can hold a lock on a file that was made a moment ago.
 */
export async function refusesLocks(path: string, openNative: OpenNative): Promise<boolean> {
  const probe = `${path}.probe-${randomUUID()}`;
  let connection: SqlConnection | undefined;
  try {
    connection = new SqlConnection(openNative(probe, { readOnly: false }));
    connection.exec("BEGIN IMMEDIATE; ROLLBACK");
    return false;
  } catch (error) {
    return hasKind(toDatabaseFailure(error), "busy", "unsupported-locking");
  } finally {
    connection?.close();
    await rm(probe, { force: true });
    await rm(`${probe}-journal`, { force: true });
  }
}

// Migrates the schema: each step takes the file from one `user_version` to the next, forward only, in a separate transaction.

/** The step at index n leads from version n to n + 1. Once shipped, a step is never changed. */
export type Migration = (connection: SqlConnection) => void;

export function readSchemaVersion(connection: SqlConnection): number {
  return numberIn(connection.value("PRAGMA user_version"));
}

/**
 * Takes one step inside the caller's write transaction; returns whether there is another one. The version is read here,
 * under the lock: another process may have taken the step meanwhile. Throws a `DatabaseFailure` of kind `corrupt` for a
 * file that has lost its version.
 */
export function migrateOnce(connection: SqlConnection, migrations: readonly Migration[]): boolean {
  const version = readSchemaVersion(connection);
  const step = migrations[version];
  if (step === undefined) return false;
  // Each step commits its tables with its version: a file with tables and without a version has a damaged header.
  if (version === 0 && connection.get("SELECT 1 FROM sqlite_schema WHERE type = 'table'") !== undefined)
    throw new DatabaseFailure("corrupt", "The file has tables and no version.");
  step(connection);
  connection.exec(`PRAGMA user_version = ${version + 1}`);
  return version + 1 < migrations.length;
}

/**
 * A database of several processes. Transactions never block the thread on a lock, and a corrupt or moved file is replaced or opened again. `work`
 * is synchronous and may run more than once; it must not keep the connection.
 */
import { statSync } from "node:fs";
import type { Clock } from "../clock";
import { Emitter, type Event } from "../event";
import { abortable } from "../async/abort";
import {
  type SqlConnection,
  numberIn,
  createDatabaseFile,
  type Durability,
  openConnection,
  type Opened,
  refusesLocks,
  type Migration,
  migrateOnce,
  readSchemaVersion,
} from "./sqlConnection";
import { DatabaseFailure, hasKind, toDatabaseFailure } from "./failure";
import { type OpenNative, openNative as openWithRuntime } from "./runtime";
import { finishReplacement, replaceCorrupt, type FileReplacement } from "./recovery";

export interface DatabaseOptions {
  readonly path: string;
  readonly migrations: readonly Migration[];
  readonly clock: Clock;
  /** How long a transaction waits for another process's lock, in milliseconds. */
  readonly busyLimit?: number;
  /** Whether rows can be made again or are worth little. Then the file that replaces a corrupt one begins empty. */
  readonly isDisposable?: boolean;
  readonly openNative?: OpenNative;
  /** Default: `power-cut`. */
  readonly durability?: Durability;
}

/** The access that this process has to the file. `newer`: a later version of the product has written it, so it is only read. */
export type DatabaseAccess =
  | { readonly state: "read-write" }
  | { readonly state: "read-only" }
  | { readonly state: "newer"; readonly version: number; readonly supported: number };

type OpenSettings = DatabaseOptions & {
  readonly busyLimit: number;
  readonly openNative: OpenNative;
  readonly durability: Durability;
};

export class Database {
  readonly #settings: OpenSettings;
  readonly #replaced = new Emitter<FileReplacement | undefined>();
  #opened: Opened;
  /** Device and inode of the open file. */
  #identity: string;
  #queue: Promise<void> = Promise.resolve();
  /** The milliseconds for which all transactions together have waited for locks. */
  #waited = 0;
  #replacement: FileReplacement | undefined;

  private constructor(settings: OpenSettings, opened: Opened, identity: string) {
    this.#settings = settings;
    this.#opened = opened;
    this.#identity = identity;
  }

  /** Opens or creates the file and migrates it. Rejects with a `DatabaseFailure`; a corrupt file is set aside first. */
  static async open(options: DatabaseOptions, signal?: AbortSignal): Promise<Database> {
    const settings: OpenSettings = {
      ...options,
      busyLimit: options.busyLimit ?? 10_000,
      openNative: options.openNative ?? openWithRuntime,
      durability: options.durability ?? "power-cut",
    };
    const { path, clock, openNative, busyLimit, durability } = settings;
    await finishReplacement(path, settings);
    let hasProbed = false;
    const attempt = async (): Promise<Opened> => {
      try {
        createDatabaseFile(path);
        return openConnection(path, openNative, durability);
      } catch (error) {
        if (!hasProbed && hasKind(error, "busy")) {
          hasProbed = true;
          if (await refusesLocks(path, openNative))
            throw new DatabaseFailure("unsupported-locking", "The file system refuses locks.", { cause: error });
        }
        throw error;
      }
    };
    const openFile = (): Promise<Opened> => untilFree(attempt, clock, busyLimit, signal);
    let replacement: FileReplacement | undefined;
    const opened = await openFile().catch(async (error: unknown) => {
      if (!hasKind(error, "corrupt")) throw error;
      replacement = await replaceCorrupt(path, identityOf(path), settings);
      return openFile();
    });
    const database = new Database(settings, opened, identityOf(path));
    database.#replacement = replacement;
    try {
      if (database.access.state === "read-write") await database.#migrate(signal);
      else if (opened.version < settings.migrations.length)
        throw new DatabaseFailure("read-only", "The file can't be written, and has to be migrated first.");
    } catch (error) {
      database.#opened.connection.close();
      throw error;
    }
    return database;
  }

  get path(): string {
    return this.#settings.path;
  }

  get access(): DatabaseAccess {
    const { version, isReadOnly } = this.#opened;
    const supported = this.#settings.migrations.length;
    if (version > supported) return { state: "newer", version, supported };
    return isReadOnly ? { state: "read-only" } : { state: "read-write" };
  }

  /** The journal mode as SQLite reports it. */
  get journalMode(): string {
    return this.#opened.journalMode;
  }

  /** Set when this process found the file corrupt and replaced it. */
  get replacement(): FileReplacement | undefined {
    return this.#replacement;
  }

  /** Fires when another file is at the path, so rows may be missing or back. The value is set when this process has replaced the file. */
  readonly onDidReplace: Event<FileReplacement | undefined> = this.#replaced.event;

  /** Reads one consistent view of the file. Rejects with a `DatabaseFailure`, with the error of `work`, or with an `AbortError`. */
  read<T>(work: (connection: SqlConnection) => T, signal?: AbortSignal): Promise<T> {
    return this.#enqueue(
      (left) => this.#healing(() => transaction(this.#opened.connection, "BEGIN", work), left, signal),
      signal,
    );
  }

  /**
   * Commits all changes of `work` or none. When it resolves, they are on the disk, or with the system if that is the durability. Rejects like
   * `read`, and then nothing has changed.
   */
  write<T>(work: (connection: SqlConnection) => T, signal?: AbortSignal): Promise<T> {
    const attempt = (): T => {
      this.#checkVersion(this.#opened.version);
      return transaction(this.#opened.connection, "BEGIN IMMEDIATE", (connection) => {
        // The version is read under the lock, because a later version of the product in another process may have migrated the open file.
        const version = readSchemaVersion(connection);
        this.#checkVersion(version);
        if (version < this.#settings.migrations.length)
          throw new DatabaseFailure("moved", "A file of an older version was copied over this one.");
        return work(connection);
      });
    };
    return this.#enqueue((left) => this.#healing(attempt, left, signal), signal);
  }

  #checkVersion(version: number): void {
    if (version > this.#opened.version) this.#opened = { ...this.#opened, version };
    const { access } = this;
    if (access.state === "newer")
      throw new DatabaseFailure("newer", `The file has version ${access.version}; ${access.supported} is supported.`);
  }

  /** Differs from the last one when another connection has committed, or another file is under the path. */
  async dataVersion(signal?: AbortSignal): Promise<string> {
    // SQLite compares the inode only before a write, so a reader must compare it to notice that the file was set aside.
    if (identityOf(this.path) !== this.#identity) await this.#enqueue(() => this.#reopen(signal), signal);
    const version = await this.read((connection) => numberIn(connection.value("PRAGMA data_version")), signal);
    return `${this.#identity} ${version}`;
  }

  /** Closes the connection after the transactions that are queued. */
  async close(): Promise<void> {
    await this.#enqueue(async () => {
      this.#opened.connection.close();
      return Promise.resolve();
    });
    this.#replaced.dispose();
  }

  /**
   * Runs transactions in the order of the calls. `work` gets the time that it may wait for a lock. The waits of earlier transactions since the call
   * are subtracted: behind a process that was stopped in its write, each transaction would otherwise wait the whole limit once more.
   */
  #enqueue<T>(work: (left: number) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const before = this.#waited;
    const done = this.#queue.then(() => {
      signal?.throwIfAborted();
      return work(this.#settings.busyLimit - (this.#waited - before));
    });
    this.#queue = done.then(
      () => undefined,
      () => undefined,
    );
    return signal ? abortable(done, signal) : done;
  }

  /** Runs the transaction; reopens the file and retries once where that may help. */
  async #healing<T>(attempt: () => T, left: number, signal: AbortSignal | undefined): Promise<T> {
    const { clock } = this.#settings;
    const run = (): Promise<T> =>
      untilFree(
        () => Promise.resolve(attempt()),
        clock,
        left,
        signal,
        (pause) => (this.#waited += pause),
      );
    try {
      return await run();
    } catch (error) {
      if (hasKind(error, "corrupt")) await this.#replace(signal);
      else if (hasKind(error, "moved") || (hasKind(error, "read-only") && this.#opened.isReadOnly)) {
        await this.#reopen(signal).catch((failure: unknown) => {
          // A file that has lost its version looks like an older one, until its migration finds it corrupt.
          if (!hasKind(failure, "corrupt")) throw failure;
          return this.#replace(signal);
        });
      } else throw error;
      return run();
    }
  }

  async #replace(signal: AbortSignal | undefined): Promise<void> {
    this.#replacement = await replaceCorrupt(this.path, this.#identity, this.#settings);
    await this.#reopen(signal);
  }

  async #reopen(signal: AbortSignal | undefined): Promise<void> {
    const { path, clock, busyLimit, openNative, durability } = this.#settings;
    const opened = await untilFree(
      async () => {
        await finishReplacement(path, this.#settings);
        createDatabaseFile(path);
        return openConnection(path, openNative, durability);
      },
      clock,
      busyLimit,
      signal,
    );
    this.#opened.connection.close();
    this.#opened = opened;
    const identity = identityOf(path);
    const isReplaced = identity !== this.#identity;
    this.#identity = identity;
    if (this.access.state === "read-write") {
      while (await untilFree(() => Promise.resolve(this.#migrateOnce()), clock, busyLimit, signal));
    }
    if (isReplaced) this.#replaced.fire(this.#replacement);
  }

  async #migrate(signal: AbortSignal | undefined): Promise<void> {
    const { clock, busyLimit, migrations } = this.#settings;
    try {
      while (await untilFree(() => Promise.resolve(this.#migrateOnce()), clock, busyLimit, signal));
    } catch (error) {
      if (!hasKind(error, "corrupt")) throw error;
      await this.#replace(signal);
    }
    this.#opened = { ...this.#opened, version: Math.max(this.#opened.version, migrations.length) };
  }

  #migrateOnce(): boolean {
    const { migrations } = this.#settings;
    return transaction(this.#opened.connection, "BEGIN IMMEDIATE", (connection) => migrateOnce(connection, migrations));
  }
}

function transaction<T>(
  connection: SqlConnection,
  begin: "BEGIN" | "BEGIN IMMEDIATE",
  work: (connection: SqlConnection) => T,
): T {
  connection.exec(begin);
  try {
    const result = work(connection);
    connection.exec("COMMIT");
    return result;
  } catch (error) {
    // This also follows a COMMIT that met a lock: no transaction may stay open while the thread does other work.
    connection.rollback();
    throw error;
  }
}

/** Waits on the clock while another process holds the lock, a little longer each time; the thread goes on meanwhile. */
async function untilFree<T>(
  attempt: () => Promise<T>,
  clock: Clock,
  limit: number,
  signal: AbortSignal | undefined,
  onPause: (pause: number) => void = () => undefined,
): Promise<T> {
  for (let waited = 0, wait = 1; ; wait = Math.min(wait * 2, 50)) {
    try {
      return await attempt();
    } catch (error) {
      const failure = toDatabaseFailure(error);
      if (!hasKind(failure, "busy") || waited >= limit) throw failure;
      // A random pause keeps the waiting processes from trying in step.
      const pause = wait * (0.5 + Math.random());
      waited += pause;
      onPause(pause);
      await clock.delay(pause, signal);
    }
  }
}

/** Device and inode of the file; empty when there is no file. */
function identityOf(path: string): string {
  const file = statSync(path, { throwIfNoEntry: false });
  return file ? `${file.dev} ${file.ino}` : "";
}
